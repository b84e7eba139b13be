//! The floor plan: the places of the boards in the hall, as arranged by an arbiter. Defines the requests and their
//! bounds; the fold applies the records.
//!
//! A place needs no board in the hall, and a board that leaves keeps its place. The plan must never affect a game.

mod arrange;

use std::collections::BTreeMap;
use std::sync::Arc;

use timing::{Hub, Instant};

use super::board_id::BoardId;
use super::outcome::Outcome;
use super::request::Actor;

pub const MAX_PLACES: usize = 10_000;

/// The largest coordinate, in steps from the plan's upper left corner.
pub const MAX_COORDINATE: u16 = 32_767;

/// The position of a board's upper left corner, in steps from the plan's upper left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    pub x: u16,
    pub y: u16,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FloorPlan {
    /// Number of changes so far.
    pub version: u64,
    /// The name of the arbiter who made the last change; empty before the first change.
    pub actor: String,
    /// Hub instant of the last change; `None` before the first change.
    pub changed: Option<Instant<Hub>>,
    pub places: Arc<BTreeMap<BoardId, Spot>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FloorRequest {
    pub actor: Actor,
    pub places: BTreeMap<BoardId, Spot>,
    /// True if `places` is the whole plan; otherwise boards that are not in `places` stay where they are.
    pub whole: bool,
    /// The version of the plan that the arbiter saw.
    pub seen: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FloorAnswer {
    /// The outcome: done or refused, never pending.
    pub outcome: Outcome,
    /// The plan after the request.
    pub plan: FloorPlan,
}

pub(crate) fn arranged(
    before: &BTreeMap<BoardId, Spot>,
    whole: bool,
    places: &BTreeMap<BoardId, Spot>,
) -> BTreeMap<BoardId, Spot> {
    let mut after = match whole {
        true => BTreeMap::new(),
        false => before.clone(),
    };
    after.extend(places.iter().map(|(board, spot)| (board.clone(), *spot)));
    after
}
