//! Inputs of the hall. Before an input gets here, it is decoded and its signature is checked.
//!
//! Defines the vocabulary only; the sibling modules decide what each input does.

use std::borrow::Borrow;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use proto::chain::ChainHash;
use proto::ids::{AgentId, CommandId, EventSeq};
use proto::log::RequestSigned;
use proto::wire::GoodbyeReason;
use sha2::{Digest, Sha256};
use timing::{Board, Button, Command, Fact, Hub, Instant, Setup, Side, StartRule, TimeControl};

use super::ask::{HallRequest, ReplyId};
use super::corrections::Correction;
use super::evidence::SignedPromise;
use super::offence::Offence;
use crate::view::EventView;

/// A board's number or name: 1 to 32 characters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoardId(Arc<str>);

/// The error for text that is not a valid [`BoardId`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} names no board: 1 to 32 characters, none of them a control character, no blanks around them"
)]
pub struct BadBoardId(pub String);

impl BoardId {
    /// The number or name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for BoardId {
    type Err = BadBoardId;
    fn from_str(text: &str) -> Result<Self, BadBoardId> {
        let len = text.chars().count();
        if !(1..=32).contains(&len) || text.trim() != text || text.chars().any(char::is_control) {
            return Err(BadBoardId(text.chars().take(40).collect()));
        }
        Ok(Self(text.into()))
    }
}

impl Borrow<str> for BoardId {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for BoardId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for BoardId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "board {}", self.0)
    }
}

/// The id of one link of an agent, unique within a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId(pub u64);

/// The role of an actor, which decides the requests that the actor may make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Sees everything and changes nothing.
    Viewer,
    /// Acts on the boards of a sector.
    Floor,
    /// Acts on everything.
    Chief,
    /// The hub's own process: configuration, the schedule, a demonstration.
    Hub,
}

/// The sender of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// The name in the certificate.
    pub name: String,
    /// The role that the certificate grants.
    pub role: Role,
}

/// The first frame of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hello {
    /// Major version of the frame protocol.
    pub major: u32,
    /// Minor version.
    pub minor: u32,
    /// The agent's firmware, in words.
    pub firmware: String,
    /// Origin of the log the journal belongs to; empty when the journal is empty.
    pub log_origin: String,
    /// Sequence number of the agent's next event.
    pub next_seq: EventSeq,
    /// Chain hash of the previous event; `None` when the journal is empty.
    pub head: Option<ChainHash>,
    /// Id of the machine's current boot.
    pub boot: Vec<u8>,
    /// Instant on the board's timeline at which the frame was made.
    pub now: Instant<Board>,
    /// Highest order that the agent has carried out.
    pub orders_taken: u64,
    /// True if the machine restarted after the journal's last event, so that board time stood still.
    pub rebooted: bool,
    /// The journal of another log that the agent still keeps: its origin and its number of unacknowledged events.
    pub foreign: Option<(String, u64)>,
    /// The run of the agent's program; `None` from firmware that does not report it.
    pub process: Option<Process>,
}

/// A run of an agent's program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process {
    /// A random number, never 0, drawn when the run began and kept in the journal.
    pub token: u64,
    /// The token of the previous run, from the journal.
    pub follows: u64,
    /// Number of links that this run has opened.
    pub links: u32,
}

impl Process {
    /// Returns true if this is the run of `open` on a newer link, or the run that followed it in the same journal.
    pub(crate) fn continues(&self, open: &Process) -> bool {
        let same = self.token == open.token && self.links > open.links;
        self.token != 0 && open.token != 0 && (same || self.follows == open.token)
    }
}

/// The fact stated by an agent's event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventFact {
    /// The players pressed a button or stopped the clocks.
    Players(Fact),
    /// The agent carried out an order of the hub.
    OrderTaken(u64),
    /// Board time jumped by `jump_us`; the event's stamp is the instant after the jump.
    Rebase {
        /// Length of the jump, in microseconds.
        jump_us: i64,
        /// Error bound of the jump, in microseconds.
        uncertainty_us: i64,
        /// The machine restarted and the length of the outage is unknown, so no time was charged.
        uncharged: bool,
    },
    /// The scripted press of the clock test with this nonce; board clocks ignore it.
    ZeroTested(u64),
    /// An arbiter corrected the clock at the board; see [`SignedEvent::correction`].
    Correction,
}

