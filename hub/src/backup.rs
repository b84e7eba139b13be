//! Backups of a data directory: one directory with the log's records, the hub's other files, and a manifest whose hashes verify them all.
//!
//! Owns the format. The records are a plain sequence, so that a backup can be read without the log store. Must never write into the
//! directory being backed up, and must never leave a partial backup or a partially restored directory under its final name.

mod manifest;
mod restore;
mod write;

use std::path::{Path, PathBuf};

pub use manifest::{MANIFEST_FILE, Manifest};
pub use restore::restore;
pub use write::BackupWriter;

/// Name of a backup's records file. Each record is preceded by its length (4 bytes, little-endian).
const RECORDS_FILE: &str = "records";
const FILES_DIR: &str = "files";

/// Name of the meta value that a restore writes into the log: the number of records in the backup (8 bytes, big-endian).
pub(crate) const RESTORED: &str = "restored";

#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error("cannot {what} {}: {source}", path.display())]
    Io {
        what: &'static str,
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("{} exists already: name a new directory", .0.display())]
    Exists(PathBuf),
    #[error("{} is not a backup: it has no {MANIFEST_FILE}; name the directory that `flagfall backup` made", .0.display())]
    NoManifest(PathBuf),
    #[error("{}: the backup is damaged: {what}; use a different backup", path.display())]
    Damaged { path: PathBuf, what: String },
    #[error("the records that were read are not the hub's log: {0}; nothing was backed up")]
    OtherLog(String),
    #[error(transparent)]
    Open(#[from] durable_log::OpenError),
    #[error("the restored log could not be written: {0}")]
    Commit(#[from] durable_log::CommitError),
}

fn io<'a>(
    what: &'static str,
    path: &'a Path,
) -> impl FnOnce(std::io::Error) -> BackupError + use<'a> {
    move |source| BackupError::Io {
        what,
        path: path.to_owned(),
        source,
    }
}

fn unfinished(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".unfinished");
    name.into()
}

/// Renames a prepared directory to its final name, durably.
fn finish(prepared: &Path, path: &Path) -> Result<(), BackupError> {
    sync_tree(prepared)?;
    std::fs::rename(prepared, path).map_err(io("rename", prepared))?;
    let parent = path.canonicalize().map_err(io("find", path))?;
    match parent.parent() {
        Some(parent) => sync(parent),
        None => Ok(()),
    }
}

fn sync_tree(dir: &Path) -> Result<(), BackupError> {
    for entry in std::fs::read_dir(dir).map_err(io("list", dir))? {
        let path = entry.map_err(io("list", dir))?.path();
        match path.is_dir() {
            true => sync_tree(&path)?,
            false => sync(&path)?,
        }
    }
    sync(dir)
}

fn sync(path: &Path) -> Result<(), BackupError> {
    let opened = std::fs::File::open(path);
    opened
        .and_then(|file| file.sync_all())
        .map_err(io("sync", path))
}

fn make_dir(path: &Path) -> Result<(), BackupError> {
    use std::os::unix::fs::DirBuilderExt as _;
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true).mode(0o700);
    builder.create(path).map_err(io("create", path))
}
