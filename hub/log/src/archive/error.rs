//! The errors of the archive, worded for the administrator. None of them stops the log.

use std::path::{Path, PathBuf};

use proto::tiles::TileError;

use crate::error::ReadError;

/// A failure to write a copy of the archive, or to read the log for it or for a proof.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum ArchiveError {
    /// The mirror's directory does not exist. It is not created, because the copy would fill the wrong disk if the
    /// mirror's disk is not mounted.
    #[error(
        "{}: the directory for the second copy of the log does not exist: connect the disk, or create the directory",
        dir.display()
    )]
    Missing { dir: PathBuf },
    #[error(
        "{}: cannot {what}: {error}; check this disk, its free space and the permissions of this path: the hub tries again on its own",
        path.display()
    )]
    Io {
        /// The failed operation, in the infinitive.
        what: &'static str,
        path: PathBuf,
        error: String,
    },
    #[error(
        "{}: this directory has the archive of a different log ({origin}): choose another directory, or move its content away",
        dir.display()
    )]
    OtherLog { dir: PathBuf, origin: String },
    #[error(
        "{}: a different key signed the checkpoint of this archive: restore the log's key file from a backup",
        dir.display()
    )]
    OtherKey { dir: PathBuf },
    #[error(
        "{}: the archive has {archived} records, but the log has only {recorded}: the log was set back; keep both, and \
         restore the missing records from the archive or from a backup",
        dir.display()
    )]
    Ahead {
        dir: PathBuf,
        archived: u64,
        recorded: u64,
    },
    #[error(
        "{}: the log and the archive differ{}: one of them was changed; keep both, and restore the log from a backup",
        dir.display(),
        index.map_or_else(String::new, |index| format!(" from record {index} on"))
    )]
    Differs { dir: PathBuf, index: Option<u64> },
    #[error(transparent)]
    Log(#[from] ReadError),
}

impl ArchiveError {
    /// Returns true if the log contradicts the copy. The hub must then sign no more checkpoints, because another
    /// signature could prove that it signed two histories.
    pub fn is_contradiction(&self) -> bool {
        matches!(self, Self::Ahead { .. } | Self::Differs { .. })
    }

    pub(super) fn io(what: &'static str, path: &Path, error: &std::io::Error) -> ArchiveError {
        ArchiveError::Io {
            what,
            path: path.to_path_buf(),
            error: error.to_string(),
        }
    }
}

/// The reason why the archive cannot supply a proof or a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum ProofError {
    #[error("the log has {len} records: there is none at index {index}")]
    NoRecord { index: u64, len: u64 },
    #[error("the log has {len} records: it cannot continue a checkpoint of {old}")]
    Longer { old: u64, len: u64 },
    #[error("no checkpoint is available: {0}")]
    NoCheckpoint(String),
    #[error("the archive has no checkpoint with this record yet: try again in a few seconds")]
    NotYet,
    #[error("the archive is damaged and is being repaired: try again in a minute")]
    Damaged,
    #[error(transparent)]
    Archive(#[from] ArchiveError),
}

impl From<TileError> for ProofError {
    fn from(_: TileError) -> Self {
        ProofError::Damaged
    }
}
