//! The floor plan: the places of the boards in the hall, as arranged by an arbiter. Defines the requests and their
//! bounds; the fold applies the records.
//!
//! A place needs no board in the hall, and a board that leaves keeps its place. The plan must never affect a game:
//! nothing else in the hall reads it.

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

/// Maximum number of boards in a plan.
pub const MOST_PLACES: usize = 10_000;
/// Greatest coordinate, in steps from the plan's upper left corner.
pub const FARTHEST: u16 = 32_767;
/// Maximum size of the places in one record, in bytes: with the longest name, the record stays below 4 KiB.
const ROOM: usize = 3_300;

/// The upper left corner of a board, in steps from the plan's upper left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    /// Steps to the right.
    pub x: u16,
    /// Steps down.
    pub y: u16,
}

/// The places of all boards on the plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FloorPlan {
    /// Number of changes so far.
    pub version: u64,
    /// The arbiter who changed it last.
    pub actor: String,
    /// Hub instant of the last change; `None` before the first.
    pub changed: Option<Instant<Hub>>,
    /// The place of each board.
    pub places: Arc<BTreeMap<BoardId, Spot>>,
}

/// A request to change the floor plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FloorRequest {
    /// The sender.
    pub actor: Actor,
    /// The new place of each named board.
    pub places: BTreeMap<BoardId, Spot>,
    /// True if `places` is the whole plan; otherwise all other boards stay where they are.
    pub whole: bool,
    /// The version that the actor saw.
    pub seen: u64,
}

/// The answer to a [`FloorRequest`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FloorAnswer {
    /// Done or refused; never pending.
    pub outcome: Outcome,
    /// The plan after the request.
    pub plan: FloorPlan,
}

impl Hall {
    /// Returns the floor plan.
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

    /// Judges a request, and logs it if it is allowed and changes the plan.
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
            // This includes a repeated request whose first answer was lost.
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

    /// Publishes the plan, unless it was never changed.
    pub(crate) fn publish_floor(&self, step: &mut Step) {
        let plan = &self.fold.floor.plan;
        if plan.version > 0 {
            step.effects.push(HubEffect::Floor(plan.clone()));
        }
    }
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

/// Returns the records of a request in order, at least one.
fn parts(request: &FloorRequest) -> Vec<FloorEntry> {
    let mut held = vec![BTreeMap::new()];
    let mut bytes = 0;
    for (board, spot) in &request.places {
        // Adds the tag and length of the place in its record.
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
