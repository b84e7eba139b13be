//! Keeps the file `head` up to date with the log. Each commit that adds records writes the file. A separate thread
//! syncs it within about a second, so that no press waits for two syncs.
//!
//! Owns the timing of writes. Must never write a head that has not been reported as durable.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::error::CommitError;
use super::head_file::{CommitSlots, Head, HeadFile};
use super::lock;

/// Minimum interval between two synced writes while the log is open.
const PAUSE: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(super) struct HeadKeeper {
    commits: CommitSlots,
    shared: Arc<(Mutex<Shared>, Condvar)>,
    thread: Option<JoinHandle<()>>,
    path: PathBuf,
}

#[derive(Debug)]
struct Shared {
    reached: Head,
    /// The head that the thread has written, or is writing.
    taken: Head,
    closing: bool,
    failed: Option<CommitError>,
}

impl HeadKeeper {
    /// Starts the thread on a file that contains `head`.
    pub(super) fn start(
        mut file: HeadFile,
        path: &Path,
        head: Head,
    ) -> Result<HeadKeeper, CommitError> {
        let commits = file.commits();
        let commits = commits.map_err(|error| CommitError::io(path, &error))?;
        let state = Shared {
            reached: head,
            taken: head,
            closing: false,
            failed: None,
        };
        let shared = Arc::new((Mutex::new(state), Condvar::new()));
        let (theirs, at) = (shared.clone(), path.to_path_buf());
        let run = move || {
            let (state, changed) = &*theirs;
            loop {
                let (newer, closing) = next(state, changed);
                if let Some(head) = newer
                    && let Err(error) = file.write(head)
                {
                    lock(state).failed = Some(CommitError::io(&at, &error));
                    return;
                }
                if closing {
                    return;
                }
                pause(state, changed);
            }
        };
        let thread = std::thread::Builder::new()
            .name("log-head".to_owned())
            .spawn(run);
        let thread = thread.map_err(|error| CommitError::io(path, &error))?;
        Ok(HeadKeeper {
            commits,
            shared,
            thread: Some(thread),
            path: path.to_path_buf(),
        })
    }

    /// Records that the log is durable up to `head`, in the file and for the thread.
    ///
    /// # Errors
    /// Fails if the file could not be written, because damage could then go unnoticed.
    pub(super) fn reached(&mut self, head: Head) -> Result<(), CommitError> {
        let (state, changed) = &*self.shared;
        let mut state = lock(state);
        if state.reached != head {
            // Otherwise the thread is busy or pausing, and looks for a newer head by itself afterwards.
            if state.reached == state.taken {
                changed.notify_one();
            }
            state.reached = head;
            drop(state);
            let written = self.commits.write(head);
            written.map_err(|error| CommitError::io(&self.path, &error))?;
            state = lock(&self.shared.0);
        }
        state.failed.clone().map_or(Ok(()), Err)
    }

    pub(super) fn close(&mut self) -> Result<(), CommitError> {
        let (state, changed) = &*self.shared;
        lock(state).closing = true;
        changed.notify_one();
        let thread = self.thread.take();
        if thread.is_some_and(|thread| thread.join().is_err()) {
            let what = format!("the keeper of {} panicked", self.path.display());
            return Err(CommitError::Panicked { what });
        }
        lock(state).failed.clone().map_or(Ok(()), Err)
    }
}

impl Drop for HeadKeeper {
    /// Ends the thread, which first writes the durable head, even if the log has failed.
    fn drop(&mut self) {
        if self.thread.is_some() {
            let _ = self.close(); // an error no longer has a receiver; the next start reads the written state
        }
    }
}

/// Waits for a head that is not yet written, or for the end. Returns the head, if there is one, and true at the end.
fn next(state: &Mutex<Shared>, changed: &Condvar) -> (Option<Head>, bool) {
    let idle = |state: &mut Shared| state.reached == state.taken && !state.closing;
    let state = changed.wait_while(lock(state), idle);
    let mut state = state.unwrap_or_else(PoisonError::into_inner);
    let reached = state.reached;
    let newer = std::mem::replace(&mut state.taken, reached) != reached;
    (newer.then_some(reached), state.closing)
}

fn pause(state: &Mutex<Shared>, changed: &Condvar) {
    let state = lock(state);
    // The result does not matter: the pause ends in any case, even if the lock is poisoned.
    let _ = changed.wait_timeout_while(state, PAUSE, |state| !state.closing);
}
