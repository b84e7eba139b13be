//! The only place that opens sled, and the only place that makes records durable.
//!
//! Owns the trees and a separate file descriptor for the store's file. Data that sled's `flush` has written may not survive
//! a power cut (it calls `sync_file_range`), so every commit also syncs the file itself. Must never retry a failed sync.

use std::any::Any;
use std::fs::File;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use super::error::CommitError;

/// sled's cache size, in bytes. It is enough for the pages of the log's tail and for the scan at the start. It is small
/// compared with the memory of a single-board computer; sled's default is one gibibyte.
const CACHE_BYTES: u64 = 16 << 20;

/// The operation that makes sled's writes durable. Tests replace it, for example with one that fails.
pub type SyncStep = Box<dyn FnMut(&File) -> io::Result<()> + Send>;

pub(super) struct Store {
    db: sled::Db,
    pub(super) log: sled::Tree,
    pub(super) meta: sled::Tree,
    /// A file descriptor for the store's file, open from the start. A sync of it therefore returns a write error from the
    /// kernel even if sled received that error first.
    file: File,
    path: PathBuf,
    sync: SyncStep,
}

pub(super) enum OpenFailure {
    /// Another file descriptor still holds the lock on the store's file.
    Locked,
    Io(io::Error),
    Corrupt(String),
}

impl Store {
    /// Opens or creates the store in `dir`. The caller holds the data directory's lock and has tidied `dir`.
    pub(super) fn open(dir: &Path) -> Result<Store, OpenFailure> {
        let config = sled::Config::new()
            .path(dir)
            .cache_capacity(CACHE_BYTES)
            .flush_every_ms(None);
        let db = retry_while_locked(|| opened(|| config.open()))?;
        let tree = |name: &str| opened(|| db.open_tree(name));
        // Earlier versions kept cached states in a tree `snapshots`, which is left untouched.
        let (log, meta) = (tree("log")?, tree("meta")?);
        let path = dir.join("db");
        let file = File::options()
            .read(true)
            .write(true)
            .open(&path)
            .map_err(OpenFailure::Io)?;
        Ok(Store {
            db,
            log,
            meta,
            file,
            path,
            sync: Box::new(File::sync_data),
        })
    }

    pub(super) fn with_sync(self, sync: SyncStep) -> Store {
        Store { sync, ..self }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Applies `batch` to `tree` atomically. The batch is durable only after [`Store::commit`].
    pub(super) fn apply(&self, tree: &sled::Tree, batch: sled::Batch) -> Result<(), CommitError> {
        self.written(|| tree.apply_batch(batch))
    }

    /// Adds records to the log in their order. They are durable only after [`Store::commit`]. A crash before it keeps any
    /// number of the first ones, or if `together` is true, all of them or none.
    pub(super) fn append(
        &self,
        records: Vec<([u8; 8], Vec<u8>)>,
        together: bool,
    ) -> Result<(), CommitError> {
        if together {
            let mut batch = sled::Batch::default();
            for (key, value) in records {
                batch.insert(&key, value);
            }
            return self.apply(&self.log, batch);
        }
        // sled writes even the smallest batch to the disk in two parts, but records on their own in one.
        for (key, value) in records {
            self.written(|| self.log.insert(key, value))?;
        }
        Ok(())
    }

    /// Makes everything applied so far durable, so that it survives `kill -9` and a power cut.
    ///
    /// # Errors
    /// After an error the disk's contents are unknown: `commit` must not be called again.
    pub(super) fn commit(&mut self) -> Result<(), CommitError> {
        self.written(|| self.db.flush())?;
        (self.sync)(&self.file).map_err(|error| CommitError::io(&self.path, &error))
    }

    /// Copies the named values of `other`, up to the first unreadable one, and makes them durable.
    pub(super) fn copy_meta(&mut self, other: &Store) -> Result<(), CommitError> {
        let mut batch = sled::Batch::default();
        let mut values = other.meta.iter();
        while let Ok(Some((key, value))) = read(|| values.next().transpose()) {
            batch.insert(key, value);
        }
        self.apply(&self.meta, batch)?;
        self.commit()
    }

    fn written<T>(&self, act: impl FnOnce() -> sled::Result<T>) -> Result<T, CommitError> {
        guarded(act)
            .map_err(|what| CommitError::Panicked { what })?
            .map_err(|error| CommitError::store(&self.path, &error))
    }
}

fn opened<T>(act: impl FnOnce() -> sled::Result<T>) -> Result<T, OpenFailure> {
    Ok(guarded(act).map_err(OpenFailure::Corrupt)??)
}

pub(super) fn get(tree: &sled::Tree, key: &[u8]) -> Result<Option<sled::IVec>, String> {
    read(|| tree.get(key))
}

pub(super) fn read<T>(act: impl FnOnce() -> sled::Result<T>) -> Result<T, String> {
    guarded(act)
        .map_err(|what| format!("the store panicked: {what}"))?
        .map_err(|error| format!("the store cannot read it: {error}"))
}

/// Runs code that calls sled, and returns the message if it panics. sled panics on files that it cannot interpret.
pub(super) fn guarded<T>(act: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(act)).map_err(|payload| panic_message(payload.as_ref()))
}

pub(super) fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned())
}

/// Retries for at most two seconds while the file is locked. sled's own threads may hold the lock for a moment after
/// this process has dropped its last handle.
fn retry_while_locked<T>(
    mut open: impl FnMut() -> Result<T, OpenFailure>,
) -> Result<T, OpenFailure> {
    for _ in 0..100 {
        match open() {
            Err(OpenFailure::Locked) => std::thread::sleep(std::time::Duration::from_millis(20)),
            other => return other,
        }
    }
    open()
}

impl From<sled::Error> for OpenFailure {
    fn from(error: sled::Error) -> OpenFailure {
        let sled::Error::Io(error) = error else {
            return OpenFailure::Corrupt(error.to_string());
        };
        if error.to_string().starts_with("could not acquire lock") {
            return OpenFailure::Locked;
        }
        // A file that ends too early is damaged; the operating system caused any other error.
        if error.kind() == io::ErrorKind::UnexpectedEof {
            return OpenFailure::Corrupt(error.to_string());
        }
        OpenFailure::Io(error)
    }
}
