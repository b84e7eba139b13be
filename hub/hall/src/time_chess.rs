//! Time Chess on a board: the game, the players' actions, and the rule for the press. Part of the fold: the game
//! follows from the records alone.
//!
//! Owns the order of move, press and day. A press that completes no turn changes the clock but not the day.
//! Players and spectators must never receive more than a [`View`].

use std::fmt;

use proto::ids::CommandId;
use time_chess::{Attempt, Game, Outcome, Phase, Reason, Refusal, View, Viewer, color_of, side_of};
use timing::{BoardClock, BoardState, Ending, FlagView, GameResult, Side};

use crate::board_id::BoardId;
use crate::request::RequestDigest;

/// The action that completes a turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PressRule {
    /// A press of the button on the board's clock.
    #[default]
    Clock,
    /// A press of the button on the player's page; the hub keeps the time.
    Page,
    /// The move itself; the hub keeps the time.
    Move,
}

impl PressRule {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Clock => "clock",
            Self::Page => "page",
            Self::Move => "move",
        }
    }

    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Clock, Self::Page, Self::Move]
            .into_iter()
            .find(|rule| rule.as_str() == word)
    }
}

impl fmt::Display for PressRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A player's action in a game of Time Chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerAct {
    Move(Attempt),
    /// Presses the button on the player's page; possible only under [`PressRule::Page`].
    Press,
    /// Offers a draw; accepts the opponent's offer if one is open.
    OfferDraw,
    AcceptDraw,
    DeclineDraw,
    /// Claims a draw by threefold repetition or the 50-move rule.
    ClaimDraw,
    Resign,
}

impl fmt::Display for PlayerAct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move(attempt) => write!(f, "tried {attempt}"),
            Self::Press => f.write_str("pressed on the page"),
            Self::OfferDraw => f.write_str("offered a draw"),
            Self::AcceptDraw => f.write_str("accepted the draw"),
            Self::DeclineDraw => f.write_str("declined the draw"),
            Self::ClaimDraw => f.write_str("claimed a draw"),
            Self::Resign => f.write_str("resigned"),
        }
    }
}

/// A request from a player's device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerRequest {
    /// The idempotency key, chosen by the device.
    pub id: CommandId,
    pub player: String,
    /// The board to which the device is bound.
    pub board: BoardId,
    /// The side to which the device is bound.
    pub side: Side,
    pub act: PlayerAct,
    pub digest: RequestDigest,
}

