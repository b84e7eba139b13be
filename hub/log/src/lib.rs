//! The log: every input of the hall, stored in order before any effect of it leaves the process.
//!
//! Owns the data directory, sled, and the durability promise: a released record survives `kill -9` and a power cut. Records are opaque bytes here;
//! the hall interprets them. Must never drop or repair a record silently, or acknowledge after an error.
//!
//! Life cycle: [`Log::open`] takes the lock, tidies up after an interrupted start, opens the store, and verifies the
//! hash chain. The hall folds the records from [`Log::read`]. [`Log::into_commit`] hands the store to the commit thread, while
//! [`LogReader`]s continue to read durable records.

mod archive;
mod commit;
mod data_dir;
mod error;
mod head_file;
mod head_keeper;
mod reader;
mod rebuild;
mod record;
mod store;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use archive::{
    ARCHIVE_DIR, Archive, ArchiveCopy, ArchiveError, ArchiveFinding, ArchiveHandle, ArchiveReport,
    ArchiveSettings, BeginsEpoch, CHECKPOINT_EVERY, Conceal, Epochs, ProofError, SignedCheckpoint,
};
pub use commit::{CommitHandle, Durable, QUEUE_CAPACITY, Submission, SubmitError};
pub use data_dir::REBUILT;
pub use error::{CommitError, OpenError, ReadError};
pub use head_file::stated_head;
pub use reader::{Batch, LogReader, Records};
pub use rebuild::Indices;
pub use record::{Hash, MAX_RECORD, chained};
pub use store::SyncStep;

pub use data_dir::Release;
use data_dir::{CopiedParts, DataDir};
use head_file::{Found, Head, HeadFile};
use store::{OpenFailure, Store};

/// The options for opening a log.
pub struct Options {
    /// Disk space to reserve, in bytes. Opening the log releases it if the disk is nearly full.
    pub ballast_bytes: u64,
    /// True if every record is verified when the log opens. Unnecessary for a hub that folds every record, because
    /// reading verifies each of them.
    pub verify: bool,
    /// True if a log opens even though its file `head` is missing or unreadable. The file is then written again, but
    /// nothing confirms that the log is complete.
    pub accept_unknown_head: bool,
    /// Directories with further copies of the log's archive, besides the one in the data directory. Damaged or missing
    /// records are restored from these copies too.
    pub mirrors: Vec<PathBuf>,
    /// The check that this log's key signed an archive's checkpoint. Without this check, an archive can restore only the
    /// records that the file `head` covers.
    pub is_signed: Option<NoteCheck>,
    /// The step that makes written bytes durable.
    pub sync: SyncStep,
}

/// A function that returns true if the log's key signed the given note.
pub type NoteCheck = Box<dyn Fn(&str) -> bool + Send>;

impl Default for Options {
    fn default() -> Options {
        Options {
            ballast_bytes: 64 << 20,
            verify: true,
            accept_unknown_head: false,
            mirrors: Vec::new(),
            is_signed: None,
            sync: Box::new(std::fs::File::sync_data),
        }
    }
}

