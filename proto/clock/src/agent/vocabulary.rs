//! The inputs and outputs of the core, as plain data.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use proto::checkpoint::KeptCheckpoint;
use proto::ids::EventSeq;
use proto::wire::{AgentFrame, Event, GoodbyeReason, HubFrame, agent_frame};
use timing::{Board, Duration, Instant};

use super::correction::CorrectionRequest;
use super::entry::Batch;
use super::signer::Signer;
use crate::buttons::ButtonEvent;

/// The configuration of an agent, apart from its journal.
#[derive(Debug)]
pub struct CoreConfig {
    /// The key that signs events and determines the agent's identity.
    pub signer: Signer,
    /// Name and version of this program, for the hub's health page.
    pub firmware: String,
    /// Id of the machine's boot: 16 bytes that stay the same until the machine restarts.
    pub boot: Vec<u8>,
    /// Board time minus the machine's clock at the start, in microseconds; stored in the journal.
    pub base_us: i64,
    /// Random token of this run of the program, not 0. It distinguishes a restarted clock from a copy of it.
    pub token: u64,
}

/// An input of the agent.
#[derive(Clone, Debug)]
pub enum Input {
    /// A press or a stop.
    Button(ButtonEvent),
    /// A link to the hub has been opened; no frame has been received yet.
    LinkUp,
    /// A frame from the hub.
    Frame(HubFrame),
    /// The link has ended.
    LinkDown,
    /// Every event up to `seq` is in the journal and synced.
    JournalSynced {
        /// Sequence number of the newest synced event.
        seq: u64,
    },
    /// A write to the journal failed; the core will rewrite the whole journal later.
    JournalFailed,
    /// The machine was asleep and its clock stood still.
    Slept {
        /// Length of the sleep, according to the clock that keeps running during sleep.
        gap: Duration,
    },
    /// New readings of the machine's battery and temperature.
    Machine {
        /// Battery charge in percent, 0 to 100; `None` without a battery or if unknown.
        battery_percent: Option<u8>,
        /// Temperature in thousandths of a degree Celsius; `None` if unknown.
        temperature_mc: Option<i32>,
    },
    /// All moves made on an electronic board since the starting position, in UCI notation.
    BoardMoves(Vec<String>),
    /// A PIN was entered to correct this clock.
    PinAttempted {
        /// True if it was a permitted arbiter's PIN.
        correct: bool,
    },
    /// An arbiter has entered a correction at this clock.
    Corrected {
        /// Instant at which the arbiter confirmed the correction.
        at: Instant<Board>,
        /// The arbiter and the commands.
        request: CorrectionRequest,
    },
    /// A message to show about the link to the hub, such as a refusal; `None` removes it.
    LinkNote(Option<String>),
    /// The buttons can no longer be read; the text gives the reason.
    ButtonsFailed(String),
    /// Time has passed; [`next_wake`](super::AgentCore::next_wake) may have been reached.
    Wake,
}

/// An output of the agent. The caller must carry out outputs in order.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the doc of a variant covers its plain fields")]
pub enum Output {
    /// Send to the hub, reliably and in order.
    Send(AgentFrame),
    /// Send to the hub as a datagram, which may be lost; over a link without datagrams, send as for [`Output::Send`].
    Datagram(AgentFrame),
    /// Write to the journal.
    Persist(Batch),
    /// An event was added to the chain, and the clock includes its effect.
    Chained { seq: EventSeq, at: Instant<Board> },
    /// [`face`](super::AgentCore::face) may have changed.
    FaceChanged,
    /// The hub has acknowledged every event up to `seq`.
    Acknowledged { seq: EventSeq },
    /// Move board time forward by this duration.
    Jump(Duration),
    /// The journal belongs to a different log than the hub's. Open a journal for the hub's log and switch to it
    /// ([`change_log`](super::AgentCore::change_log)). An [`Output::Close`] follows.
    OtherLog { origin: String },
    /// Store the newest checkpoint of the hub's log, for [`Recovered::kept`](super::Recovered::kept).
    KeepCheckpoint(Box<KeptCheckpoint>),
    /// The hub's log does not continue the checkpoint `kept`. Store `kept` and `sent`, and never overwrite them: they are evidence.
    Contradiction {
        kept: Box<KeptCheckpoint>,
        sent: Box<KeptCheckpoint>,
    },
    /// Close the link.
    Close(Close),
}

/// The reason for closing a link, and the retry policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Close {
    /// The reason as the close code: the one in this clock's goodbye, or `Unspecified` if it sent none.
    pub code: GoodbyeReason,
    /// The reason as text, for the logs of clock and hub.
    pub reason: String,
    /// The delay before this clock opens the next link.
    pub retry: Retry,
}

/// The delay before the next link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// Immediately.
    Now,
    /// With the usual back-off.
    Soon,
    /// After a long delay, because a person must act first.
    AfterLongDelay,
}

/// Returns the chain event that a frame contains, if any.
pub fn event_of(frame: &AgentFrame) -> Option<&Event> {
    match &frame.frame {
        Some(agent_frame::Frame::Event(event)) => Some(event),
        Some(
            agent_frame::Frame::Hello(_)
            | agent_frame::Frame::Watermark(_)
            | agent_frame::Frame::TimeReply(_)
            | agent_frame::Frame::Health(_)
            | agent_frame::Frame::Goodbye(_)
            | agent_frame::Frame::Diverged(_)
            | agent_frame::Frame::LogContradiction(_)
            | agent_frame::Frame::BoardMoves(_),
        )
        | None => None,
    }
}
