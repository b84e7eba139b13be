//! Computes responses that take a long time or wait for the disk, on a few separate threads. These threads have a lower priority than the hub's
//! time-critical work, and run one computation per caller at a time.
//!
//! Owns the threads and the turns. Revoking a device without a second arbiter never waits for them.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use tokio::sync::oneshot;
use tonic::{Result, Status};

use super::limits::CallerId;
use crate::lock::lock;

/// Minimum and maximum number of threads; one per core between these limits.
const THREADS: (usize, usize) = (2, 4);
/// Nice value of the threads, so that they do not delay a press on a busy machine.
const NICE: i32 = 5;

tokio::task_local! {
    /// The turn of the caller whose call this task answers.
    static TURN: Turn;
}

/// Runs `answer`. Its computations run in `caller`'s turn.
pub(super) fn for_caller<F: Future>(
    workers: &WorkerPool,
    caller: CallerId,
    answer: F,
) -> impl Future<Output = F::Output> {
    TURN.scope(workers.turn(caller), answer)
}

/// Runs a computation in the turn of the caller whose call this task answers.
pub(super) async fn computed<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    Turn::current()?.computed(work).await
}

/// Runs short work that must not wait for a queue, such as a revocation, on a new thread.
pub(super) async fn at_once<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T> {
    let (answer, answered) = oneshot::channel();
    let started = thread::Builder::new()
        .name("at-once".to_owned())
        .spawn(move || drop(answer.send(work())));
    started
        .map_err(|error| Status::unavailable(format!("the hub cannot start a thread: {error}")))?;
    answered.await.map_err(|_| panicked())
}

/// A caller's place in the pool's queue, where its computations run one at a time. A stream keeps a copy, because it outlives its call.
#[derive(Clone)]
pub(super) struct Turn {
    workers: WorkerPool,
    caller: CallerId,
}

impl Turn {
    pub(super) fn current() -> Result<Self> {
        TURN.try_with(Clone::clone)
            .map_err(|_| Status::internal("a computation was requested outside a call"))
    }

    pub(super) async fn computed<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        let (answer, answered) = oneshot::channel();
        let job = move || {
            // Skip the work if the caller has gone.
            if !answer.is_closed() {
                drop(answer.send(work()));
            }
        };
        self.workers.add(self.caller.clone(), Box::new(job));
        answered.await.map_err(|_| panicked())
    }
}

fn panicked() -> Status {
    Status::internal("the computation has failed; the hub's log has the reason")
}

type Job = Box<dyn FnOnce() + Send>;

/// A handle to the threads, which end when the last handle is dropped.
#[derive(Clone)]
pub(super) struct WorkerPool {
    state: Arc<PoolState>,
    _closing: Arc<Closing>,
}

#[derive(Default)]
struct PoolState {
    queues: Mutex<Queues>,
    changed: Condvar,
}

struct Closing(Arc<PoolState>);

#[derive(Default)]
struct Queues {
    jobs: BTreeMap<CallerId, VecDeque<Job>>,
    /// Callers that have waiting jobs but no running job, in the order of their turns.
    order: VecDeque<CallerId>,
    running: BTreeSet<CallerId>,
    closed: bool,
}

impl WorkerPool {
    pub(super) fn open() -> std::io::Result<Self> {
        let state = Arc::new(PoolState::default());
        let closing = Arc::new(Closing(state.clone()));
        let cores = thread::available_parallelism().map_or(THREADS.0, usize::from);
        for _ in 0..cores.clamp(THREADS.0, THREADS.1) {
            let state = state.clone();
            thread::Builder::new()
                .name("answers".to_owned())
                .spawn(move || {
                    // On Linux this affects only the calling thread. Ignore a failure: the thread then runs at normal priority.
                    let _ = rustix::process::nice(NICE);
                    state.serve();
                })?;
        }
        Ok(Self {
            state,
            _closing: closing,
        })
    }

    pub(super) fn turn(&self, caller: CallerId) -> Turn {
        Turn {
            workers: self.clone(),
            caller,
        }
    }

