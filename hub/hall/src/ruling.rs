//! The vocabulary of rulings: a judged request under the Laws, limits on entered moves, and the reasons for a refusal.

use timing::{Board as BoardTime, Command, Instant, Side};

use super::words::capital;
use crate::board_id::BoardId;

/// Maximum number of half-moves in one entry, so that the entry fits in a record.
pub(crate) const MAX_ENTERED: usize = 500;
/// Maximum number of half-moves in a game.
pub(crate) const MAX_MOVES: usize = 2_000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    pub request: laws::Request,
    /// The instant, on the board's timeline, at which the request was judged.
    pub at: Instant<BoardTime>,
    /// The effect on the clock, if there is one.
    pub command: Option<Command>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum RulingRefusal {
    #[error(transparent)]
    Laws(#[from] laws::Refusal),
    #[error("move {number} of {}: {error}", capital(*.side))]
    Move {
        /// Number of the move, as PGN numbers it.
        number: u32,
        side: Side,
        error: laws::MoveError,
    },
    #[error("only {known} half-moves are written down: enter the moves that follow them")]
    MovesMissing { known: u32 },
    #[error("a game can have at most {MAX_MOVES} half-moves, and one entry at most {MAX_ENTERED}")]
    TooManyMoves,
    #[error("the board's rule set is not for chess, so no moves are written down")]
    NotChess,
    #[error(
        "a command waits for this board's clock: make the ruling once the clock has carried it out"
    )]
    CommandWaits,
    #[error("there is no rule set {0:?}; `flagfall ctl rules` lists them")]
    NoRuleSet(String),
    #[error(
        "a clock serves board {0}, so its button ends a turn: take the clock off the board first"
    )]
    ServedByClock(BoardId),
    #[error("board {0} is not set for Time Chess: choose that rule set first")]
    NotTimeChess(BoardId),
}
