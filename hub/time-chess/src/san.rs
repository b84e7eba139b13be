//! Standard algebraic notation for turns as they happened on the board.
//!
//! Owns the notation of a result: the move that was carried out, or `--` for a forfeited turn.

use shakmaty::san::{San, SanError, SanPlus, Suffix};

use crate::{Attempt, Position, Reason, TurnResult};

impl Position {
    /// Returns the notation of a result in this position. `+` marks a check even if the player in check does not see
    /// it.
    pub fn san(&self, result: TurnResult) -> SanPlus {
        let san = match result {
            TurnResult::Played(m) => San::disambiguate(m, &self.moves()),
            TurnResult::Forfeited(_) => San::Null,
        };
        let next = self.after(result);
        let is_mate = next.outcome().map(|end| end.reason) == Some(Reason::Checkmate);
        let suffix = match result {
            TurnResult::Played(_) if is_mate => Some(Suffix::Checkmate),
            TurnResult::Played(_) if next.is_in_check(next.mover()) => Some(Suffix::Check),
            TurnResult::Played(_) | TurnResult::Forfeited(_) => None,
        };
        SanPlus { san, suffix }
    }

    /// Returns the attempt for the only move that matches this notation. Superfluous disambiguation is accepted.
    pub(crate) fn attempt_of_san(&self, san: San) -> Result<Option<Attempt>, SanError> {
        let moves = self.moves();
        san.find_move(&moves).map(|m| Attempt::of(*m))
    }
}
