//! The state directory's journals: finding the one of a log, noticing those of other logs, keeping what is damaged.
//! Owns the directory's lock; never deletes a journal that the hub of its log still lacks something of.

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

/// A journal that was opened.
#[derive(Debug)]
pub struct Opened {
    /// The agent as the journal has it; `foreign` is filled in.
    pub recovered: Recovered,
    /// Where the journal lies.
    pub path: PathBuf,
    /// What had to be done; for the log.
    pub notices: Vec<Notice>,
}

/// Something about a journal that people should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The last record was incomplete: the machine lost power while it was written. It was never acknowledged from here.
    Torn {
        /// Which file.
        path: PathBuf,
        /// Byte at which it begins.
        at: usize,
    },
    /// The journal is damaged. What could be read is used; the file is kept beside.
    Damaged {
        /// Where it was moved to.
        kept: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// A journal of another log, of which that log's hub still lacks events.
    Foreign(ForeignJournal),
}

/// Why the state directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another agent runs on it.
    #[error("{} is in use by another clock-agent: stop that one, or give this one its own --state", .0.display())]
    InUse(PathBuf),
    /// The file system says no.
    #[error("{}: {error}", path.display())]
    Io {
        /// Where.
        path: PathBuf,
        /// What it said.
        error: io::Error,
    },
}

impl Store {
    /// Makes the directory (mode 0700) if need be and locks it.
    ///
    /// # Errors
    /// [`StoreError`].
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

    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Opens the journal of `agent` for the log `origin`; one that does not exist is empty.
    ///
    /// # Errors
    /// [`StoreError::Io`] when it exists and cannot be read.
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
        }
        recovered.foreign = self.foreign(&path, agent)?;
        notices.extend(recovered.foreign.clone().map(Notice::Foreign));
        Ok(Opened {
            recovered,
            path,
            notices,
        })
    }

    /// The newest other journal of which its hub still lacks something.
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
            // Without a time of change, the file counts as old.
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
                "the journal is damaged ({what}); what could be read is used, the file is kept as {}",
                kept.display()
            ),
            Self::Foreign(journal) => write!(
                f,
                "a journal of the log {} is kept with {} events that its hub does not have; they are reported, never applied elsewhere",
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

/// Moves a damaged journal aside under a name that is free.
fn keep(path: &Path) -> Result<PathBuf, StoreError> {
    let mut number = 1_u32;
    let kept = loop {
        let kept = path.with_extension(format!("damaged-{number}"));
        if !kept.exists() {
            break kept;
        }
        number += 1;
    };
    // A copy: until a new journal is written, the readable part stays where it is looked for.
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
