//! The errors between the page and a hub, each worded so that an arbiter can act on it.

use proto::enrolment::CodeError;
use serde::{Serialize, Serializer};

/// The reason why a device is not enrolled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Denial {
    /// The sentence.
    pub text: String,
    /// The hub's `flagfall-refusal-bin`, with who revoked the device, when and why, for the page.
    pub details: Option<String>,
}

impl Denial {
    /// Creates a denial without details, such as that of a device not yet enrolled.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            details: None,
        }
    }
}

/// An error of a request of the page.
#[derive(Debug, thiserror::Error)]
pub enum ShellError {
    /// No hub knows this device: it must be enrolled, perhaps again.
    #[error("{}", .0.text)]
    NotEnrolled(Denial),
    /// It is unknown whether the hub received the request.
    #[error("the hub at {hub} cannot be reached: {why}")]
    Unreachable {
        /// Host and port.
        hub: String,
        /// The cause in the words of the failed part.
        why: String,
    },
    /// Another machine than the hub of the code answered.
    #[error(
        "what answers at {hub} is not the hub of this code: its certificate is of another authority, or false ({why}). Ask for a new code at the hub's own screen"
    )]
    OtherHub {
        /// Host and port.
        hub: String,
        /// The problem with the certificate.
        why: String,
    },
    /// The hub refused the request, for a reason that may pass.
    #[error("{0}")]
    Refused(String),
    /// The hub refused the code.
    #[error("{0}")]
    CodeRefused(String),
    /// The hub's answer cannot be parsed.
    #[error("the hub's answer cannot be read: {0}")]
    Answer(String),
    /// The enrolment code cannot be parsed.
    #[error("{0}")]
    Code(#[from] CodeError),
    /// The page sent a request that is not one of this app's.
    #[error("the page asks for what there is not: {0}")]
    Request(&'static str),
    /// The key or the enrolment cannot be stored or read.
    #[error("this device cannot keep its key: {0}")]
    Storage(String),
}

impl Serialize for ShellError {
    /// Serializes the message.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
