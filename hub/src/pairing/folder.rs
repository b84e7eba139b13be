//! The folder in which a pairing program leaves its files: examined regularly, with its news kept until an arbiter
//! decides.
//!
//! Owns the examination. Must never apply a change, write into the folder, or follow anything but plain files.

use std::collections::BTreeSet;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use tokio_util::sync::CancellationToken;

use super::memory::Memory;
use crate::lock::lock;
use tournament::formats::difference::Foreign;
use tournament::formats::draft::Draft;
use tournament::formats::remark::Remark;
use tournament::formats::watch::{self, Digest, FileStatus, Watch};
use tournament::{Event, Tournament};

/// The largest file that is read, in bytes: reports of five thousand players are smaller.
pub const MAX_BYTES: u64 = 4 << 20;
/// Maximum number of files in the folder: one with more is not meant for this purpose.
const MAX_FILES: usize = 500;

/// A watched folder.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    watch: Mutex<Watch>,
    memory: Memory,
}

/// A file that needs an arbiter's decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct News {
    /// The file's name in the folder.
    pub file: String,
    /// The digest of its content, which ensures that the confirmed content is the one shown.
    pub digest: String,
    /// The meaning of the file.
    pub verdict: Verdict,
}

/// The meaning of a file for the event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The file has something new.
    New {
        /// One sentence for each difference.
        words: Vec<String>,
        /// Remarks on oddities of the file.
        remarks: Vec<Remark>,
    },
    /// The file is about another event.
    Foreign {
        /// The differences.
        foreign: Box<Foreign>,
        /// The differences in words, with the ways to proceed.
        words: String,
    },
    /// The file cannot be read, for these reasons, with lines and columns.
    Refused(String),
}

impl Folder {
    /// Creates a watcher of the folder at `path`.
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            watch: Mutex::default(),
            memory: Memory::default(),
        }
    }

    /// Creates a watcher of the folder at `path` that stores decisions in the file `memory`, and loads earlier ones
    /// from it.
    pub(crate) fn remembering(path: &Path, memory: &Path) -> io::Result<Self> {
        let (memory, known) = Memory::open(memory)?;
        let mut watch = Watch::new();
        known.into_iter().for_each(|content| watch.settle(content));
        Ok(Self {
            path: path.to_owned(),
            watch: Mutex::new(watch),
            memory,
        })
    }

    /// Returns the folder's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Examines the folder at intervals until `ending` is cancelled. `event` returns the present event.
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
                tracing::warn!(folder = %self.path.display(), "cannot read the watched folder: {why}");
            }
            trouble = now;
        }
    }

    /// Examines the folder once. Logs and stores anything new.
    ///
    /// # Errors
    /// Fails if the folder cannot be read.
    pub fn look(&self, event: Option<&Tournament>) -> io::Result<()> {
        let known = known(event);
        let files = files(&self.path)?;
        let names: BTreeSet<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        let mut watch = lock(&self.watch);
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

    /// Returns the files that need an arbiter's decision, compared with the present event.
    pub fn news(&self, event: Option<&Tournament>) -> Vec<News> {
        let known = known(event);
        let watch = lock(&self.watch);
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

    /// Returns the content of a file, if it is still the one shown.
    pub fn content(&self, file: &str, shown: &str) -> Option<Vec<u8>> {
        let watch = lock(&self.watch);
        let bytes = watch.examined(file)?;
        (digest(bytes) == shown).then(|| bytes.to_vec())
    }

    /// Marks a content as applied or dismissed, whatever its source. It is never reported as new again.
    pub fn settle(&self, content: Digest) {
        lock(&self.watch).settle(content);
        if let Err(error) = self.memory.keep(&content) {
            tracing::warn!("a decided file will be offered again after the next start: {error}");
        }
    }
}

/// Returns the draft for comparison with files. Without an event, everything is new.
fn known(event: Option<&Tournament>) -> Draft {
    match event {
        Some(event) => Draft::of(event),
        None => Draft::of(&Tournament::new(Event::new("", 1))),
    }
}

fn digest(bytes: &[u8]) -> String {
    proto::ids::hex(&watch::digest(bytes))
}

fn files(folder: &Path) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        // No pairing program writes a name that is not text; reading a pipe or a device would never end.
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        let Ok(about) = entry.metadata() else {
            continue; // removed in the meantime
        };
        if !about.is_file() || about.len() > MAX_BYTES || !Watch::reads(&name) {
            continue;
        }
        if files.len() == MAX_FILES {
            return Err(io::Error::other(format!(
                "it has more than {MAX_FILES} files"
            )));
        }
        let mut bytes = Vec::new();
        let read = std::fs::File::open(entry.path())
            .and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes));
        match read {
            Ok(_) => files.push((name, bytes)),
            // The file may be locked or removed: the next look decides.
            Err(error) => {
                tracing::debug!(file = name, %error, "a file of the watched folder was not read")
            }
        }
    }
    files.sort();
    Ok(files)
}
