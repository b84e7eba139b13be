//! The claims and rulings of one game, as a state machine that takes a request and returns steps or a typed refusal.
//!
//! Owns the state that a game keeps between requests, such as the open claim and the offences. Never changes a
//! clock: the steps carry commands, which are first tried on a copy of the clock, so that a refused request changes
//! nothing. The procedures are in the submodules.

use timing::{Board, BoardClock, BoardState, BySide, Command, Ending, GameResult, Instant, Side};

use crate::rule_set::{AutomaticDraw, CannotMate, RuleSet};
use crate::{BoardEnd, ClaimKind, Scoresheet, board_end, can_mate};

mod adjourned;
mod admission;
mod appeal;
mod board_claim;
mod choices;
mod claimable;
mod claims;
mod double_flag;
mod flag;
mod guidelines;
mod illegal_move;
mod losing_chances;
mod offers;
mod others;
mod refusal;
mod request;
mod setup_faults;

use adjourned::SealedMove;
pub use board_claim::Finding;
pub use choices::{Choice, effect_of};
pub use claimable::Claimable;
pub use claims::OpenClaim;
pub use flag::FlagOrder;
pub use illegal_move::{Offence, OffenceKind};
pub use others::othello_score;
pub use refusal::Refusal;
pub(crate) use request::read_span;
pub use request::{Decision, ParseRequestError, Request};

/// The origin of a procedure's step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// The player of this side.
    Player(Side),
    /// The arbiter, director or captain who sends the request.
    Arbiter,
    /// The rules themselves: a consequence that needs no decision.
    Rules,
}

/// One step of a procedure, for the log and for the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcedureStep {
    /// The origin of the step.
    pub actor: Actor,
    /// The article that provides for the step.
    pub article: String,
    /// The step, described in English.
    pub text: String,
    /// The commands for the board's clock, in order.
    pub commands: Vec<Command>,
}

/// The facts about a game against which a request is judged.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The clock of the board.
    pub clock: &'a BoardClock,
    /// The instant of the request on the board's timeline.
    pub now: Instant<Board>,
    /// The moves of the game, if they are known.
    pub score: Option<&'a Scoresheet>,
}

/// The state of a game's claims and rulings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proceedings {
    pub(crate) rules: &'static RuleSet,
    pub(crate) open: Option<OpenClaim>,
    pub(crate) offer: Option<Side>,
    /// True if the opponent has rejected the offer that an open claim contains. The offer itself is kept only so that logs in which it was accepted
    /// later can be replayed.
    pub(crate) rejected: bool,
    pub(crate) offences: Vec<Offence>,
    /// For each side, the number of its illegal moves when the last of them was recorded; 0 once the side has completed
    /// a move after that.
    pub(crate) replacing: BySide<u32>,
    pub(crate) touched: BySide<bool>,
    pub(crate) must_play: Option<(Side, String)>,
    pub(crate) fitted: Option<&'static str>,
    pub(crate) watching: Option<(ClaimKind, Side)>,
    pub(crate) extension_agreed: bool,
    pub(crate) sealed: Option<SealedMove>,
    pub(crate) appealed: Option<GameResult>,
}

pub(crate) type Steps = Vec<ProcedureStep>;

impl Proceedings {
    /// Returns the state before the first move under `rules`.
    pub fn new(rules: &'static RuleSet) -> Self {
        Self {
            rules,
            open: None,
            offer: None,
            rejected: false,
            offences: Vec::new(),
            replacing: BySide::default(),
            touched: BySide::default(),
            must_play: None,
            fitted: None,
            watching: None,
            extension_agreed: false,
            sealed: None,
            appealed: None,
        }
    }