/// An event of a chain, decoded and as signed bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedEvent {
    /// Sequence number in the chain.
    pub seq: EventSeq,
    /// Hash of the previous event.
    pub prev_hash: ChainHash,
    /// Hash of this event, to which the next event refers.
    pub hash: ChainHash,
    /// Instant of the event.
    pub at: Instant<Board>,
    /// The newest time probe that the agent had seen; 0 before the first.
    pub newest_probe: u64,
    /// Id of the machine's boot in which the event happened.
    pub boot: Vec<u8>,
    /// The stated fact.
    pub fact: EventFact,
    /// The correction, for [`EventFact::Correction`].
    pub correction: Option<Box<Correction>>,
    /// The encoded body, as received.
    pub body: Vec<u8>,
    /// The signature over the body.
    pub signature: Vec<u8>,
}

/// An agent's report of its own condition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Health {
    /// 0 to 100; `None` on mains power.
    pub battery_percent: Option<u32>,
    /// The agent can write its journal.
    pub journal_ok: bool,
    /// Number of events that the hub has not acknowledged.
    pub unacknowledged: u64,
    /// Temperature in thousandths of a degree Celsius.
    pub temperature_mc: Option<i32>,
    /// Number of events that are neither in the agent's journal nor in the log.
    pub unsaved: u64,
    /// Number of wrong PINs entered since the last correct one.
    pub wrong_pins: u32,
}

/// A frame of an agent after the hello.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentFrame {
    /// The next event of the chain, with its signature checked.
    Event(Box<SignedEvent>),
    /// A watermark: every event stamped before `at` has a sequence number of at most `seq`.
    Watermark {
        /// Instant that the watermark covers.
        at: Instant<Board>,
        /// Highest sequence number before `at`.
        seq: EventSeq,
    },
    /// A signed watermark.
    Promise(SignedPromise),
    /// The answer to a time probe.
    TimeReply {
        /// Nonce of the probe.
        nonce: u64,
        /// Board instant at which the probe arrived.
        received: Instant<Board>,
        /// Board instant at which the reply left.
        sent: Instant<Board>,
    },
    /// The agent's condition.
    Health(Health),
    /// The agent's engine disagrees with the digest in the acknowledgement of `seq`.
    Diverged {
        /// The acknowledged event.
        seq: EventSeq,
    },
    /// The agent closes the link.
    Goodbye {
        /// The reason.
        reason: GoodbyeReason,
        /// The reason in words.
        text: String,
    },
}

/// The change that an arbiter requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// A command for the board's clock.
    Board(Command),
    /// A new game; the buttons stay as they are unless `white` names one.
    Prepare {
        /// The time control.
        control: TimeControl,
        /// The rule for starting White's clock.
        start: StartRule,
        /// The button that becomes White's.
        white: Option<Button>,
        /// The side with draw odds in this game.
        draw_odds: Option<Side>,
    },
    /// Restores the board to its state before this event of its agent, stopped.
    RestoreBefore(EventSeq),
    /// Adds a board; the side, if given, has draw odds in its first game.
    AddBoard(Setup, Option<Side>),
    /// Removes the board from the hall.
    RemoveBoard,
    /// Assigns the board to the agent whose key has this prefix; an empty prefix leaves the board without a clock.
    Assign(String),
    /// Assigns one side of the board to the agent whose key has this prefix; an empty prefix leaves the side without a
    /// clock. The other side has its own clock.
    AssignSide(Side, String),
    /// Sets the players' names and the round.
    Names {
        /// White's name.
        white: String,
        /// Black's name.
        black: String,
        /// The round, in words.
        round: String,
    },
    /// Counts a drawn game as won by this side, or by neither side. An existing result stays unchanged.
    DrawOdds(Option<Side>),
    /// The board's clock identifies itself.
    Identify,
    /// Shows a text on the board's clock.
    Show(String),
    /// Starts a clock test: the board's clock makes a scripted press, which is checked against the limits.
    ZeroTest,
    /// Applies a pending command without an answer from its silent clock.
    Force(CommandId),
    /// Withdraws a pending command.
    Withdraw(CommandId),
    /// Revokes the agent whose key has this prefix.
    RevokeAgent(String),
}

