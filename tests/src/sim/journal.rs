//! The journal of a simulated agent: what its program has written, what of that is on the disk, what a crash leaves. Owns durability
//! only; the entries are the real agent's.

use std::collections::VecDeque;

use clock_agent::core::entry::{Batch, Entry, WriteMode};

use super::random::Random;

/// A journal file and the thread that writes it.
#[derive(Debug, Default)]
pub(super) struct JournalDisk {
    /// The file as programs of this boot see it.
    file: Vec<Entry>,
    /// So many of its entries are on the disk.
    synced: usize,
    /// Given to the thread, not yet written.
    queue: VecDeque<Batch>,
    /// The thread is at work.
    pub(super) busy: bool,
    /// Nothing can be written for now.
    pub(super) failing: bool,
    /// A write failed: the thread takes nothing until a whole journal comes.
    closed: bool,
}

/// What the thread reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Report {
    /// Everything up to this event is on the disk.
    Synced(u64),
    /// A write failed.
    Failed,
}

impl JournalDisk {
    /// Takes a batch; says whether the thread has to be woken.
    pub(super) fn write(&mut self, batch: Batch) -> bool {
        self.queue.push_back(batch);
        !std::mem::replace(&mut self.busy, true)
    }

    /// The thread has done what was given to it.
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

    /// The program dies: what the thread was writing may be there in part, in its order.
    pub(super) fn killed(&mut self, random: &mut Random) {
        self.tear(random);
    }

    /// The machine loses power: what was not synced may be there in part, in its order.
    pub(super) fn power_cut(&mut self, random: &mut Random) {
        self.tear(random);
        let unsynced = self.file.len() - self.synced;
        let kept = self.synced + random.below(unsynced + 1);
        self.file.truncate(kept);
        self.synced = kept;
    }

    /// The card is replaced by an empty one.
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
                // A file is replaced at once or not at all.
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

    /// What the next program reads.
    pub(super) fn read(&self) -> Vec<Entry> {
        self.file.clone()
    }
}
