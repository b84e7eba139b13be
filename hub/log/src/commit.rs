//! The commit thread: the only writer of the store.
//!
//! Owns the promise of the log: an effect is released after the records before it are durable, in the order of submission,
//! or never. It takes whatever queued during the last sync as one batch, so one sync serves many presses. After
//! any error nothing is acknowledged any more; nothing is retried, because a failed sync says nothing about what is on the disk.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use super::error::CommitError;
use super::head_file::Head;
use super::head_keeper::HeadKeeper;
use super::reader::LogReader;
use super::record::{self, Hash, MAX_RECORD};
use super::snapshot::{Snapshot, Writing};
use super::store::{self, Store};

/// How many submissions may wait. See [`CommitHandle::backlog`].
pub const QUEUE: usize = 16_384;
/// How many submissions become one batch at most.
const BATCH: usize = 512;

/// Records to keep, and what may happen once they are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission<E> {
    /// The payloads, in order, of at most [`MAX_RECORD`] bytes each. May be empty: the effects then keep their place.
    pub records: Vec<Vec<u8>>,
    /// The state after these records, when it is time for a snapshot. A newer one replaces one that still waits.
    pub snapshot: Option<Vec<u8>>,
    /// Handed back when the records are durable.
    pub effects: E,
}

/// A submission that is durable. Only the commit thread makes one, so it proves that its effects may be carried out:
///
/// ```compile_fail,E0451
/// let forged = durable_log::Durable { first: 0, len: 1, head: [0; 32], effects: () };
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Durable<E> {
    first: u64,
    len: u64,
    head: Hash,
    effects: E,
}

impl<E> Durable<E> {
    /// Returns the index of its first record (of the next one to come, when it had none).
    pub fn first(&self) -> u64 {
        self.first
    }

    /// Returns the length of the log after it.
    pub fn log_len(&self) -> u64 {
        self.len
    }

    /// Returns the chain's head after it.
    pub fn head(&self) -> Hash {
        self.head
    }

    /// Returns what was submitted with it.
    pub fn effects(&self) -> &E {
        &self.effects
    }

    /// Releases what was submitted with it.
    pub fn into_effects(self) -> E {
        self.effects
    }
}

/// Why a submission was not taken. It is handed back whole.
#[derive(Debug, thiserror::Error)]
pub enum SubmitError<T> {
    /// [`QUEUE`] submissions wait already: the disk does not keep up.
    #[error("the log's queue is full: the disk does not keep up")]
    Full(T),
    /// The log has stopped after an error, which `failed` was told.
    #[error("the log has stopped: restart the hub")]
    Stopped(T),
    /// A record is longer than [`MAX_RECORD`].
    #[error("a record of {len} bytes is longer than the {MAX_RECORD} the log takes")]
    TooLong {
        /// The length of the longest record, in bytes.
        len: usize,
        /// What was submitted.
        submission: T,
    },
}

enum Job<E> {
    Append(Submission<E>),
    Meta { key: String, value: Vec<u8> },
    Close,
}

/// The way to the commit thread, for the one task that decides the order of records.
pub struct CommitHandle<E> {
    jobs: SyncSender<Job<E>>,
    backlog: Arc<AtomicUsize>,
    reader: LogReader,
    thread: JoinHandle<Result<(), CommitError>>,
}

