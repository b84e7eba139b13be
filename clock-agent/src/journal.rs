//! The agent's journal: what survives a crash, a restart and a power cut. Owns files and when they are synced; never knows
//! what an event means (`core::recover` does).
//!
//! One file per log of a hub, in the state directory. A batch is appended and synced on the journal thread while the event
//! is already on its way to the hub; whichever is first makes it safe. A journal that cannot be written does not stop the
//! game: it is reported, and written anew as soon as that works.

mod file;
mod store;
#[cfg(test)]
mod tests;
mod thread;

use std::path::PathBuf;

use tokio::sync::mpsc;

use crate::core::entry::Batch;

pub use store::{Notice, Opened, Store, StoreError};
pub use thread::JournalThread;

/// Where the batches of one agent go.
#[derive(Debug)]
pub enum Journal {
    /// Nowhere: for simulated players, whose presses nobody will miss.
    Memory(MemoryJournal),
    /// A file, by the journal thread.
    File(FileJournal),
}

/// What became of what was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JournalEvent {
    /// Everything up to this event of the chain is synced.
    Synced {
        /// Sequence number of the newest event covered.
        seq: u64,
    },
    /// Nothing more is written until a whole journal is.
    Failed(String),
}

/// A journal that keeps nothing and is always in time.
#[derive(Debug, Default)]
pub struct MemoryJournal {
    synced: Option<u64>,
}

/// One file of the journal thread.
#[derive(Debug)]
pub struct FileJournal {
    path: PathBuf,
    thread: JournalThread,
    events: mpsc::UnboundedReceiver<JournalEvent>,
    reports: mpsc::UnboundedSender<JournalEvent>,
}

impl Journal {
    /// Keeps nothing.
    pub fn memory() -> Self {
        Self::Memory(MemoryJournal::default())
    }

    /// Writes to `path` on `thread`. The first batch has to be a whole journal.
    pub fn file(path: PathBuf, thread: &JournalThread) -> Self {
        let (reports, events) = mpsc::unbounded_channel();
        Self::File(FileJournal {
            path,
            thread: thread.clone(),
            events,
            reports,
        })
    }

    /// Hands over a batch; never blocks.
    pub fn write(&mut self, batch: Batch) {
        match self {
            Self::Memory(memory) => memory.synced = Some(batch.seq),
            Self::File(file) => file.thread.write(&file.path, batch, &file.reports),
        }
    }

    /// What has been reported since, without waiting.
    pub fn reported(&mut self) -> Option<JournalEvent> {
        match self {
            Self::Memory(memory) => memory.synced.take().map(|seq| JournalEvent::Synced { seq }),
            Self::File(file) => file.events.try_recv().ok(),
        }
    }

    /// The next report. May be dropped while waiting.
    pub async fn next(&mut self) -> JournalEvent {
        match self {
            Self::Memory(memory) => match memory.synced.take() {
                Some(seq) => JournalEvent::Synced { seq },
                None => std::future::pending().await,
            },
            Self::File(file) => match file.events.recv().await {
                Some(event) => event,
                // `self.reports` keeps the channel open.
                None => std::future::pending().await,
            },
        }
    }

    /// Waits until everything handed over is written or has failed.
    pub async fn flush(&self) {
        if let Self::File(file) = self {
            let thread = file.thread.clone();
            // Only the end of the runtime can cut it short.
            let _ = tokio::task::spawn_blocking(move || thread.flush()).await;
        }
    }
}
