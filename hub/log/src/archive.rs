//! The archive: a second form of the log, as plain files in the C2SP tlog-tiles layout, with signed checkpoints.
//!
//! Every record is a leaf of a Merkle tree, so a checkpoint of a few hundred bytes commits to the whole log. A short
//! proof shows that a record is in the log. A separate thread reads durable records and writes the archive and its mirror.
//! No acknowledgement therefore waits for the archive, and no checkpoint runs ahead of the log. Failures of the archive
//! are reported and never stop the hub.

mod check;
mod concealed;
mod error;
mod folder;
mod keeper;

use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use proto::checkpoint::LogEpoch;
use proto::merkle::{self, Hash, Subtree};
use proto::note::{Signer, Verifier};
use proto::tiles;

use super::error::CommitError;
use super::lock;
use super::reader::LogReader;
use super::store;
use folder::UnreadableTile;

pub use error::{ArchiveError, ProofError};
pub use folder::SignedCheckpoint;
pub(super) use folder::{CHECKPOINT, entries_found, read_tile};

/// The archive's directory within the data directory.
pub const ARCHIVE_DIR: &str = "archive";
/// The interval between checkpoints while records are added.
pub const CHECKPOINT_EVERY: Duration = Duration::from_secs(1);

/// The settings of an archive.
pub struct ArchiveSettings {
    /// The directory of the archive; created if it is missing.
    pub dir: PathBuf,
    /// The directory of the second copy, which must exist.
    pub mirror: Option<PathBuf>,
    /// The log's signing key. The key's name is the log's origin.
    pub signer: Signer,
    /// The interval between checkpoints while records are added. The hub uses [`CHECKPOINT_EVERY`].
    pub every: Duration,
    /// Computes the leaf hash of a record with its names concealed, from the record's index and content. If the function
    /// is set, each checkpoint also commits to the tree of these leaves, until the function returns `None` for a
    /// record.
    pub conceal: Option<Conceal>,
    /// The log's epochs. After the first epoch, each checkpoint names the current one.
    pub epochs: Epochs,
}

/// The epochs of a log that is being archived.
pub struct Epochs {
    /// The current epoch; `None` during the log's first epoch.
    newest: Option<LogEpoch>,
    /// Index of the first record that `newest` does not take into account.
    from: u64,
    begins: BeginsEpoch,
}

/// A function that returns true if an encoded record begins an epoch.
pub type BeginsEpoch = Box<dyn Fn(&[u8]) -> bool + Send>;

impl Epochs {
    /// Returns the epochs of a log whose first `len` records end in the epoch `newest`. `begins` recognises later
    /// epochs.
    pub fn new(newest: Option<LogEpoch>, len: u64, begins: BeginsEpoch) -> Epochs {
        Epochs {
            newest,
            from: len,
            begins,
        }
    }

    /// Returns the epochs of a log that has only one epoch.
    pub fn single() -> Epochs {
        Epochs::new(None, 0, Box::new(|_| false))
    }

    fn pass(&mut self, index: u64, record: &[u8]) {
        if index < self.from {
            return; // `newest` already takes this record into account
        }
        self.from = index + 1;
        if (self.begins)(record) {
            self.newest = Some(LogEpoch::after(self.newest, index));
        }
    }
}

/// A function that hashes a record with its names concealed; see [`ArchiveSettings::conceal`].
pub type Conceal = Box<dyn Fn(u64, &[u8]) -> Option<Hash> + Send>;

/// A copy of the archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ArchiveCopy {
    /// The copy in the data directory.
    Archive,
    /// The mirror, on the second disk.
    Mirror,
}

/// A finding about one copy of the archive, for the administrator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveReport {
    /// The copy that the finding is about.
    pub copy: ArchiveCopy,
    /// The copy's directory.
    pub dir: PathBuf,
    /// The failure, recovery or repair.
    pub finding: ArchiveFinding,
}

