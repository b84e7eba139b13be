//! The thread that writes and syncs journals: of one agent, or of many. Owns the open files. It drains what has come in
//! during the last sync, so that a burst of presses costs one sync.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};

use tokio::sync::mpsc::UnboundedSender;

use super::JournalEvent;
use super::file;
use crate::core::entry::{Batch, WriteMode};

/// Batches taken together before a sync.
const DRAIN: usize = 1024;

/// A handle on the journal thread; the thread ends with the last handle, after what it was given.
#[derive(Clone, Debug)]
pub struct JournalThread {
    jobs: Sender<Job>,
}

#[derive(Debug)]
enum Job {
    Write {
        path: PathBuf,
        batch: Batch,
        reports: UnboundedSender<JournalEvent>,
    },
    Flush(Sender<()>),
}

impl JournalThread {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the system has no thread left.
    pub fn start() -> io::Result<Self> {
        let (jobs, inbox) = channel();
        std::thread::Builder::new()
            .name("journal".to_owned())
            .spawn(move || run(&inbox))?;
        Ok(Self { jobs })
    }

    pub(super) fn write(&self, path: &Path, batch: Batch, reports: &UnboundedSender<JournalEvent>) {
        let job = Job::Write {
            path: path.to_owned(),
            batch,
            reports: reports.clone(),
        };
        if self.jobs.send(job).is_err() {
            // The agent is leaving and no longer listens, or the thread has died: the face has to say so.
            let _ = reports.send(JournalEvent::Failed(
                "the journal thread has ended".to_owned(),
            ));
        }
    }

    /// Blocks until everything given so far is written or has failed: for a clean end.
    pub fn flush(&self) {
        let (done, wait) = channel();
        if self.jobs.send(Job::Flush(done)).is_ok() {
            // Either the answer or the thread's end.
            let _ = wait.recv();
        }
    }
}

/// A journal file of the thread. `file` is `None` after a failure, until a whole journal is written.
#[derive(Debug, Default)]
struct Open {
    file: Option<File>,
    pending: Vec<u8>,
    sync: bool,
    seq: u64,
    reports: Option<UnboundedSender<JournalEvent>>,
}

fn run(inbox: &Receiver<Job>) {
    let mut files: BTreeMap<PathBuf, Open> = BTreeMap::new();
    while let Ok(first) = inbox.recv() {
        let mut flushes = Vec::new();
        let rest = std::iter::from_fn(|| inbox.try_recv().ok());
        for job in std::iter::once(first).chain(rest.take(DRAIN)) {
            match job {
                Job::Write {
                    path,
                    batch,
                    reports,
                } => {
                    let open = files.entry(path.clone()).or_default();
                    open.reports = Some(reports);
                    open.take(&path, batch);
                }
                Job::Flush(done) => flushes.push(done),
            }
        }
        for open in files.values_mut() {
            open.commit();
        }
        files.retain(|_, open| {
            open.reports
                .as_ref()
                .is_some_and(|reports| !reports.is_closed())
        });
        for done in flushes {
            // Nobody waits any more: nothing to tell.
            let _ = done.send(());
        }
    }
}

impl Open {
    fn take(&mut self, path: &Path, batch: Batch) {
        match batch.mode {
            WriteMode::Replace => {
                // It holds everything that is pending.
                self.pending.clear();
                self.sync = false;
                match file::replace(path, &batch.entries) {
                    Ok(file) => {
                        self.file = Some(file);
                        self.report(JournalEvent::Synced { seq: batch.seq });
                    }
                    Err(error) => self.fail(&error),
                }
            }
            WriteMode::Synced | WriteMode::Lazy => {
                if self.file.is_none() {
                    return;
                }
                for entry in &batch.entries {
                    file::encode(entry, &mut self.pending);
                }
                self.sync |= batch.mode == WriteMode::Synced;
                self.seq = batch.seq;
            }
        }
    }

    fn commit(&mut self) {
        let Some(file) = &mut self.file else {
            return;
        };
        if self.pending.is_empty() {
            return;
        }
        let written = file
            .write_all(&self.pending)
            .and_then(|()| if self.sync { file.sync_data() } else { Ok(()) });
        self.pending.clear();
        match written {
            Ok(()) if self.sync => {
                self.sync = false;
                self.report(JournalEvent::Synced { seq: self.seq });
            }
            Ok(()) => {}
            Err(error) => self.fail(&error),
        }
    }

    /// A failed sync is never tried again on the same file: what it covered may be gone from the cache.
    fn fail(&mut self, error: &io::Error) {
        self.file = None;
        self.pending.clear();
        self.sync = false;
        self.report(JournalEvent::Failed(error.to_string()));
    }

    fn report(&self, event: JournalEvent) {
        if let Some(reports) = &self.reports {
            // The agent may have left.
            let _ = reports.send(event);
        }
    }
}
