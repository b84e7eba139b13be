//! The journal of a simulated agent: the entries written, those already on the disk, and those left after a crash. Owns durability only; the
//! entries are the real agent's.

use std::collections::VecDeque;

use clock_agent::core::entry::{Batch, Entry, WriteMode};

use super::random::Random;

#[derive(Debug, Default)]
pub(super) struct JournalDisk {
    /// The entries that a program in the same boot would read from the file, synced or not.
    file: Vec<Entry>,
    synced: usize,
    queue: VecDeque<Batch>,
    pub(super) busy: bool,
    pub(super) failing: bool,
    /// True after a failed write: the journal's thread discards batches until it gets a complete journal.
    closed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Report {
    /// The event with this sequence number and all earlier events are on the disk.
    Synced(u64),
    Failed,
}

impl JournalDisk {
    /// Queues a batch; returns true if the journal's thread must be woken.
    pub(super) fn write(&mut self, batch: Batch) -> bool {
        self.queue.push_back(batch);
        !std::mem::replace(&mut self.busy, true)
    }

    pub(super) fn done(&mut self) -> Vec<Report> {
        self.busy = false;
        let mut reports = Vec::new();
        let mut sync = None;
        while let Some(batch) = self.queue.pop_front() {
            match batch.mode {
                WriteMode::Replace if self.failing => {
                    self.closed = true;
                    reports.push(Report::Failed);
                }
                WriteMode::Replace => {
                    self.closed = false;
                    self.file = batch.entries;
                    self.synced = self.file.len();
                    reports.push(Report::Synced(batch.seq));
                    sync = None;
                }
                WriteMode::Synced | WriteMode::Lazy if self.closed => {}
                WriteMode::Synced | WriteMode::Lazy if self.failing => {
                    self.closed = true;
                    sync = None;
                    reports.push(Report::Failed);
                }
                WriteMode::Synced | WriteMode::Lazy => {
                    self.file.extend(batch.entries);
                    if batch.mode == WriteMode::Synced {
                        sync = Some(batch.seq);
                    }
                }
            }
        }
        if let Some(seq) = sync {
            self.synced = self.file.len();
            reports.push(Report::Synced(seq));
        }
        reports
    }

    /// Kills the program. A random number of queued entries survive, oldest first; none survive while writes fail.
    pub(super) fn killed(&mut self, random: &mut Random) {
        self.tear(random);
    }

    /// Cuts the power. A random number of the entries that are queued or not synced survive, oldest first.
    pub(super) fn power_cut(&mut self, random: &mut Random) {
        self.tear(random);
        let unsynced = self.file.len() - self.synced;
        let kept = self.synced + random.below(unsynced + 1);
        self.file.truncate(kept);
        self.synced = kept;
    }

    pub(super) fn lost(&mut self) {
        *self = Self::default();
    }

    fn tear(&mut self, random: &mut Random) {
        self.busy = false;
        let queue = std::mem::take(&mut self.queue);
        if self.failing || !random.chance(0.5) {
            self.closed = false;
            return;
        }
        let batches = random.below(queue.len() + 1);
        for batch in queue.into_iter().take(batches) {
            match batch.mode {
                // Replacing a file is atomic.
                WriteMode::Replace => {
                    self.file = batch.entries;
                    self.synced = self.file.len();
                    self.closed = false;
                }
                WriteMode::Synced | WriteMode::Lazy if self.closed => {}
                WriteMode::Synced | WriteMode::Lazy => {
                    let kept = random.below(batch.entries.len() + 1);
                    self.file.extend(batch.entries.into_iter().take(kept));
                    break;
                }
            }
        }
        self.closed = false;
    }

    pub(super) fn read(&self) -> Vec<Entry> {
        self.file.clone()
    }
}
