//! The tasks that run beside the hub's services until it stops.

use std::sync::Arc;

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::{archive, pairing, space, trust};
use crate::config::Config;
use crate::event_loop::EventLoopHandle;
use crate::identity::BrowserTrust;
use crate::pairing::PairingDesk;
use durable_log::Archive;

/// Starts the tasks that keep the certificates, look at the watched folder and the free space, and ask for checkpoints.
pub(super) fn upkeep(
    config: &Config,
    hub: &EventLoopHandle,
    browsers: &Arc<BrowserTrust>,
    desk: &PairingDesk,
    archive: &Archive,
    ending: &CancellationToken,
) -> Vec<JoinHandle<()>> {
    let live = hub.live().clone();
    let mut tasks = vec![
        tokio::spawn(trust::keep(browsers.clone(), ending.clone())),
        archive::at_games_ends(archive.handle(), live, ending.clone()),
    ];
    tasks.extend(space::watch(config, archive.handle().log(), hub, ending));
    let (asked, until) = (hub.clone(), ending.clone());
    tasks.extend(pairing::watch(desk, config, asked, until));
    tasks
}
