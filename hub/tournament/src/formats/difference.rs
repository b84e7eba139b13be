//! The differences between a file and the event, such as new rounds, players and results. Each has a sentence for the
//! arbiter and the changes that apply it.
//!
//! Owns the comparison. Must never apply a change, remove data that only the hall has, or clear a field that a file
//! leaves empty.

use crate::Change;

use super::draft::Draft;

mod change_remarks;
mod counts;
mod entries;
mod event;
mod identity;
mod item;
mod pairing_remarks;
mod rounds;
mod stated;
mod words;

pub use change_remarks::change_remarks;
pub use counts::Counts;
pub use identity::{Identity, IdentityMismatch, PlayerMismatch, Renumbered, identity};
pub use item::{Difference, DifferenceKind, Item};
pub use pairing_remarks::pairing_remarks;

impl Draft {
    /// Returns the changes that build this event from an empty event. `source` names the file in the reasons
    /// of corrections.
    pub fn changes(&self, source: &str) -> Vec<Change> {
        let empty = Self::empty(self.event.clone());
        let mut changes = vec![Change::SetEvent(Box::new(self.event.clone()))];
        changes.extend(difference(&empty, self, source).changes());
        changes
    }
}

/// Compares the event with a file. `source` names the file in the reasons of corrections.
///
/// Data that only the hall has stays: results that are missing from the file, and players and byes that it does not
/// name. So do corrected results, board numbers, sectors, late entries and withdrawals. A contradiction becomes a
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
/// Returns the names, people and numbers that differ if the file is about a different event, or has player numbers that
/// the event cannot adopt.
pub fn compare(
    known: &Draft,
    file: &Draft,
    source: &str,
) -> Result<Difference, Box<IdentityMismatch>> {
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