/// The reason why a player's action was refused. A refusal must not reveal anything that the player may not see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum PlayerRefusal {
    #[error("no game of Time Chess is set on this board: ask the arbiter")]
    NoGame,
    /// The player's clock is not running, or it is not the player's turn in the game.
    #[error("your clock is not running: wait for your turn, or ask the arbiter")]
    NotRunning,
    /// The game has not begun, or is over.
    #[error("no game is in progress on this board")]
    NotInPlay,
    #[error(
        "the page has no clock button here: press the button of the board's clock, or make the move that ends the turn"
    )]
    PressTheClock,
    #[error("your opponent has not offered a draw")]
    NoOffer,
    #[error("your draw offer is already open")]
    OfferStands,
    #[error("{0}")]
    Game(#[from] Refusal),
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TimeChess {
    game: Game,
    /// The press that completed each turn: its side, and the number of its move on the clock.
    pressed: Vec<(Side, u32)>,
    /// The outcome by agreement, claim or resignation.
    decided: Option<Outcome>,
    offer: Option<Side>,
    stray: Option<Side>,
}

impl TimeChess {
    pub(crate) fn phase(&self) -> Phase {
        self.game.phase()
    }

    pub(crate) fn mover(&self) -> Side {
        side_of(self.game.position().mover())
    }

    /// Returns the player to move if that player has pressed the clock without making a move (FIDE 7.5.3).
    pub(crate) fn stray(&self) -> Option<Side> {
        self.stray
    }

    /// Returns the outcome by the moves or by the players' decision. Ignores a result that only the clock has.
    pub(crate) fn outcome(&self) -> Option<Outcome> {
        self.game.outcome().or(self.decided)
    }

    /// Returns the ending to enter on the clock; `None` if [`Self::outcome`] is `None`.
    pub(crate) fn ending(&self) -> Option<Ending> {
        let outcome = self.outcome()?;
        Some(match (outcome.winner.map(side_of), outcome.reason) {
            (Some(winner), Reason::Checkmate) => Ending::Mate(winner),
            (Some(winner), Reason::Resignation) => Ending::Resign(winner.other()),
            (Some(winner), _) => Ending::Result(Some(GameResult::win(winner))),
            (None, _) => Ending::Draw,
        })
    }

    pub(crate) fn judge(
        &self,
        clock: &BoardClock,
        rule: PressRule,
        side: Side,
        act: PlayerAct,
    ) -> Result<(), PlayerRefusal> {
        if self.outcome().is_some() || matches!(clock.state(), BoardState::Ready | BoardState::Over)
        {
            return Err(PlayerRefusal::NotInPlay);
        }
        let runs = clock.state().running() == Some(side) && self.mover() == side;
        let on_move = || runs.then_some(()).ok_or(PlayerRefusal::NotRunning);
        match act {
            PlayerAct::Move(_) | PlayerAct::ClaimDraw => {
                on_move()?;
                self.clone().act(side, act)
            }
            PlayerAct::Press if rule != PressRule::Page => Err(PlayerRefusal::PressTheClock),
            PlayerAct::Press => {
                on_move()?;
                match self.game.is_moved() {
                    true => Ok(()),
                    false => Err(Refusal::NotMoved.into()),
                }
            }
            PlayerAct::OfferDraw
            | PlayerAct::AcceptDraw
            | PlayerAct::DeclineDraw
            | PlayerAct::Resign => self.clone().act(side, act),
        }
    }

    /// Carries out an action. A press has no effect here: it takes effect through [`Self::on_press`].
    pub(crate) fn act(&mut self, side: Side, act: PlayerAct) -> Result<(), PlayerRefusal> {
        let player = color_of(side);
        match act {
            PlayerAct::Move(attempt) => {
                self.game.play(attempt)?;
                self.stray = None;
                // A move also answers the opponent's offer (FIDE 9.1.2.1).
                self.offer = self.offer.filter(|by| *by == side);
            }
            PlayerAct::Press => (),
            PlayerAct::OfferDraw if self.offer == Some(side) => {
                return Err(PlayerRefusal::OfferStands);
            }
            PlayerAct::OfferDraw if self.offer.is_none() => self.offer = Some(side),
            // An offer in reply to the opponent's offer accepts that offer.
            PlayerAct::OfferDraw | PlayerAct::AcceptDraw => {
                self.expect_offer_to(side)?;
                self.decided = Some(Outcome::draw(Reason::Agreement));
            }
            PlayerAct::DeclineDraw => {
                self.expect_offer_to(side)?;
                self.offer = None;
            }
            PlayerAct::ClaimDraw => self.decided = Some(self.game.clone().claim_draw(player)?),
            PlayerAct::Resign => self.decided = Some(Outcome::win(!player, Reason::Resignation)),
        }
        Ok(())
    }

    fn expect_offer_to(&self, side: Side) -> Result<(), PlayerRefusal> {
        match self.offer {
            Some(by) if by != side => Ok(()),
            Some(_) | None => Err(PlayerRefusal::NoOffer),
        }
    }

    /// Updates the game after a completed move on the clock. A press by the player to move advances the day only after
    /// a move. Without a move, it remains that player's turn, and the opponent's press starts the player's clock again.
    pub(crate) fn on_press(&mut self, side: Side, moves: u32) {
        if side != self.mover() {
            return;
        }
        if self.game.press().is_ok() {
            self.pressed.push((side, moves));
            self.stray = None;
        } else if self.outcome().is_none() {
            self.stray = Some(side);
        }
    }

    pub(crate) fn on_reopened(&mut self) {
        self.decided = None;
        self.offer = None;
    }

    /// Updates the game after an arbiter set the clock back. A clock that is ready to start again has an empty game.
    /// Otherwise, the first turn whose press was undone waits for its press again, and the later turns are removed.
    pub(crate) fn on_restored(&mut self, clock: &BoardClock) {
        if clock.state() == BoardState::Ready {
            *self = Self::default();
            return;
        }
        let counts = |(side, moves): &(Side, u32)| *moves <= clock.side(*side, clock.now()).moves;
        let kept = self.pressed.iter().take_while(|one| counts(one)).count();
        if kept < self.pressed.len() {
            let mut game = Game::new(self.game.start().clone());
            for turn in &self.game.turns()[..kept] {
                // Cannot fail: the same game has accepted these turns before.
                let _ = game.turn(turn.attempt);
            }
            if let Some(open) = self.game.turns().get(kept) {
                let _ = game.play(open.attempt);
            }
            self.game = game;
            self.pressed.truncate(kept);
        }
        self.decided = None;
        self.offer = None;
        self.stray = None;
    }

    /// Returns the game with its outcome: the players' decision or, without one, the result on the clock.
    pub(crate) fn shown(&self, clock: &BoardClock) -> Game {
        let mut game = self.game.clone();
        let by_clock = || (clock.state() == BoardState::Over).then(|| outcome_of(clock));
        if let Some(outcome) = self.decided.or_else(by_clock) {
            // If the moves have already ended the game, this changes nothing.
            let _ = game.conclude(outcome);
        }
        game
    }

    pub(crate) fn presses(&self) -> &[(Side, u32)] {
        &self.pressed
    }

    pub(crate) fn offer(&self) -> Option<Side> {
        self.offer.filter(|_| self.outcome().is_none())
    }
}

/// Returns the outcome of a game that was ended at the clock or by an arbiter.
fn outcome_of(clock: &BoardClock) -> Outcome {
    let winner = Side::BOTH
        .into_iter()
        .find(|side| clock.result() == Some(GameResult::win(*side)));
    let called = |side| clock.side(side, clock.now()).flag == FlagView::Called;
    let reason = match Side::BOTH.into_iter().any(called) {
        true => Reason::FlagFall,
        false => Reason::Unstated,
    };
    Outcome {
        winner: winner.map(color_of),
        reason,
    }
}

/// A board's game of Time Chess as the hub knows it. Only arbiters may see all of it; everyone else gets
/// [`Self::view`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeChessBoard {
    /// The whole game, including what is hidden from the players.
    pub game: Game,
    pub press: PressRule,
    pub offer: Option<Side>,
}

impl TimeChessBoard {
    pub fn view(&self, viewer: Viewer) -> View {
        self.game.view(viewer)
    }
}
