//! The outcome of a command, and the denial of a request that was not accepted as one.

use crate::fold::FoldError;
use crate::refusal::{Refusal, Why};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Done,
    /// The command waits for its board's clock or clocks.
    Pending,
    /// The command had no effect, for this reason.
    Refused(Refusal),
    /// The command was withdrawn before it took effect.
    Withdrawn,
}

/// The reason why a request was not accepted as a command. Such a request is not logged as a command, except possibly
/// after [`Self::OutcomeUnknown`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Denied {
    /// The request is invalid; the text describes the fault.
    #[error("{0}")]
    Invalid(String),
    /// The request is not possible in the current state: for example, two clocks match it, or the round is confirmed.
    #[error("{0}")]
    NotPossible(Refusal),
    /// The request names something that does not exist.
    #[error("{0}")]
    NotFound(Refusal),
    /// The actor may not make this request.
    #[error("{0}")]
    Forbidden(Refusal),
    /// The clock for which the request is meant is not connected.
    #[error("{0}")]
    NotConnected(Refusal),
    /// The hub is temporarily unable to carry out the request.
    #[error("{0}")]
    Unavailable(String),
    /// The log failed while the request was being recorded. Only the hub's next start shows whether the record was
    /// stored.
    #[error("{0}")]
    OutcomeUnknown(String),
}

impl Denied {
    /// Returns the refusal to store as the outcome of the denied command.
    ///
    /// # Errors
    /// Returns the denial itself if it concerns the hub rather than the command.
    pub(crate) fn into_refusal(self) -> Result<Refusal, Self> {
        match self {
            Self::Invalid(text) => Ok(Why::TextOnly(text).into()),
            Self::NotPossible(why)
            | Self::NotFound(why)
            | Self::Forbidden(why)
            | Self::NotConnected(why) => Ok(why),
            Self::Unavailable(_) | Self::OutcomeUnknown(_) => Err(self),
        }
    }
}

impl From<FoldError> for Denied {
    fn from(error: FoldError) -> Self {
        Self::Invalid(error.to_string())
    }
}
