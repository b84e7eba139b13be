//! Requests to change the event. Checks that a request is not a repetition, that its sender saw the current state, and
//! that the event's rules allow it. Produces the responses; the fold applies the accepted changes.

mod bounds;
pub(crate) mod parts;
mod removal;
mod requests;
mod stale;
pub(crate) mod topic;

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use proto::ids::CommandId;

use super::event_no::EventNo;
use super::fold::tournament::EventFold;
use super::outcome::Outcome;
use super::refusal::{Refusal, Why};
use super::request::RequestDigest;
use tournament::{Actor, Change, Standings, Tournament};

pub use super::fold::journal::UndoableImport;
pub use topic::words as change_words;

/// The purpose of a request to change the event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// Changes the current event, or starts a new event if there is none.
    #[default]
    Amend,
    /// Makes a file's changes as one import, which can later be undone.
    Import { file: String },
    /// Starts a new event with the changes and sets the current event aside.
    Open {
        file: String,
        /// The name of the current event, as the arbiter typed it.
        set_aside: String,
    },
    /// Undoes an import; the request has no changes.
    Undo {
        /// The version that the import created; 0 for the newest import.
        version: u64,
    },
    /// Switches back to an event that was set aside; the request has no changes.
    Switch { to: EventNo, set_aside: String },
}

impl Purpose {
    /// Fills in the current event's name, which the record of a held request omits, if the purpose sets that event aside.
    pub(crate) fn sets_aside(&mut self, name: &str) {
        match self {
            Self::Open { set_aside, .. } | Self::Switch { set_aside, .. } => {
                name.clone_into(set_aside);
            }
            Self::Amend | Self::Import { .. } | Self::Undo { .. } => (),
        }
    }
}

/// A request to change the event. Its changes apply together or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TournamentRequest {
    /// The idempotency key, chosen by the sender.
    pub id: CommandId,
    pub actor: Actor,
    /// The version of the event that the sender saw; `None` accepts any version.
    pub seen: Option<u64>,
    pub reason: String,
    /// The changes in order. The first change of a new event sets its data.
    pub changes: Vec<Change>,
    pub purpose: Purpose,
    pub digest: RequestDigest,
}

/// The answer to a [`TournamentRequest`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TournamentAnswer {
    pub id: CommandId,
    /// Done or refused. A request to change the event is never pending.
    pub outcome: Outcome,
    /// The event's version after the request.
    pub version: u64,
}

/// The event at one version.
#[derive(Clone, Debug)]
pub struct TournamentNow {
    /// The version, which rises by one with each bundle of changes, undone import or switch.
    pub version: u64,
    pub tournament: Arc<Tournament>,
    standings: Arc<OnceLock<Standings>>,
    /// The event as the fold stores it, with the data for undoing imports and the events that are set aside.
    kept: EventFold,
}

impl TournamentNow {
    /// Returns an event at a version, with no imports and no events that are set aside.
    pub fn new(version: u64, tournament: Arc<Tournament>) -> Self {
        Self {
            version,
            tournament,
            standings: Arc::default(),
            kept: EventFold::default(),
        }
    }

    /// Returns the published form of an event, with its own version number. The published form contains neither imports
    /// nor other events.
    pub fn published(version: u64, tournament: Arc<Tournament>, number: EventNo) -> Self {
        Self {
            kept: EventFold {
                number,
                ..EventFold::default()
            },
            ..Self::new(version, tournament)
        }
    }

    /// Returns the event's number among those that the hub stores.
    pub fn number(&self) -> EventNo {
        self.kept.number
    }

    pub fn set_aside(&self) -> BTreeMap<EventNo, Arc<Tournament>> {
        let aside = self.kept.aside.iter();
        aside
            .map(|(number, aside)| (*number, aside.tournament.clone()))
            .collect()
    }

    /// Returns the imports that can be undone, oldest first.
    pub fn imports(&self) -> Vec<UndoableImport<'_>> {
        self.kept.journal.imports().collect()
    }

    /// Returns the import that created this version (0 for the newest import), if it can be undone.
    ///
    /// # Errors
    /// Returns a refusal if there is no such import, or if it can no longer be undone.
    pub fn undoable(&self, version: u64) -> Result<UndoableImport<'_>, Refusal> {
        let (version, _) = self.kept.without(version)?;
        let mut imports = self.imports().into_iter();
        let import = imports.find(|import| import.version == version);
        import.ok_or_else(|| Why::NothingToUndo(Some(version)).into())
    }

    /// Returns the current standings, computed once for all callers.
    pub fn standings(&self) -> &Standings {
        self.standings
            .get_or_init(|| self.tournament.standings(None))
    }
}
