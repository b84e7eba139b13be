//! The commit thread: the only writer of the store after [`Log::into_commit`](crate::Log::into_commit).
//!
//! Owns the log's promise: an effect is released after its records are durable, in the order of submission, or never.
//! Everything queued during the last sync, up to a limit, forms one batch, so one sync serves many presses. After any error nothing is
//! acknowledged. Nothing is retried, because a failed sync reveals nothing about the disk's contents.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, TrySendError, sync_channel};
use std::thread::JoinHandle;

use super::error::CommitError;
use super::head_file::Head;
use super::head_keeper::HeadKeeper;
use super::reader::LogReader;
use super::record::{self, Hash, MAX_RECORD};
use super::store::{self, Store};

/// Maximum number of submissions and named values that can wait. See [`CommitHandle::backlog`].
pub const QUEUE_CAPACITY: usize = 16_384;
/// Maximum number of submissions in one batch.
const BATCH: usize = 512;

/// Records to store, and the effects to release once they are durable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission<E> {
    /// The payloads, in order, at most [`MAX_RECORD`] bytes each. May be empty: the effects are then still released in
    /// order.
    pub records: Vec<Vec<u8>>,
    /// The effects, handed back when the records are durable.
    pub effects: E,
}

/// A durable submission. Only the commit thread can create one. Possession of it proves that its effects may be carried
/// out:
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
    /// Returns the index of the submission's first record. If the submission has no records, returns the
    /// index that the log's next record will have.
    pub fn first(&self) -> u64 {
        self.first
    }

    /// Returns the length of the log up to and including this submission.
    pub fn log_len(&self) -> u64 {
        self.len
    }

    /// Returns the chain's head after this submission.
    pub fn head(&self) -> Hash {
        self.head
    }

    /// Returns the submitted effects.
    pub fn effects(&self) -> &E {
        &self.effects
    }

    /// Unwraps the submitted effects.
    pub fn into_effects(self) -> E {
        self.effects
    }
}

/// The reason why a submission was not recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SubmitError {
    /// [`QUEUE_CAPACITY`] submissions and named values are already waiting: the disk is too slow.
    #[error("the log's queue is full: the disk does not keep up")]
    Full,
    /// The log has stopped after an error, which was passed to the `failed` function of
    /// [`Log::into_commit`](crate::Log::into_commit).
    #[error("the log has stopped: restart the hub")]
    Stopped,
    /// A record is longer than [`MAX_RECORD`].
    #[error("a record of {len} bytes exceeds the log's maximum of {MAX_RECORD}")]
    TooLong {
        /// The length of the longest record, in bytes.
        len: usize,
    },
}

enum Job<E> {
    Append(Submission<E>),
    Meta { key: String, value: Vec<u8> },
    Close,
}

/// The sending end of the commit thread's queue, for the one task that decides the order of records.
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
    /// Fails if the submission cannot be accepted. None of its records is then recorded.
    pub fn submit(&self, submission: Submission<E>) -> Result<(), SubmitError> {
        let longest = submission.records.iter().map(Vec::len).max();
        if let Some(len) = longest.filter(|len| *len > MAX_RECORD) {
            return Err(SubmitError::TooLong { len });
        }
        // Count before sending, so that the thread never subtracts more than was added.
        self.backlog.fetch_add(1, Ordering::Relaxed);
        self.send(Job::Append(submission)).inspect_err(|_| {
            self.backlog.fetch_sub(1, Ordering::Relaxed);
        })
    }

    /// Queues a named value, which becomes durable with the next batch. Never blocks.
    ///
    /// # Errors
    /// Fails if the value cannot be accepted.
    pub fn set_meta(&self, key: &str, value: Vec<u8>) -> Result<(), SubmitError> {
        let key = key.to_owned();
        self.send(Job::Meta { key, value })
    }

    fn send(&self, job: Job<E>) -> Result<(), SubmitError> {
        self.jobs.try_send(job).map_err(|refused| match refused {
            TrySendError::Full(_) => SubmitError::Full,
            TrySendError::Disconnected(_) => SubmitError::Stopped,
        })
    }

    /// Returns the number of submissions that have not been released. The submitter must check this number *before*
    /// applying an input, and accept no input while the number is close to [`QUEUE_CAPACITY`]. The number falls with each
    /// release.
    pub fn backlog(&self) -> usize {
        self.backlog.load(Ordering::Relaxed)
    }

    /// Returns a view of the durable records, for other threads.
    pub fn reader(&self) -> LogReader {
        self.reader.clone()
    }

    /// Waits until every submission is durable and released and the store is closed. Returns the length and the head of
    /// the log.
    ///
    /// # Errors
    /// Returns the error that stopped the log, now or earlier.
    pub fn close(self) -> Result<(u64, Hash), CommitError> {
        // A stopped thread does not receive this; joining it returns its error.
        let _ = self.jobs.send(Job::Close);
        drop(self.jobs);
        let outcome = self
            .thread
            .join()
            .map_err(|payload| store::panic_message(payload.as_ref()));
        let outcome = outcome.unwrap_or_else(|what| Err(CommitError::Panicked { what }));
        let end = self.reader.durable();
        // This may drop the last handle of the store, which may panic: see `start`.
        let _ = store::guarded(|| drop(self.reader));
        outcome.map(|()| (end.len, end.hash))
    }
}

