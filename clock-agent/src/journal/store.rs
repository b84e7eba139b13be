//! The journals in the state directory: opens the journal for a log, reports a journal for another log, and preserves damaged journals. Owns the
//! directory's lock; never deletes a journal.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use proto::ids::{AgentId, hex};
use proto::wire::ForeignJournal;
use rustix::fs::{FlockOperation, flock};
use sha2::{Digest, Sha256};

use super::file::{self, Contents, End};
use crate::core::entry::{Entry, Kind};
use crate::core::{Recovered, recover};

/// A state directory, locked by this program.
#[derive(Debug)]
pub struct Store {
    dir: PathBuf,
    _lock: File,
}

#[derive(Debug)]
pub struct Opened {
    /// The agent recovered from the journal. Its `foreign` reports a journal for a different log with unacknowledged events, if any.
    pub recovered: Recovered,
    pub path: PathBuf,
    /// Problems with the journals, to report in the program's log.
    pub notices: Vec<Notice>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The last record is incomplete or damaged. If a power cut interrupted the write, the record was never reported as saved.
    Torn {
        path: PathBuf,
        /// Offset of the record in the file, in bytes.
        at: usize,
    },
    /// The journal is damaged. The readable part is used, and a copy of the file is kept.
    Damaged {
        /// Path of the copy.
        kept: PathBuf,
        what: String,
    },
    /// A journal for a different log, with events that its hub has not received.
    Foreign(ForeignJournal),
}

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("{} is in use by another clock-agent: stop that one, or give this one its own --state", .0.display())]
    InUse(PathBuf),
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
}

impl Store {
    /// Creates the directory (mode 0700) if needed, and locks it.
    ///
    /// # Errors
    /// Returns a [`StoreError`] if the directory cannot be created or locked.
    pub fn open(dir: &Path) -> Result<Self, StoreError> {
        let at = |path: &Path| {
            let path = path.to_owned();
            move |error| StoreError::Io { path, error }
        };
        make_directory(dir).map_err(at(dir))?;
        let path = dir.join("lock");
        let lock = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(at(&path))?;
        match flock(&lock, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Self {
                dir: dir.to_owned(),
                _lock: lock,
            }),
            Err(rustix::io::Errno::WOULDBLOCK) => Err(StoreError::InUse(dir.to_owned())),
            Err(error) => Err(at(&path)(error.into())),
        }
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Opens the journal of `agent` for the log `origin`. A missing file counts as an empty journal.
    ///
    /// # Errors
    /// Returns [`StoreError::Io`] if the directory or a journal in it cannot be read, or a damaged journal cannot be copied.
    pub fn journal(&self, origin: &str, agent: &AgentId) -> Result<Opened, StoreError> {
        let path = self.dir.join(file_name(origin));
        let contents = read(&path)?;
        let mut notices = Vec::new();
        let end = contents.end;
        let (mut recovered, fault) = recover(contents.entries, origin, agent);
        let what = match (end, fault) {
            (End::Damaged { at }, None) => Some(format!("record at byte {at} is damaged")),
            (End::Foreign, None) => Some("not a journal this version can read".to_owned()),
            (_, Some(fault)) => Some(fault.to_string()),
            (End::Torn { at }, None) => {
                notices.push(Notice::Torn {
                    path: path.clone(),
                    at,
                });
                None
            }
            (End::Whole, None) => None,
        };
        if let Some(what) = what {
            let kept = keep(&path)?;
            notices.push(Notice::Damaged { kept, what });
            recovered.damaged = true;
        }
        recovered.kept = super::checkpoint::read(&path);
        recovered.foreign = self.foreign(&path, agent)?;
        notices.extend(recovered.foreign.clone().map(Notice::Foreign));
        Ok(Opened {
            recovered,
            path,
            notices,
        })
    }

    /// Returns the newest journal other than `own` with events that its hub has not received.
    fn foreign(&self, own: &Path, agent: &AgentId) -> Result<Option<ForeignJournal>, StoreError> {
        let listed = |error| StoreError::Io {
            path: self.dir.clone(),
            error,
        };
        let mut newest = None;
        for entry in std::fs::read_dir(&self.dir).map_err(listed)? {
            let path = entry.map_err(listed)?.path();
            let is_journal = path.extension().is_some_and(|end| end == "journal");
            if !is_journal || path == own {
                continue;
            }
            let contents = read(&path)?;
            let Some(origin) = origin_of(&contents) else {
                continue;
            };
            let unacknowledged = recover(contents.entries, &origin, agent).0.unacknowledged();
            // A file without a modification time counts as the oldest.
            let changed = path.metadata().and_then(|meta| meta.modified()).ok();
            if unacknowledged > 0 && newest.as_ref().is_none_or(|(at, _)| *at <= changed) {
                let journal = ForeignJournal {
                    log_origin: origin,
                    unacknowledged,
                };
                newest = Some((changed, journal));
            }
        }
        Ok(newest.map(|(_, journal)| journal))
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Torn { path, at } => write!(
                f,
                "{}: the last record (byte {at}) was cut off by a power failure and is dropped",
                path.display()
            ),
            Self::Damaged { kept, what } => write!(
                f,
                "the journal is damaged ({what}): its readable part is used, and a copy is kept as {}",
                kept.display()
            ),
            Self::Foreign(journal) => write!(
                f,
                "a journal for a different log, {}, has {} events that its hub is missing: they are reported, but not applied elsewhere",
                journal.log_origin, journal.unacknowledged
            ),
        }
    }
}

fn read(path: &Path) -> Result<Contents, StoreError> {
    file::read(path).map_err(|error| StoreError::Io {
        path: path.to_owned(),
        error,
    })
}

fn origin_of(contents: &Contents) -> Option<String> {
    match contents.entries.first() {
        Some(Entry {
            kind: Some(Kind::Opened(opened)),
        }) => Some(opened.log_origin.clone()),
        Some(_) | None => None,
    }
}

fn file_name(origin: &str) -> String {
    let hash: [u8; 32] = Sha256::digest(origin).into();
    format!("{}.journal", hex(&hash[..8]))
}

/// Copies a damaged journal to an unused name.
fn keep(path: &Path) -> Result<PathBuf, StoreError> {
    let mut number = 1_u32;
    let kept = loop {
        let kept = path.with_extension(format!("damaged-{number}"));
        if !kept.exists() {
            break kept;
        }
        number += 1;
    };
    // Copy instead of renaming, because the readable part must stay in place until a new journal is written.
    std::fs::copy(path, &kept).map_err(|error| StoreError::Io {
        path: kept.clone(),
        error,
    })?;
    Ok(kept)
}

fn make_directory(dir: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(dir)
}
