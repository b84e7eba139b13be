//! Commands that wait for a second arbiter because their effect is above a configured limit. Defines the limits, the
//! requests and the held commands. The fold contains the held commands, so a restart of the hub loses none.
//!
//! A held command has no effect. When it is confirmed, it is judged again in the current state.

mod decide;
mod decided;
mod refusal;
mod size;

use proto::ids::CommandId;
use timing::{Duration, Hub, Instant};

use super::board_id::BoardId;
use super::request::Actor;

pub use decided::Decided;
pub use refusal::{HeldRefusal, MAX_HELD_COMMANDS, MAX_HELD_PER_SENDER};

/// The limits above which a command waits for a second arbiter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SecondSizes {
    /// Maximum change to a side's time in hand; `None` sets no limit.
    pub time: Option<Duration>,
    /// Maximum number of games whose pairings are removed; `None` sets no limit.
    pub pairings: Option<u32>,
    /// True if setting the current event aside, or removing it, waits for a second arbiter.
    pub event: bool,
}

/// A request that waits for a second arbiter if it exceeds a limit. Sent only if a second arbiter is enrolled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limited<R>(pub R);

/// A held request to revoke an arbiter's device. The hall stores the request; the API revokes the device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HoldRevocation {
    /// The request's id, which serves as its idempotency key.
    pub id: CommandId,
    /// The arbiter who sent the request.
    pub actor: Actor,
    /// The reason, in the actor's words.
    pub reason: String,
    /// The id of the device.
    pub device: String,
    /// The name of the arbiter to whom the device belongs.
    pub name: String,
}

/// A decision about a held command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecideHeld {
    /// The id of the held command.
    pub id: CommandId,
    /// The arbiter who decides.
    pub actor: Actor,
    /// True to confirm the command, false to end it without effect.
    pub confirm: bool,
}

/// An API call that was made with a key file, logged because it causes no other record.
#[derive(Clone, Debug, PartialEq)]
pub struct LogCall(pub proto::log::CallMade);

/// A held command as arbiters see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldCommand {
    /// The id that the sender chose.
    pub id: CommandId,
    /// The arbiter who sent the command.
    pub actor: Actor,
    /// The board; `None` if the command concerns the whole hall.
    pub board: Option<BoardId>,
    /// The reason, in the sender's words.
    pub reason: String,
    /// Hub instant of the request.
    pub since: Instant<Hub>,
    /// The effect that exceeds a limit.
    pub effect: HeldEffect,
}

/// The effect for which a command needs a second arbiter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeldEffect {
    /// A change of the times, as a command in the notation of clock scripts.
    Time(String),
    /// Removal of the pairings of this many games.
    Pairings(u32),
    /// Removal or setting aside of the event with this name.
    Event(String),
    /// Revocation of a device of the chief arbiter with this name.
    Device(String),
}

impl std::fmt::Display for HeldEffect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Time(command) => f.write_str(command),
            Self::Pairings(games) => write!(f, "remove the pairings of {games} games"),
            Self::Event(name) => write!(f, "set the event “{name}” aside, or remove it"),
            Self::Device(name) => write!(f, "revoke a device of {name}"),
        }
    }
}
