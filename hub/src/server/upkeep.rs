//! Starts the background tasks that run until the hub stops, and ends all tasks at shutdown.

use std::sync::Arc;
use std::time::Duration;

use futures::future::join_all;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::{archive, pairing, space, trust};
use crate::config::Config;
use crate::event_loop::EventLoopHandle;
use crate::identity::BrowserTrust;
use crate::pairing::PairingDesk;
use durable_log::Archive;

pub(super) fn upkeep(
    config: &Config,
    hub: &EventLoopHandle,
    browsers: &Arc<BrowserTrust>,
    desk: &PairingDesk,
    archive: &Archive,
    ending: &CancellationToken,
) -> Vec<JoinHandle<()>> {
    let mut tasks = vec![
        tokio::spawn(trust::keep(browsers.clone(), ending.clone())),
        archive::at_games_ends(archive.handle(), hub.live(), ending.clone()),
    ];
    tasks.extend(space::watch(config, archive.handle().log(), hub, ending));
    let (asked, until) = (hub.clone(), ending.clone());
    tasks.extend(pairing::watch(desk, config, asked, until));
    tasks
}

/// Waits until every task has ended, and aborts those that have not ended in time, so that they release the log for the next start.
pub(super) async fn end(mut tasks: Vec<JoinHandle<()>>, within: Duration) {
    let Ok(ended) = tokio::time::timeout(within, join_all(&mut tasks)).await else {
        tracing::info!("answers that were not read in time were cut off");
        // A handle that has returned its result must not be polled again.
        tasks.retain(|task| !task.is_finished());
        tasks.iter().for_each(JoinHandle::abort);
        let _ = tokio::time::timeout(within, join_all(&mut tasks)).await;
        return;
    };
    for error in ended.into_iter().filter_map(Result::err) {
        tracing::error!(%error, "a task of the hub failed");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_task_that_does_not_end_is_aborted_and_dropped() {
        let held = Arc::new(());
        let hold = |ends: bool| {
            let held = held.clone();
            tokio::spawn(async move {
                if !ends {
                    std::future::pending::<()>().await;
                }
                drop(held);
            })
        };
        let tasks = vec![hold(true), hold(false), hold(true)];
        end(tasks, Duration::from_millis(20)).await;
        assert_eq!(Arc::strong_count(&held), 1);
    }
}
