//! The rule set, the moves and the claims of one board's game according to the log. Part of the fold: the Laws judge an
//! arbiter's request at the instant in its record. A replay therefore judges it again with the same outcome. Never
//! changes a clock: the clock carries out the command that a ruling names.

mod view;

pub use view::BoardProceedings;

use std::sync::Arc;

use laws::{
    BoardEnd, Offence, OpenClaim, ProcedureStep, Proceedings, RuleSet, Scoresheet, Situation,
    board_end,
};
use proto::ids::CommandId;
use proto::log::MovesEntered;
use timing::{Board as BoardTime, BoardClock, BySide, Instant, Side, TimeControl};
use tournament::RateOfPlay;

use crate::ruling::{MAX_MOVES, RulingRefusal};

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Rulings {
    /// The rule set that an arbiter chose. Stays with the board when a new game is set.
    chosen: Option<&'static RuleSet>,
    /// The rule set of the event's round, which applies unless one is chosen for the board.
    of_event: Option<&'static RuleSet>,
    proceedings: Option<Box<Proceedings>>,
    score: Option<Arc<Scoresheet>>,
    /// True if the newest entry added one or two moves, and the score then had at least as many moves as the clock
    /// counted.
    is_followed: bool,
    last: Option<Last>,
}

/// Maximum number of half-moves in one entry of a score that is kept while the game is played.
const MAX_MOVES_AT_ONCE: usize = 2;

/// The newest ruling, which the answer to its command may take back or enter again.
#[derive(Clone, Debug, PartialEq)]
struct Last {
    command: CommandId,
    stands: bool,
    /// The proceedings that apply if the clock's answer changes: without the ruling if the ruling now stands, otherwise
    /// with it.
    other: Box<Proceedings>,
}

impl Rulings {
    pub(crate) fn of_new_game(&self) -> Self {
        Self {
            chosen: self.chosen,
            of_event: self.of_event,
            ..Self::default()
        }
    }