/// A failure, a recovery or a repair of a copy of the archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArchiveFinding {
    /// The copy is no longer written. A retry that cannot open the copy for the same reason is not reported again.
    Failed(ArchiveError),
    /// The copy is being written again after a failure.
    Recovered,
    /// Damaged files were rewritten from the log.
    Repaired {
        /// Number of files that were found to be damaged.
        files: usize,
    },
}

/// The running archive. Dropping it closes it, as [`Archive::close`] does.
pub struct Archive {
    handle: ArchiveHandle,
    thread: Option<JoinHandle<()>>,
}

impl Archive {
    /// Starts the archive's thread, which first brings every copy up to date with the log. The thread calls `report`
    /// with each finding.
    ///
    /// # Errors
    /// Fails if no thread can be started.
    pub fn start(
        settings: ArchiveSettings,
        log: LogReader,
        report: impl FnMut(ArchiveReport) + Send + 'static,
    ) -> Result<Archive, CommitError> {
        let path = settings.dir.clone();
        let shared = Arc::new(Shared {
            verifier: settings.signer.verifier().clone(),
            verifiers: settings.signer.verifiers(),
            state: Mutex::new(State::default()),
            changed: Condvar::new(),
        });
        let handle = ArchiveHandle {
            shared: shared.clone(),
            log: log.clone(),
        };
        let run = move || {
            let mut keeper = keeper::Keeper::new(settings, log, Box::new(report));
            keeper.run(&shared);
            // This may drop the last reference to the store, and sled panics if the store's last sync fails.
            let _ = store::guarded(|| drop(keeper));
        };
        let thread = std::thread::Builder::new()
            .name("log-archive".to_owned())
            .spawn(run);
        let thread = thread.map_err(|error| CommitError::io(&path, &error))?;
        Ok(Archive {
            handle,
            thread: Some(thread),
        })
    }

    /// Returns a handle through which other threads get checkpoints and proofs.
    pub fn handle(&self) -> ArchiveHandle {
        self.handle.clone()
    }

    /// Stops the archive's thread and waits for the thread's end. The thread first tries to write a last checkpoint of the
    /// durable records.
    pub fn close(mut self) {
        self.end();
    }

    fn end(&mut self) {
        self.handle.shared.change(|state| state.closing = true);
        if let Some(thread) = self.thread.take() {
            // A panic in the thread has no further effect: the next start completes the archive.
            let _ = thread.join();
        }
    }
}

impl Drop for Archive {
    fn drop(&mut self) {
        self.end();
    }
}

/// A handle through which other threads get checkpoints and proofs.
#[derive(Clone)]
pub struct ArchiveHandle {
    shared: Arc<Shared>,
    log: LogReader,
}

struct Shared {
    verifier: Verifier,
    verifiers: Vec<Verifier>,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The newest durable checkpoint, and the directory of a copy that contains it.
    newest: Option<(SignedCheckpoint, PathBuf)>,
    fault: Option<ArchiveError>,
    /// True if a checkpoint has been requested before the regular interval ends.
    asked: bool,
    closing: bool,
}

impl Shared {
    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut lock(&self.state));
        self.changed.notify_all();
    }
}

impl ArchiveHandle {
    /// Returns the public half of the log's key.
    pub fn verifier(&self) -> &Verifier {
        &self.shared.verifier
    }

    /// Returns the public halves of the log's key and of its former keys, newest first.
    pub fn verifiers(&self) -> &[Verifier] {
        &self.shared.verifiers
    }

    /// Returns the log that the archive copies.
    pub fn log(&self) -> &LogReader {
        &self.log
    }

    /// Requests a checkpoint of every durable record before the regular interval ends. Does not wait for it.
    pub fn checkpoint_now(&self) {
        self.shared.change(|state| state.asked = true);
    }

    /// Returns the newest durable checkpoint; `None` before the first, and after a failure that prevents new ones.
    pub fn newest(&self) -> Option<SignedCheckpoint> {
        let state = lock(&self.shared.state);
        state.newest.as_ref().map(|(signed, _)| signed.clone())
    }

