//! What can go wrong between the page and a hub, each a sentence that an arbiter can act on. Owns the words, and decides nothing.

use proto::enrolment::CodeError;
use serde::{Serialize, Serializer};

/// The reason a device is not enrolled, or no longer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Denial {
    /// The sentence.
    pub text: String,
    /// The hub's `flagfall-refusal-bin`: who revoked the device, when and why. The page reads it.
    pub details: Option<String>,
}

impl Denial {
    /// A denial without details, as of a device that has not enrolled yet.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            details: None,
        }
    }
}

/// Why something that the page asked for did not happen.
#[derive(Debug, thiserror::Error)]
pub enum ShellError {
    /// No hub knows this device: it has to be enrolled, perhaps again.
    #[error("{}", .0.text)]
    NotEnrolled(Denial),
    /// Nobody knows whether the hub heard it.
    #[error("the hub at {hub} cannot be reached: {why}")]
    Unreachable {
        /// Host and port.
        hub: String,
        /// In the words of whatever failed.
        why: String,
    },
    /// Somebody answered who is not the hub of the code.
    #[error(
        "what answers at {hub} is not the hub of this code: its certificate is of another authority, or false ({why}). Ask for a new code at the hub's own screen"
    )]
    OtherHub {
        /// Host and port.
        hub: String,
        /// What is wrong with the certificate.
        why: String,
    },
    /// The hub heard it and says no, for a reason that may pass.
    #[error("{0}")]
    Refused(String),
    /// The hub says that the code is not good, or no longer.
    #[error("{0}")]
    CodeRefused(String),
    /// The hub's answer makes no sense to this version.
    #[error("the hub's answer cannot be read: {0}")]
    Answer(String),
    /// The enrolment code is none.
    #[error("{0}")]
    Code(#[from] CodeError),
    /// The page asked for something that no page of this app asks for.
    #[error("the page asks for what there is not: {0}")]
    Request(&'static str),
    /// The key, or what is known of the hub, cannot be kept or read here.
    #[error("this device cannot keep its key: {0}")]
    Storage(String),
}

impl Serialize for ShellError {
    /// As its sentence.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
