//! The errors of requests from the page, each worded so that an arbiter can act on it.

use proto::enrolment::CodeError;
use serde::{Serialize, Serializer};

/// The reason why a request from the page failed.
#[derive(Debug, thiserror::Error)]
pub enum ShellError {
    /// This device is not enrolled.
    #[error("{0}")]
    NotEnrolled(String),
    /// It is unknown whether the hub received the request.
    #[error("the hub at {hub} cannot be reached: {why}")]
    Unreachable {
        /// Host and port of the hub.
        hub: String,
        /// The cause, as described by the component that failed.
        why: String,
    },
    /// The machine that answered is not the hub that issued the code.
    #[error(
        "the hub at {hub} did not issue this code: its certificate belongs to a different authority, or is invalid ({why}). Get a new code from the hub's screen"
    )]
    OtherHub {
        /// Host and port of the machine that answered.
        hub: String,
        /// The problem with the certificate of that machine.
        why: String,
    },
    /// The enrolment code cannot be parsed.
    #[error("{0}")]
    Code(#[from] CodeError),
    /// The page sent a request that this app does not support.
    #[error("invalid request from the page: {0}")]
    Request(&'static str),
    /// The key or the enrolment cannot be stored or read.
    #[error("this device cannot store or read its key: {0}")]
    Storage(String),
}

impl Serialize for ShellError {
    /// Serialises the message, which the page shows.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
