//! The result of a decision about a command that waits for a second arbiter.

use super::HoldRevocation;
use crate::refusal::Refusal;

/// The result of a decision.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decided {
    /// The reason why a confirmed command was refused after all.
    pub refusal: Option<Refusal>,
    /// The confirmed command waits for its board's clock.
    pub pending: bool,
    /// The confirmed revocation, which the caller must carry out.
    pub revocation: Option<HoldRevocation>,
}