impl<E: Send + 'static> CommitHandle<E> {
    /// Queues `submission`. Never blocks.
    ///
    /// # Errors
    /// Hands the submission back when it cannot be taken; nothing of it was recorded.
    pub fn submit(&self, submission: Submission<E>) -> Result<(), SubmitError<Submission<E>>> {
        let len = submission
            .records
            .iter()
            .map(Vec::len)
            .max()
            .unwrap_or_default();
        if len > MAX_RECORD {
            return Err(SubmitError::TooLong { len, submission });
        }
        // Counted before it is sent, so that the thread never takes off more than was put on.
        self.backlog.fetch_add(1, Ordering::Relaxed);
        self.jobs
            .try_send(Job::Append(submission))
            .map_err(|refused| {
                self.backlog.fetch_sub(1, Ordering::Relaxed);
                match refused {
                    TrySendError::Full(Job::Append(submission)) => SubmitError::Full(submission),
                    TrySendError::Disconnected(Job::Append(submission)) => {
                        SubmitError::Stopped(submission)
                    }
                    TrySendError::Full(_) | TrySendError::Disconnected(_) => {
                        unreachable!("the channel hands back what was sent")
                    }
                }
            })
    }

    /// Queues a named value, durable with the next batch. Never blocks.
    ///
    /// # Errors
    /// When it cannot be taken.
    pub fn set_meta(&self, key: &str, value: Vec<u8>) -> Result<(), SubmitError<()>> {
        self.jobs
            .try_send(Job::Meta {
                key: key.to_owned(),
                value,
            })
            .map_err(|refused| match refused {
                TrySendError::Full(_) => SubmitError::Full(()),
                TrySendError::Disconnected(_) => SubmitError::Stopped(()),
            })
    }

    /// How many submissions are not released yet. Whoever submits looks here *before* it applies an input, and takes none
    /// while this is near [`QUEUE`]; the next release says when to look again.
    pub fn backlog(&self) -> usize {
        self.backlog.load(Ordering::Relaxed)
    }

    /// A view of what is durable, for other threads.
    pub fn reader(&self) -> LogReader {
        self.reader.clone()
    }

    /// Waits until everything submitted is durable and released and the store is closed; says how long the log is, and its head.
    ///
    /// # Errors
    /// The error that stopped the log, then or earlier.
    pub fn close(self) -> Result<(u64, Hash), CommitError> {
        let CommitHandle {
            jobs,
            backlog: _,
            reader,
            thread,
        } = self;
        // A thread that has stopped does not take it, and says why when it is joined.
        let _ = jobs.send(Job::Close);
        drop(jobs);
        let outcome = thread
            .join()
            .map_err(|payload| store::panic_message(payload.as_ref()));
        let outcome = outcome.unwrap_or_else(|what| Err(CommitError::Panicked { what }));
        let end = (reader.len(), reader.head());
        // The store may be dropped here, last: see `start`.
        let _ = store::guarded(|| drop(reader));
        outcome.map(|()| end)
    }
}

/// What the commit thread holds.
struct Committer<E, R> {
    jobs: Receiver<Job<E>>,
    backlog: Arc<AtomicUsize>,
    store: Store,
    durable: Arc<Mutex<Head>>,
    head_keeper: HeadKeeper,
    release: R,
    writing: Option<Writing>,
    waiting: Option<Snapshot>,
}

/// One batch on its way.
struct Batch<E> {
    /// What there is to write; sled writes even an empty batch down.
    log: Option<sled::Batch>,
    meta: Option<sled::Batch>,
    durable: Vec<Durable<E>>,
    head: Head,
    closing: bool,
}

/// Starts the thread; `failed` is told the error that stops it.
pub(super) fn start<E, R, F>(
    store: Store,
    reader: LogReader,
    durable: Arc<Mutex<Head>>,
    head_keeper: HeadKeeper,
    release: R,
    failed: F,
) -> Result<CommitHandle<E>, CommitError>
where
    E: Send + 'static,
    R: FnMut(Vec<Durable<E>>) + Send + 'static,
    F: FnOnce(CommitError) + Send + 'static,
{
    let (sender, jobs) = sync_channel(QUEUE);
    let backlog = Arc::new(AtomicUsize::new(0));
    let path = store.path().to_path_buf();
    // The thread holds the data directory's lock through this until the store is closed.
    let held = reader.clone();
    let mut committer = Committer {
        jobs,
        backlog: backlog.clone(),
        store,
        durable,
        head_keeper,
        release,
        writing: None,
        waiting: None,
    };
    let run = move || {
        let outcome = store::guarded(|| committer.run())
            .unwrap_or_else(|what| Err(CommitError::Panicked { what }));
        let outcome = outcome.and_then(|()| committer.head_keeper.close());
        let Committer {
            jobs,
            store,
            head_keeper,
            ..
        } = committer;
        // Nothing is taken from here on, and who must know is told at once: a failing disk may hold up all that follows.
        drop(jobs);
        if let Err(error) = &outcome {
            failed(error.clone());
        }
        // sled syncs once more when it is dropped, and panics when it cannot. Nothing depends on that sync.
        let _ = store::guarded(|| drop((store, head_keeper)));
        drop(held);
        outcome
    };
    let thread = std::thread::Builder::new()
        .name("log-commit".to_owned())
        .spawn(run);
    let thread = thread.map_err(|error| CommitError::io(&path, &error))?;
    Ok(CommitHandle {
        jobs: sender,
        backlog,
        reader,
        thread,
    })
}

