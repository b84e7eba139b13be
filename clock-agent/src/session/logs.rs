//! The journals of an agent, one for each log it has met. Owns which of them is in use.

use proto::ids::AgentId;

use crate::core::Recovered;
use crate::journal::{Journal, JournalThread, Opened, Store, StoreError};

/// The location of an agent's journals.
#[derive(Debug)]
pub enum Logs {
    /// In memory only.
    Memory,
    /// Files in a state directory.
    Files {
        /// The directory.
        store: Store,
        /// The thread that writes them.
        thread: JournalThread,
        /// Path of the journal in use.
        path: std::path::PathBuf,
    },
}

/// The reason why no journal could be opened.
pub type LogsError = StoreError;

impl Logs {
    /// Opens the journal for the log `origin` in `store`, and logs its notices.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn files(
        store: Store,
        thread: JournalThread,
        origin: &str,
        agent: &AgentId,
    ) -> Result<(Self, Recovered), LogsError> {
        let (recovered, path) = open(&store, origin, agent)?;
        Ok((
            Self::Files {
                store,
                thread,
                path,
            },
            recovered,
        ))
    }

    /// Returns the journal in use.
    pub(super) fn journal(&self) -> Journal {
        match self {
            Self::Memory => Journal::memory(),
            Self::Files { thread, path, .. } => Journal::file(path.clone(), thread),
        }
    }

    /// Switches to the journal for the log `origin`.
    pub(super) fn change(
        &mut self,
        origin: &str,
        agent: &AgentId,
    ) -> Result<(Recovered, Journal), LogsError> {
        let recovered = match self {
            Self::Memory => Recovered::fresh(origin, agent),
            Self::Files { store, path, .. } => {
                let (recovered, new) = open(store, origin, agent)?;
                *path = new;
                recovered
            }
        };
        Ok((recovered, self.journal()))
    }
}

fn open(
    store: &Store,
    origin: &str,
    agent: &AgentId,
) -> Result<(Recovered, std::path::PathBuf), LogsError> {
    let Opened {
        recovered,
        path,
        notices,
    } = store.journal(origin, agent)?;
    for notice in notices {
        tracing::warn!(%notice, "journal");
    }
    Ok((recovered, path))
}