    fn add(&self, caller: CallerId, job: Job) {
        let mut queues = lock(&self.state.queues);
        let waiting = queues.jobs.entry(caller.clone()).or_default();
        waiting.push_back(job);
        if waiting.len() == 1 && !queues.running.contains(&caller) {
            queues.order.push_back(caller);
        }
        drop(queues);
        self.state.changed.notify_one();
    }
}

impl PoolState {
    fn serve(&self) {
        while let Some((caller, job)) = self.next() {
            if let Err(panic) = catch_unwind(AssertUnwindSafe(job)) {
                tracing::error!(
                    panic = panic_text(&*panic),
                    "the computation of an answer panicked"
                );
            }
            self.done(caller);
        }
    }

    fn next(&self) -> Option<(CallerId, Job)> {
        let mut queues = lock(&self.queues);
        loop {
            if queues.closed {
                return None;
            }
            if let Some(next) = queues.take() {
                return Some(next);
            }
            let woken = self.changed.wait(queues);
            queues = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn done(&self, caller: CallerId) {
        let mut queues = lock(&self.queues);
        queues.running.remove(&caller);
        if queues.jobs.contains_key(&caller) {
            queues.order.push_back(caller);
            drop(queues);
            self.changed.notify_one();
        }
    }
}

impl Queues {
    fn take(&mut self) -> Option<(CallerId, Job)> {
        let caller = self.order.pop_front()?;
        let waiting = self.jobs.get_mut(&caller)?;
        let job = waiting.pop_front()?;
        if waiting.is_empty() {
            self.jobs.remove(&caller);
        }
        self.running.insert(caller.clone());
        Some((caller, job))
    }
}

impl Drop for Closing {
    fn drop(&mut self) {
        let mut queues = lock(&self.0.queues);
        queues.closed = true;
        // Drop the jobs, so that their callers immediately get an error instead of an answer.
        let jobs = std::mem::take(&mut queues.jobs);
        drop(queues);
        drop(jobs);
        self.0.changed.notify_all();
    }
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a message")
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;
    use crate::identity::KeyFileId;

    fn turn(workers: &WorkerPool, serial: u8) -> Turn {
        workers.turn(CallerId::KeyFile(KeyFileId::of_serial(&[serial; 16])))
    }

    #[tokio::test]
    async fn a_caller_that_fills_the_queue_delays_no_other() {
        let workers = WorkerPool::open().unwrap();
        let greedy = turn(&workers, 1);
        let (release, held) = mpsc::channel::<()>();
        let held = Mutex::new(held);
        // The first computation blocks the greedy caller's queue until the second caller has its answer.
        let mut first = Box::pin(greedy.computed(move || lock(&held).recv().is_ok()));
        let waiting: Vec<_> = (0..100).map(|_| greedy.computed(|| ())).collect();
        let mut waiting = futures::future::join_all(waiting);
        assert!(futures::poll!(&mut first).is_pending());
        assert!(futures::poll!(&mut waiting).is_pending());
        assert_eq!(turn(&workers, 2).computed(|| 7).await.unwrap(), 7);
        release.send(()).unwrap();
        first.await.unwrap();
        assert!(waiting.await.iter().all(Result::is_ok));
    }

    #[tokio::test]
    async fn a_computation_that_panics_ends_alone() {
        let workers = WorkerPool::open().unwrap();
        let turn = turn(&workers, 1);
        for _ in 0..10 {
            let failed = turn.computed(|| panic!("on purpose")).await;
            assert_eq!(failed.unwrap_err().code(), tonic::Code::Internal);
        }
        assert_eq!(turn.computed(|| 7).await.unwrap(), 7);
    }

    #[tokio::test]
    async fn urgent_work_does_not_wait_for_computations() {
        let workers = WorkerPool::open().unwrap();
        let (release, held) = mpsc::channel::<()>();
        let held = Arc::new(Mutex::new(held));
        let mut busy: Vec<_> = (0..8)
            .map(|serial| {
                let held = held.clone();
                let turn = turn(&workers, serial);
                Box::pin(async move { turn.computed(move || lock(&held).recv().is_ok()).await })
            })
            .collect();
        for one in &mut busy {
            assert!(futures::poll!(one).is_pending());
        }
        assert_eq!(at_once(|| 7).await.unwrap(), 7);
        drop(release);
        for one in busy {
            one.await.unwrap();
        }
    }
}
