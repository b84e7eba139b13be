//! The archive's thread: it brings each copy up to date with the log, at intervals and on request, and checks each
//! copy once.
//!
//! Owns the timing of writes and retries. Must never sign a checkpoint while a copy contradicts the log.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use proto::note::Signer;

use super::folder::{Folder, SignedCheckpoint};
use super::{
    ArchiveCopy, ArchiveError, ArchiveFinding, ArchiveReport, ArchiveSettings, Conceal, Epochs,
    Shared, check,
};
use crate::reader::LogReader;
use crate::{lock, store};

/// Number of the keeper's rounds before it retries a copy that failed. A round takes one interval, or less on request.
const TRY_AGAIN: u32 = 30;

const NICE: i32 = 10;

pub(super) struct Keeper {
    copies: Vec<CopyKeeper>,
    signer: Signer,
    conceal: Option<Conceal>,
    epochs: Epochs,
    every: Duration,
    log: LogReader,
    report: Box<dyn FnMut(ArchiveReport) + Send>,
    checks: Checks,
}

/// Comparisons of whole copies with the log. Each runs on a thread of its own, because it may take longer than an
/// interval.
struct Checks {
    threads: Vec<JoinHandle<()>>,
    ending: Arc<AtomicBool>,
    done: Receiver<(ArchiveCopy, Result<usize, ArchiveError>)>,
    sender: Sender<(ArchiveCopy, Result<usize, ArchiveError>)>,
}

struct CopyKeeper {
    copy: ArchiveCopy,
    dir: PathBuf,
    state: CopyState,
    is_checked: bool,
}

enum CopyState {
    /// Not opened yet, or waiting to be opened again. After an error, `after` contains the error and the number of
    /// rounds until the next attempt.
    Closed {
        after: Option<(ArchiveError, u32)>,
    },
    Open(Folder),
    /// The log contradicts the copy, which is left untouched.
    Contradicts(ArchiveError),
}

impl Keeper {
    pub(super) fn new(
        settings: ArchiveSettings,
        log: LogReader,
        report: Box<dyn FnMut(ArchiveReport) + Send>,
    ) -> Keeper {
        let ArchiveSettings {
            dir,
            mirror,
            signer,
            every,
            conceal,
            epochs,
        } = settings;
        let archive = (ArchiveCopy::Archive, dir);
        let copies = std::iter::once(archive).chain(mirror.map(|dir| (ArchiveCopy::Mirror, dir)));
        let closed = |(copy, dir)| CopyKeeper {
            copy,
            dir,
            state: CopyState::Closed { after: None },
            is_checked: false,
        };
        Keeper {
            copies: copies.map(closed).collect(),
            signer,
            conceal,
            epochs,
            every,
            log,
            report,
            checks: Checks::new(),
        }
    }

    pub(super) fn run(&mut self, shared: &Arc<Shared>) {
        loop {
            let closing = lock(&shared.state).closing;
            self.open_copies();
            self.advance();
            self.publish(shared);
            if closing {
                return;
            }
            self.wait(shared);
            self.take_checks();
        }
    }

    fn wait(&self, shared: &Shared) {
        let state = lock(&shared.state);
        let idle = |state: &mut super::State| !state.closing && !state.asked;
        let waited = shared.changed.wait_timeout_while(state, self.every, idle);
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.asked = false;
    }

    fn open_copies(&mut self) {
        for at in 0..self.copies.len() {
            let keeper = &mut self.copies[at];
            let CopyState::Closed { after } = &mut keeper.state else {
                continue;
            };
            if let Some((_, left @ 1..)) = after {
                *left -= 1;
                continue;
            }
            let create = keeper.copy == ArchiveCopy::Archive;
            let conceal = self.conceal.as_ref();
            let had_failed = after.is_some();
            let opened = Folder::open(&keeper.dir, create, &self.signer, conceal, &self.log);
            match opened {
                Ok((folder, files)) => {
                    let unchecked = folder.checkpoint().cloned();
                    let checks = unchecked.filter(|_| !keeper.is_checked && files == 0);
                    keeper.is_checked = true;
                    let (copy, dir) = (keeper.copy, keeper.dir.clone());
                    keeper.state = CopyState::Open(folder);
                    if files > 0 {
                        self.tell(at, ArchiveFinding::Repaired { files });
                    }
                    if had_failed {
                        self.tell(at, ArchiveFinding::Recovered);
                    }
                    if let Some(signed) = checks {
                        self.checks.start(copy, dir, signed, self.log.clone());
                    }
                }
                Err(error) => self.failed(at, error),
            }
        }
    }

