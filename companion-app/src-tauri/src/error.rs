//! The errors of requests from the page, worded for the arbiter.

use proto::enrolment::CodeError;
use serde::{Serialize, Serializer};

/// The reason why a request from the page failed.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum ShellError {
    #[error("{0}")]
    NotEnrolled(String),
    /// The hub may or may not have received the request.
    #[error("the hub at {hub} cannot be reached: {why}")]
    Unreachable {
        /// The hub's host and port.
        hub: String,
        /// The cause of the failure.
        why: String,
    },
    #[error(
        "the hub at {hub} did not issue this code: its certificate belongs to a different authority, or is invalid ({why}). Get a new code from the hub's screen"
    )]
    OtherHub { hub: String, why: String },
    #[error("{0}")]
    Code(#[from] CodeError),
    #[error("invalid request from the page: {0}")]
    Request(&'static str),
    #[error("this device cannot store or read its key: {0}")]
    Storage(String),
}

impl Serialize for ShellError {
    /// Serialises the message, which the page shows.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
