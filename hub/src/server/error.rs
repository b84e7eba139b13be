//! Startup errors: one line for the operator.

use std::path::PathBuf;

use crate::api::ApiError;
use crate::broadcast::SettingsError;
use crate::identity::{DataDirectoryError, IdentityError};
use crate::links::LinksError;
use crate::metrics::InstallError;
use crate::replay::ReplayError;
use crate::web::BindError;
use durable_log::{CommitError, OpenError, ReadError};

/// The reason why a hub failed to start, or did not shut down cleanly.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("mirror {}: it is the archive of the data directory itself; name a directory on another disk", .0.display())]
    MirrorInside(PathBuf),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Commit(#[from] CommitError),
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error(transparent)]
    Identity(#[from] IdentityError),
    #[error(transparent)]
    DataDirectory(#[from] DataDirectoryError),
    #[error(transparent)]
    Links(#[from] LinksError),
    #[error(transparent)]
    Api(#[from] ApiError),
    #[error(transparent)]
    Broadcast(#[from] SettingsError),
    #[error(transparent)]
    Web(#[from] BindError),
    #[error(transparent)]
    Metrics(#[from] InstallError),
    /// A fault in the hub itself: for example, a task has panicked or a thread cannot be started.
    #[error("a fault in the hub itself: {0}")]
    Internal(String),
}

impl StartError {
    pub(super) fn internal(error: impl std::fmt::Display) -> Self {
        Self::Internal(error.to_string())
    }
}
