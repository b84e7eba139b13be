//! The refusals of commands that wait for a second arbiter. Must stay without imports of the hall, which all use it.

use proto::ids::CommandId;
use proto::refusal::RefusalCode;

/// Maximum number of commands that wait at a time.
pub const MAX_HELD: usize = 16;

/// The reason why a command waits, or why it cannot be decided.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HeldRefusal {
    /// The command waits for a second arbiter.
    #[error("a second arbiter must confirm this: it waits, and has no effect until then")]
    SecondNeeded,
    /// The second arbiter declined the command.
    #[error("{by} declined this: it has no effect")]
    Declined {
        /// The second arbiter.
        by: String,
    },
    /// The sender cannot confirm the command.
    #[error("another arbiter than {by} must decide this")]
    IsSender {
        /// The sender, or the holder of the device to be revoked.
        by: String,
    },
    /// The command does not wait, or no longer.
    #[error(
        "command {0} does not wait for a second arbiter: it was confirmed, declined or withdrawn"
    )]
    NotHeld(CommandId),
    /// Too many commands wait.
    #[error(
        "{MAX_HELD} commands wait for a second arbiter already: confirm or decline those first"
    )]
    TooMany,
}

impl HeldRefusal {
    pub(crate) fn code(&self) -> RefusalCode {
        match self {
            Self::SecondNeeded => RefusalCode::SecondNeeded,
            Self::Declined { .. } => RefusalCode::SecondDeclined,
            Self::IsSender { .. } => RefusalCode::SecondIsSender,
            Self::NotHeld(_) => RefusalCode::NotHeld,
            Self::TooMany => RefusalCode::TooManyHeld,
        }
    }

    /// Returns the arbiter whom the refusal names; empty for none.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Declined { by } | Self::IsSender { by } => by.clone(),
            Self::SecondNeeded | Self::NotHeld(_) | Self::TooMany => String::new(),
        }
    }
}
