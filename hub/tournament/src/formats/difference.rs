//! The differences between a file and the event: new rounds, other players, other results. Each comes with a
//! sentence for the arbiter and the changes that apply it.
//!
//! Owns the comparison. Must never apply a change, remove what only the hall knows, or clear a field that a file leaves
//! empty.

use crate::{Change, Participant, PlayerNo};

use super::draft::Draft;
use super::remark::{Entrant, Remark};

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
pub(in crate::formats) use words::{first_of, kind_of_bye, plural};

/// The differences between a file and the event, in the order in which they apply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// One item per decision of the arbiter.
    pub items: Vec<Item>,
    /// Remarks for the arbiter to check or settle; they change nothing.
    pub remarks: Vec<Remark>,
    /// The number of known pairings that the changes would remove, which needs a separate consent.
    pub removed_pairings: usize,
}

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The kind of difference.
    pub kind: Kind,
    /// A sentence for the arbiter.
    pub words: String,
    /// The changes that apply it. The event refuses a change that contradicts it, with the reason.
    pub changes: Vec<Change>,
}

/// The kind of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The event's own data.
    Event,
    /// A new player.
    NewPlayer,
    /// A player's data.
    ChangedPlayer,
    /// A new or changed team.
    Team,
    /// A round that is not paired yet.
    NewRound,
    /// Other pairings in a paired round.
    ChangedRound,
    /// A result for a game without one.
    NewResult,
    /// A result that replaces another.
    ChangedResult,
    /// A bye.
    Bye,
}

impl Difference {
    /// Returns whether there is nothing to change. There may still be remarks.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Returns every change, in the order in which they apply.
    pub fn changes(&self) -> Vec<Change> {
        let items = self.items.iter();
        items.flat_map(|item| item.changes.clone()).collect()
    }

    /// Returns every sentence, one per line.
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
    /// Returns the changes that build this event from an empty one.
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
/// byes that the file does not name, board numbers, sectors, late arrivals and withdrawals. A contradiction becomes a
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
/// Returns the differing names and persons if the file is about another event.
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

/// Returns a player or a team for a remark, with the name in the event or else in the file.
fn entrant(known: &Draft, file: &Draft, who: Participant) -> Entrant {
    let name = |draft: &Draft| match who {
        Participant::Player(no) => draft.players.get(&no).map(|player| player.name.clone()),
        Participant::Team(no) => draft.teams.get(&no).map(|team| team.name.clone()),
    };
    let name = name(known).or_else(|| name(file)).unwrap_or_default();
    Entrant::named(who.number(), &name)
}

/// Returns a player's name for sentences.
fn name(draft: &Draft, no: Option<PlayerNo>) -> String {
    let Some(no) = no else {
        return "no player".to_owned();
    };
    match draft.players.get(&no) {
        Some(player) => player.name.clone(),
        None => format!("player {no}"),
    }
}
