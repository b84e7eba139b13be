//! Commands and revocations that wait for a second arbiter. A command waits if its effect is above a configured limit.
//! Defines the limits, the requests and the held commands. The fold contains the held commands, so a restart of the hub
//! loses none.
//!
//! A held command has no effect. When it is confirmed, it is judged again in the current state; the caller carries out
//! a confirmed revocation.

mod decide;
mod decision;
mod refusal;
mod size;

use proto::ids::CommandId;
use timing::{Duration, Hub, Instant};

use super::board_id::BoardId;
use super::request::Actor;

pub use decision::DecisionOutcome;
pub use refusal::{HeldRefusal, MAX_HELD_COMMANDS, MAX_HELD_PER_SENDER};

/// The limits above which a command waits for a second arbiter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SecondArbiterLimits {
    /// Maximum change to a side's time in hand; `None` sets no limit.
    pub time: Option<Duration>,
    /// Maximum number of games whose pairings are removed; `None` sets no limit.
    pub pairings: Option<u32>,
    /// True if setting the current event aside, or removing it, waits for a second arbiter.
    pub event: bool,
}

/// A request that waits for a second arbiter if it exceeds a limit. Sent only if a second arbiter could confirm it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limited<R>(pub R);

/// A request to revoke an arbiter's device or key file that must wait for a second arbiter. The hall stores the request;
/// the API revokes the device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HoldRevocation {
    pub id: CommandId,
    pub actor: Actor,
    pub reason: String,
    pub device: String,
    /// The name of the arbiter to whom the device belongs.
    pub name: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecideHeld {
    pub id: CommandId,
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
    pub id: CommandId,
    pub actor: Actor,
    /// The board; `None` if the command concerns the whole hall.
    pub board: Option<BoardId>,
    pub reason: String,
    /// Hub instant of the request.
    pub since: Instant<Hub>,
    pub effect: HeldEffect,
}

/// The effect for which a command needs a second arbiter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeldEffect {
    /// A change of the times, as the text of its clock command.
    Time(String),
    /// Removal of the pairings of this many games.
    Pairings(u32),
    /// Removal or setting aside of the event with this name.
    Event(String),
    /// Revocation of a device or key file that belongs to the chief arbiter with this name.
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
