//! The refusals for held commands. Must not import anything from the hall's other modules, to avoid a cycle of imports.

use proto::ids::CommandId;
use proto::refusal::RefusalCode;

pub const MAX_HELD_COMMANDS: usize = 64;
/// Maximum number of held commands from one sender, so that no sender can fill the queue.
pub const MAX_HELD_PER_SENDER: usize = 16;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum HeldRefusal {
    #[error("a second arbiter must confirm this; until then nothing changes")]
    SecondNeeded,
    #[error("{by} declined this: it has no effect")]
    Declined { by: String },
    /// The arbiter sent the command, or holds the device to be revoked, and so may not make this decision.
    #[error("an arbiter other than {by} must decide this")]
    IsSender {
        /// The name of the sender, or of the holder of the device to be revoked.
        by: String,
    },
    #[error(
        "command {0} does not wait for a second arbiter: it was confirmed, declined or withdrawn"
    )]
    NotHeld(CommandId),
    #[error(
        "too many commands already wait for a second arbiter (at most {MAX_HELD_PER_SENDER} from one sender, {MAX_HELD_COMMANDS} in all): confirm or decline those first"
    )]
    TooMany,
    #[error(
        "the access of {by} was revoked or has expired since the command was sent: decline it, and send a new one if it is still needed"
    )]
    SenderGone { by: String },
}

impl HeldRefusal {
    pub(crate) fn code(&self) -> RefusalCode {
        match self {
            Self::SecondNeeded => RefusalCode::SecondNeeded,
            Self::Declined { .. } => RefusalCode::SecondDeclined,
            Self::IsSender { .. } => RefusalCode::SecondIsSender,
            Self::NotHeld(_) => RefusalCode::NotHeld,
            Self::TooMany => RefusalCode::TooManyHeld,
            Self::SenderGone { .. } => RefusalCode::SecondSenderGone,
        }
    }

    pub(crate) fn name(&self) -> String {
        match self {
            Self::Declined { by } | Self::IsSender { by } | Self::SenderGone { by } => by.clone(),
            Self::SecondNeeded | Self::NotHeld(_) | Self::TooMany => String::new(),
        }
    }
}
