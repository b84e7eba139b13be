//! The folder into which a pairing program writes its files, examined regularly. New files wait for an arbiter's decision.
//!
//! Owns the examination and its limits. Must never apply a change, write into the folder, or read anything but plain files.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use tokio_util::sync::CancellationToken;

use super::memory::Memory;
use super::plain_file::{PlainFile, UnreadableFile, directory};
use crate::lock::lock;
use tournament::formats::difference::IdentityMismatch;
use tournament::formats::draft::Draft;
use tournament::formats::remark::Remark;
use tournament::formats::watch::{self, Digest, FileStatus, Watch};
use tournament::{Event, Tournament};

/// Maximum size of a file that is read, in bytes. Reports of five thousand players are smaller.
pub const MAX_BYTES: u64 = 4 << 20;
/// Maximum number of bytes that are read from all files of the folder together.
pub const MAX_TOTAL: u64 = 16 << 20;
/// Maximum number of reports and tables in the folder. A folder with more of them is probably the wrong folder.
pub const MAX_FILES: usize = 500;
/// Maximum number of directory entries of any kind.
const MAX_NAMES: usize = 10_000;

#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    seen: Mutex<Seen>,
    memory: Memory,
}

/// The folder as last examined.
#[derive(Debug, Default)]
struct Seen {
    watch: Watch,
    unfit: BTreeMap<String, UnreadableFile>,
    /// The reason why the folder itself could not be read.
    trouble: Option<String>,
}

struct Pass {
    files: Vec<(String, Vec<u8>)>,
    unfit: BTreeMap<String, UnreadableFile>,
}

/// A file that needs an arbiter's decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct News {
    /// The file's name in the folder, or the folder's path if the folder itself cannot be read.
    pub file: String,
    /// The digest of the file's content, or of the reason why it is not read, in hex. With it, the hub checks that the content that an arbiter
    /// confirms is the content shown.
    pub digest: String,
    pub verdict: Verdict,
}

/// The result of comparing a file with the event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The file contains changes.
    New {
        /// One sentence for each difference.
        words: Vec<String>,
        remarks: Vec<Remark>,
    },
    /// The file is about a different event.
    Foreign {
        foreign: Box<IdentityMismatch>,
        /// The differences as text, with the ways to proceed.
        words: String,
    },
    /// The file cannot be read. The text gives the reason, or each fault in the content with its line and column.
    Refused(String),
}

