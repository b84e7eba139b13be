//! The errors of the log, addressed to the person who has to act.
//!
//! Owns the wording. Must never hide a lost record.

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
    InUse { dir: PathBuf, pid: Option<u32> },
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
        len: u64,
        unreadable: bool,
    },
    #[error("{}: the disk is full: free some space on it and start again (nothing was lost)", dir.display())]
    FullDisk { dir: PathBuf },
    #[error(
        "{}: this file does not state the format of a data directory: expected “{expected}”, found “{found}”; restore the file from a backup of \
         this directory",
        path.display()
    )]
    UnknownFormat {
        path: PathBuf,
        expected: String,
        found: String,
    },
    #[error(
        "{}: cannot {what}: {source}; check the disk and the permissions of this path, then try again",
        path.display()
    )]
    Io {
        /// The failed operation, in the infinitive.
        what: &'static str,
        path: PathBuf,
        source: io::Error,
    },
}

impl OpenError {
    /// Returns the error for a log in `dir` that cannot be read completely.
    pub fn damaged(dir: &Path, error: ReadError) -> OpenError {
        match error {
            ReadError::Record { index, what } => OpenError::Damaged {
                dir: dir.to_path_buf(),
                index,
                what,
            },
            ReadError::Value { key, what } => {
                OpenError::damaged_store(dir, ReadError::damaged_value(&key, &what))
            }
            ReadError::NoEnd { what } => {
                OpenError::damaged_store(dir, format!("its end cannot be found: {what}"))
            }
        }
    }

    pub(super) fn is_damage(&self) -> bool {
        matches!(
            self,
            OpenError::Damaged { .. } | OpenError::Unreadable { .. }
        )
    }

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

    pub(super) fn commit(what: &'static str, path: &Path, error: CommitError) -> OpenError {
        match error {
            CommitError::FullDisk { path } => {
                let dir = path.parent().and_then(Path::parent).unwrap_or(&path);
                OpenError::FullDisk {
                    dir: dir.to_path_buf(),
                }
            }
            // The error's own message addresses a running hub, so only its cause is used here.
            CommitError::Storage { what: why, .. }
            | CommitError::Panicked { what: why }
            | CommitError::NotTaken { what: why } => OpenError::Io {
                what,
                path: path.to_path_buf(),
                source: io::Error::other(why),
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

/// The reason why a record, a named value or the end of the log could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum ReadError {
    #[error(
        "record {index} of the log is damaged: {what}; keep a copy of the data directory, then restart the hub, which restores the record from the \
         archive"
    )]
    Record { index: u64, what: String },
    #[error(
        "{}; keep a copy of the data directory, then restore it from a backup",
        ReadError::damaged_value(key, what)
    )]
    Value { key: String, what: String },
    #[error(
        "the end of the log cannot be found: {what}; keep a copy of the data directory, then restore it from a backup"
    )]
    NoEnd { what: String },
}

impl ReadError {
    pub(super) fn record(index: u64, what: impl Into<String>) -> ReadError {
        ReadError::Record {
            index,
            what: what.into(),
        }
    }

    fn damaged_value(key: &str, what: &str) -> String {
        format!("the value “{key}”, which the store keeps next to the records, is damaged: {what}")
    }
}

/// The reason why the log stopped accepting records, or why one of its threads could not be started. A stopped log does
/// not resume in this process, because a failed sync must not be retried.
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
    /// The log's code, sled or the `release` function panicked.
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

pub(super) fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_error_gives_one_piece_of_advice() {
        let dir = Path::new("/data");
        let value = || ReadError::Value {
            key: "restored".to_owned(),
            what: "torn".to_owned(),
        };
        let no_end = || ReadError::NoEnd {
            what: "torn".to_owned(),
        };
        let storage = CommitError::Storage {
            path: dir.join("sled/db"),
            what: "no such device".to_owned(),
        };
        for (text, advice) in [
            (
                OpenError::io(
                    "list the store",
                    dir,
                    io::ErrorKind::PermissionDenied.into(),
                )
                .to_string(),
                "; check the disk and the permissions of this path, then try again",
            ),
            (
                OpenError::commit("make the store", dir, storage).to_string(),
                "/data: cannot make the store: no such device; check the disk and the permissions of this path, then try again",
            ),
            (
                ReadError::record(7, "torn").to_string(),
                "torn; keep a copy of the data directory, then restart the hub, which restores the record from the archive",
            ),
            (
                value().to_string(),
                "; keep a copy of the data directory, then restore it from a backup",
            ),
            (
                no_end().to_string(),
                "; keep a copy of the data directory, then restore it from a backup",
            ),
            (
                OpenError::damaged(dir, value()).to_string(),
                "is damaged: torn; no record was read; keep a copy of this directory, then restore it from a backup or start a new event in \
                 another one with --data-dir",
            ),
            (
                OpenError::damaged(dir, no_end()).to_string(),
                "its end cannot be found: torn; no record was read; keep a copy of this directory, then restore it from a backup or start a new \
                 event in another one with --data-dir",
            ),
        ] {
            assert!(text.ends_with(advice), "{text}");
        }
    }
}