struct Committer<E, R> {
    jobs: Receiver<Job<E>>,
    backlog: Arc<AtomicUsize>,
    store: Store,
    /// Also keeps the data directory locked until the store is closed.
    reader: LogReader,
    head_keeper: HeadKeeper,
    release: R,
}

struct Batch<E> {
    /// The keys and values of the records to write.
    log: Vec<([u8; 8], Vec<u8>)>,
    /// The named values to write; `None` if there are none, because sled would write even an empty batch.
    meta: Option<sled::Batch>,
    durable: Vec<Durable<E>>,
    head: Head,
    closing: bool,
}

pub(super) fn start<E, R, F>(
    store: Store,
    reader: LogReader,
    head_keeper: HeadKeeper,
    release: R,
    failed: F,
) -> Result<CommitHandle<E>, CommitError>
where
    E: Send + 'static,
    R: FnMut(Vec<Durable<E>>) + Send + 'static,
    F: FnOnce(CommitError) + Send + 'static,
{
    let (sender, jobs) = sync_channel(QUEUE_CAPACITY);
    let backlog = Arc::new(AtomicUsize::new(0));
    let path = store.path().to_path_buf();
    let mut committer = Committer {
        jobs,
        backlog: backlog.clone(),
        store,
        reader: reader.clone(),
        head_keeper,
        release,
    };
    let run = move || {
        let outcome = store::guarded(|| committer.run())
            .unwrap_or_else(|what| Err(CommitError::Panicked { what }));
        let outcome = outcome.and_then(|()| committer.head_keeper.close());
        let Committer {
            jobs,
            store,
            reader: held,
            head_keeper,
            ..
        } = committer;
        // Close the queue and report the error first: a failing disk may delay everything below.
        drop(jobs);
        if let Err(error) = &outcome {
            failed(error.clone());
        }
        // Dropping sled syncs once more and panics if that fails. Nothing depends on that sync.
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
            if closing {
                return Ok(());
            }
        }
    }

    fn collect(&mut self) -> Batch<E> {
        let mut batch = Batch {
            log: Vec::new(),
            meta: None,
            durable: Vec::new(),
            head: self.reader.durable(),
            closing: false,
        };
        match self.jobs.recv() {
            Ok(job) => add(&mut batch, job),
            Err(_) => batch.closing = true,
        }
        while batch.durable.len() < BATCH && !batch.closing {
            match self.jobs.try_recv() {
                Ok(job) => add(&mut batch, job),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => batch.closing = true,
            }
        }
        batch
    }

    /// Makes the batch durable, and only then reports it.
    fn commit(&mut self, batch: Batch<E>) -> Result<(), CommitError> {
        let Batch {
            log,
            meta,
            durable,
            head,
            closing: _,
        } = batch;
        let writes = !log.is_empty() || meta.is_some();
        // A step is recorded as a whole or not at all. After a crash the log may end after any step, because none is released yet.
        let together = durable.iter().any(|step| step.len - step.first > 1);
        self.store.append(log, together)?;
        if let Some(meta) = meta {
            self.store.apply(&self.store.meta, meta)?;
        }
        if writes {
            self.store.commit()?;
        }
        self.reader.advance(head);
        self.head_keeper.reached(head)?;
        let released = durable.len();
        if released > 0 {
            (self.release)(durable);
            self.backlog.fetch_sub(released, Ordering::Relaxed);
        }
        Ok(())
    }
}

fn add<E>(batch: &mut Batch<E>, job: Job<E>) {
    match job {
        Job::Append(Submission { records, effects }) => {
            let first = batch.head.len;
            for payload in records {
                let Head { len, hash } = batch.head;
                let value = record::encode(len, &payload, &hash);
                batch.log.push((record::key(len), value));
                batch.head = batch.head.with(&payload);
            }
            let Head { len, hash } = batch.head;
            batch.durable.push(Durable {
                first,
                len,
                head: hash,
                effects,
            });
        }
        Job::Meta { key, value } => {
            let meta = batch.meta.get_or_insert_default();
            meta.insert(key.as_bytes(), value);
        }
        Job::Close => batch.closing = true,
    }
}
