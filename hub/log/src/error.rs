//! The errors of the log, addressed to the person who has to act.
//!
//! Owns the wording: every message says what happened, where, and what to do. Must never hide a lost record.

use std::io;
use std::path::{Path, PathBuf};

/// The reason why a data directory could not be opened.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum OpenError {
    #[error(
        "{}: data directory in use by another hub (pid {}): stop that hub, or choose another directory with --data-dir",
        dir.display(), pid.map_or("unknown".to_owned(), |pid| pid.to_string())
    )]
    InUse {
        dir: PathBuf,
        /// Id of the process that holds the directory, if known.
        pid: Option<u32>,
    },
    /// A newer version of Flagfall wrote the data directory. Opening it changed nothing.
    #[error(
        "{}: this data directory has format {found}, but this version of flagfall supports formats up to {known}: \
         start it with the version that wrote it or a newer one (nothing was changed)",
        dir.display()
    )]
    NewerVersion {
        dir: PathBuf,
        found: u32,
        known: u32,
    },
    /// Records are missing or damaged. The hub does not start, because it must not drop records silently.
    #[error(
        "{}: the log is damaged at record {index}: {what}; keep a copy of this directory, then restore it from a backup \
         or start a new event in another one with --data-dir",
        dir.display()
    )]
    Damaged {
        dir: PathBuf,
        index: u64,
        what: String,
    },
    /// The store cannot be opened, or a part of it is missing: no record could be read.
    #[error(
        "{}: the log cannot be opened: {what}; no record was read; keep a copy of this directory, then restore it from a \
         backup or start a new event in another one with --data-dir",
        dir.display()
    )]
    Unreadable { dir: PathBuf, what: String },
    /// The file `head` is missing or unreadable. Without it, nothing would reveal that records were cut off.
    #[error(
        "{}: the file head {}, so nothing confirms that the {len} records are the whole log; copy it from a backup of this \
         directory, or accept the log as it ends: flagfall accept-log --data-dir {}",
        dir.display(),
        if *unreadable { "cannot be read" } else { "is missing" },
        dir.display()
    )]
    NoHead {
        dir: PathBuf,
        /// Number of records in the log.
        len: u64,
        unreadable: bool,
    },
    /// The disk is full, even after the reserved space was released.
    #[error("{}: the disk is full: free some space on it and start again (nothing was lost)", dir.display())]
    FullDisk { dir: PathBuf },
    #[error("{}: cannot {what}: {source}", path.display())]
    Io {
        /// The failed operation, in the infinitive.
        what: &'static str,
        path: PathBuf,
        source: io::Error,
    },
}

impl OpenError {
    /// Returns the error for a log in `dir` whose records cannot all be read.
    pub fn damaged(dir: &Path, error: ReadError) -> OpenError {
        match error {
            ReadError::Record { index, what } => OpenError::Damaged {
                dir: dir.to_path_buf(),
                index,
                what,
            },
            ReadError::Value { .. } | ReadError::NoEnd { .. } => {
                OpenError::damaged_store(dir, error.to_string())
            }
        }
    }

    /// Returns true if records are missing, damaged or unreadable.
    pub(super) fn is_damage(&self) -> bool {
        matches!(
            self,
            OpenError::Damaged { .. } | OpenError::Unreadable { .. }
        )
    }

    /// Returns the error for a store from which no record can be read.
    pub(super) fn damaged_store(dir: &Path, what: impl Into<String>) -> OpenError {
        OpenError::Unreadable {
            dir: dir.to_path_buf(),
            what: what.into(),
        }
    }

    pub(super) fn no_head(dir: &Path, len: u64, unreadable: bool) -> OpenError {
        OpenError::NoHead {
            dir: dir.to_path_buf(),
            len,
            unreadable,
        }
    }

    /// Converts an error that the store returned while a log was being opened.
    pub(super) fn commit(what: &'static str, path: &Path, error: CommitError) -> OpenError {
        match error {
            CommitError::FullDisk { path } => {
                let dir = path.parent().and_then(Path::parent).unwrap_or(&path);
                OpenError::FullDisk {
                    dir: dir.to_path_buf(),
                }
            }
            CommitError::Storage { .. }
            | CommitError::Panicked { .. }
            | CommitError::NotTaken { .. } => OpenError::Io {
                what,
                path: path.to_path_buf(),
                source: io::Error::other(error),
            },
        }
    }

    /// Converts an error from the operating system; a full disk has its own variant.
    pub(super) fn io(what: &'static str, path: &Path, source: io::Error) -> OpenError {
        match is_full(&source) {
            true => OpenError::FullDisk {
                dir: path.parent().unwrap_or(path).to_path_buf(),
            },
            false => OpenError::Io {
                what,
                path: path.to_path_buf(),
                source,
            },
        }
    }
}

/// The reason why a record or value could not be read back.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum ReadError {
    #[error("record {index} of the log is damaged: {what}")]
    Record { index: u64, what: String },
    #[error("the value “{key}” beside the log is damaged: {what}")]
    Value { key: String, what: String },
    #[error("the end of the log cannot be found: {what}")]
    NoEnd { what: String },
}

impl ReadError {
    pub(super) fn record(index: u64, what: impl Into<String>) -> ReadError {
        ReadError::Record {
            index,
            what: what.into(),
        }
    }
}

/// The reason why the log stopped accepting records. The log does not resume in this process, because a failed sync
/// must not be retried.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum CommitError {
    #[error(
        "{}: the disk is full: nothing is recorded or acknowledged any more; free some space and restart the hub \
         (the clocks send unacknowledged data again)",
        path.display()
    )]
    FullDisk { path: PathBuf },
    #[error(
        "{}: cannot write the log: {what}: nothing is recorded or acknowledged any more; check the disk and restart \
         the hub (the clocks send unacknowledged data again)",
        path.display()
    )]
    Storage { path: PathBuf, what: String },
    /// The commit thread panicked, because of a bug here or in the store.
    #[error(
        "the commit thread panicked: {what}: nothing is recorded or acknowledged any more; restart the hub and report this"
    )]
    Panicked { what: String },
    /// A bug prevented the hub from handing a record to the log.
    #[error(
        "{what}: nothing is recorded or acknowledged any more; restart the hub and report this"
    )]
    NotTaken { what: String },
}

impl CommitError {
    pub(super) fn io(path: &Path, error: &io::Error) -> CommitError {
        let path = path.to_path_buf();
        match is_full(error) {
            true => CommitError::FullDisk { path },
            false => CommitError::Storage {
                path,
                what: error.to_string(),
            },
        }
    }

    pub(super) fn store(path: &Path, error: &sled::Error) -> CommitError {
        if let sled::Error::Io(error) = error {
            return CommitError::io(path, error);
        }
        CommitError::Storage {
            path: path.to_path_buf(),
            what: error.to_string(),
        }
    }
}

/// Returns true if the error means that the disk or the quota is full.
pub(super) fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
    )
}
