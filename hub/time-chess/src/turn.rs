//! One turn: the attempt and its result.
//!
//! Owns the reasons for a forfeited turn, which only arbiters may see during the game, and those for a refused request.

use std::fmt;

use shakmaty::Move;

use crate::Attempt;

/// The reason why a blind turn is forfeited. During the game, only arbiters may learn it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Forfeit {
    /// A piece blocks the pawn. A blocked double step is reversed completely.
    PawnBlocked,
    /// The pawn's diagonal move met no piece. En passant is only for a player who saw the double step.
    NothingToCapture,
    /// An unseen piece stands between king and rook, or the king stands on or would cross an attacked square.
    CastlingPrevented,
}

impl fmt::Display for Forfeit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PawnBlocked => "pawn blocked",
            Self::NothingToCapture => "nothing to capture",
            Self::CastlingPrevented => "castling prevented",
        })
    }
}

/// The result of an attempt: a move on the board, or a forfeited turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TurnResult {
    /// The move as the board carried it out. If the piece captured something on its way, the move ends before the
    /// intended square.
    Played(Move),
    /// The attempt was reversed. The turn is over and its time is charged.
    Forfeited(Forfeit),
}

/// One turn of the game: the attempt and its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    /// The move as its player intended it.
    pub attempt: Attempt,
    /// The move that the board carried out, or the reason for the forfeit.
    pub result: TurnResult,
}

impl Turn {
    /// Returns true if a capture stopped the piece before its intended square.
    pub fn is_interrupted(&self) -> bool {
        match self.result {
            TurnResult::Played(m) => Attempt::of(m) != Some(self.attempt),
            TurnResult::Forfeited(_) => false,
        }
    }
}

/// The reason why a player's request has no effect. It never depends on a piece that the player does not see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum Refusal {
    #[error("{0} is not possible here: choose a move from the list of attempts")]
    NotPossible(Attempt),
    #[error("the move has already been made: press the clock")]
    AlreadyMoved,
    #[error("no move was made in this turn: make a move before pressing the clock")]
    NotMoved,
    #[error("the game is over: {0}")]
    GameOver(crate::Outcome),
    #[error("only the player to move can claim a draw")]
    NotOnMove,
    #[error("a blind player cannot claim a draw: claim when you see the board")]
    Blind,
    #[error("neither threefold repetition nor 50 moves: the game continues")]
    NoDraw,
    #[error("the rules alone decide {}", .0.reason.words())]
    DecidedByRules(crate::Outcome),
}
