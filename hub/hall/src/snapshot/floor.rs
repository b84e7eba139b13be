//! The floor plan's part of a snapshot.

use std::sync::Arc;

use timing::Instant;

use super::message as m;
use crate::floor::FloorPlan;
use crate::fold::floor::FloorFold;
use crate::snapshot::fields::{SnapshotError, bad};
use crate::{from_proto, to_proto};

pub(super) fn out(floor: &FloorFold) -> m::Floor {
    let plan = &floor.plan;
    m::Floor {
        version: plan.version,
        actor: plan.actor.clone(),
        changed_us: plan.changed.map(Instant::as_micros),
        places: plan
            .places
            .iter()
            .map(|(board, spot)| to_proto::floor::logged_place(board, *spot))
            .collect(),
        parts: floor
            .parts
            .iter()
            .cloned()
            .map(to_proto::floor::floor_arranged)
            .collect(),
    }
}

pub(super) fn read(floor: m::Floor) -> Result<FloorFold, SnapshotError> {
    let places = from_proto::floor::logged_places(floor.places).map_err(bad)?;
    let parts = floor
        .parts
        .into_iter()
        .map(from_proto::floor::floor_arranged);
    Ok(FloorFold {
        plan: FloorPlan {
            version: floor.version,
            actor: floor.actor,
            changed: floor.changed_us.map(Instant::from_micros),
            places: Arc::new(places),
        },
        parts: parts.collect::<Result<_, _>>().map_err(bad)?,
    })
}
