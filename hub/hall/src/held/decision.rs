//! The result of a decision about a held command.

use super::HoldRevocation;
use crate::refusal::Refusal;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DecisionOutcome {
    /// The reason why a confirmed command was refused when it was judged again; `None` if it was not refused.
    pub refusal: Option<Refusal>,
    /// True if the confirmed command waits for its board's clock.
    pub pending: bool,
    /// The confirmed revocation, which the caller must carry out.
    pub revocation: Option<HoldRevocation>,
}
