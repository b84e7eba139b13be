//! The differences between a file and the event, such as new rounds, players and results. Each has a sentence for the
//! arbiter and the changes that apply it.
//!
//! Owns the comparison. Must never apply a change, remove data that only the hall has, or clear a field that a file
//! leaves empty.

use crate::Change;

use super::draft::Draft;

mod counts;
mod doubts;
mod entries;
mod event;
mod identity;
mod item;
mod oddities;
mod rounds;
mod stated;
mod words;

pub use counts::Counts;
pub use doubts::doubts;
pub use identity::{Foreign, Identity, Renumbered, Stranger, identity};
pub use item::{Difference, Item, Kind};
pub use oddities::oddities;

impl Draft {
    /// Returns the changes that build this event from an empty event. `source` names the file in the reasons of
    /// corrections.
    pub fn changes(&self, source: &str) -> Vec<Change> {
        let empty = Self::empty(self.event.clone());
        let mut changes = vec![Change::SetEvent(Box::new(self.event.clone()))];
        changes.extend(difference(&empty, self, source).changes());
        changes
    }
}

/// Compares the event with a file. `source` names the file in the reasons of corrections.
///
/// Data that only the hall has stays: results missing from the file, results that an arbiter corrected, players and
/// byes that the file does not name, board numbers, sectors, late entries and withdrawals. A contradiction becomes a
/// remark.
pub fn difference(known: &Draft, file: &Draft, source: &str) -> Difference {
    let mut difference = Difference::default();
    event::event(known, file, &mut difference);
    entries::players(known, file, &mut difference);
    entries::teams(known, file, &mut difference);
    rounds::rounds(known, file, source, &mut difference);
    rounds::granted(known, file, &mut difference);
    entries::missing(known, file, &mut difference);
    stated::stated(known, file, source, &mut difference);
    difference
}

/// Compares the event with a file that must describe the same event.
///
/// # Errors
/// Returns the names and people that differ if the file is about a different event.
pub fn compare(known: &Draft, file: &Draft, source: &str) -> Result<Difference, Box<Foreign>> {
    match identity(known, file) {
        Identity::Same => Ok(difference(known, file, source)),
        Identity::Foreign(foreign) => Err(foreign),
        Identity::Renumbered(numbers) => {
            let (known, item) = identity::renumber(known, &numbers);
            let mut difference = difference(&known, file, source);
            difference.items.insert(0, item);
            Ok(difference)
        }
    }
}