impl<E, R: FnMut(Vec<Durable<E>>)> Committer<E, R> {
    fn run(&mut self) -> Result<(), CommitError> {
        loop {
            let batch = self.collect();
            let closing = batch.closing;
            self.commit(batch)?;
            if closing && self.writing.is_none() {
                return Ok(());
            }
        }
    }

    /// Waits for the first job, unless a snapshot is being written, and takes what else is there.
    fn collect(&mut self) -> Batch<E> {
        let head = *self.durable.lock().unwrap_or_else(PoisonError::into_inner);
        let mut batch = Batch {
            log: None,
            meta: None,
            durable: Vec::new(),
            head,
            closing: false,
        };
        if self.writing.is_none() {
            match self.jobs.recv() {
                Ok(job) => self.add(&mut batch, job),
                Err(_) => batch.closing = true,
            }
        }
        while batch.durable.len() < BATCH && !batch.closing {
            match self.jobs.try_recv() {
                Ok(job) => self.add(&mut batch, job),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => batch.closing = true,
            }
        }
        batch
    }

    fn add(&mut self, batch: &mut Batch<E>, job: Job<E>) {
        match job {
            Job::Append(Submission {
                records,
                snapshot,
                effects,
            }) => {
                let first = batch.head.len;
                for payload in records {
                    let Head { len, hash } = batch.head;
                    let value = record::encode(len, &payload, &hash);
                    batch
                        .log
                        .get_or_insert_default()
                        .insert(&record::key(len), value);
                    batch.head = Head {
                        len: len + 1,
                        hash: record::chain(&hash, &payload),
                    };
                }
                let Head { len, hash } = batch.head;
                batch.durable.push(Durable {
                    first,
                    len,
                    head: hash,
                    effects,
                });
                if let Some(bytes) = snapshot {
                    self.waiting = Some(Snapshot {
                        index_after: len,
                        head: hash,
                        bytes,
                    });
                }
            }
            Job::Meta { key, value } => {
                batch
                    .meta
                    .get_or_insert_default()
                    .insert(key.as_bytes(), value);
            }
            Job::Close => batch.closing = true,
        }
    }

    /// Makes the batch durable, and only then says so.
    fn commit(&mut self, batch: Batch<E>) -> Result<(), CommitError> {
        let Batch {
            log,
            meta,
            durable,
            head,
            closing: _,
        } = batch;
        let writes = log.is_some() || meta.is_some() || self.writing.is_some();
        if let Some(log) = log {
            self.store.apply(&self.store.log, log)?;
        }
        if let Some(meta) = meta {
            self.store.apply(&self.store.meta, meta)?;
        }
        if let Some(writing) = &mut self.writing {
            writing.step(&self.store)?;
        }
        if writes {
            self.store.commit()?;
        }
        *self.durable.lock().unwrap_or_else(PoisonError::into_inner) = head;
        self.head_keeper.reached(head)?;
        let released = durable.len();
        if released > 0 {
            (self.release)(durable);
            self.backlog.fetch_sub(released, Ordering::Relaxed);
        }
        // What waits here is covered by what was just committed.
        if self.writing.as_ref().is_none_or(Writing::is_done) {
            self.writing = self.waiting.take().map(Writing::new);
        }
        Ok(())
    }
}
