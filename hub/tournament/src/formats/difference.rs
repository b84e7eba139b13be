//! What a file says that is not known yet: new rounds, other players, other results, each in words for an arbiter and as the
//! changes that would make it so. Owns the comparison; never applies a change, never takes back what only the hall knows, never
//! empties what a file is silent about.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Change, PlayerNo};

use super::draft::Draft;

mod counts;
mod doubts;
mod entries;
mod event;
mod identity;
mod oddities;
mod rounds;
mod stated;
mod words;

pub use counts::Counts;
pub use doubts::doubts;
pub use identity::{Foreign, Identity, Renumbered, Stranger, identity};
pub use oddities::oddities;

/// What a file has that is not known yet, in the order in which it is to be applied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// One for each thing an arbiter decides on.
    pub items: Vec<Item>,
    /// What he should look at twice, or settle himself: nothing of it changes anything.
    pub remarks: Vec<String>,
    /// Pairings of rounds that the hub knows and that would be gone: taking them away is agreed to on its own.
    pub removed_pairings: usize,
}

/// One thing that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What kind of thing.
    pub kind: Kind,
    /// A sentence.
    pub words: String,
    /// What makes it so. A change that contradicts the hall is refused by the event, with its reason.
    pub changes: Vec<Change>,
}

/// What kind of thing differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The event's own data.
    Event,
    /// A player who is new.
    NewPlayer,
    /// A player's data.
    ChangedPlayer,
    /// A team, new or changed.
    Team,
    /// A round that is not paired yet.
    NewRound,
    /// A round that is paired otherwise.
    ChangedRound,
    /// A result where none is known.
    NewResult,
    /// A result where another is known.
    ChangedResult,
    /// A bye.
    Bye,
}

impl Difference {
    /// Whether there is nothing to change. There may be remarks.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Every change, in the order in which they are to be applied.
    pub fn changes(&self) -> Vec<Change> {
        let items = self.items.iter();
        items.flat_map(|item| item.changes.clone()).collect()
    }

    /// Every sentence, one a line.
    pub fn words(&self) -> String {
        let words: Vec<&str> = self.items.iter().map(|item| item.words.as_str()).collect();
        words.join("\n")
    }

    fn add(&mut self, kind: Kind, words: String, changes: Vec<Change>) {
        self.items.push(Item {
            kind,
            words,
            changes,
        });
    }
}

impl Draft {
    /// The changes that make this event out of an empty one.
    pub fn changes(&self, source: &str) -> Vec<Change> {
        let empty = Self {
            event: self.event.clone(),
            players: BTreeMap::new(),
            teams: BTreeMap::new(),
            rounds: BTreeMap::new(),
            corrected: BTreeSet::new(),
            stated: None,
        };
        let mut changes = vec![Change::SetEvent(Box::new(self.event.clone()))];
        changes.extend(difference(&empty, self, source).changes());
        changes
    }
}

/// Compares what is known with a file. `source` names the file in the reasons of corrections.
///
/// What only the hall knows stays: results that the file has none for, results that an arbiter has corrected, players and byes the
/// file does not name, board numbers, sectors, late arrivals and withdrawals. What contradicts that is remarked.
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

/// Compares what is known with a file that must be this event's.
///
/// # Errors
/// The file is another event's: what differs.
pub fn compare(known: &Draft, file: &Draft, source: &str) -> Result<Difference, Box<Foreign>> {
    match identity(known, file) {
        Identity::Same => Ok(difference(known, file, source)),
        Identity::Foreign(foreign) => Err(foreign),
        Identity::Renumbered(numbers) => {
            let mut taken = Difference::default();
            let known = identity::renumber(known, &numbers, &mut taken);
            let rest = difference(&known, file, source);
            taken.items.extend(rest.items);
            Ok(Difference {
                items: taken.items,
                ..rest
            })
        }
    }
}

/// A player's name, for sentences.
fn name(draft: &Draft, no: Option<PlayerNo>) -> String {
    let Some(no) = no else {
        return "nobody".to_owned();
    };
    match draft.players.get(&no) {
        Some(player) => player.name.clone(),
        None => format!("player {no}"),
    }
}
