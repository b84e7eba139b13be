//! The reasons for the state of a board in a round. Defines their English text; programs that translate them use the
//! kind and its details. Must never decide a state.

use timing::TimeControl;

use crate::refusal::Refusal;
use tournament::{BoardNo, GameResult, MatchNo, RoundNo};

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum BoardReason {
    #[error("{0}")]
    Refused(Refusal),
    #[error("its result is {}", .0.label())]
    HasResult(GameResult),
    #[error("one side has no player")]
    SideEmpty,
    #[error("match {0} is forfeited")]
    MatchForfeited(MatchNo),
    #[error("its clock has no signal and will act once it reconnects")]
    ClockSilent,
    #[error("the hall has no board {0} yet")]
    NotInHall(BoardNo),
    #[error("the hall has no board {0}, and only the chief arbiter may add it")]
    ChiefAddsBoard(BoardNo),
    #[error("its game of round {0} has no result yet: enter that first")]
    FormerGame(RoundNo),
    #[error("its clock has {has}, not {wanted}")]
    OtherControl {
        has: TimeControl,
        wanted: TimeControl,
    },
    #[error("its game has ended{}, but no result has been entered", .0.map(|result| format!(", {}", result.label())).unwrap_or_default())]
    GameEnded(Option<GameResult>),
    #[error("its game is in progress")]
    InPlay,
    #[error("one side has no clock")]
    SideWithoutClock,
    #[error("no clock serves it")]
    NoClock,
    #[error("Black starts White's clock by a press")]
    BlackStarts,
    #[error("its clock is not set for this round yet")]
    NotSet,
}
