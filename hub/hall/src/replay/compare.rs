//! Compares a game with the same presses under a supposition. Lists the moves and flag falls that differ, without a
//! judgement.

#![expect(
    missing_docs,
    reason = "a field without a comment is named after the one thing that it holds"
)]

use std::collections::BTreeSet;

use proto::log::Record;
use serde::Serialize;

use super::moment::MomentDetail;
use super::reader::{ReplayError, supposed};
use super::supposition::{MoveName, Supposition};
use super::tap::StepChanges;
use super::timeline::Timeline;
use crate::BoardId;
use crate::play::{domain_side, view_side};
use crate::view::Side;

/// A game, and the same presses under a supposition.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    pub supposed: Supposition,
    pub was: Timeline,
    pub would: Timeline,
    /// Every move that differs, by number, White before Black.
    pub moves: Vec<MoveChange>,
    pub flags: Vec<FlagChange>,
}

/// A move whose clocks or time used differ, or that only one of the two timelines has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoveChange {
    pub side: Side,
    pub number: u32,
    /// The clocks after the move in the game; `None` if the move was not completed.
    pub was: Option<MoveClocks>,
    /// The clocks after the move under the supposition; `None` if the move would not have been completed.
    pub would: Option<MoveClocks>,
}

/// The clocks after a move, and the time used for it, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct MoveClocks {
    pub white_us: i64,
    pub black_us: i64,
    pub used_us: i64,
}

/// A flag that falls in only one of the two timelines, or at a different instant or during a different move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct FlagChange {
    pub side: Side,
    /// Hub instant of the fall in the game; `None` if the flag did not fall.
    pub was_us: Option<i64>,
    /// Hub instant of the fall under the supposition; `None` if the flag would not have fallen.
    pub would_us: Option<i64>,
    /// Number of the side's move during which the flag fell: in the game if it fell there, otherwise under the
    /// supposition.
    pub during: u32,
}

impl Comparison {
    /// Returns true if the supposition changes no move, no flag fall, and neither clock at the end.
    pub fn is_same(&self) -> bool {
        let end = |timeline: &Timeline| timeline.moments.last().map(|last| last.clocks.clone());
        self.moves.is_empty() && self.flags.is_empty() && end(&self.was) == end(&self.would)
    }
}

/// Replays the game `was` under a supposition, from the same records.
///
/// # Errors
/// Returns an error if the supposition does not fit the game, or the records cannot be applied under it.
pub fn suppose(
    records: &[(u64, Record)],
    was: Timeline,
    supposition: &Supposition,
) -> Result<Comparison, ReplayError> {
    let board: BoardId = was.board.parse().map_err(|_| ReplayError::NoBoard)?;
    let omitted = supposition.without.iter();
    let without = omitted
        .map(|record| was.action(*record).ok_or(ReplayError::NoAction(*record)))
        .collect::<Result<_, _>>()?;
    let changes = StepChanges {
        without,
        control: supposition.control.clone(),
        rules: supposition.rules,
        restores: was.restores.clone(),
        add: supposition.add.clone(),
    };
    let would = supposed(records, &board, was.game, changes)?;
    Ok(Comparison {
        supposed: supposition.clone(),
        moves: moves(&was, &would),
        flags: flags(&was, &would),
        was,
        would,
    })
}

/// Returns the moves that differ. If a move was taken back and played again, the last attempt counts.
fn moves(was: &Timeline, would: &Timeline) -> Vec<MoveChange> {
    let names: BTreeSet<MoveName> = was
        .moves()
        .chain(would.moves())
        .map(|(name, _)| name)
        .collect();
    let last = |timeline: &Timeline, name: MoveName| {
        let found = timeline.moves().filter(|(other, _)| *other == name).last();
        found.map(|(_, clocks)| clocks)
    };
    names
        .into_iter()
        .filter_map(|name| {
            let (was, would) = (last(was, name), last(would, name));
            (was != would).then_some(MoveChange {
                side: view_side(name.side),
                number: name.number,
                was,
                would,
            })
        })
        .collect()
}

fn flags(was: &Timeline, would: &Timeline) -> Vec<FlagChange> {
    let fallen = |timeline: &Timeline, of: Side| -> Vec<(i64, u32)> {
        let flags = timeline.moments.iter().filter_map(|moment| {
            let MomentDetail::Flag { side } = moment.what else {
                return None;
            };
            let moves = match side {
                Side::White => moment.clocks.white.moves,
                Side::Black => moment.clocks.black.moves,
            };
            (side == of).then_some((moment.at_us, moves + 1))
        });
        flags.collect()
    };
    let mut changes = Vec::new();
    for side in [Side::White, Side::Black] {
        let (was, would) = (fallen(was, side), fallen(would, side));
        for place in 0..was.len().max(would.len()) {
            let (was, would) = (was.get(place), would.get(place));
            if was != would {
                changes.push(FlagChange {
                    side,
                    was_us: was.map(|flag| flag.0),
                    would_us: would.map(|flag| flag.0),
                    during: was.or(would).map_or(0, |flag| flag.1),
                });
            }
        }
    }
    changes
}

impl Timeline {
    /// Returns the completed moves in order, with the clocks after each.
    pub fn moves(&self) -> impl Iterator<Item = (MoveName, MoveClocks)> {
        self.moments.iter().filter_map(|moment| {
            let MomentDetail::Move {
                side,
                number,
                used_us,
                ..
            } = moment.what
            else {
                return None;
            };
            let name = MoveName {
                number,
                side: domain_side(side),
            };
            let clocks = MoveClocks {
                white_us: moment.clocks.white.us,
                black_us: moment.clocks.black.us,
                used_us,
            };
            Some((name, clocks))
        })
    }
}
