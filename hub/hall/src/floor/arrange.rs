//! Judges a request to change the floor plan and logs the change in parts that each fit into one record.

use std::collections::BTreeMap;

use prost::Message;

use super::{FloorAnswer, FloorPlan, FloorRequest, MAX_PLACES, Spot, arranged};
use crate::board_id::BoardId;
use crate::effect::{HubEffect, OpenStep};
use crate::entry::{Entry, FloorEntry};
use crate::outcome::{Denied, Outcome};
use crate::refusal::Why;
use crate::request::Role;
use crate::{Hall, to_proto};

/// Maximum size of the places in one record, in bytes, so that a record with the longest actor's name is below 4 KiB.
const MAX_PART_BYTES: usize = 3_300;

impl Hall {
    pub fn floor(&self) -> &FloorPlan {
        &self.fold.floor.plan
    }

    pub(crate) fn on_floor_request(
        &mut self,
        request: FloorRequest,
        step: &mut OpenStep,
    ) -> Result<FloorAnswer, Denied> {
        let outcome = self.arrange(request, step)?;
        Ok(FloorAnswer {
            outcome,
            plan: self.fold.floor.plan.clone(),
        })
    }

    /// Judges a request, and logs it if it is allowed and changes the plan.
    fn arrange(&mut self, request: FloorRequest, step: &mut OpenStep) -> Result<Outcome, Denied> {
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
            self.log(None, Entry::Floor(Box::new(entry)), step)?;
        }
        Ok(Outcome::Done)
    }

    pub(crate) fn publish_floor(&self, step: &mut OpenStep) {
        let plan = &self.fold.floor.plan;
        if plan.version > 0 {
            step.effect(HubEffect::Floor(plan.clone()));
        }
    }
}

fn bounded(places: &BTreeMap<BoardId, Spot>) -> Result<(), Denied> {
    if places.len() > MAX_PLACES {
        return Err(Denied::Invalid(format!(
            "a floor plan has at most {MAX_PLACES} boards, not {}",
            places.len()
        )));
    }
    let mut taken = BTreeMap::new();
    for (board, spot) in places {
        if let Some(other) = taken.insert(*spot, board) {
            return Err(Denied::Invalid(format!(
                "boards {other} and {board} would have the same place ({}, {})",
                spot.x, spot.y
            )));
        }
    }
    Ok(())
}

fn parts(request: &FloorRequest) -> Vec<FloorEntry> {
    let mut held = vec![BTreeMap::new()];
    let mut bytes = 0;
    for (board, spot) in &request.places {
        // The added bytes are the tag and the length prefix of the place in its record.
        let len = to_proto::floor::logged_place(board, *spot).encoded_len() + 3;
        if bytes + len > MAX_PART_BYTES {
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
