//! The errors between the page and a hub, each worded so that an arbiter can act on it.

use proto::enrolment::CodeError;
use serde::{Serialize, Serializer};

/// The reason why a request of the page failed.
#[derive(Debug, thiserror::Error)]
pub enum ShellError {
    /// This device is not enrolled.
    #[error("{0}")]
    NotEnrolled(String),
    /// It is unknown whether the hub received the request.
    #[error("the hub at {hub} cannot be reached: {why}")]
    Unreachable {
        /// Host and port.
        hub: String,
        /// The failed part's own description of the cause.
        why: String,
    },
    /// The machine that answered is not the hub of the code.
    #[error(
        "what answers at {hub} is not the hub of this code: its certificate is of another authority, or false ({why}). Ask for a new code at the hub's own screen"
    )]
    OtherHub {
        /// Host and port.
        hub: String,
        /// The problem with its certificate.
        why: String,
    },
    /// The enrolment code cannot be parsed.
    #[error("{0}")]
    Code(#[from] CodeError),
    /// The page sent a request that this app does not support.
    #[error("the page asks for what there is not: {0}")]
    Request(&'static str),
    /// The key or the enrolment cannot be stored or read.
    #[error("this device cannot keep its key: {0}")]
    Storage(String),
}

impl Serialize for ShellError {
    /// Serializes the message, which the page shows.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
