//! The agent's journal, which survives crashes, restarts and power cuts. Owns the files and their syncing. Must never interpret an event:
//! `core::recover` does that.
//!
//! The state directory has one journal for each hub's log. The journal thread appends and syncs a batch while the batch's events are already on their
//! way to the hub. An event is safe as soon as either has finished. A journal that cannot be written does not stop the game: the failure is reported,
//! and the journal is rewritten as soon as possible.

pub(crate) mod checkpoint;
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

/// The storage for one agent's batches of events.
#[derive(Debug)]
pub enum Journal {
    /// No storage, for simulated players: their presses may be lost.
    Memory(MemoryJournal),
    /// A file, written by the journal thread.
    File(FileJournal),
}

/// A report of the outcome of a write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JournalEvent {
    /// All events up to `seq` are synced.
    Synced { seq: u64 },
    /// Writing failed, with this error, and has stopped until a whole journal can be written.
    Failed(String),
}

#[derive(Debug, Default)]
pub struct MemoryJournal {
    synced: Option<u64>,
}

#[derive(Debug)]
pub struct FileJournal {
    path: PathBuf,
    thread: JournalThread,
    events: mpsc::UnboundedReceiver<JournalEvent>,
    reports: mpsc::UnboundedSender<JournalEvent>,
}

impl Journal {
    pub fn memory() -> Self {
        Self::Memory(MemoryJournal::default())
    }

    /// Creates a journal at `path` on `thread`. The first batch must be a whole journal.
    pub fn file(path: PathBuf, thread: &JournalThread) -> Self {
        let (reports, events) = mpsc::unbounded_channel();
        Self::File(FileJournal {
            path,
            thread: thread.clone(),
            events,
            reports,
        })
    }

    /// Queues a batch for writing, without blocking.
    pub fn write(&mut self, batch: Batch) {
        match self {
            Self::Memory(memory) => memory.synced = Some(batch.seq),
            Self::File(file) => file.thread.write(&file.path, batch, &file.reports),
        }
    }

    /// Returns the next report without waiting, if there is one.
    pub fn reported(&mut self) -> Option<JournalEvent> {
        match self {
            Self::Memory(memory) => memory.synced.take().map(|seq| JournalEvent::Synced { seq }),
            Self::File(file) => file.events.try_recv().ok(),
        }
    }

    /// Waits for the next report. Cancel-safe.
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

    /// Waits until every queued batch has been written or has failed.
    pub async fn flush(&self) {
        if let Self::File(file) = self {
            let thread = file.thread.clone();
            // An error means that the runtime is shutting down.
            let _ = tokio::task::spawn_blocking(move || thread.flush()).await;
        }
    }
}
