//! The floor plan into messages of the wire and of the log.

use proto::{grpc, log};
use timing::Instant;

use crate::hall::entry::FloorEntry;
use crate::hall::{BoardId, FloorPlan, Spot};

/// The plan, for arbiters.
pub fn floor(plan: &FloorPlan) -> grpc::Floor {
    grpc::Floor {
        version: plan.version,
        places: plan
            .places
            .iter()
            .map(|(board, spot)| grpc::BoardPlace {
                board: board.to_string(),
                x: spot.x.into(),
                y: spot.y.into(),
            })
            .collect(),
        actor: plan.actor.clone(),
        changed_us: plan.changed.map_or(0, Instant::as_micros),
    }
}

/// A part of an arrangement, for the log.
pub(crate) fn floor_arranged(entry: FloorEntry) -> log::FloorArranged {
    log::FloorArranged {
        actor: entry.actor,
        whole: entry.whole,
        part: entry.part,
        parts: entry.parts,
        places: entry
            .places
            .iter()
            .map(|(board, spot)| logged_place(board, *spot))
            .collect(),
    }
}

/// One board's place, for the log.
pub(crate) fn logged_place(board: &BoardId, spot: Spot) -> log::FloorPlace {
    log::FloorPlace {
        board: board.to_string(),
        x: spot.x.into(),
        y: spot.y.into(),
    }
}
