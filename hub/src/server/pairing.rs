//! The pairing desk as the configuration has it, and the task that looks at the watched folder.

use std::sync::Arc;

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::event_loop::EventLoopHandle;
use crate::pairing::{Folder, PairingDesk, Program};

/// What pairings are made with.
pub(super) fn desk(config: &Config) -> Arc<PairingDesk> {
    let program = config.pairing_program.as_deref();
    let folder = config.watch_folder.as_deref();
    Arc::new(PairingDesk {
        program: program.map(|path| Program::new(path, config.pairing_within)),
        folder: folder.map(|path| Arc::new(Folder::new(path))),
    })
}

/// Looks at the folder, if there is one, until `ending` is cancelled.
pub(super) fn watch(
    desk: &PairingDesk,
    config: &Config,
    hub: EventLoopHandle,
    ending: CancellationToken,
) -> Option<JoinHandle<()>> {
    let folder = desk.folder.clone()?;
    let every = std::time::Duration::from_micros(config.watch_every.as_micros().unsigned_abs());
    let event = move || hub.mirror().tournament().map(|now| now.tournament);
    Some(tokio::spawn(folder.watch(every, event, ending)))
}