/// A finding or action of the start-up checks, for the administrator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The disk was nearly full, so the reserved space was released.
    BallastReleased,
    /// A first start, or a start that rebuilt the store, was interrupted. Its unfinished store was removed.
    UnfinishedStoreRemoved,
    /// A start was interrupted while sled wrote a snapshot, which is only a cache. The half-written file was removed.
    HalfWrittenSnapshotRemoved,
    /// Sled's caches were damaged. The log is whole without them: its end and every record were checked.
    CachesSetAside {
        /// The directory that now contains the damaged caches.
        path: PathBuf,
    },
    /// The store was damaged or missing, and was rebuilt. Lost records were taken from the archive. The log is whole.
    Rebuilt {
        /// Indices of the restored records; empty if only the store around them was damaged.
        records: Indices,
        /// The directory that now contains the damaged store; `None` if the store was missing.
        path: Option<PathBuf>,
    },
    /// The log had been set back to an earlier state, and its archive had more records. The missing records were taken
    /// from the archive.
    TailRestored {
        /// Index of the first restored record.
        first: u64,
        /// Number of records in the log, including the restored ones.
        len: u64,
    },
    /// The file `head` was missing or unreadable, and the caller accepts the log as it ends.
    HeadUnknown {
        /// Number of records in the accepted log.
        len: u64,
    },
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Notice::BallastReleased => f.write_str(
                "the disk is nearly full: the reserve in the data directory was released; free some space soon",
            ),
            Notice::UnfinishedStoreRemoved => {
                f.write_str("an earlier start was interrupted; the unfinished store that it left was removed (nothing was lost)")
            }
            Notice::HalfWrittenSnapshotRemoved => {
                f.write_str("a start was interrupted; a half-written cache file of the store was removed")
            }
            Notice::CachesSetAside { path } => write!(
                f,
                "cache files of the store were damaged and are now in {}; the log is whole without them",
                path.display()
            ),
            Notice::Rebuilt {
                records,
                path: None,
            } => write!(
                f,
                "the log's store was missing, and its records were taken from the archive: {records}; check the disk"
            ),
            Notice::Rebuilt {
                records,
                path: Some(path),
            } if records.ranges().is_empty() => write!(
                f,
                "the log's store was damaged and was rewritten with every record; the damaged one is in {}; check the disk",
                path.display()
            ),
            Notice::Rebuilt {
                records,
                path: Some(path),
            } => write!(
                f,
                "records of the log were damaged or missing and were taken from its archive: {records}; the damaged store is in {}; \
                 check the disk",
                path.display()
            ),
            Notice::TailRestored { first, len } => write!(
                f,
                "the log was set back to {first} records; records {first}–{} were taken from its archive; check the disk",
                len.saturating_sub(1)
            ),
            Notice::HeadUnknown { len } => write!(
                f,
                "the file “head” could not be read: the log has {len} records, and nothing outside it confirms that it is complete"
            ),
        }
    }
}

/// The open log, before the commit thread takes over.
pub struct Log {
    store: Store,
    notices: Vec<Notice>,
    head_file: HeadFile,
    reader: LogReader,
    /// Dropped last: the lock outlives the store.
    data_dir: Arc<DataDir>,
}

impl Log {
    /// Opens the log in the data directory `dir`, creating both if needed. Takes the directory's lock before touching
    /// anything else in it, and holds it until the log and all its readers are dropped.
    ///
    /// # Errors
    /// Fails if the log is in use, in another format or damaged. Also fails if it has records but no readable file `head`, if the disk is full,
    /// or if a system call fails. See [`OpenError`].
    pub fn open(dir: &Path) -> Result<Log, OpenError> {
        Log::open_with(dir, Options::default())
    }

    /// Returns a handle that can wait for the release of the data directory.
    pub fn release(&self) -> Release {
        self.data_dir.release()
    }

    /// Opens the log like [`Log::open`], with `options`.
    ///
    /// # Errors
    /// Fails like [`Log::open`].
    pub fn open_with(dir: &Path, options: Options) -> Result<Log, OpenError> {
        let data_dir = Arc::new(DataDir::lock(dir)?);
        let mut notices = data_dir.tidy()?;
        let has_store = data_dir.has_store();
        let path = data_dir.head();
        let opened = HeadFile::open(&path);
        let (mut head_file, kept) =
            opened.map_err(|error| OpenError::io("read the head of the log", &path, error))?;
        let archives = std::iter::once(dir.join(ARCHIVE_DIR));
        let archives: Vec<PathBuf> = archives.chain(options.mirrors.iter().cloned()).collect();
        let archives = rebuild::Archives {
            dirs: &archives,
            is_signed: options.is_signed.as_deref(),
        };
        let opened = checked_store(&data_dir, has_store, &kept, &options, &mut notices);
        let (store, end) = match (opened, &kept) {
            (Err(error), Found::Head(head)) if error.is_damage() => {
                let Some(rebuilt) = rebuild::rebuild(&data_dir, *head, archives)? else {
                    data_dir.remove_unfinished()?;
                    return Err(error);
                };
                notices.push(rebuilt);
                let has_store = data_dir.has_store();
                checked_store(&data_dir, has_store, &kept, &options, &mut notices)?
            }
            (opened, _) => opened?,
        };
        let mut store = store.with_sync(options.sync);
        data_dir.sync_all()?;
        data_dir.make_ballast(options.ballast_bytes)?;
        let filled = rebuild::fill_tail(&mut store, end, archives);
        let filled = filled
            .map_err(|error| OpenError::commit("add records to the store", store.path(), error))?;
        if let Some(filled) = filled {
            let (first, len) = (end.len, filled.len);
            notices.push(Notice::TailRestored { first, len });
        }
        let end = filled.unwrap_or(end);
        let reader = LogReader::new(&store, end, data_dir.clone());
        if kept != Found::Head(end) {
            head_file
                .begin(end)
                .map_err(|error| OpenError::io("write the head of the log", &path, error))?;
        }
        Ok(Log {
            store,
            notices,
            head_file,
            reader,
            data_dir,
        })
    }

