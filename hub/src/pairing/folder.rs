//! The folder in which a pairing program leaves its files: looked at again and again, and what is new in it kept until an
//! arbiter has decided.
//!
//! Owns the looking. Must never apply anything, never write into the folder, never follow what is not a plain file.

use std::collections::BTreeSet;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio_util::sync::CancellationToken;

use super::memory::Memory;
use crate::formats::difference::Foreign;
use crate::formats::draft::Draft;
use crate::formats::watch::{self, Digest, FileStatus, Watch};
use crate::tournament::{Event, Tournament};

/// A file is at most this long, bytes: reports of five thousand players are shorter.
pub const MOST_BYTES: u64 = 4 << 20;
/// So many files are looked at; a folder with more is not one for this.
const MOST_FILES: usize = 500;

/// A folder that is looked at.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    watch: Mutex<Watch>,
    memory: Memory,
}

/// A file that an arbiter has not dealt with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct News {
    /// Its name in the folder.
    pub file: String,
    /// Of its content, so that what is confirmed is what was shown.
    pub digest: String,
    /// What is to be said of it.
    pub verdict: Verdict,
}

/// What a file of the folder means for the event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It says something new.
    New {
        /// One sentence for each thing.
        words: Vec<String>,
        /// What is odd about the file.
        remarks: Vec<String>,
    },
    /// It is another event's file.
    Foreign {
        /// The differences.
        foreign: Box<Foreign>,
        /// The same in words, with how to go on.
        words: String,
    },
    /// It cannot be read: why, with lines and columns.
    Refused(String),
}

impl Folder {
    /// The folder at `path`, of which nothing was seen yet.
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            watch: Mutex::default(),
            memory: Memory::default(),
        }
    }

    /// The folder at `path`; what is decided about its files is kept in the file `memory`, and what was decided before is known.
    ///
    /// # Errors
    /// When that file cannot be read.
    pub fn remembering(path: &Path, memory: &Path) -> io::Result<Self> {
        let (memory, known) = Memory::open(memory)?;
        let mut watch = Watch::new();
        known.into_iter().for_each(|content| watch.settle(content));
        Ok(Self {
            path: path.to_owned(),
            watch: Mutex::new(watch),
            memory,
        })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Looks at the folder every now and then until `ending` is cancelled. `event` is what is known at the time.
    pub async fn watch(
        self: Arc<Self>,
        every: std::time::Duration,
        event: impl Fn() -> Option<Arc<Tournament>>,
        ending: CancellationToken,
    ) {
        let mut looks = tokio::time::interval(every);
        looks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut trouble = None;
        loop {
            tokio::select! {
                () = ending.cancelled() => return,
                _ = looks.tick() => (),
            }
            let (folder, known) = (self.clone(), event());
            let looked = tokio::task::spawn_blocking(move || folder.look(known.as_deref())).await;
            let Ok(looked) = looked else { continue };
            let now = looked.err().map(|error| error.to_string());
            if let Some(why) = now.as_ref().filter(|now| trouble.as_ref() != Some(*now)) {
                tracing::warn!(folder = %self.path.display(), "cannot look into the watched folder: {why}");
            }
            trouble = now;
        }
    }

    /// Looks once. What is new is told in the hub's messages, and kept.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn look(&self, event: Option<&Tournament>) -> io::Result<()> {
        let known = known(event);
        let files = files(&self.path)?;
        let names: BTreeSet<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        let mut watch = self.lock();
        let gone: Vec<String> = watch
            .names()
            .filter(|name| !names.contains(name))
            .map(str::to_owned)
            .collect();
        gone.iter().for_each(|name| watch.remove(name));
        for (file, bytes) in &files {
            match watch.observe(file, bytes, &known) {
                FileStatus::Unsupported | FileStatus::Settling | FileStatus::AlreadyReported => (),
                FileStatus::UpToDate => {
                    tracing::info!(file, "a file of the watched folder says nothing new")
                }
                FileStatus::Refused(faults) => {
                    tracing::warn!(
                        file,
                        "a file of the watched folder cannot be read: {faults}"
                    );
                }
                FileStatus::Foreign(foreign) => tracing::warn!(
                    file,
                    "a file of the watched folder is not taken: {}",
                    foreign.words(&known.event.name)
                ),
                FileStatus::News(news) => tracing::info!(
                    file,
                    "a file of the watched folder has news; `flagfall event import --watched` shows and confirms them: {}",
                    news.difference.words()
                ),
            }
        }
        Ok(())
    }

    /// What an arbiter has still to decide on, as it is now.
    pub fn news(&self, event: Option<&Tournament>) -> Vec<News> {
        let known = known(event);
        let watch = self.lock();
        let pending = watch.pending(&known);
        let news = pending.into_iter().filter_map(|(file, bytes, status)| {
            let verdict = match status {
                FileStatus::News(news) => Verdict::New {
                    words: news
                        .difference
                        .items
                        .iter()
                        .map(|item| item.words.clone())
                        .collect(),
                    remarks: news.remarks,
                },
                FileStatus::Foreign(foreign) => Verdict::Foreign {
                    words: foreign.words(&known.event.name),
                    foreign,
                },
                FileStatus::Refused(faults) => Verdict::Refused(faults.to_string()),
                FileStatus::Unsupported
                | FileStatus::Settling
                | FileStatus::AlreadyReported
                | FileStatus::UpToDate => return None,
            };
            Some(News {
                file: file.to_owned(),
                digest: digest(bytes),
                verdict,
            })
        });
        news.collect()
    }

    /// The content of a file, if it is still what was shown.
    pub fn content(&self, file: &str, shown: &str) -> Option<Vec<u8>> {
        let watch = self.lock();
        let bytes = watch.examined(file)?;
        (digest(bytes) == shown).then(|| bytes.to_vec())
    }

    /// Somebody has decided about a content, wherever it came from: it was taken, or is not wanted. It is no news again.
    pub fn settle(&self, content: Digest) {
        self.lock().settle(content);
        if let Err(error) = self.memory.keep(&content) {
            tracing::warn!(
                "a file that was decided about will be offered again after the next start: {error}"
            );
        }
    }

    // A thread that panicked while it held the lock left a file unseen at worst; the next look sees it.
    fn lock(&self) -> MutexGuard<'_, Watch> {
        self.watch.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a file is compared with. Before there is an event, everything is new.
fn known(event: Option<&Tournament>) -> Draft {
    match event {
        Some(event) => Draft::of(event),
        None => Draft::of(&Tournament::new(Event::new("", 1))),
    }
}

fn digest(bytes: &[u8]) -> String {
    proto::ids::hex(&watch::digest(bytes))
}

/// The plain files of a folder, by name.
fn files(folder: &Path) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        // A name that is no text belongs to no pairing program; a pipe or a device would never end.
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        let Ok(about) = entry.metadata() else {
            continue; // gone between the two looks
        };
        if !about.is_file() || about.len() > MOST_BYTES || !Watch::reads(&name) {
            continue;
        }
        if files.len() == MOST_FILES {
            return Err(io::Error::other(format!(
                "it has more than {MOST_FILES} files"
            )));
        }
        let mut bytes = Vec::new();
        let read = std::fs::File::open(entry.path())
            .and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes));
        match read {
            Ok(_) => files.push((name, bytes)),
            // It may be locked or gone: the next look tells.
            Err(error) => {
                tracing::debug!(file = name, %error, "a file of the watched folder was not read")
            }
        }
    }
    files.sort();
    Ok(files)
}