    /// Returns the rule set under which the game is played.
    pub fn rules(&self) -> &'static RuleSet {
        self.rules
    }

    /// Continues under a different rule set. Claims, offers and offences are kept.
    pub fn change_rules(&mut self, rules: &'static RuleSet) {
        self.rules = rules;
    }

    /// Replaces the offences of the game. The caller keeps the offences, because some are recorded without a request.
    pub fn set_offences(&mut self, offences: Vec<Offence>) {
        self.offences = offences;
    }

    /// Returns the claim that waits for a decision.
    pub fn open_claim(&self) -> Option<&OpenClaim> {
        self.open.as_ref()
    }

    /// Returns the side whose draw offer is open.
    pub fn draw_offer(&self) -> Option<Side> {
        self.offer.filter(|_| !self.rejected)
    }

    /// Returns the side that must play the intended move of its incorrect claim, and that move in SAN (FIDE 9.5.3).
    pub fn must_play(&self) -> Option<(Side, &str)> {
        self.must_play
            .as_ref()
            .map(|(side, san)| (*side, san.as_str()))
    }

    /// Judges a request and returns its steps; the caller applies their commands to the clock, in order and at the
    /// instant of the request.
    ///
    /// # Errors
    /// Returns a [`Refusal`] if a rule or the clock refuses the request. The proceedings are then unchanged.
    pub fn on_request(
        &mut self,
        situation: Situation<'_>,
        request: &Request,
    ) -> Result<Vec<ProcedureStep>, Refusal> {
        let mut clock = situation.clock.clone();
        let _ = clock.pass_time(situation.now);
        let settled = Situation {
            clock: &clock,
            ..situation
        };
        let mut next = self.clone();
        let steps = next.judge(settled, request)?;
        let mut tried = clock.clone();
        for command in steps.iter().flat_map(|step| &step.commands) {
            let _ = tried
                .on_command(situation.now, command)
                .map_err(Refusal::Clock)?;
        }
        *self = next;
        Ok(steps)
    }

    /// Records that a side has completed its move with a press. The duties to move a touched piece and to replace an
    /// illegal move end. A draw offer that the side did not accept is rejected (FIDE 9.1.2.1).
    pub fn on_press(&mut self, side: Side) {
        self.touched[side] = false;
        self.replacing[side] = 0;
        if self.offer == Some(side.other()) {
            self.offer = None;
        }
    }

    /// Closes any open claim or offer, after the game has ended or has been put back to an earlier state.
    pub fn on_end(&mut self) {
        self.open = None;
        self.offer = None;
    }

    /// Returns the step that ends the game on the board without a claim: mate, stalemate, a dead position, or an
    /// automatic draw of the rule set (FIDE 5.1.1, 5.2, 9.6).
    pub fn on_board(&self, situation: Situation<'_>) -> Option<ProcedureStep> {
        situation.in_progress().ok()?;
        let end = self.board_end(situation)?;
        let (command, text) = match end {
            BoardEnd::Checkmate { winner } => (Command::End(Ending::Mate(winner)), "checkmate"),
            BoardEnd::Stalemate => (self.drawn(), "stalemate"),
            BoardEnd::DeadPosition => (self.drawn(), "a dead position"),
            BoardEnd::Fivefold => (self.drawn(), "the same position for the fifth time"),
            BoardEnd::SeventyFiveMoves => (
                self.drawn(),
                "75 moves by each player without a pawn move or a capture",
            ),
        };
        Some(step(Actor::Rules, end.article(), text, [command]))
    }

    /// Returns the end of the game on the board. A draw by repetition or move count counts only if the rule set makes
    /// it automatic.
    fn board_end(&self, situation: Situation<'_>) -> Option<BoardEnd> {
        let end = situation.score.and_then(board_end)?;
        let draw = match end {
            BoardEnd::Fivefold => AutomaticDraw::Fivefold,
            BoardEnd::SeventyFiveMoves => AutomaticDraw::SeventyFiveMoves,
            BoardEnd::Checkmate { .. } | BoardEnd::Stalemate | BoardEnd::DeadPosition => {
                return Some(end);
            }
        };
        self.rules.is_automatic(draw).then_some(end)
    }

    /// Checks, before a move is written down, that it fulfils any duty of the side to play an intended move. The duty
    /// ends with that move.
    ///
    /// # Errors
    /// Returns a [`Refusal`] if the side must play a different move (FIDE 9.5.3).
    pub fn on_move(&mut self, side: Side, san: &str) -> Result<(), Refusal> {
        match &self.must_play {
            Some((bound, must)) if *bound == side && must != san => {
                Err(Refusal::MustPlay { san: must.clone() })
            }
            Some((bound, _)) if *bound == side => {
                self.must_play = None;
                Ok(())
            }
            Some(_) | None => Ok(()),
        }
    }
}

impl Situation<'_> {
    /// Returns the side to move, also while the clocks are stopped or a fallen flag has frozen them; `None` before and
    /// after the game.
    pub(crate) fn side_on_move(&self) -> Option<Side> {
        match self.clock.state() {
            BoardState::Flagged { side } => Some(side),
            state @ (BoardState::Ready
            | BoardState::Running { .. }
            | BoardState::Paused { .. }
            | BoardState::Stopped { .. }
            | BoardState::Over) => state.on_move(),
        }
    }

    pub(crate) fn pause(&self) -> Option<Command> {
        self.clock.running().map(|_| Command::Pause)
    }

    pub(crate) fn in_progress(&self) -> Result<(), Refusal> {
        match self.clock.state() {
            BoardState::Ready => Err(Refusal::NotStarted),
            BoardState::Over => Err(Refusal::GameOver),
            BoardState::Running { .. }
            | BoardState::Paused { .. }
            | BoardState::Stopped { .. }
            | BoardState::Flagged { .. } => Ok(()),
        }
    }

    /// Returns true if `side` can checkmate by any series of legal moves; `None` if the moves are not known.
    pub(crate) fn can_mate(&self, side: Side) -> Option<bool> {
        self.score
            .map(|score| can_mate(score.position(), side).is_possible())
    }
}