    /// Returns the notices of the start-up checks, for the administrator.
    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }

    /// Returns the number of records.
    pub fn len(&self) -> u64 {
        self.reader.len()
    }

    /// Returns true if the log has no records.
    pub fn is_empty(&self) -> bool {
        self.reader.is_empty()
    }

    /// Returns the chain's head after the last record.
    pub fn head(&self) -> Hash {
        self.reader.head()
    }

    /// Returns the records from index `from` onwards, in order. Each record is verified when it is read.
    pub fn read(&self, from: u64) -> Records {
        self.reader.read(from)
    }

    /// Returns a reader for other threads. It remains valid after [`Log::into_commit`].
    pub fn reader(&self) -> LogReader {
        self.reader.clone()
    }

    /// Returns the named value `key`; `None` if it was never set.
    ///
    /// # Errors
    /// Fails if the store cannot read the value.
    pub fn meta(&self, key: &str) -> Result<Option<Vec<u8>>, ReadError> {
        let value = store::get(&self.store.meta, key.as_bytes());
        let value = value.map_err(|what| ReadError::Value {
            key: key.to_owned(),
            what,
        })?;
        Ok(value.map(|value| value.to_vec()))
    }

    /// Sets the named value `key`, which is durable on return.
    ///
    /// # Errors
    /// Fails if the value could not be made durable. The log must then not be used any more.
    pub fn set_meta(&mut self, key: &str, value: &[u8]) -> Result<(), CommitError> {
        let mut batch = sled::Batch::default();
        batch.insert(key.as_bytes(), value);
        self.store.apply(&self.store.meta, batch)?;
        self.store.commit()
    }

    /// Hands the store to the commit thread.
    ///
    /// The commit thread calls `release` with durable submissions, in the order of submission; `release` should only
    /// pass them on. The thread calls `failed` once if anything goes wrong, and from then on releases nothing.
    ///
    /// # Errors
    /// Fails if a thread cannot be started, or the descriptor of the file `head` cannot be duplicated.
    pub fn into_commit<E: Send + 'static>(
        self,
        release: impl FnMut(Vec<Durable<E>>) + Send + 'static,
        failed: impl FnOnce(CommitError) + Send + 'static,
    ) -> Result<CommitHandle<E>, CommitError> {
        let Log {
            store,
            notices: _,
            head_file,
            reader,
            data_dir,
        } = self;
        let end = reader.durable();
        let head_keeper = head_keeper::HeadKeeper::start(head_file, &data_dir.head(), end)?;
        commit::start(store, reader, head_keeper, release, failed)
    }
}

fn checked_store(
    data_dir: &Arc<DataDir>,
    has_store: Result<bool, OpenError>,
    kept: &Found,
    options: &Options,
    notices: &mut Vec<Notice>,
) -> Result<(Store, Head), OpenError> {
    let dir = data_dir.path();
    if !has_store? {
        if let Found::Head(Head { len: 1.., .. }) = kept {
            let what = "the directory sled is missing";
            return Err(OpenError::damaged_store(dir, what));
        }
        make_store(data_dir)?;
    }
    let store = open_store(data_dir, kept, notices)?;
    let damaged = |error| OpenError::damaged(dir, error);
    let end = end_of(&store).map_err(damaged)?;
    if !matches!(kept, Found::Head(_)) && end.len > 0 {
        if !options.accept_unknown_head {
            let unreadable = *kept == Found::Unreadable;
            return Err(OpenError::no_head(dir, end.len, unreadable));
        }
        notices.push(Notice::HeadUnknown { len: end.len });
    }
    let reader = LogReader::new(&store, end, data_dir.clone());
    compare(&reader, end, kept).map_err(damaged)?;
    if options.verify {
        reader.verify_all().map_err(damaged)?;
    }
    Ok((store, end))
}

