//! Commands that wait for a second arbiter because their effect is above a configured size. Defines the sizes, the
//! requests and the waiting commands; the fold keeps these, so that a restart of the hub loses none.
//!
//! A waiting command has no effect. A confirmed one is judged again, as of the confirmation.

mod decide;
mod decided;
mod refusal;
mod size;

use proto::ids::CommandId;
use timing::{Duration, Hub, Instant};

use super::board_id::BoardId;
use super::request::Actor;

pub use decided::Decided;
pub use refusal::{HeldRefusal, MAX_HELD, MAX_HELD_OF_ONE};

/// The sizes above which a command waits for a second arbiter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SecondSizes {
    /// Change of a side's time in hand; `None` permits any.
    pub time: Option<Duration>,
    /// Number of games whose pairings are removed; `None` permits any.
    pub pairings: Option<u32>,
    /// Setting the present event aside, or removing it, waits for a second arbiter.
    pub event: bool,
}

/// A request of an arbiter beside whom another one is enrolled: above a size it waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limited<R>(pub R);

/// A request to revoke a device that waits for a second arbiter. The hall keeps it; the API revokes the device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HoldRevocation {
    /// The idempotency key.
    pub id: CommandId,
    /// The sender.
    pub actor: Actor,
    /// The reason, in the actor's words.
    pub reason: String,
    /// The device.
    pub device: String,
    /// The arbiter whose device it is.
    pub name: String,
}

/// A decision about a waiting command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecideHeld {
    /// The command.
    pub id: CommandId,
    /// The decider.
    pub actor: Actor,
    /// True to confirm the command, false to end it without effect.
    pub confirm: bool,
}

/// A call with a key file that leaves no record of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct LogCall(pub proto::log::CallMade);

/// A waiting command as arbiters see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldCommand {
    /// The id that its sender chose.
    pub id: CommandId,
    /// The sender.
    pub actor: Actor,
    /// The board; `None` for the hall.
    pub board: Option<BoardId>,
    /// The reason, in the sender's words.
    pub reason: String,
    /// Hub instant of the request.
    pub since: Instant<Hub>,
    /// The effect for which it waits.
    pub effect: HeldEffect,
}

/// The effect for which a command waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeldEffect {
    /// A change of time by this command, as clock scripts write it.
    Time(String),
    /// The pairings of this number of games are removed.
    Pairings(u32),
    /// The event of this name is set aside or removed.
    Event(String),
    /// A device of this chief arbiter is revoked.
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
