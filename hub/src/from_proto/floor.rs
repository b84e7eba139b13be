//! The floor plan from messages of the wire and of the log: every board named once, every place within the plan.

use std::collections::BTreeMap;

use proto::{grpc, log};

use super::{BadInput, MAX_NAME, bad, fitting};
use crate::hall::entry::FloorEntry;
use crate::hall::{Actor, BoardId, FARTHEST, FloorRequest, Spot};

/// What somebody asks of the floor plan.
///
/// # Errors
/// The first board that cannot stand where it is put, and why.
pub fn floor_request(
    request: grpc::SetFloorRequest,
    actor: Actor,
) -> Result<FloorRequest, BadInput> {
    let places = request
        .places
        .into_iter()
        .map(|place| (place.board, place.x, place.y));
    Ok(FloorRequest {
        actor: Actor {
            name: fitting(actor.name, "the actor's name", MAX_NAME)?,
            ..actor
        },
        places: self::places(places)?,
        whole: request.whole,
        seen: request.seen_version,
    })
}

/// A part of an arrangement, from the log.
///
/// # Errors
/// As [`floor_request`].
pub(crate) fn floor_arranged(arranged: log::FloorArranged) -> Result<FloorEntry, BadInput> {
    Ok(FloorEntry {
        actor: arranged.actor,
        whole: arranged.whole,
        part: arranged.part,
        parts: arranged.parts,
        places: logged_places(arranged.places)?,
    })
}

/// Places from the log.
///
/// # Errors
/// As [`floor_request`].
pub(crate) fn logged_places(
    logged: Vec<log::FloorPlace>,
) -> Result<BTreeMap<BoardId, Spot>, BadInput> {
    places(
        logged
            .into_iter()
            .map(|place| (place.board, place.x, place.y)),
    )
}

fn places(
    given: impl Iterator<Item = (String, u32, u32)>,
) -> Result<BTreeMap<BoardId, Spot>, BadInput> {
    let mut places = BTreeMap::new();
    for (board, x, y) in given {
        let board: BoardId = board.parse()?;
        let spot = Spot {
            x: step(&board, "x", x)?,
            y: step(&board, "y", y)?,
        };
        if places.insert(board.clone(), spot).is_some() {
            return Err(bad(format!("board {board} is put in two places")));
        }
    }
    Ok(places)
}

fn step(board: &BoardId, axis: &str, value: u32) -> Result<u16, BadInput> {
    let step = u16::try_from(value).ok().filter(|step| *step <= FARTHEST);
    step.ok_or_else(|| {
        bad(format!(
            "board {board}: {axis} is {value}; a place lies within 0 and {FARTHEST} steps"
        ))
    })
}
