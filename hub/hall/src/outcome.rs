//! The outcome of a command, and the denial of a request that never became a command.

use crate::fold::FoldError;
use crate::refusal::Refusal;

/// The outcome of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The command took effect.
    Done,
    /// The command waits for its board's clock; it can be forced or withdrawn.
    Pending,
    /// The command had no effect. The refusal names the rule, or the change that the command's sender had not seen.
    Refused(Refusal),
    /// The command was withdrawn before it took effect.
    Withdrawn,
}

/// The denial of a request that never became a command. Nothing is logged; the next attempt may succeed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Denied {
    /// The request is invalid; the text describes the fault.
    #[error("{0}")]
    Invalid(String),
    /// The request is not possible in the current state: for example, two clocks match it, or the round is over.
    #[error("{0}")]
    Unfit(Refusal),
    /// The board, agent or command does not exist.
    #[error("{0}")]
    NotFound(Refusal),
    /// The actor's role does not allow the request.
    #[error("{0}")]
    Forbidden(Refusal),
    /// The clock for which the request is meant is not connected.
    #[error("{0}")]
    Away(Refusal),
    /// The hub is temporarily unable to carry out the request.
    #[error("{0}")]
    Unavailable(String),
    /// The log failed while the request was being recorded. Only the hub's next start shows whether the record was
    /// stored.
    #[error("{0}")]
    OutcomeUnknown(String),
}

impl From<FoldError> for Denied {
    fn from(error: FoldError) -> Self {
        Self::Invalid(error.to_string())
    }
}
