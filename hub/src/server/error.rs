//! Startup errors: one line for the operator.

use crate::api::ApiError;
use crate::identity::IdentityError;
use crate::links::LinksError;
use crate::metrics::InstallError;
use crate::replay::ReplayError;
use crate::web::BindError;
use durable_log::{CommitError, OpenError, ReadError};

/// The reason why a hub did not start, or did not end well.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The data directory cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A record of the log cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The log takes no records.
    #[error(transparent)]
    Commit(#[from] CommitError),
    /// The log cannot be folded to a hall.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// Keys or certificates failed.
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// The agents' socket failed.
    #[error(transparent)]
    Links(#[from] LinksError),
    /// The arbiters' socket failed.
    #[error(transparent)]
    Api(#[from] ApiError),
    /// A public socket failed.
    #[error(transparent)]
    Web(#[from] BindError),
    /// The metrics could not be installed.
    #[error(transparent)]
    Metrics(#[from] InstallError),
    /// A part of the hub has panicked.
    #[error("a fault in the hub itself: {0}")]
    Internal(String),
}
