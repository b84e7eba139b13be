//! The journals of an agent, one for each log it has met. Owns which of them is written.

use proto::ids::AgentId;

use crate::core::Recovered;
use crate::journal::{Journal, JournalThread, Opened, Store, StoreError};

/// Where an agent's journals are.
#[derive(Debug)]
pub enum Logs {
    /// Nowhere.
    Memory,
    /// In a state directory.
    Files {
        /// The directory.
        store: Store,
        /// Writes them.
        thread: JournalThread,
        /// The one that is written.
        path: std::path::PathBuf,
    },
}

/// Why there is no journal.
pub type LogsError = StoreError;

impl Logs {
    /// Opens the journal for the log `origin` in `store`; notices go to the log.
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

    /// The journal that is written.
    pub(super) fn journal(&self) -> Journal {
        match self {
            Self::Memory => Journal::memory(),
            Self::Files { thread, path, .. } => Journal::file(path.clone(), thread),
        }
    }

    /// From now on, the journal for the log `origin`.
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
