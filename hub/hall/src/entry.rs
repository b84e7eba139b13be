//! The entries of the log: one input or derived value each, with its instant and its board. Defines the vocabulary of
//! the fold; [`crate::from_proto`] and [`crate::to_proto`] convert it from and to bytes.

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
    /// Version of the rules under which the entry is applied. A code change that would fold the same records
    /// differently needs a new version, so that each record keeps its own rules.
    pub(crate) rules: RulesVersion,
    /// Hub instant at which the hub accepted the entry.
    pub(crate) hub: Instant<Hub>,
    /// The board that the entry concerns; `None` if it concerns no single board.
    pub(crate) board: Option<BoardId>,
    pub(crate) entry: Entry,
    /// The state of the board's clocks after the entry, as computed when the entry was accepted.
    pub(crate) after: Option<After>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Entry {
    /// The first entry of a log.
    Opened(Opened),
    HubStarted(HubStarted),
    AgentEnrolled(Box<Enrolment>),
    AgentRevoked {
        agent: AgentId,
        actor: String,
        reason: String,
    },
    /// A command of an arbiter, a player or the hub: carried out, pending or refused.
    Command(Arc<CommandRecord>),
    AgentEvent {
        agent: AgentId,
        event: Box<SignedEvent>,
        /// The event's instant on the hub's timeline. Set only for a board with two clocks.
        placed: Option<Placed>,
        accepted: AcceptedTime,
    },
    Equivocation(Box<Equivocation>),
    /// On a board with two clocks, one side's clock has reported everything before this instant.
    Passed {
        side: Side,
        at: Instant<Hub>,
    },
    /// No event earlier than this board time can follow, so changes caused only by the passing of time up to it are final.
    Settled {
        at: Instant<Board>,
    },
    /// A pending command takes effect without its clock's answer.
    Forced {
        id: CommandId,
        actor: String,
        at: Instant<Board>,
    },
    Withdrawn {
        id: CommandId,
        actor: String,
    },
    Note(Box<LoggedNote>),
    /// An arbiter has seen a counted note about the record's board or about an agent.
    NoteSeen(SeenNote),
    /// The cause of a note no longer exists. The note is about the record's board, this agent, or the hall.
    NoteOver {
        kind: String,
        agent: Option<AgentId>,
    },
    ZeroTestEnded(Box<Certificate>),
    /// The complete list of arbiters who may correct boards at their clocks from this record onwards.
    Arbiters(Vec<Arbiter>),
    /// Changes to the event, or one part of changes that are too long for one record.
    Event(Box<EventEntry>),
    /// A request as signed by an arbiter's device, logged immediately before the entries that the request causes.
    Signed(Box<RequestSigned>),
    ChiefRecovered(ChiefRecovered),
    /// A change of the floor plan, or one part of a change that is too long for one record.
    Floor(Box<FloorEntry>),
    /// A side's time has run out according to the hub, but the side's clock has not confirmed the flag fall.
    FlagExpected {
        side: Side,
        at: Instant<Hub>,
    },
    LinkChanged(LinkChange),
    /// An API call that was made with a key file and causes no other record.
    Called(CallMade),
    /// A command that waits for a second arbiter, or one part of a command that is too long for one record.
    Held(Box<HeldEntry>),
    /// A decision about a held command. If it confirms the command, the command's records follow.
    HeldDecided(HeldDecision),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HeldDecision {
    pub(crate) id: CommandId,
    pub(crate) actor: String,
    /// True if the second arbiter confirmed the command; false if it was declined, or withdrawn by its sender.
    pub(crate) confirmed: bool,
}

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
        /// Number of the event that the request sets aside or removes; 0 for none.
        replaces: u32,
        /// Number of games whose pairings the request removes.
        removes: u32,
    },
    Revocation(HoldRevocation),
}

/// The times that the hub accepts for an event, where they differ from the times that the event states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct AcceptedTime {
    /// Board time at which the event counts, if that differs from its stamp.
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
    /// Number of occurrences that the arbiter saw; later ones keep the note.
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

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FloorEntry {
    pub(crate) actor: String,
    /// True if `places` is the whole plan; otherwise boards that are not in `places` stay where they are.
    pub(crate) whole: bool,
    /// Number of this part, from 1.
    pub(crate) part: u32,
    pub(crate) parts: u32,
    pub(crate) places: BTreeMap<BoardId, Spot>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct EventEntry {
    pub(crate) id: CommandId,
    pub(crate) actor: Actor,
    /// The reason for the changes; set only in the first part.
    pub(crate) reason: String,
    /// Number of this part, from 1.
    pub(crate) part: u32,
    pub(crate) parts: u32,
    /// Digest of the whole request; every part repeats it.
    pub(crate) digest: RequestDigest,
    /// The imported file, if the changes are an import; set only in the first part.
    pub(crate) imported: Option<Imported>,
    pub(crate) what: EventEntryKind,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum EventEntryKind {
    /// Changes that are each complete in this entry.
    Changes(Vec<Change>),
    /// Bytes of one change that is too long for one record. `ends` is true for the last piece.
    Piece {
        bytes: Vec<u8>,
        ends: bool,
    },
    /// Undoes the import that created this version.
    Undone(u64),
    /// Switches back to this event and sets the current event aside.
    SwitchedTo(EventNo),
    Refused(Refusal),
}