impl Proceedings {
    /// Returns the command that ends the game as drawn. With draw odds, the command enters a win for the side that has
    /// them.
    pub(crate) fn drawn(&self) -> Command {
        let result = self.rules.drawn_game();
        if result == GameResult::Draw {
            Command::End(Ending::Draw)
        } else {
            ends_with(result)
        }
    }

    pub(crate) fn offers(&mut self, by: Side) {
        self.offer = Some(by);
        self.rejected = false;
    }

    /// Returns the article `fide` of the FIDE Laws, or the article `own` if the rule set numbers its articles
    /// differently.
    pub(crate) fn numbered<'a>(&self, fide: &'a str, own: &'a str) -> &'a str {
        match self.rules.own_numbers {
            true => own,
            false => fide,
        }
    }

    pub(crate) fn not_in_rules(&self) -> Refusal {
        Refusal::NotInRules {
            rules: self.rules.title.clone(),
        }
    }

    /// Returns the command for a loss by `loser`, and its description. The game is drawn if the opponent cannot
    /// checkmate and `rule` says so.
    pub(crate) fn loss(
        &self,
        situation: Situation<'_>,
        loser: Side,
        rule: CannotMate,
    ) -> (Command, &'static str) {
        let winner = loser.other();
        let lost = ends_with(GameResult::win(winner));
        match (rule, situation.can_mate(winner)) {
            (CannotMate::Draw, Some(false)) => (
                self.drawn(),
                "drawn: the opponent cannot checkmate by any possible series of legal moves",
            ),
            (CannotMate::Draw, None) => (
                lost,
                "lost; the moves are not known here, so the arbiter judges whether the opponent can checkmate",
            ),
            (CannotMate::Draw, Some(true)) | (CannotMate::Loss, _) => (lost, "lost"),
        }
    }

    fn judge(&mut self, at: Situation<'_>, request: &Request) -> Result<Steps, Refusal> {
        if let Some(open) = &self.open {
            open.admits(request)?;
        }
        match request {
            Request::Claim {
                kind,
                by,
                written,
                delay_clock,
            } => self.claim(at, *kind, *by, written.as_deref(), *delay_clock),
            Request::Decide(decision) => self.decide(at, decision),
            Request::Withdraw { by } => self.withdraw(*by),
            Request::OfferDraw { by } => self.offer_draw(at, *by),
            Request::Accept { by } => self.accept(at, *by),
            Request::Decline { by } => self.decline(*by),
            Request::Touch { by } => {
                at.in_progress()?;
                self.touched[*by] = true;
                let text = "touches a piece, which must be moved; no claim on this move";
                Ok(vec![step(Actor::Player(*by), "9.4", text, [])])
            }
            Request::AgreeExtension => self.agree_extension(at),
            Request::IllegalMove { by, kind } => self.illegal_move(at, *by, *kind),
            Request::CallFlag {
                side,
                caller,
                order,
            } => self.call_flag(at, *side, *caller, *order),
            Request::WrongSetting {
                times,
                moves,
                schedule_suffers,
            } => self.wrong_setting(at, *times, *moves, *schedule_suffers),
            Request::ReversedColours => self.reversed_colours(at),
            Request::ScorekeepingStopped => self.scorekeeping_stopped(at),
            Request::Absent {
                sides,
                elapsed,
                default_time,
            } => self.absent(at, *sides, *elapsed, *default_time),
            Request::EndedOnBoard(end) => {
                at.in_progress()?;
                let found = at.score.and_then(board_end).filter(|found| found == end);
                let steps = found.and(self.on_board(at));
                let step = steps.ok_or(Refusal::NotOnBoard)?;
                self.on_end();
                Ok(vec![step])
            }
            Request::Adjourn => self.adjourn(at),
            Request::OpenSealedMove => self.open_sealed_move(at),
            Request::Appeal => self.appeal(at),
            Request::CaptainsRescue {
                side,
                amount,
                substituted,
                after_end_date,
            } => self.captains_rescue(at, *side, *amount, *substituted, *after_end_date),
            Request::Othello { graced, discs } => self.othello(at, *graced, *discs),
        }
    }
}

pub(crate) fn step(
    actor: Actor,
    article: &str,
    text: impl Into<String>,
    commands: impl IntoIterator<Item = Command>,
) -> ProcedureStep {
    ProcedureStep {
        actor,
        article: article.to_owned(),
        text: text.into(),
        commands: commands.into_iter().collect(),
    }
}

pub(crate) const fn ends_with(result: GameResult) -> Command {
    Command::End(Ending::Result(Some(result)))
}

pub(crate) const fn name(side: Side) -> &'static str {
    match side {
        Side::White => "White",
        Side::Black => "Black",
    }
}
