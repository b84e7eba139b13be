//! The floor plan as built from the log's records. A change that spans several records applies as a whole or not at
//! all.

use std::sync::Arc;

use super::super::entry::FloorEntry;
use super::super::floor::{FloorPlan, arranged};
use super::parts::follows;
use super::{Applied, Fold, FoldOutcome, RecordConflict};

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FloorFold {
    pub(crate) plan: FloorPlan,
    /// The parts of an incomplete change that have arrived so far.
    pub(crate) parts: Vec<FloorEntry>,
}

impl Fold {
    pub(super) fn floor_arranged(
        &mut self,
        entry: &FloorEntry,
        applied: &mut Applied,
    ) -> Result<(), RecordConflict> {
        let floor = &mut self.floor;
        let same = |first: &FloorEntry| {
            (first.parts, first.whole, &first.actor) == (entry.parts, entry.whole, &entry.actor)
        };
        follows(
            "a floor plan",
            (entry.part, entry.parts),
            &floor.parts,
            same,
        )?;
        floor.parts.push(entry.clone());
        if entry.part < entry.parts {
            return Ok(());
        }
        let places = std::mem::take(&mut floor.parts)
            .into_iter()
            .flat_map(|part| part.places)
            .collect();
        let plan = &mut floor.plan;
        plan.places = Arc::new(arranged(&plan.places, entry.whole, &places));
        plan.version += 1;
        plan.actor.clone_from(&entry.actor);
        plan.changed = Some(applied.hub);
        applied.add(FoldOutcome::FloorArranged);
        Ok(())
    }
}
