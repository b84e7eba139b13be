//! Why a hub does not start: one line for whoever started it.

use crate::api::ApiError;
use crate::identity::IdentityError;
use crate::links::LinksError;
use crate::metrics::InstallError;
use crate::replay::ReplayError;
use crate::web::BindError;
use durable_log::{CommitError, OpenError, ReadError};

/// Why a hub does not start, or did not end well.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The data directory.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A record of the log.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The log takes no records.
    #[error(transparent)]
    Commit(#[from] CommitError),
    /// The log does not fold to a hall.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// Keys and certificates.
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// The socket of agents.
    #[error(transparent)]
    Links(#[from] LinksError),
    /// The socket of arbiters.
    #[error(transparent)]
    Api(#[from] ApiError),
    /// A public socket.
    #[error(transparent)]
    Web(#[from] BindError),
    /// Counting.
    #[error(transparent)]
    Metrics(#[from] InstallError),
    /// A part of the hub has panicked.
    #[error("a fault in the hub itself: {0}")]
    Internal(String),
}
