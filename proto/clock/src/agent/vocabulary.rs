//! What goes into the core and what comes out of it. Closed enums, data only.

use alloc::string::String;
use alloc::vec::Vec;
use proto::ids::EventSeq;
use proto::wire::{AgentFrame, Event, HubFrame, agent_frame};
use timing::{Board, Duration, Instant};

use super::correction::Correcting;
use super::entry::Batch;
use super::signer::Signer;
use crate::buttons::ButtonEvent;

/// What an agent is made of beside its journal.
#[derive(Debug)]
pub struct CoreConfig {
    /// Signs events, and thereby says who this is.
    pub signer: Signer,
    /// Name and version of this program, for the hub's health page.
    pub firmware: String,
    /// The boot of the machine: 16 bytes, the same until it is switched off.
    pub boot: Vec<u8>,
    /// Board time minus the machine's clock on this boot, microseconds; kept in the journal.
    pub base_us: i64,
    /// Drawn at random for this run of the program, and not 0: tells a restarted clock from a copy of it.
    pub token: u64,
}

/// What happens to an agent.
#[derive(Clone, Debug)]
pub enum Input {
    /// A press or a stop.
    Button(ButtonEvent),
    /// There is a link to the hub; nothing has been said on it.
    LinkUp,
    /// The hub said something.
    Frame(HubFrame),
    /// The link is gone.
    LinkDown,
    /// Every event up to here lies in the journal, synced.
    JournalSynced {
        /// Sequence number of the newest of them.
        seq: u64,
    },
    /// The journal could not be written: it will be written anew from time to time.
    JournalFailed,
    /// The machine was asleep: its clock stood still for this long.
    Slept {
        /// How long, as the clock that counts sleep says.
        gap: Duration,
    },
    /// How the machine is.
    Machine {
        /// Battery, 0 to 100.
        battery_percent: Option<u8>,
        /// Temperature in thousandths of a degree Celsius.
        temperature_mc: Option<i32>,
    },
    /// Somebody tried a PIN.
    PinTried {
        /// Whether it was an arbiter's.
        right: bool,
    },
    /// An arbiter corrects the clock.
    Corrected {
        /// When the key was pressed that says so.
        at: Instant<Board>,
        /// Who, and what.
        correcting: Correcting,
    },
    /// What people should know of the way to the hub: looking for it, refused by it.
    LinkNote(Option<String>),
    /// The buttons cannot be read any more.
    ButtonsFailed(String),
    /// Time passed: [`next_wake`](super::AgentCore::next_wake) was reached, or anything else.
    Wake,
}

/// What an agent wants done. In this order.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// To the hub, reliably and in order.
    Send(AgentFrame),
    /// To the hub, at once and perhaps never: on the reliable way where there is no other.
    Datagram(AgentFrame),
    /// Into the journal.
    Persist(Batch),
    /// An event took its place in the chain, and the clock stands as it left it.
    Chained {
        /// Its place.
        seq: EventSeq,
        /// Its stamp.
        at: Instant<Board>,
    },
    /// [`face`](super::AgentCore::face) has changed by more than the passing of time.
    FaceChanged,
    /// The hub holds every event up to here, for good.
    Acknowledged {
        /// Sequence number of the newest of them.
        seq: EventSeq,
    },
    /// Board time jumps by this much, from now on.
    Jump(Duration),
    /// The hub keeps another log than this journal belongs to: open the journal of that log and begin anew with it
    /// ([`change_log`](super::AgentCore::change_log)). A [`Output::Close`] follows.
    OtherLog {
        /// The hub's log.
        origin: String,
    },
    /// Close the link.
    Close(Close),
}

/// Why a link is closed, and what comes after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Close {
    /// In words, for both logs.
    pub reason: String,
    /// When to try again.
    pub retry: Retry,
}

/// When to try again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// At once.
    Now,
    /// With the usual back-off.
    Soon,
    /// Rarely: somebody has to do something first.
    Rarely,
}

/// The chain event in a frame, for whoever keeps a record of them.
pub fn event_of(frame: &AgentFrame) -> Option<&Event> {
    match &frame.frame {
        Some(agent_frame::Frame::Event(event)) => Some(event),
        Some(
            agent_frame::Frame::Hello(_)
            | agent_frame::Frame::Watermark(_)
            | agent_frame::Frame::TimeReply(_)
            | agent_frame::Frame::Health(_)
            | agent_frame::Frame::Goodbye(_)
            | agent_frame::Frame::Diverged(_),
        )
        | None => None,
    }
}
