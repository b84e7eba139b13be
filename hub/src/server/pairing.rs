//! The configured pairing desk, and the task that checks the watched folder.

use std::path::Path;
use std::sync::Arc;

use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::event_loop::EventLoopHandle;
use crate::pairing::{Folder, PairingDesk, Program};

/// File in the data directory with the digests of the watched files that an arbiter has applied or dismissed.
const DECIDED: &str = "watched-files.txt";

pub(super) fn desk(config: &Config) -> Arc<PairingDesk> {
    let program = config.pairing_program.as_deref();
    let folder = config.watch_folder.as_deref();
    Arc::new(PairingDesk {
        program: program.map(|path| Program::new(path, config.pairing_within)),
        folder: folder.map(|path| Arc::new(watched(path, &config.data_dir.join(DECIDED)))),
    })
}

fn watched(path: &Path, decided: &Path) -> Folder {
    Folder::remembering(path, decided).unwrap_or_else(|error| {
        tracing::warn!(
            file = %decided.display(),
            "the decisions about files in the watched folder cannot be read; the files are offered again: {error}"
        );
        Folder::new(path)
    })
}

/// Checks the folder, if there is one, until `ending` is cancelled.
pub(super) fn watch(
    desk: &PairingDesk,
    config: &Config,
    hub: EventLoopHandle,
    ending: CancellationToken,
) -> Option<JoinHandle<()>> {
    let folder = desk.folder.clone()?;
    let every = std::time::Duration::from_micros(config.watch_every.as_micros().unsigned_abs());
    let event = move || hub.live().tournament().map(|now| now.tournament);
    Some(tokio::spawn(folder.watch(every, event, ending)))
}
