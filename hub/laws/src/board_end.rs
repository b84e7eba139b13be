//! Ends of a game that follow from the board alone, without a claim.

use shakmaty::Position;
use timing::{GameResult, Side};

use crate::Scoresheet;
use crate::mate::is_dead_position;

/// An end of the game that follows from the position or the moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardEnd {
    /// The side to move is checkmated (FIDE 5.1.1).
    Checkmate {
        /// The side that gave checkmate.
        winner: Side,
    },
    /// The player to move has no legal move and is not in check (FIDE 5.2.1).
    Stalemate,
    /// Neither player can checkmate by any series of legal moves (FIDE 5.2.2).
    DeadPosition,
    /// The same position has appeared at least five times (FIDE 9.6.1).
    Fivefold,
    /// Each player has made at least 75 moves without a pawn move or a capture (FIDE 9.6.2).
    SeventyFiveMoves,
}

impl BoardEnd {
    /// Returns the text form, such as `checkmate white` for a checkmate by White.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Checkmate {
                winner: Side::White,
            } => "checkmate white",
            Self::Checkmate {
                winner: Side::Black,
            } => "checkmate black",
            Self::Stalemate => "stalemate",
            Self::DeadPosition => "dead-position",
            Self::Fivefold => "fivefold",
            Self::SeventyFiveMoves => "seventy-five-moves",
        }
    }

    /// Returns the result of the game.
    pub const fn result(self) -> GameResult {
        match self {
            Self::Checkmate { winner } => GameResult::win(winner),
            Self::Stalemate | Self::DeadPosition | Self::Fivefold | Self::SeventyFiveMoves => {
                GameResult::Draw
            }
        }
    }

    /// Returns the article of the FIDE Laws under which the game ended.
    pub const fn article(self) -> &'static str {
        match self {
            Self::Checkmate { .. } => "5.1.1",
            Self::Stalemate => "5.2.1",
            Self::DeadPosition => "5.2.2",
            Self::Fivefold => "9.6.1",
            Self::SeventyFiveMoves => "9.6.2",
        }
    }
}

/// Returns how the game ended on the board under the FIDE Laws, or `None` if it continues. Checkmate by the last move
/// takes precedence over the draws (FIDE 9.6.2).
pub fn board_end(score: &Scoresheet) -> Option<BoardEnd> {
    let position = score.position();
    if position.is_checkmate() {
        Some(BoardEnd::Checkmate {
            winner: score.turn().other(),
        })
    } else if position.is_stalemate() {
        Some(BoardEnd::Stalemate)
    } else if is_dead_position(position) {
        Some(BoardEnd::DeadPosition)
    } else if score.occurrences() >= 5 {
        Some(BoardEnd::Fivefold)
    } else if score.quiet_plies() >= 150 {
        Some(BoardEnd::SeventyFiveMoves)
    } else {
        None
    }
}
