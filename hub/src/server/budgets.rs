//! Runtimes of the hub's services, each with its own threads and a priority below that of the clocks.
//!
//! Clocks, the event loop and the log run on the program's main runtime at normal priority. Spectators and arbiters are served by threads of
//! their own. On a busy machine clocks come first, then arbiters, then spectators.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use rustix::process::{getpriority_process, setpriority_process};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;

use super::StartError;
use crate::web::thread_rests;

/// The nice value of the lowest priority.
const LOWEST: i32 = 19;

struct Share {
    name: &'static str,
    /// Minimum number of threads for the service's tasks. A large machine has one thread for every two cores instead.
    workers: usize,
    /// Maximum number of threads for work that computes or waits for the disk.
    blocking: usize,
    /// Steps below normal priority.
    nice: i32,
}

/// The share of the public pages. Each kind of content, such as tables, snapshots and pictures, is computed at most once at a time, so a few blocking
/// threads suffice.
const PUBLIC: Share = Share {
    name: "public",
    workers: 1,
    blocking: 4,
    nice: 13,
};

const ARBITERS: Share = Share {
    name: "arbiters",
    workers: 2,
    blocking: 32,
    nice: 7,
};

/// The runtime of a service. Dropping it ends the service without waiting.
pub(super) struct Budget(Option<Runtime>);

impl Budget {
    pub(super) fn public() -> Result<Self, StartError> {
        Self::of(&PUBLIC)
    }

    pub(super) fn arbiters() -> Result<Self, StartError> {
        Self::of(&ARBITERS)
    }

    fn of(share: &Share) -> Result<Self, StartError> {
        let half = available_parallelism().map_or(1, NonZeroUsize::get) / 2;
        // An absolute value, because a thread inherits the priority of the thread that starts it.
        let usual = getpriority_process(None).unwrap_or(0);
        let nice = (usual + share.nice).min(LOWEST);
        let made = Builder::new_multi_thread()
            .enable_all()
            .thread_name(share.name)
            .worker_threads(half.max(share.workers))
            .max_blocking_threads(share.blocking)
            // On Linux each thread has its own priority. If it cannot be set, all threads have equal priority.
            .on_thread_start(move || {
                let _ = setpriority_process(None, nice);
            })
            .on_thread_park(thread_rests)
            .build();
        let failed = |error| StartError::Internal(format!("cannot start threads: {error}"));
        made.map(|runtime| Self(Some(runtime))).map_err(failed)
    }

    pub(super) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) -> JoinHandle<()> {
        match &self.0 {
            Some(runtime) => runtime.spawn(task),
            // Only a dropped budget has no runtime.
            None => tokio::spawn(task),
        }
    }
}

impl Drop for Budget {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            // A computation that is still running must not delay the hub's shutdown.
            runtime.shutdown_background();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::must_give_way;

    #[tokio::test]
    async fn a_thread_begins_at_once_after_a_rest_and_gives_way_before_further_work() {
        let budget = Budget::public().unwrap();
        let (more, mut wanted) = tokio::sync::mpsc::channel(1);
        let task = budget.spawn(async move {
            must_give_way();
            // The thread may find the next message before it rests.
            while must_give_way() {
                wanted.recv().await.unwrap();
            }
            assert!(must_give_way());
        });
        while more.send(()).await.is_ok() {}
        task.await.unwrap();
    }

    #[tokio::test]
    async fn a_service_runs_below_the_priority_of_the_clocks() {
        let own = getpriority_process(None).unwrap();
        for (budget, below) in [(Budget::public(), 13), (Budget::arbiters(), 7)] {
            let budget = budget.unwrap();
            let (told, nice) = tokio::sync::oneshot::channel();
            let task = budget.spawn(async move {
                let of_worker = getpriority_process(None).unwrap();
                let of_blocking = tokio::task::spawn_blocking(|| getpriority_process(None));
                told.send((of_worker, of_blocking.await.unwrap().unwrap()))
                    .unwrap();
            });
            let below = (own + below).min(LOWEST);
            assert_eq!(nice.await.unwrap(), (below, below));
            task.await.unwrap();
        }
        assert_eq!(getpriority_process(None).unwrap(), own);
    }
}
