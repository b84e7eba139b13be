//! The differences as data: sentences and changes, and the names in them.

use crate::formats::draft::Draft;
use crate::formats::remark::{Entrant, Remark};
use crate::formats::wording::joined;
use crate::{Change, Participant, PlayerNo};

/// The differences between a file and the event, in the order in which they apply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    /// One item for each decision by the arbiter.
    pub items: Vec<Item>,
    /// Remarks for the arbiter to check or settle; they change nothing.
    pub remarks: Vec<Remark>,
    /// The number of known pairings that the changes would remove. Removing pairings needs separate consent.
    pub removed_pairings: usize,
}

/// One difference between a file and the event, with the changes that apply it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The subject, such as a new player or a changed result.
    pub kind: DifferenceKind,
    /// English text that describes the difference to the arbiter.
    pub words: String,
    /// The changes that apply the difference. The event may refuse a change that contradicts its data.
    pub changes: Vec<Change>,
}

/// The subject of a difference, such as a new player or a changed result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DifferenceKind {
    /// Changed data of the event itself, such as its name, dates or stated standings.
    Event,
    /// A new player.
    NewPlayer,
    /// Amended data of a known player, or new numbers of known players.
    ChangedPlayer,
    /// A new or changed team.
    Team,
    /// Pairings of a round that the event has not paired yet.
    NewRound,
    /// Different pairings in a paired round.
    ChangedRound,
    /// A result for a game that had none.
    NewResult,
    /// A result or a match forfeit that differs from the known one.
    ChangedResult,
    /// A bye that the file gives a player.
    Bye,
}

impl Difference {
    /// Returns true if there is nothing to change. There may still be remarks.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Returns every change, in the order in which they apply.
    pub fn changes(&self) -> Vec<Change> {
        let items = self.items.iter();
        items.flat_map(|item| item.changes.clone()).collect()
    }

    /// Returns the text of every item, separated by line breaks.
    pub fn words(&self) -> String {
        joined(self.items.iter().map(|item| &item.words), "\n")
    }

    pub(super) fn add(&mut self, kind: DifferenceKind, words: String, changes: Vec<Change>) {
        self.items.push(Item {
            kind,
            words,
            changes,
        });
    }
}

pub(super) fn entrant(known: &Draft, file: &Draft, who: Participant) -> Entrant {
    let name = |draft: &Draft| match who {
        Participant::Player(no) => draft.players.get(&no).map(|player| player.name.clone()),
        Participant::Team(no) => draft.teams.get(&no).map(|team| team.name.clone()),
    };
    let name = name(known).or_else(|| name(file)).unwrap_or_default();
    Entrant::named(who.number(), &name)
}

pub(super) fn name(draft: &Draft, no: Option<PlayerNo>) -> String {
    let Some(no) = no else {
        return "no player".to_owned();
    };
    match draft.players.get(&no) {
        Some(player) => player.name.clone(),
        None => format!("player {no}"),
    }
}
