//! What the log keeps, in the hall's words: one input that was accepted, when, and about which board. Owns the vocabulary of the
//! fold; its bytes are [`crate::from_proto`]'s and [`crate::to_proto`]'s affair.

use std::collections::BTreeMap;
use std::sync::Arc;

use proto::ids::{AgentId, CommandId};
use proto::log::{After, HubStarted, Opened, RequestSigned};
use timing::{Board, Hub, Instant, RulesVersion, Side};

use super::command_record::CommandRecord;
use super::corrections::Arbiter;
use super::evidence::Equivocation;
use super::floor::Spot;
use super::input::{BoardId, Enrolment, RequestDigest, SignedEvent};
use super::pair::Placed;
use super::refusal::Refusal;
use super::tournament::EventNo;
use super::zero_test::Certificate;
use tournament::{Actor, Change};

/// A record of the log.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Logged {
    /// The rules that applied it. They get a new version when a fold of the same records may come out differently, and
    /// every record is applied again under its own.
    pub(crate) rules: RulesVersion,
    /// When it was accepted.
    pub(crate) hub: Instant<Hub>,
    /// Which board it concerns; `None` for the hall.
    pub(crate) board: Option<BoardId>,
    /// What.
    pub(crate) entry: Entry,
    /// What the board's clocks stood at after it, as the run that accepted it saw it.
    pub(crate) after: Option<After>,
}

/// What was accepted.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Entry {
    /// The log begins.
    Opened(Opened),
    /// The hub was started.
    HubStarted(HubStarted),
    /// An agent proved an enrolment code.
    AgentEnrolled(Box<Enrolment>),
    /// An agent is shut out.
    AgentRevoked {
        agent: AgentId,
        actor: String,
        reason: String,
    },
    /// An arbiter's request.
    Command(Arc<CommandRecord>),
    /// An event of an agent's chain.
    AgentEvent {
        agent: AgentId,
        event: Box<SignedEvent>,
        /// Where it lies on the hub's timeline, on a board of two clocks.
        placed: Option<Placed>,
        /// Board time at which it counts, where that is not its stamp.
        counts_at: Option<Instant<Board>>,
    },
    /// A clock contradicted its own signed word.
    Equivocation(Box<Equivocation>),
    /// On a board of two clocks, one side's has spoken for everything before this instant.
    Passed { side: Side, at: Instant<Hub> },
    /// The board's own time has passed this instant.
    Settled { at: Instant<Board> },
    /// A pending command takes effect without its clock.
    Forced {
        id: CommandId,
        actor: String,
        at: Instant<Board>,
    },
    /// A pending command is taken back.
    Withdrawn { id: CommandId, actor: String },
    /// Something to be read.
    Note {
        kind: String,
        text: String,
        agent: Option<AgentId>,
    },
    /// The cause of a note about the record's board, or this agent, or the hall, is gone.
    NoteOver {
        kind: String,
        agent: Option<AgentId>,
    },
    /// What a zero test found.
    ZeroTestEnded(Box<Certificate>),
    /// They may correct boards at their clocks from here on, and nobody else.
    Arbiters(Vec<Arbiter>),
    /// Changes of the event, or a part of them.
    Event(Box<EventEntry>),
    /// A request as an arbiter's device signed it, right before what it brought about.
    Signed(Box<RequestSigned>),
    /// Where boards stand in the hall, or a part of it.
    Floor(Box<FloorEntry>),
    /// A side's time is used up by the hub's reckoning; its clock has not confirmed it.
    FlagExpected { side: Side, at: Instant<Hub> },
    /// The hub has stopped hearing a clock, or hears it again.
    LinkChanged(LinkChange),
}

/// A clock whose link was lost or found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LinkChange {
    pub(crate) agent: AgentId,
    pub(crate) online: bool,
    /// When the clock was last heard before its link was lost.
    pub(crate) heard: Option<Instant<Hub>>,
}

/// Where somebody has put boards on the floor plan, or a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FloorEntry {
    pub(crate) actor: String,
    /// These are the whole plan; otherwise all other boards stay where they are.
    pub(crate) whole: bool,
    /// From 1.
    pub(crate) part: u32,
    pub(crate) parts: u32,
    pub(crate) places: BTreeMap<BoardId, Spot>,
}

/// Changes of the event that were asked for together, or a part of them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct EventEntry {
    pub(crate) id: CommandId,
    pub(crate) actor: Actor,
    /// In the first part.
    pub(crate) reason: String,
    /// From 1.
    pub(crate) part: u32,
    pub(crate) parts: u32,
    /// Of the request, in every part.
    pub(crate) digest: RequestDigest,
    /// In the first part: the file that the changes came from.
    pub(crate) imported: Option<Imported>,
    pub(crate) what: EventWhat,
}

/// The file that a bundle of changes came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Imported {
    pub(crate) file: String,
    /// The changes begin another event, and the present one is set aside.
    pub(crate) opens: bool,
}

/// What a part holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum EventWhat {
    /// Whole changes.
    Changes(Vec<Change>),
    /// Bytes of one change that is longer than a record; whether it is whole with them.
    Piece { bytes: Vec<u8>, ends: bool },
    /// The import that made this version is undone.
    Undone(u64),
    /// This event is brought back, and the present one set aside.
    SwitchedTo(EventNo),
    /// Nothing: they were refused, in these words.
    Refused(Refusal),
}