impl Folder {
    /// Creates a watcher of the folder at `path` that forgets decisions when the hub stops.
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            seen: Mutex::default(),
            memory: Memory::default(),
        }
    }

    /// Creates a watcher of the folder at `path` that stores decisions in the file `memory`, and loads earlier ones from it.
    pub(crate) fn remembering(path: &Path, memory: &Path) -> io::Result<Self> {
        let (memory, known) = Memory::open(memory)?;
        let mut seen = Seen::default();
        for content in known {
            seen.watch.settle(content);
        }
        Ok(Self {
            path: path.to_owned(),
            seen: Mutex::new(seen),
            memory,
        })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Examines the folder at intervals until `ending` is cancelled. `event` returns the current event.
    pub async fn watch(
        self: Arc<Self>,
        every: std::time::Duration,
        event: impl Fn() -> Option<Arc<Tournament>>,
        ending: CancellationToken,
    ) {
        let mut looks = tokio::time::interval(every);
        looks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let look = async {
            loop {
                looks.tick().await;
                let (folder, known) = (self.clone(), event());
                let looked = tokio::task::spawn_blocking(move || folder.examine(known.as_deref()));
                // Ignore the result: the examination logs failures, and the news show them.
                let _ = looked.await;
            }
        };
        ending.run_until_cancelled(look).await;
    }

    /// Examines the folder once. Logs anything new, and keeps it for [`Self::news`].
    ///
    /// # Errors
    /// Fails if the folder cannot be read.
    pub fn examine(&self, event: Option<&Tournament>) -> io::Result<()> {
        let known = Arc::new(draft_of(event));
        let pass = pass(&self.path).inspect_err(|error| self.tell_trouble(error))?;
        let names: BTreeSet<&str> = pass.files.iter().map(|(name, _)| name.as_str()).collect();
        let mut seen = lock(&self.seen);
        seen.trouble = None;
        for (file, why) in &pass.unfit {
            if seen.unfit.get(file) != Some(why) {
                tracing::warn!(file, "a file in the watched folder is not read: {why}");
            }
        }
        seen.unfit = pass.unfit;
        let gone = seen.watch.names().filter(|name| !names.contains(name));
        let gone: Vec<String> = gone.map(str::to_owned).collect();
        gone.iter().for_each(|name| seen.watch.remove(name));
        for (file, bytes) in &pass.files {
            tell(file, &seen.watch.observe(file, bytes, &known), &known);
        }
        Ok(())
    }

    fn tell_trouble(&self, error: &io::Error) {
        let why = error.to_string();
        let mut seen = lock(&self.seen);
        if seen.trouble.as_ref() != Some(&why) {
            tracing::warn!(folder = %self.path.display(), "cannot read the watched folder: {why}");
        }
        seen.trouble = Some(why);
    }

    /// Returns the files that need an arbiter's decision, compared with the current event.
    pub fn news(&self, event: Option<&Tournament>) -> Vec<News> {
        let known = draft_of(event);
        let seen = lock(&self.seen);
        let pending = seen.watch.pending(&known);
        let news = pending.into_iter().filter_map(|(file, bytes, status)| {
            let verdict = match status {
                FileStatus::News(news) => {
                    let items = news.difference.items.iter();
                    Verdict::New {
                        words: items.map(|item| item.words.clone()).collect(),
                        remarks: news.remarks,
                    }
                }
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
        let news: Vec<News> = news.collect();
        seen.refused(&self.path).chain(news).collect()
    }

    /// Returns the content of a file if its digest is still `shown`.
    pub fn content(&self, file: &str, shown: &str) -> Option<Vec<u8>> {
        let seen = lock(&self.seen);
        let bytes = seen.watch.examined(file)?;
        (digest(bytes) == shown).then(|| bytes.to_vec())
    }

    /// Dismisses the news about a file if its digest is still `shown`. Returns false if the digest has changed or the file is gone.
    pub fn dismiss(&self, file: &str, shown: &str) -> bool {
        let content = {
            let seen = lock(&self.seen);
            let examined = seen.watch.examined(file).map(watch::digest);
            let refused = seen.all_refused(&self.path);
            let mut refused = refused.filter(|(name, _)| name == file);
            examined.or_else(|| {
                refused
                    .next()
                    .map(|(name, why)| refusal_digest(&name, &why))
            })
        };
        let same = content.filter(|content| proto::ids::hex(content) == shown);
        same.is_some_and(|content| {
            self.settle(content);
            true
        })
    }

    /// Marks content as applied or dismissed, whatever its source, so that it is not reported as new again.
    pub fn settle(&self, content: Digest) {
        lock(&self.seen).watch.settle(content);
        if let Err(error) = self.memory.keep(&content) {
            tracing::warn!("a decided file will be offered again after the next start: {error}");
        }
    }
}

impl Seen {
    /// Returns the name of each unread file with the reason. If the folder itself could not be read, it comes first.
    fn all_refused(&self, folder: &Path) -> impl Iterator<Item = (String, String)> {
        let unfit = self.unfit.iter();
        let unfit = unfit.map(|(name, why)| (name.clone(), why.to_string()));
        let trouble = self.trouble.clone();
        let whole = trouble.map(|why| (folder.display().to_string(), why));
        whole.into_iter().chain(unfit)
    }

    /// Returns the refused files that no arbiter has dismissed.
    fn refused(&self, folder: &Path) -> impl Iterator<Item = News> {
        self.all_refused(folder).filter_map(|(file, why)| {
            let digest = refusal_digest(&file, &why);
            (!self.watch.is_settled(&digest)).then(|| News {
                file,
                digest: proto::ids::hex(&digest),
                verdict: Verdict::Refused(why),
            })
        })
    }
}

/// Returns the digest that identifies the refusal of an unread file, so that an arbiter can dismiss it.
fn refusal_digest(file: &str, why: &str) -> Digest {
    watch::digest(format!("not read\0{file}\0{why}").as_bytes())
}

fn tell(file: &str, status: &FileStatus, known: &Draft) {
    match status {
        FileStatus::Unsupported | FileStatus::Settling | FileStatus::AlreadyReported => (),
        FileStatus::UpToDate => {
            tracing::info!(file, "a file in the watched folder has nothing new");
        }
        FileStatus::Refused(faults) => {
            tracing::warn!(
                file,
                "a file in the watched folder cannot be read: {faults}"
            );
        }
        FileStatus::Foreign(foreign) => tracing::warn!(
            file,
            "a file in the watched folder is refused: {}",
            foreign.words(&known.event.name)
        ),
        FileStatus::News(news) => tracing::info!(
            file,
            "a file in the watched folder contains changes; `flagfall event import --watched` shows and confirms them: {}",
            news.difference.words()
        ),
    }
}

/// Returns the event's draft, for comparison with files. Without an event the draft is empty, so that everything in a file is new.
fn draft_of(event: Option<&Tournament>) -> Draft {
    match event {
        Some(event) => Draft::of(event),
        None => Draft::of(&Tournament::new(Event::new("", 1))),
    }
}

fn digest(bytes: &[u8]) -> String {
    proto::ids::hex(&watch::digest(bytes))
}

fn pass(folder: &Path) -> io::Result<Pass> {
    let directory = directory(folder)?;
    let mut pass = Pass {
        files: Vec::new(),
        unfit: BTreeMap::new(),
    };
    let mut room = MAX_TOTAL;
    for name in names(&directory)? {
        let content = PlainFile::open(&directory, &name).and_then(|opened| match opened {
            Ok(file) if file.len() > MAX_BYTES => Ok(Err(UnreadableFile::TooLarge(MAX_BYTES))),
            Ok(file) if file.len() > room => Ok(Err(UnreadableFile::NoRoom(MAX_TOTAL))),
            Ok(file) => file.read(MAX_BYTES.min(room)),
            Err(unfit) => Ok(Err(unfit)),
        });
        match content {
            Ok(Ok(bytes)) => {
                room = room.saturating_sub(bytes.len() as u64);
                pass.files.push((name, bytes));
            }
            Ok(Err(unfit)) => drop(pass.unfit.insert(name, unfit)),
            // The file may be locked or removed: the next examination decides.
            Err(error) => {
                tracing::debug!(file = name, %error, "a file in the watched folder was not read");
            }
        }
    }
    Ok(pass)
}

/// Returns the names of reports and tables, in order. Skips names that are not valid UTF-8.
fn names(directory: &OwnedFd) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for (entry, count) in rustix::fs::Dir::read_from(directory)?.zip(1..) {
        if count > MAX_NAMES {
            return Err(too_many(MAX_NAMES));
        }
        let entry = entry?;
        let name = entry.file_name().to_str().unwrap_or_default();
        if Watch::supports(name) {
            names.push(name.to_owned());
        }
    }
    if names.len() > MAX_FILES {
        return Err(too_many(MAX_FILES));
    }
    names.sort();
    Ok(names)
}

fn too_many(limit: usize) -> io::Error {
    io::Error::other(format!(
        "it has more than {limit} files: remove old ones, or choose another folder"
    ))
}
