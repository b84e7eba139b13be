//! The newest checkpoint of the hub's log, in a file next to the journal, and the evidence if a hub has rewritten its log. Owns the files. They are
//! written on a different thread, so that presses never wait for them.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use proto::checkpoint::KeptCheckpoint;

/// Reads the checkpoint next to a journal. Returns `None` if there is none or it cannot be read; the hub's next checkpoint is then trusted without a
/// comparison.
pub(crate) fn read(journal: &Path) -> Option<KeptCheckpoint> {
    let path = path(journal);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
        Err(error) => {
            tracing::warn!(path = %path.display(), %error, "cannot read the stored checkpoint");
            return None;
        }
    };
    let kept = KeptCheckpoint::parse(&text);
    kept.inspect_err(
        |error| tracing::warn!(path = %path.display(), %error, "the stored checkpoint is damaged"),
    )
    .ok()
}

pub(crate) fn store(journal: &Path, kept: &KeptCheckpoint) {
    let (path, text) = (path(journal), kept.to_text());
    tokio::task::spawn_blocking(move || {
        let new = path.with_extension("checkpoint-new");
        let written = write(&new, &text).and_then(|()| std::fs::rename(&new, &path));
        report(&path, written);
    });
}

pub(crate) fn store_contradiction(journal: &Path, kept: &KeptCheckpoint, sent: &KeptCheckpoint) {
    let text = format!("{}\n{}", kept.to_text(), sent.to_text());
    let (old, new) = (kept.checkpoint.size, sent.checkpoint.size);
    let name = format!("contradiction-{old}-{new}");
    let path = journal.with_extension(name);
    tokio::task::spawn_blocking(move || {
        let written = match path.exists() {
            // The same contradiction is already stored.
            true => Ok(()),
            false => write(&path, &text),
        };
        if written.is_ok() {
            tracing::error!(path = %path.display(), "keep this file: it proves that the hub's log was changed");
        }
        report(&path, written);
    });
}

fn path(journal: &Path) -> PathBuf {
    journal.with_extension("checkpoint")
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

fn report(path: &Path, written: io::Result<()>) {
    if let Err(error) = written {
        tracing::warn!(path = %path.display(), %error, "cannot store a checkpoint of the hub's log");
    }
}