impl Action {
    /// Returns the side that has draw odds in the game that this action sets.
    pub(crate) fn odds_of_game(&self) -> Option<Side> {
        if let Action::Prepare { draw_odds, .. } | Action::AddBoard(_, draw_odds) = self {
            return *draw_odds;
        }
        None
    }
}

/// An arbiter's request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The idempotency key, chosen by the client: a repeated request is applied once and gets the same answer.
    pub id: CommandId,
    /// The sender.
    pub actor: Actor,
    /// The board; `None` only for actions that need no board.
    pub board: Option<BoardId>,
    /// The board's sequence number that the actor saw.
    pub seen_seq: u64,
    /// The reason, in the actor's words.
    pub reason: String,
    /// The offence to which a command of the board's clock refers.
    pub offence: Option<Offence>,
    /// The requested change.
    pub action: Action,
    /// Digest of the bytes that the client sent.
    pub digest: RequestDigest,
}

/// The first eight bytes of the SHA-256 of a request. They distinguish a repetition from another request under the same
/// id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RequestDigest(pub u64);

impl RequestDigest {
    /// The digest of the hub's own requests; each has a new id, so none is a repetition.
    pub const OWN: Self = Self(0);

    /// Returns the digest of a request's kind, actor and bytes.
    pub fn of(kind: &str, actor: &str, request: &[u8]) -> Self {
        let mut hash = Sha256::new();
        for part in [kind, actor] {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        hash.update(request);
        let mut first = [0; 8];
        for (to, from) in first.iter_mut().zip(hash.finalize()) {
            *to = from;
        }
        Self(u64::from_be_bytes(first))
    }
}

/// The enrolment of an agent that proved an enrolment code and made its keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enrolment {
    /// The signing key, which is the agent's identity.
    pub agent: AgentId,
    /// The key for Bluetooth LE.
    pub exchange_key: Vec<u8>,
    /// The display name.
    pub name: String,
    /// Serial number of the agent's certificate.
    pub certificate_serial: Vec<u8>,
    /// The board that the agent will serve.
    pub board: Option<BoardId>,
    /// The side that the agent will serve, if not the whole board.
    pub side: Option<Side>,
    /// The arbiter who admitted the agent; empty if the agent used its own enrolment code.
    pub admitted_by: String,
}

/// Facts from outside that the hall needs when the hub starts.
#[derive(Clone, Debug)]
pub struct StartUp {
    /// The origin of a new log; used on the first start only.
    pub origin: String,
    /// The public view of the event; a new log takes its name.
    pub event: EventView,
    /// Id of the current boot of the hub's machine.
    pub boot: Vec<u8>,
    /// Wall clock, in microseconds since 1970, for display.
    pub wall_us: i64,
    /// Description of the recovery of the hub's timeline.
    pub timeline: String,
    /// Error bound of the timeline against the previous run, in microseconds.
    pub bound_us: i64,
    /// Seed of the nonces of time probes: random in a real hub, fixed in a simulation.
    pub nonce_seed: u64,
    /// The scheduled start of every prepared board.
    pub scheduled: Option<Instant<Hub>>,
}

/// An input of the hall.
#[derive(Clone, Debug)]
pub enum Input {
    /// The hub starts. Comes once, before every other input of a run.
    StartUp(Box<StartUp>),
    /// An agent opened a link and sent its hello.
    AgentConnected {
        /// The agent, by its certificate.
        agent: AgentId,
        /// The link.
        link: LinkId,
        /// Hub instant at which the link was accepted, which is before the agent made its hello.
        opened: Instant<Hub>,
        /// The hello.
        hello: Box<Hello>,
    },
    /// An agent sent a frame.
    AgentFrame {
        /// The link on which the frame arrived.
        link: LinkId,
        /// Hub instant of the arrival.
        received: Instant<Hub>,
        /// The frame.
        frame: AgentFrame,
    },
    /// A link has closed.
    AgentGone {
        /// The link.
        link: LinkId,
        /// The reason, in words.
        why: String,
    },
    /// A caller sent a request.
    Asked {
        /// The request.
        request: HallRequest,
        /// The caller that waits for the reply.
        reply: ReplyId,
    },
    /// The signature of an arbiter's device over a request, already checked; the request follows.
    Signed(Box<RequestSigned>),
    /// The instant of [`super::Hall::next_wake`] has come.
    Wake,
}