    pub(crate) fn rules(&self, control: &TimeControl) -> Result<&'static RuleSet, RulingRefusal> {
        match self.chosen.or(self.of_event) {
            Some(rules) => Ok(rules),
            None => {
                let key = key_for(control);
                RuleSet::find(key).ok_or_else(|| RulingRefusal::NoRuleSet(key.to_owned()))
            }
        }
    }

    pub(crate) fn choose(&mut self, rules: &'static RuleSet, control: &TimeControl) {
        self.chosen = Some(rules);
        self.follow_rules(control);
    }

    /// Sets the rule set of the event's round; `None` if the event names none. Returns true if this changes the board's
    /// rules.
    pub(crate) fn follow(
        &mut self,
        of_event: Option<&'static RuleSet>,
        control: &TimeControl,
    ) -> bool {
        let changes = self.of_event != of_event && self.chosen.is_none();
        self.of_event = of_event;
        self.follow_rules(control);
        changes
    }

    /// Switches the proceedings to the board's rule set. An open claim is decided by the rule set under which it was
    /// made.
    pub(crate) fn follow_rules(&mut self, control: &TimeControl) {
        let Ok(rules) = self.rules(control) else {
            return;
        };
        let decided = self.both().filter(|one| one.open_claim().is_none());
        decided.for_each(|proceedings| proceedings.change_rules(rules));
    }

    /// Returns the proceedings that apply now and, if there is a newest ruling, the alternative in [`Last::other`].
    fn both(&mut self) -> impl Iterator<Item = &mut Box<Proceedings>> {
        let of_game = self.proceedings.iter_mut();
        of_game.chain(self.last.iter_mut().map(|last| &mut last.other))
    }

    pub(crate) fn score(&self) -> Option<&Arc<Scoresheet>> {
        self.score.as_ref()
    }

    pub(crate) fn is_followed(&self) -> bool {
        self.is_followed
    }

    pub(crate) fn open_claim(&self) -> Option<&OpenClaim> {
        self.proceedings.as_ref()?.open_claim()
    }

    pub(crate) fn proceedings(
        &self,
        clock: &BoardClock,
        offences: Vec<Offence>,
    ) -> Result<Proceedings, RulingRefusal> {
        let mut proceedings = match &self.proceedings {
            Some(proceedings) => Proceedings::clone(proceedings),
            None => Proceedings::new(self.rules(clock.time_control())?),
        };
        proceedings.set_offences(offences);
        Ok(proceedings)
    }

    pub(crate) fn situation<'a>(
        &'a self,
        clock: &'a BoardClock,
        now: Instant<BoardTime>,
    ) -> Situation<'a> {
        let score = self.score.as_deref();
        let score = score.filter(|score| is_in_step(score, clock));
        Situation { clock, now, score }
    }

    /// Judges a request without carrying it out.
    pub(crate) fn judge(
        &self,
        clock: &BoardClock,
        offences: Vec<Offence>,
        at: Instant<BoardTime>,
        request: &laws::Request,
    ) -> Result<(Proceedings, Vec<ProcedureStep>), RulingRefusal> {
        let mut proceedings = self.proceedings(clock, offences)?;
        let situation = if matches!(request, laws::Request::EndedOnBoard(_)) {
            self.situation_on_board(clock, at)
        } else {
            self.situation(clock, at)
        };
        let steps = proceedings.on_request(situation, request)?;
        Ok((proceedings, steps))
    }

    /// Checks that a new request is admissible, before it is judged.
    pub(crate) fn admit(
        &self,
        clock: &BoardClock,
        offences: Vec<Offence>,
        at: Instant<BoardTime>,
        request: &laws::Request,
    ) -> Result<(), RulingRefusal> {
        let proceedings = self.proceedings(clock, offences)?;
        let mut settled = clock.clone();
        let _ = settled.pass_time(at);
        let situation = Situation {
            clock: &settled,
            now: at,
            score: None,
        };
        Ok(proceedings.admit(situation, request)?)
    }

    /// Checks that no appeal or adjournment keeps the clocks stopped.
    pub(crate) fn may_start(&self, clock: &BoardClock) -> Result<(), laws::Refusal> {
        match &self.proceedings {
            Some(proceedings) => proceedings.may_start(clock),
            None => Ok(()),
        }
    }

    /// Enters a judged ruling, which stands unless its command is refused or withdrawn.
    pub(crate) fn enter(&mut self, command: CommandId, before: Proceedings, after: Proceedings) {
        self.proceedings = Some(Box::new(after));
        self.last = Some(Last {
            command,
            stands: true,
            other: Box::new(before),
        });
    }

    /// Takes back a ruling whose command was refused or withdrawn. Enters it again if the clock has carried out the
    /// command after all.
    pub(crate) fn answered(&mut self, command: &CommandId, stands: bool) {
        if let (Some(last), Some(proceedings)) = (&mut self.last, &mut self.proceedings)
            && last.command == *command
            && last.stands != stands
        {
            std::mem::swap(proceedings, &mut last.other);
            last.stands = stands;
        }
    }

    pub(crate) fn on_press(&mut self, side: Side) {
        self.both()
            .for_each(|proceedings| proceedings.on_press(side));
    }

    /// Records that the game has ended or was set back.
    pub(crate) fn on_end(&mut self) {
        self.both().for_each(|proceedings| proceedings.on_end());
    }

    /// Checks moves from an arbiter or an electronic board, and returns them in UCI notation. Enters nothing.
    pub(crate) fn read_moves(
        &self,
        clock: &BoardClock,
        after: u32,
        moves: &[String],
    ) -> Result<MovesEntered, RulingRefusal> {
        let uci = self.clone().play_moves(clock, after, moves)?;
        Ok(MovesEntered { after, uci })
    }

    pub(crate) fn enter_moves(
        &mut self,
        clock: &BoardClock,
        entered: &MovesEntered,
    ) -> Result<(), RulingRefusal> {
        let mut next = self.clone();
        next.play_moves(clock, entered.after, &entered.uci)?;
        next.is_followed = (1..=MAX_MOVES_AT_ONCE).contains(&entered.uci.len())
            && next
                .score()
                .is_some_and(|score| has_every_move(score, clock));
        *self = next;
        Ok(())
    }

    fn play_moves(
        &mut self,
        clock: &BoardClock,
        after: u32,
        moves: &[String],
    ) -> Result<Vec<String>, RulingRefusal> {
        let rules = self.rules(clock.time_control())?;
        if rules.game != laws::GameKind::Chess {
            return Err(RulingRefusal::NotChess);
        }
        let mut score = self
            .score
            .take()
            .map_or_else(Scoresheet::new, Arc::unwrap_or_clone);
        let known = score.moves().len();
        let keep = usize::try_from(after).unwrap_or(usize::MAX);
        if keep > known {
            return Err(RulingRefusal::MovesMissing {
                known: u32::try_from(known).unwrap_or(u32::MAX),
            });
        }
        for _ in keep..known {
            score.take_back();
        }
        if keep + moves.len() > MAX_MOVES {
            return Err(RulingRefusal::TooManyMoves);
        }
        let mut played = Vec::with_capacity(moves.len());
        for text in moves {
            let (number, side) = (score.move_number(), score.turn());
            let wrong = |error| RulingRefusal::Move {
                number,
                side,
                error,
            };
            let next = score.read_without_playing(text).map_err(wrong)?;
            if let Some(proceedings) = &mut self.proceedings {
                proceedings.on_move(side, &next.san)?;
            }
            played.push(next.uci());
            score.play(text).map_err(wrong)?;
        }
        self.score = Some(Arc::new(score));
        Ok(played)
    }

    /// Returns the end of the game that results from the moves themselves (FIDE 5.1.1, 5.2, 9.6).
    pub(crate) fn end_on_board(
        &self,
        clock: &BoardClock,
        at: Instant<BoardTime>,
    ) -> Option<BoardEnd> {
        let situation = self.situation_on_board(clock, at);
        let proceedings = self.proceedings(clock, Vec::new()).ok()?;
        proceedings.on_board(situation)?;
        situation.score.and_then(board_end)
    }

    fn situation_on_board<'a>(
        &'a self,
        clock: &'a BoardClock,
        now: Instant<BoardTime>,
    ) -> Situation<'a> {
        // If moves that the clock has counted are missing from the score, its last position is not the end of the game.
        let score = self.score.as_deref();
        let score = score.filter(|score| has_every_move(score, clock));
        Situation { clock, now, score }
    }
}