    /// Brings every open copy up to date with the log, unless a copy contradicts the log.
    fn advance(&mut self) {
        if self.contradiction().is_some() {
            return;
        }
        let len = self.log.len();
        for at in 0..self.copies.len() {
            let CopyState::Open(folder) = &mut self.copies[at].state else {
                continue;
            };
            let conceal = self.conceal.as_ref();
            if let Err(error) =
                folder.advance(len, &self.signer, conceal, &mut self.epochs, &self.log)
            {
                self.failed(at, error);
            }
        }
    }

    fn publish(&self, shared: &Shared) {
        let contradiction = self.contradiction();
        let newest = self.copies.iter().filter_map(|keeper| match &keeper.state {
            CopyState::Open(folder) => Some((folder.checkpoint()?.clone(), keeper.dir.clone())),
            CopyState::Closed { .. } | CopyState::Contradicts(_) => None,
        });
        // If checkpoints are equally new, prefer the archive's to the mirror's.
        let newest = newest.rev().max_by_key(|(signed, _)| signed.size);
        let fault = contradiction.or_else(|| {
            let first = self.copies.first()?;
            match &first.state {
                CopyState::Closed { after } if newest.is_none() => Some(after.as_ref()?.0.clone()),
                CopyState::Closed { .. } | CopyState::Open(_) | CopyState::Contradicts(_) => None,
            }
        });
        shared.change(|state| {
            state.newest = newest.filter(|_| fault.is_none());
            state.fault = fault;
        });
    }

    fn contradiction(&self) -> Option<ArchiveError> {
        self.copies.iter().find_map(|keeper| match &keeper.state {
            CopyState::Contradicts(error) => Some(error.clone()),
            CopyState::Closed { .. } | CopyState::Open(_) => None,
        })
    }

    fn take_checks(&mut self) {
        while let Ok((copy, outcome)) = self.checks.done.try_recv() {
            let Some(at) = self.copies.iter().position(|keeper| keeper.copy == copy) else {
                continue;
            };
            match outcome {
                Ok(0) => (),
                Ok(files) => self.tell(at, ArchiveFinding::Repaired { files }),
                Err(error) => self.failed(at, error),
            }
        }
    }

    fn failed(&mut self, at: usize, error: ArchiveError) {
        let keeper = &mut self.copies[at];
        let is_known = match &keeper.state {
            CopyState::Closed { after } => after.as_ref().is_some_and(|(known, _)| *known == error),
            CopyState::Contradicts(known) => *known == error,
            CopyState::Open(_) => false,
        };
        keeper.state = match error.is_contradiction() {
            true => CopyState::Contradicts(error.clone()),
            false => CopyState::Closed {
                after: Some((error.clone(), TRY_AGAIN)),
            },
        };
        if !is_known {
            self.tell(at, ArchiveFinding::Failed(error));
        }
    }

    fn tell(&mut self, at: usize, finding: ArchiveFinding) {
        let keeper = &self.copies[at];
        (self.report)(ArchiveReport {
            copy: keeper.copy,
            dir: keeper.dir.clone(),
            finding,
        });
    }
}

impl Checks {
    fn new() -> Checks {
        let (sender, done) = channel();
        Checks {
            threads: Vec::new(),
            ending: Arc::default(),
            done,
            sender,
        }
    }

    /// Starts a thread that compares the tiles covered by `signed` with the log, and rewrites damaged ones. The copy may
    /// grow meanwhile, because later records go into other files.
    fn start(&mut self, copy: ArchiveCopy, dir: PathBuf, signed: SignedCheckpoint, log: LogReader) {
        let (ending, sender) = (self.ending.clone(), self.sender.clone());
        let run = move || {
            // Linux applies the niceness to this thread only. If the call fails, the thread runs at normal priority.
            let _ = rustix::process::nice(NICE);
            let outcome = check::repair(&dir, &signed, &log, || ending.load(Ordering::Relaxed));
            // Sending fails only after the keeper has ended, when the outcome no longer matters.
            let _ = sender.send((copy, outcome.map(|(_, files)| files)));
            let _ = store::guarded(|| drop(log));
        };
        let thread = std::thread::Builder::new()
            .name("log-archive-check".to_owned())
            .spawn(run);
        // If the thread could not be started, the hub's next start checks the copy.
        self.threads.extend(thread);
    }
}

impl Drop for Checks {
    fn drop(&mut self) {
        self.ending.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}