    /// Returns a checkpoint that covers at least `len` records; that many records must be durable. Waits at most
    /// `within` for the checkpoint.
    ///
    /// # Errors
    /// Returns the reason why no such checkpoint is available.
    pub fn checkpoint(&self, len: u64, within: Duration) -> Result<SignedCheckpoint, ProofError> {
        self.checkpoint_in(len, within).map(|(signed, _)| signed)
    }

    fn checkpoint_in(
        &self,
        len: u64,
        within: Duration,
    ) -> Result<(SignedCheckpoint, PathBuf), ProofError> {
        let covers = |state: &State| {
            let newest = state.newest.as_ref();
            newest.filter(|(signed, _)| signed.size >= len).cloned()
        };
        let mut state = lock(&self.shared.state);
        let is_waiting =
            |state: &State| covers(state).is_none() && state.fault.is_none() && !state.closing;
        if is_waiting(&state) {
            state.asked = true;
            self.shared.changed.notify_all();
            let changed = &self.shared.changed;
            let waited = changed.wait_timeout_while(state, within, |state| is_waiting(state));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        match (covers(&state), &state.fault) {
            (Some(found), _) => Ok(found),
            (None, Some(fault)) => Err(ProofError::NoCheckpoint(fault.to_string())),
            (None, None) => Err(ProofError::NotYet),
        }
    }

    /// Returns the proof that record `index` is in the log, with the checkpoint to which it leads. Waits at most `within`
    /// for a checkpoint that covers the record.
    ///
    /// # Errors
    /// Returns any [`ProofError`] except [`ProofError::Longer`].
    pub fn inclusion(
        &self,
        index: u64,
        within: Duration,
    ) -> Result<(Vec<Hash>, SignedCheckpoint), ProofError> {
        let len = self.log.len();
        if index >= len {
            return Err(ProofError::NoRecord { index, len });
        }
        let (signed, dir) = self.checkpoint_in(index + 1, within)?;
        let record = self.log.read(index).next();
        let record = record.ok_or(ProofError::NoRecord { index, len })?;
        let (_, payload) = record.map_err(ArchiveError::Log)?;
        let hash = |subtree| hash_in(&dir, subtree, signed.size);
        let proof = merkle::inclusion_proof(index, signed.size, hash)?;
        let leaf = merkle::leaf_hash(&payload);
        let checked = merkle::verify_inclusion(&leaf, index, signed.size, &signed.root, &proof);
        checked.map_err(|_| ProofError::Damaged)?;
        Ok((proof, signed))
    }

    /// Returns the proof that the newest checkpoint extends the log's first `old` records, together with that checkpoint. Waits at most
    /// `within` for a checkpoint that covers at least `old` records.
    ///
    /// # Errors
    /// Returns any [`ProofError`] except [`ProofError::NoRecord`] and [`ProofError::Archive`].
    pub fn consistency(
        &self,
        old: u64,
        within: Duration,
    ) -> Result<(Vec<Hash>, SignedCheckpoint), ProofError> {
        let len = self.log.len();
        if old > len {
            return Err(ProofError::Longer { old, len });
        }
        let (signed, dir) = self.checkpoint_in(old, within)?;
        let hash = |subtree| hash_in(&dir, subtree, signed.size);
        let proof = merkle::consistency_proof(old, signed.size, hash)?;
        let old_root = merkle::root(old, hash)?;
        let (size, root) = (signed.size, &signed.root);
        let checked = merkle::verify_consistency(old, &old_root, size, root, &proof);
        checked.map_err(|_| ProofError::Damaged)?;
        Ok((proof, signed))
    }
}

fn hash_in(dir: &std::path::Path, subtree: Subtree, size: u64) -> Result<Hash, ProofError> {
    let hash = tiles::subtree_hash(subtree, size, |tile| folder::read_tile(dir, tile));
    hash.map_err(|_: UnreadableTile| ProofError::Damaged)
}
