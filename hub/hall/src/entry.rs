//! The entries of the log: one accepted input each, with its instant and its board. Defines the vocabulary of the fold;
//! [`crate::from_proto`] and [`crate::to_proto`] convert it from and to bytes.

use std::collections::BTreeMap;
use std::sync::Arc;

use proto::ids::{AgentId, CommandId};
use proto::log::{
    After, CallMade, ChiefRecovered, HubStarted, Imported, NoteFigures, Opened, RequestSigned,
};
use timing::{Board, Hub, Instant, RulesVersion, Side};

use super::agent_frame::SignedEvent;
use super::board_id::BoardId;
use super::command_record::CommandRecord;
use super::corrections::Arbiter;
use super::event_no::EventNo;
use super::evidence::Equivocation;
use super::floor::Spot;
use super::held::HoldRevocation;
use super::pair::Placed;
use super::refusal::Refusal;
use super::request::{Enrolment, RequestDigest};
use super::zero_test::Certificate;
use tournament::{Actor, Change};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Logged {
    /// The rules under which the entry was applied. A code change that could alter the fold of the same records creates
    /// a new version of the rules. Every record is applied under its own version.
    pub(crate) rules: RulesVersion,
    /// Hub instant of acceptance.
    pub(crate) hub: Instant<Hub>,
    /// The board; `None` for the hall.
    pub(crate) board: Option<BoardId>,
    pub(crate) entry: Entry,
    /// The state of the board's clocks after the entry, as the accepting run saw it.
    pub(crate) after: Option<After>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Entry {
    /// The log begins.
    Opened(Opened),
    /// The hub was started.
    HubStarted(HubStarted),
    /// An agent enrolled with a valid code.
    AgentEnrolled(Box<Enrolment>),
    /// An agent was revoked.
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
        /// The event on the hub's timeline, for a board with two clocks.
        placed: Option<Placed>,
        /// The times that the hub accepts for the event instead of the event's own statement.
        accepted: AcceptedTime,
    },
    /// A clock contradicted its own signed statement.
    Equivocation(Box<Equivocation>),
    /// On a board with two clocks, one side's clock has reported everything before this instant.
    Passed { side: Side, at: Instant<Hub> },
    /// The board's own time has passed this instant.
    Settled { at: Instant<Board> },
    /// A pending command takes effect without its clock's answer.
    Forced {
        id: CommandId,
        actor: String,
        at: Instant<Board>,
    },
    /// A pending command is withdrawn.
    Withdrawn { id: CommandId, actor: String },
    /// A note for arbiters or the organiser.
    Note(Box<LoggedNote>),
    /// An arbiter has seen a counted note of the record's board, or of its agent.
    NoteSeen(SeenNote),
    /// The cause of a note has gone. The note is about the record's board, this agent, or the hall.
    NoteOver {
        kind: String,
        agent: Option<AgentId>,
    },
    /// The outcome of a clock test.
    ZeroTestEnded(Box<Certificate>),
    /// The complete list of arbiters who may correct boards at their clocks from this record onwards.
    Arbiters(Vec<Arbiter>),
    /// Changes to the event, or a part of them.
    Event(Box<EventEntry>),
    /// A request as signed by an arbiter's device. It comes immediately before the entries that it causes.
    Signed(Box<RequestSigned>),
    /// The recovery code was used.
    ChiefRecovered(ChiefRecovered),
    /// The floor plan, or a part of it.
    Floor(Box<FloorEntry>),
    /// A side's time has run out by the hub's reckoning. The side's clock has not confirmed the flag fall.
    FlagExpected { side: Side, at: Instant<Hub> },
    /// A clock went online or offline.
    LinkChanged(LinkChange),
    /// An API call with a key file that causes no other record.
    Called(CallMade),
    /// A command, or a part of it, that waits for a second arbiter.
    Held(Box<HeldEntry>),
    /// A decision about a held command. If it confirms the command, the command's records follow.
    HeldDecided(HeldDecision),
}

/// A decision about a command that waits for a second arbiter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HeldDecision {
    pub(crate) id: CommandId,
    pub(crate) actor: String,
    /// True if the command is carried out; false if it ends without effect.
    pub(crate) confirmed: bool,
}

/// A command that waits for a second arbiter, or a part of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct HeldEntry {
    /// True if a chief arbiter sent the command; false for a floor arbiter.
    pub(crate) chief: bool,
    pub(crate) part: HeldPart,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum HeldPart {
    Command(Arc<CommandRecord>),
    Event {
        entry: Box<EventEntry>,
        /// The version of the event that the sender saw.
        seen: Option<u64>,
        /// The event that the request sets aside or removes; 0 for none.
        replaces: u32,
        /// Number of games whose pairings are removed.
        removes: u32,
    },
    Revocation(HoldRevocation),
}

/// The times of an event that the hub accepts instead of the event's own statement, if it does not accept that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct AcceptedTime {
    /// Board time at which the event counts, if that is not its stamp.
    pub(crate) at: Option<Instant<Board>>,
    /// For a jump: board time up to which it is charged. The rest of the jump is charged to no player.
    pub(crate) charged_to: Option<Instant<Board>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LoggedNote {
    /// The word for the note's kind. A newer hub may have written a kind that this program does not know.
    pub(crate) kind: String,
    pub(crate) text: String,
    pub(crate) agent: Option<AgentId>,
    /// Number of occurrences since the note was raised; 0 for a kind that is not counted.
    pub(crate) count: u64,
    pub(crate) figures: NoteFigures,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SeenNote {
    pub(crate) kind: String,
    pub(crate) agent: Option<AgentId>,
    /// The number of occurrences that the arbiter saw.
    pub(crate) count: u64,
    pub(crate) actor: String,
    pub(crate) reason: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LinkChange {
    pub(crate) agent: AgentId,
    pub(crate) online: bool,
    /// Hub instant at which the clock was last heard before it went offline.
    pub(crate) heard: Option<Instant<Hub>>,
}

/// An arbiter's change of the floor plan, or a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FloorEntry {
    pub(crate) actor: String,
    /// True if `places` is the whole plan; otherwise all other boards stay where they are.
    pub(crate) whole: bool,
    /// Number of this part, from 1.
    pub(crate) part: u32,
    pub(crate) parts: u32,
    pub(crate) places: BTreeMap<BoardId, Spot>,
}

/// Changes to the event that were requested together, or a part of them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct EventEntry {
    pub(crate) id: CommandId,
    pub(crate) actor: Actor,
    /// The reason for the changes, in the first part only.
    pub(crate) reason: String,
    /// Number of this part, from 1.
    pub(crate) part: u32,
    pub(crate) parts: u32,
    /// Digest of the request, in every part.
    pub(crate) digest: RequestDigest,
    /// The imported file, in the first part only.
    pub(crate) imported: Option<Imported>,
    pub(crate) what: EventEntryKind,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum EventEntryKind {
    /// Whole changes.
    Changes(Vec<Change>),
    /// Bytes of one change that is longer than a record. `ends` is true for the last piece.
    Piece { bytes: Vec<u8>, ends: bool },
    /// Undoes the import that created this version.
    Undone(u64),
    /// Switches back to this event and sets the current event aside.
    SwitchedTo(EventNo),
    /// The changes were refused for this reason.
    Refused(Refusal),
}