/// Returns, for each side, the number of moves written down minus the number completed on the clock.
pub(crate) fn ahead_of(score: &Scoresheet, clock: &BoardClock) -> BySide<i64> {
    score.difference(BySide::from_fn(|side| clock.side(side, clock.now()).moves))
}

fn has_every_move(score: &Scoresheet, clock: &BoardClock) -> bool {
    let ahead = ahead_of(score, clock);
    ahead.white >= 0 && ahead.black >= 0
}

/// Returns true if the score has reached the clock's count; one move may be written before its press. Otherwise the
/// score's position is not the one on the board, so nothing is judged by it.
fn is_in_step(score: &Scoresheet, clock: &BoardClock) -> bool {
    let ahead = ahead_of(score, clock);
    has_every_move(score, clock) && ahead.white + ahead.black <= 1
}

/// Returns the key of the default rule set for a time control. A control that only one rule set uses selects that rule
/// set. Any other control means chess, with the rules for its rate of play (FIDE A.1, B.1).
fn key_for(control: &TimeControl) -> &'static str {
    use timing::Reserve;
    if control.has_triple_block() {
        return "iccf-triple-block";
    }
    match control.side(Side::White).reserve() {
        Reserve::DoubleFlag(_) => "double-flag",
        Reserve::Grace(_) => "othello",
        Reserve::Overtime(_) => "scrabble",
        Reserve::ByoYomi(_) | Reserve::Canadian(_) => "go",
        Reserve::None => match RateOfPlay::of(control) {
            RateOfPlay::Standard => "fide-standard",
            RateOfPlay::Rapid => "fide-rapid",
            RateOfPlay::Blitz => "fide-blitz",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_control_has_a_rule_set() {
        for (control, key) in [
            ("90m+30s", "fide-standard"),
            ("15m+10s", "fide-rapid"),
            ("3m+2s", "fide-blitz"),
            ("30m extra 5m min 10s hybrid", "double-flag"),
            ("30m grace 2m", "othello"),
            ("25m overtime 10/1m", "scrabble"),
            ("10m byo 3x30s", "go"),
            ("10m canadian 20/5m", "go"),
        ] {
            let parsed: TimeControl = control.parse().expect(control);
            let rules = Rulings::default().rules(&parsed).expect(control);
            assert_eq!(rules.key, key, "{control}");
        }
    }
}