/// Creates a first store under a temporary name and renames it when complete, so that a partial one is never mistaken
/// for a log.
fn make_store(data_dir: &DataDir) -> Result<(), OpenError> {
    let path = data_dir.unfinished_store();
    let mut store = Store::open(&path).map_err(|failure| refused(data_dir.path(), failure))?;
    let made = store.commit();
    made.map_err(|error| OpenError::commit("make the store", &path, error))?;
    drop(store);
    data_dir.finish_store()
}

/// Opens the store. If sled cannot interpret its files, and the log is whole without sled's caches, sets the caches
/// aside.
fn open_store(
    data_dir: &Arc<DataDir>,
    kept: &Found,
    notices: &mut Vec<Notice>,
) -> Result<Store, OpenError> {
    let refused = |failure| refused(data_dir.path(), failure);
    let failure = match Store::open(&data_dir.store()) {
        Ok(store) => return Ok(store),
        Err(failure) => failure,
    };
    if !matches!(failure, OpenFailure::Corrupt(_)) || !is_whole_without_caches(data_dir, kept)? {
        return Err(refused(failure));
    }
    let path = data_dir.set_caches_aside()?;
    let store = Store::open(&data_dir.store()).map_err(refused)?;
    notices.push(Notice::CachesSetAside { path });
    Ok(store)
}

/// Returns true if the store's main file, without its caches, contains every acknowledged record. Opens a copy, never the store itself,
/// because sled writes to the files that it opens. Without its caches, sled cuts a log at the first damaged page.
fn is_whole_without_caches(data_dir: &Arc<DataDir>, kept: &Found) -> Result<bool, OpenError> {
    // Without a head, nothing could confirm that no record was cut off.
    if !matches!(kept, Found::Head(_)) {
        return Ok(false);
    }
    let Some(trial) = data_dir.make_trial(CopiedParts::WithoutCaches)? else {
        return Ok(false);
    };
    let whole = Store::open(&trial).is_ok_and(|store| {
        let checked = end_of(&store).and_then(|end| {
            let reader = LogReader::new(&store, end, data_dir.clone());
            compare(&reader, end, kept)?;
            reader.verify_all()
        });
        checked.is_ok()
    });
    data_dir.remove_trial()?;
    Ok(whole)
}

fn refused(dir: &Path, failure: OpenFailure) -> OpenError {
    match failure {
        OpenFailure::Locked => OpenError::InUse {
            dir: dir.to_path_buf(),
            pid: None,
        },
        OpenFailure::Io(error) => OpenError::io("open the store", &dir.join("sled"), error),
        OpenFailure::Corrupt(what) => {
            OpenError::damaged_store(dir, format!("the store in sled is damaged: {what}"))
        }
    }
}

fn end_of(store: &Store) -> Result<Head, ReadError> {
    let failed = |what: String| ReadError::NoEnd { what };
    let Some((key, value)) = store::read(|| store.log.last()).map_err(failed)? else {
        return Ok(Head::GENESIS);
    };
    let no_index = || failed("its last key is not an index".to_owned());
    let index = record::index_of(&key).ok_or_else(no_index)?;
    let stored = record::decode(index, &value).map_err(|what| ReadError::record(index, what))?;
    Ok(Head {
        len: index.saturating_add(1),
        hash: stored.hash(),
    })
}

fn compare(log: &LogReader, end: Head, kept: &Found) -> Result<(), ReadError> {
    let Found::Head(kept) = kept else {
        return Ok(());
    };
    if kept.len > end.len {
        let what = format!(
            "the log ends here, although {} records were acknowledged",
            kept.len
        );
        return Err(ReadError::record(end.len, what));
    }
    if log.head_after(kept.len)? != kept.hash {
        let index = kept.len.saturating_sub(1);
        let what = "it is not the record that was acknowledged";
        return Err(ReadError::record(index, what));
    }
    Ok(())
}

/// Locks `data`, even if an earlier holder panicked: no change under the log's locks can be left half made.
fn lock<T>(data: &Mutex<T>) -> MutexGuard<'_, T> {
    data.lock().unwrap_or_else(PoisonError::into_inner)
}
