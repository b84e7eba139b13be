//! Encodes the floor plan as records of the log.

use proto::log;

use crate::entry::FloorEntry;
use crate::{BoardId, Spot};

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

pub(crate) fn logged_place(board: &BoardId, spot: Spot) -> log::FloorPlace {
    log::FloorPlace {
        board: board.to_string(),
        x: spot.x.into(),
        y: spot.y.into(),
    }
}
