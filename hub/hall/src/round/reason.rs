//! The reasons for the state of a board in a round. Defines their English text; programs that translate them use the
//! kind and its details. Must never decide a state.

use timing::TimeControl;

use crate::refusal::Refusal;
use tournament::{BoardNo, GameResult, MatchNo, RoundNo};

/// The reason for a board's state.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardReason {
    /// A rule refuses the request.
    #[error("{0}")]
    Refused(Refusal),
    /// The game has its final result.
    #[error("its result is {}", .0.label())]
    HasResult(GameResult),
    /// The pairing has only one player.
    #[error("one side has no player")]
    SideEmpty,
    /// The match of the game is forfeited.
    #[error("match {0} is forfeited")]
    MatchForfeited(MatchNo),
    /// The clock will act once it is connected.
    #[error("its clock has no signal and will act once it reconnects")]
    ClockSilent,
    /// The board must be added to the hall.
    #[error("the hall has no board {0} yet")]
    NotInHall(BoardNo),
    /// A floor arbiter cannot add the board to the hall.
    #[error("the hall has no board {0}, and only the chief arbiter may add it")]
    ChiefAddsBoard(BoardNo),
    /// The game of an earlier round on this board has no result yet.
    #[error("its game of round {0} has no result yet: enter that first")]
    FormerGame(RoundNo),
    /// The clock has a different control from the requested one.
    #[error("its clock has {has}, not {wanted}")]
    OtherControl {
        /// The clock's control.
        has: TimeControl,
        /// The control that was requested.
        wanted: TimeControl,
    },
    /// The game has ended on the clock, but an arbiter has not entered the result.
    #[error("its game has ended{}, but no result has been entered", .0.map(|result| format!(", {}", result.label())).unwrap_or_default())]
    GameEnded(Option<GameResult>),
    /// The game is in progress.
    #[error("its game is in progress")]
    InPlay,
    /// One of the two clocks is missing.
    #[error("one side has no clock")]
    SideWithoutClock,
    /// The board has no clock.
    #[error("no clock serves it")]
    NoClock,
    /// The game starts with Black's press, not at an arbiter's request.
    #[error("Black starts White's clock by a press")]
    BlackStarts,
    /// The clock must be set before the start.
    #[error("its clock is not set for this round yet")]
    NotSet,
}
