//! A move as its player intends it, before the board decides.
//!
//! Owns its coordinate notation, `e2e4` or `e7e8q`. Castling is written as the king's move of two squares.

use std::fmt;
use std::str::FromStr;

use shakmaty::{CastlingSide, Move, Role, Square};

/// A move as its player intends it. In a blind turn, the board may stop the piece earlier or reverse the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Attempt {
    /// Square of the piece that moves.
    pub from: Square,
    /// Square to which the player intends to move the piece.
    pub to: Square,
    /// Piece that the pawn becomes on the last rank.
    pub promotion: Option<Role>,
}

impl Attempt {
    /// Returns the attempt that corresponds to this move; `None` for a drop, which Time Chess does not have.
    pub fn of(m: Move) -> Option<Self> {
        let (from, to) = match m {
            Move::Normal { from, to, .. } | Move::EnPassant { from, to } => (from, to),
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_king_side(rook.file() > king.file());
                (king, Square::from_coords(side.king_to_file(), king.rank()))
            }
            Move::Put { .. } => return None,
        };
        Some(Self {
            from,
            to,
            promotion: m.promotion(),
        })
    }
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        self.promotion
            .map_or(Ok(()), |role| write!(f, "{}", role.char()))
    }
}

/// The error for a string that is not a move in coordinate notation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a move in coordinates: write e2e4, or e7e8q for a promotion")]
pub struct BadAttempt(pub String);

impl FromStr for Attempt {
    type Err = BadAttempt;

    fn from_str(text: &str) -> Result<Self, BadAttempt> {
        let bad = || BadAttempt(text.to_owned());
        if !text.is_ascii() || !(4..=5).contains(&text.len()) {
            return Err(bad());
        }
        let square = |text: &str| Square::from_ascii(text.as_bytes()).map_err(|_| bad());
        let promotion = match &text[4..] {
            "" => None,
            "n" => Some(Role::Knight),
            "b" => Some(Role::Bishop),
            "r" => Some(Role::Rook),
            "q" => Some(Role::Queen),
            _ => return Err(bad()),
        };
        Ok(Self {
            from: square(&text[..2])?,
            to: square(&text[2..4])?,
            promotion,
        })
    }
}
