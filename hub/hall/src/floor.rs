//! The floor plan: where boards stand in the hall, as somebody has arranged it. Owns what may be asked of it and its bounds; what a
//! record makes of the plan is the fold's.
//!
//! Tables stand whether a board is on them or not: a place needs no board in the hall, and a board that leaves keeps it. Must never have a
//! say in a game: nothing else in the hall looks here.

use std::collections::BTreeMap;
use std::sync::Arc;

use prost::Message;
use timing::{Hub, Instant};

use super::Hall;
use super::effect::{Denied, HubEffect, Outcome, Step};
use super::entry::{Entry, FloorEntry};
use super::input::{Actor, BoardId, Role};
use super::refusal::Why;
use crate::to_proto;

/// Boards in a plan, at most.
pub const MOST_PLACES: usize = 10_000;
/// Steps from the plan's upper left corner, at most, either way.
pub const FARTHEST: u16 = 32_767;
/// Bytes of places in one record: with the longest name it stays below 4 KiB.
const ROOM: usize = 3_300;

/// The upper left corner of a board on the plan, in steps from the plan's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    /// To the right.
    pub x: u16,
    /// Down.
    pub y: u16,
}

/// Where every board stands that somebody has put somewhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FloorPlan {
    /// How often it was changed; 0: never.
    pub version: u64,
    /// Who changed it last.
    pub actor: String,
    /// When; `None` before that.
    pub changed: Option<Instant<Hub>>,
    /// The boards.
    pub places: Arc<BTreeMap<BoardId, Spot>>,
}

/// What somebody asks of the floor plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FloorRequest {
    /// Who asks.
    pub actor: Actor,
    /// Where these boards are to stand, each of them named once.
    pub places: BTreeMap<BoardId, Spot>,
    /// They are the whole plan; otherwise all others stay where they are.
    pub whole: bool,
    /// The version that the actor saw.
    pub seen: u64,
}

/// What became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FloorAnswer {
    /// Done or refused; never pending.
    pub outcome: Outcome,
    /// The plan after it.
    pub plan: FloorPlan,
}

impl Hall {
    /// Where the boards stand.
    pub fn floor(&self) -> &FloorPlan {
        &self.fold.floor.plan
    }

    pub(crate) fn on_floor_request(
        &mut self,
        now: Instant<Hub>,
        request: FloorRequest,
        step: &mut Step,
    ) -> Result<FloorAnswer, Denied> {
        let outcome = self.arrange(now, request, step)?;
        Ok(FloorAnswer {
            outcome,
            plan: self.fold.floor.plan.clone(),
        })
    }

    /// Judges a request, and logs it if it is taken and changes anything.
    fn arrange(
        &mut self,
        now: Instant<Hub>,
        request: FloorRequest,
        step: &mut Step,
    ) -> Result<Outcome, Denied> {
        match request.actor.role {
            Role::Chief | Role::Hub => (),
            Role::Viewer | Role::Floor => {
                return Err(Denied::Forbidden(Why::FloorChiefOnly.into()));
            }
        }
        let plan = &self.fold.floor.plan;
        let after = arranged(&plan.places, request.whole, &request.places);
        if after == *plan.places {
            // Also a request that comes a second time because its answer was lost.
            return Ok(Outcome::Done);
        }
        if request.whole && request.seen != plan.version {
            let why = Why::FloorChanged {
                by: plan.actor.clone(),
                at: plan.changed,
            };
            return Ok(Outcome::Refused(why.into()));
        }
        bounded(&after)?;
        for entry in parts(&request) {
            self.log(now, None, Entry::Floor(Box::new(entry)), step)
                .map_err(|error| Denied::Invalid(error.to_string()))?;
        }
        Ok(Outcome::Done)
    }

    /// The plan as it is now, for those who look at it; nothing while nobody has arranged the hall.
    pub(crate) fn publish_floor(&self, step: &mut Step) {
        let plan = &self.fold.floor.plan;
        if plan.version > 0 {
            step.effects.push(HubEffect::Floor(plan.clone()));
        }
    }
}

/// A plan after some boards were put somewhere.
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

fn bounded(places: &BTreeMap<BoardId, Spot>) -> Result<(), Denied> {
    if places.len() > MOST_PLACES {
        return Err(Denied::Invalid(format!(
            "a floor plan has at most {MOST_PLACES} boards, not {}",
            places.len()
        )));
    }
    let mut taken = BTreeMap::new();
    for (board, spot) in places {
        if let Some(other) = taken.insert(*spot, board) {
            return Err(Denied::Invalid(format!(
                "boards {other} and {board} would stand in one place ({}, {})",
                spot.x, spot.y
            )));
        }
    }
    Ok(())
}

/// The records of a request, in order; one at least.
fn parts(request: &FloorRequest) -> Vec<FloorEntry> {
    let mut held = vec![BTreeMap::new()];
    let mut bytes = 0;
    for (board, spot) in &request.places {
        // Tag and length of the place in its record.
        let len = to_proto::floor::logged_place(board, *spot).encoded_len() + 3;
        if bytes + len > ROOM {
            held.push(BTreeMap::new());
            bytes = 0;
        }
        bytes += len;
        if let Some(last) = held.last_mut() {
            last.insert(board.clone(), *spot);
        }
    }
    let parts = u32::try_from(held.len()).unwrap_or(u32::MAX);
    (1..)
        .zip(held)
        .map(|(part, places)| FloorEntry {
            actor: request.actor.name.clone(),
            whole: request.whole,
            part,
            parts,
            places,
        })
        .collect()
}
