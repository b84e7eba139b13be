//! "Checkmate by any possible series of legal moves" (FIDE 5.2.2, 6.9, 7.5.5): decided by material and, where few
//! enough positions can still arise, by a search of all of them.
//!
//! Owns the table of material and the search. A search that is cut off never reports that mate is impossible.

use std::collections::HashSet;

use shakmaty::{Bitboard, Board, Chess, Color, Position};
use timing::Side;

use crate::color_of;

/// Maximum number of positions that [`can_mate`] searches.
pub const DEFAULT_SEARCH: usize = 20_000;
/// Maximum number of positions that [`is_dead_position`] searches for each side. Smaller than [`DEFAULT_SEARCH`],
/// because this search runs after every move.
const DEAD_POSITION_SEARCH: usize = 4_000;

/// The answer to "can this side checkmate by any possible series of legal moves?"
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MateVerdict {
    /// No: no position with this material or less is a checkmate by this side.
    NotWithThisMaterial,
    /// No: the search was complete, and no position that can still arise is a checkmate by this side.
    NotFromThisPosition {
        /// Number of positions searched. Positions without enough material for checkmate are left out.
        positions: usize,
    },
    /// Yes: the search found a checkmate.
    Yes {
        /// Number of half-moves in a shortest series that ends in checkmate.
        plies: usize,
    },
    /// The material suffices, and the search was cut off: mate is not excluded, so the Laws treat it as possible.
    NotExcluded,
}

impl MateVerdict {
    /// Returns true if the Laws treat the side as able to checkmate.
    pub const fn is_possible(&self) -> bool {
        match self {
            Self::NotWithThisMaterial | Self::NotFromThisPosition { .. } => false,
            Self::Yes { .. } | Self::NotExcluded => true,
        }
    }
}

/// Returns true if `side` can give checkmate in some position with this material, or with material that can arise from
/// it.
///
/// A lone king never mates. A lone knight needs an opponent's rook, bishop, knight or pawn. Bishops that all stand on squares of one colour need a
/// knight, a pawn, or a bishop on the other colour. Every other combination can mate.
pub fn material_can_mate(board: &Board, side: Side) -> bool {
    let own = board.by_color(color_of(side));
    let others = board.by_color(color_of(side.other()));
    if (own & (board.pawns() | board.rooks_and_queens())).any() {
        return true;
    }
    if (own & board.knights()).any() {
        let helpers = others & !board.kings() & !board.queens();
        return own.count() > 2 || helpers.any();
    }
    if (own & board.bishops()).any() {
        let of_one_colour = board.bishops().is_disjoint(Bitboard::DARK_SQUARES)
            || board.bishops().is_disjoint(Bitboard::LIGHT_SQUARES);
        return !of_one_colour || (board.knights() | board.pawns()).any();
    }
    false
}

/// Decides whether `side` can checkmate by any series of legal moves, searching up to [`DEFAULT_SEARCH`] positions.
pub fn can_mate(position: &Chess, side: Side) -> MateVerdict {
    can_mate_within(position, side, DEFAULT_SEARCH)
}

/// Decides whether `side` can checkmate by any series of legal moves, searching up to `max_positions` positions, nearest first.
///
/// The search ignores the fivefold and 75-move rules: they end a game, but the Laws do not count them here.
pub fn can_mate_within(position: &Chess, side: Side, max_positions: usize) -> MateVerdict {
    if !material_can_mate(position.board(), side) {
        return MateVerdict::NotWithThisMaterial;
    }
    let loser: Color = color_of(side.other());
    let mated = |at: &Chess| at.turn() == loser && at.is_checkmate();
    if mated(position) {
        return MateVerdict::Yes { plies: 0 };
    }
    let mut seen = HashSet::from([position.clone()]);
    let mut frontier = vec![position.clone()];
    let mut plies = 0;
    while !frontier.is_empty() {
        plies += 1;
        let mut next = Vec::new();
        for at in &frontier {
            for m in at.legal_moves() {
                let mut after = at.clone();
                after.play_unchecked(m);
                if mated(&after) {
                    return MateVerdict::Yes { plies };
                }
                if material_can_mate(after.board(), side) && !seen.contains(&after) {
                    if seen.len() >= max_positions {
                        return MateVerdict::NotExcluded;
                    }
                    seen.insert(after.clone());
                    next.push(after);
                }
            }
        }
        frontier = next;
    }
    MateVerdict::NotFromThisPosition {
        positions: seen.len(),
    }
}

/// Returns true if neither side can checkmate by any series of legal moves (FIDE 5.2.2). Returns false if the search
/// was cut off.
pub fn is_dead_position(position: &Chess) -> bool {
    Side::BOTH
        .into_iter()
        .all(|side| !can_mate_within(position, side, DEAD_POSITION_SEARCH).is_possible())
}
