//! Decodes the floor plan from messages and records. Checks that no board is named twice, and that every place is
//! within the plan.

use std::collections::BTreeMap;

use proto::log;

use super::{BadInput, bad};
use crate::entry::FloorEntry;
use crate::{BoardId, MAX_COORDINATE, Spot};

pub(crate) fn floor_arranged(arranged: log::FloorArranged) -> Result<FloorEntry, BadInput> {
    Ok(FloorEntry {
        actor: arranged.actor,
        whole: arranged.whole,
        part: arranged.part,
        parts: arranged.parts,
        places: logged_places(arranged.places)?,
    })
}

pub(crate) fn logged_places(
    logged: Vec<log::FloorPlace>,
) -> Result<BTreeMap<BoardId, Spot>, BadInput> {
    places(
        logged
            .into_iter()
            .map(|place| (place.board, place.x, place.y)),
    )
}

/// Decodes places in the hall, each given as board, x and y.
///
/// # Errors
/// Returns an error if a board's name or its place is invalid, or if a board has two places.
pub fn places(
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
            return Err(bad(format!("board {board} has two places")));
        }
    }
    Ok(places)
}

fn step(board: &BoardId, axis: &str, value: u32) -> Result<u16, BadInput> {
    let step = u16::try_from(value)
        .ok()
        .filter(|step| *step <= MAX_COORDINATE);
    step.ok_or_else(|| {
        bad(format!(
            "board {board}: {axis} is {value}; a place must be between 0 and {MAX_COORDINATE} steps"
        ))
    })
}
