//! The thread that writes and syncs the journals of one or many agents. Owns the open files. Batches for a file that
//! arrive during a sync share the next one, so that a burst of presses costs few syncs.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};

use tokio::sync::mpsc::UnboundedSender;

use super::JournalEvent;
use super::file;
use crate::core::entry::{Batch, WriteMode};

/// Maximum number of jobs that share a sync with the first job.
const MAX_JOBS: usize = 1024;

/// A handle to the journal thread. The thread finishes its jobs and ends after the last handle is dropped.
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
            // The thread has died, so the face must report the failure. If the agent no longer listens, it is ending.
            let _ = reports.send(JournalEvent::Failed(
                "the journal thread has ended".to_owned(),
            ));
        }
    }

    /// Blocks until all batches queued so far have been written or have failed. Call this before the program ends.
    pub fn flush(&self) {
        let (done, wait) = channel();
        if self.jobs.send(Job::Flush(done)).is_ok() {
            // The receive also ends, with an error, if the thread has died.
            let _ = wait.recv();
        }
    }
}

/// An open journal file. `file` is `None` at the start and after a failure, until a whole journal is written.
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
        for job in std::iter::once(first).chain(rest.take(MAX_JOBS)) {
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
            // The caller of `flush` may no longer be waiting.
            let _ = done.send(());
        }
    }
}

impl Open {
    fn take(&mut self, path: &Path, batch: Batch) {
        match batch.mode {
            WriteMode::Replace => {
                // The replacement includes all pending entries.
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

    /// Closes the file after an error. A failed sync must not be retried on the same file: the page cache may have dropped the unwritten data.
    fn fail(&mut self, error: &io::Error) {
        self.file = None;
        self.pending.clear();
        self.sync = false;
        self.report(JournalEvent::Failed(error.to_string()));
    }

    fn report(&self, event: JournalEvent) {
        if let Some(reports) = &self.reports {
            // The agent may have ended.
            let _ = reports.send(event);
        }
    }
}
