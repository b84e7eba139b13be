//! An agent's journals, one for each log that it has served. Owns the choice of the journal in use.

use proto::checkpoint::KeptCheckpoint;
use proto::ids::AgentId;

use crate::core::Recovered;
use crate::journal::{Journal, JournalThread, Opened, Store, StoreError, checkpoint};

#[derive(Debug)]
pub enum Logs {
    Memory,
    Files {
        store: Store,
        thread: JournalThread,
        /// Path of the journal in use.
        path: std::path::PathBuf,
    },
}

pub type LogsError = StoreError;

impl Logs {
    /// Opens the journal for the log `origin` in `store`, and logs any problems with it.
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

    pub(super) fn journal(&self) -> Journal {
        match self {
            Self::Memory => Journal::memory(),
            Self::Files { thread, path, .. } => Journal::file(path.clone(), thread),
        }
    }

    /// Stores the newest checkpoint of the log next to the journal, without waiting for the disk.
    pub(super) fn keep(&self, kept: &KeptCheckpoint) {
        if let Self::Files { path, .. } = self {
            checkpoint::store(path, kept);
        }
    }

    /// Stores two checkpoints that contradict each other, in a file that is never overwritten.
    pub(super) fn contradicted(&self, kept: &KeptCheckpoint, sent: &KeptCheckpoint) {
        if let Self::Files { path, .. } = self {
            checkpoint::store_contradiction(path, kept, sent);
        }
    }

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
