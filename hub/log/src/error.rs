//! What can go wrong with the log, told to the person who has to do something about it.
//!
//! Owns the wording: every message says what happened, where, and what to do. Never hides a lost record.

use std::io;
use std::path::{Path, PathBuf};

/// Why a data directory could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process holds the data directory.
    #[error(
        "{}: data directory in use by another hub (pid {}); stop that hub, or name another directory with --data-dir",
        dir.display(), pid.map_or("unknown".to_owned(), |pid| pid.to_string())
    )]
    InUse {
        /// The data directory.
        dir: PathBuf,
        /// The process that holds it, when it could be read.
        pid: Option<u32>,
    },
    /// A newer version of Flagfall wrote the data directory. Nothing in it was touched.
    #[error(
        "{}: this data directory has format {found}, and this version of flagfall knows formats up to {known}; \
         start it with the version that wrote it or a newer one (nothing was changed)",
        dir.display()
    )]
    NewerVersion {
        /// The data directory.
        dir: PathBuf,
        /// The format found there.
        found: u32,
        /// The newest format this version knows.
        known: u32,
    },
    /// Records are missing or not what was written. Nothing is dropped silently: the hub does not start.
    #[error(
        "{}: the log is damaged at record {index}: {what}; keep a copy of this directory, then restore it from a backup \
         or start a new event in another one with --data-dir",
        dir.display()
    )]
    Damaged {
        /// The data directory.
        dir: PathBuf,
        /// The first record that cannot be trusted.
        index: u64,
        /// What is wrong with it.
        what: String,
    },
    /// No space is left, not even after the reserve was given back.
    #[error("{}: the disk is full; free some space on it and start again (nothing was lost)", dir.display())]
    FullDisk {
        /// The data directory.
        dir: PathBuf,
    },
    /// The operating system refused something.
    #[error("{}: cannot {what}: {source}", path.display())]
    Io {
        /// What was being done, in the infinitive.
        what: &'static str,
        /// The file or directory it was done to.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
}

impl OpenError {
    /// What reading the log at start has found in `dir`.
    pub(super) fn damaged(dir: &Path, error: ReadError) -> OpenError {
        let dir = dir.to_path_buf();
        match error {
            ReadError::Record { index, what } => OpenError::Damaged { dir, index, what },
            ReadError::Value { .. } => OpenError::Damaged {
                dir,
                index: 0,
                what: error.to_string(),
            },
        }
    }

    /// An error of the operating system, with a full disk told apart.
    pub(super) fn io(what: &'static str, path: &Path, source: io::Error) -> OpenError {
        if is_full(&source) {
            let dir = path.parent().unwrap_or(path);
            return OpenError::FullDisk {
                dir: dir.to_path_buf(),
            };
        }
        OpenError::Io {
            what,
            path: path.to_path_buf(),
            source,
        }
    }
}

/// Why something could not be read back.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// A record is missing or not what was written.
    #[error("record {index} of the log is damaged: {what}")]
    Record {
        /// The record that cannot be trusted.
        index: u64,
        /// What is wrong with it.
        what: String,
    },
    /// A named value cannot be read.
    #[error("the value “{key}” beside the log is damaged: {what}")]
    Value {
        /// Its name.
        key: String,
        /// What is wrong with it.
        what: String,
    },
}

impl ReadError {
    pub(super) fn record(index: u64, what: impl Into<String>) -> ReadError {
        ReadError::Record {
            index,
            what: what.into(),
        }
    }
}

/// Why the log stopped taking records. It never starts again in this process: a failed sync is not retried.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommitError {
    /// No space is left.
    #[error(
        "{}: the disk is full: nothing is recorded or acknowledged any more; free some space and restart the hub \
         (the clocks send again what was not acknowledged)",
        path.display()
    )]
    FullDisk {
        /// The store's file.
        path: PathBuf,
    },
    /// The disk did not take what was written to it.
    #[error(
        "{}: cannot write the log: {what}: nothing is recorded or acknowledged any more; check the disk and restart \
         the hub (the clocks send again what was not acknowledged)",
        path.display()
    )]
    Storage {
        /// The store's file.
        path: PathBuf,
        /// The system's or the store's answer.
        what: String,
    },
    /// Something panicked in the commit thread: a bug, here or in the store.
    #[error(
        "the commit thread panicked: {what}: nothing is recorded or acknowledged any more; restart the hub and report this"
    )]
    Panicked {
        /// The panic's message.
        what: String,
    },
}

impl CommitError {
    pub(super) fn io(path: &Path, error: &io::Error) -> CommitError {
        if is_full(error) {
            return CommitError::FullDisk {
                path: path.to_path_buf(),
            };
        }
        CommitError::Storage {
            path: path.to_path_buf(),
            what: error.to_string(),
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

/// Whether the system said that no space, or no quota, is left.
pub(super) fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
    )
}
