//! What the hall is told: everything decoded, and signatures checked, before it gets here. Owns the vocabulary only;
//! what an input means is decided in the modules beside this one.

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

/// A text is no board's number or name.
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

/// One link of one agent, while it lasts. Never given out twice in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId(pub u64);

/// What someone may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Looks on.
    Viewer,
    /// Acts on the boards of a sector.
    Floor,
    /// Acts on everything.
    Chief,
    /// The hub's own process: configuration, the schedule, a demonstration.
    Hub,
}

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// The name in the certificate.
    pub name: String,
    /// What the certificate allows.
    pub role: Role,
}

/// An agent's first frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hello {
    /// Major version of the frame protocol.
    pub major: u32,
    /// Minor version.
    pub minor: u32,
    /// The agent's program, for people.
    pub firmware: String,
    /// Origin of the log the journal belongs to; empty when the journal is empty.
    pub log_origin: String,
    /// Place of the agent's next event.
    pub next_seq: EventSeq,
    /// Chain hash of the event before that; `None` when the journal is empty.
    pub head: Option<ChainHash>,
    /// The boot of the agent's machine.
    pub boot: Vec<u8>,
    /// The board's timeline when the frame was made.
    pub now: Instant<Board>,
    /// Highest order taken.
    pub orders_taken: u64,
    /// Board time stood still: the machine was restarted since the journal's last event.
    pub rebooted: bool,
    /// Another log's journal the agent still keeps: its origin, and how many events of it no hub has acknowledged.
    pub foreign: Option<(String, u64)>,
    /// Which run of its program says so; `None` from programs that do not tell.
    pub process: Option<Process>,
}

/// A run of an agent's program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process {
    /// Drawn at random when the run began, and in its journal since; not 0.
    pub token: u64,
    /// What stood in the journal before.
    pub follows: u64,
    /// Links this run has opened.
    pub links: u32,
}

impl Process {
    /// Whether this is the run that said `open`, on a newer link, or the run that came after it in the same journal.
    pub(crate) fn continues(&self, open: &Process) -> bool {
        let same = self.token == open.token && self.links > open.links;
        self.token != 0 && open.token != 0 && (same || self.follows == open.token)
    }
}

/// What an agent's event states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventFact {
    /// The players pressed a button or stopped the clocks.
    Players(Fact),
    /// An order of the hub was carried out.
    OrderTaken(u64),
    /// Board time has jumped by `jump_us`, give or take; the event's stamp is the instant after the jump.
    Rebase {
        /// How far, microseconds.
        jump_us: i64,
        /// How far it may be off, microseconds.
        uncertainty_us: i64,
        /// The machine was restarted and nobody could say for how long it was off: nothing was charged.
        uncharged: bool,
    },
    /// The scripted press of the zero test with this nonce: no clock notices it.
    ZeroTested(u64),
    /// An arbiter has corrected the clock at the board: [`SignedEvent::correction`] has it.
    Correction,
}

/// An event of a chain: what it says, and the bytes that say it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedEvent {
    /// Place in the chain.
    pub seq: EventSeq,
    /// Hash of the event before.
    pub prev_hash: ChainHash,
    /// Hash of this event, by which the next one names it.
    pub hash: ChainHash,
    /// When it happened.
    pub at: Instant<Board>,
    /// The newest time probe the agent had seen; 0 before the first.
    pub newest_probe: u64,
    /// The boot of the agent's machine in which it happened.
    pub boot: Vec<u8>,
    /// What happened.
    pub fact: EventFact,
    /// The correction, if it was one.
    pub correction: Option<Box<Correction>>,
    /// The encoded body, as it came.
    pub body: Vec<u8>,
    /// The signature over it.
    pub signature: Vec<u8>,
}

/// How an agent says it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Health {
    /// 0 to 100; `None` on mains power.
    pub battery_percent: Option<u32>,
    /// Presses can be written to its journal.
    pub journal_ok: bool,
    /// Events the hub has not acknowledged.
    pub unacknowledged: u64,
    /// Thousandths of a degree Celsius.
    pub temperature_mc: Option<i32>,
    /// Events that lie neither in its journal nor in the log.
    pub unsaved: u64,
    /// Wrong PINs that were tried at it since the last right one.
    pub wrong_pins: u32,
}

/// A frame of an agent after its first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AgentFrame {
    /// The next event of its chain, its signature checked.
    Event(Box<SignedEvent>),
    /// Every event stamped before `at` is at most `seq`.
    Watermark {
        /// The promise's instant.
        at: Instant<Board>,
        /// The promise's place.
        seq: EventSeq,
    },
    /// The same, signed.
    Promise(SignedPromise),
    /// The answer to a time probe.
    TimeReply {
        /// Which probe.
        nonce: u64,
        /// When the board had it.
        received: Instant<Board>,
        /// When the board answered.
        sent: Instant<Board>,
    },
    /// How the agent is.
    Health(Health),
    /// The agent's engine disagrees with the digest of the acknowledgement of `seq`.
    Diverged {
        /// After which event.
        seq: EventSeq,
    },
    /// The agent closes the link.
    Goodbye {
        /// Why.
        reason: GoodbyeReason,
        /// The same for people.
        text: String,
    },
}

/// What an arbiter asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// A command of the board's clock.
    Board(Command),
    /// A new game; the buttons stay as they are unless named.
    Prepare {
        /// The time control.
        control: TimeControl,
        /// Who starts White's clock.
        start: StartRule,
        /// Which button becomes White's.
        white: Option<Button>,
        /// Who has draw odds in it.
        draw_odds: Option<Side>,
    },
    /// The board as it stood before this event of its agent, stopped.
    RestoreBefore(EventSeq),
    /// A new board, and who has draw odds in its first game.
    AddBoard(Setup, Option<Side>),
    /// The board leaves the hall.
    RemoveBoard,
    /// The agent whose key begins so serves the board; none does if empty.
    Assign(String),
    /// The agent whose key begins so serves this side of the board, whose other side has a clock elsewhere; none does if empty.
    AssignSide(Side, String),
    /// Who plays.
    Names {
        /// White's name.
        white: String,
        /// Black's name.
        black: String,
        /// The round, as people call it.
        round: String,
    },
    /// A drawn game counts as won by this side, or by neither. A result that stands is not changed by it.
    DrawOdds(Option<Side>),
    /// The board's clock makes itself known.
    Identify,
    /// A text on the board's clock.
    Show(String),
    /// The board's clock makes a scripted press, and is held to its limits.
    ZeroTest,
    /// That pending command takes effect without its silent clock.
    Force(CommandId),
    /// That pending command is taken back.
    Withdraw(CommandId),
    /// The agent whose key begins so is shut out for good.
    RevokeAgent(String),
}

impl Action {
    /// Who is to have draw odds in the game it sets, if it sets one.
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
    /// Made by the client: carried out once, answered alike for ever.
    pub id: CommandId,
    /// Who asks.
    pub actor: Actor,
    /// Which board it concerns; `None` only where none is needed.
    pub board: Option<BoardId>,
    /// The board's sequence number that the actor saw.
    pub seen_seq: u64,
    /// Why, in the actor's words.
    pub reason: String,
    /// The offence it is about, with a command of the board's clock.
    pub offence: Option<Offence>,
    /// What.
    pub action: Action,
    /// What the client sent, told from anything else it could have sent.
    pub digest: RequestDigest,
}

/// The first eight bytes of the SHA-256 of a request: another request under the same id is told from a repetition by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RequestDigest(pub u64);

impl RequestDigest {
    /// Of what the hub gives itself, under ids that it makes anew each time.
    pub const OWN: Self = Self(0);

    /// Of the bytes of a request of a kind, from somebody.
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

/// An agent that proved an enrolment code and made its keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enrolment {
    /// Its signing key: its identity.
    pub agent: AgentId,
    /// Its key for Bluetooth LE.
    pub exchange_key: Vec<u8>,
    /// A name for people.
    pub name: String,
    /// Serial number of the certificate made for it.
    pub certificate_serial: Vec<u8>,
    /// The board it is to serve.
    pub board: Option<BoardId>,
    /// The only side it is to serve there.
    pub side: Option<Side>,
    /// The arbiter who admitted it; empty if it came with a code of its own.
    pub admitted_by: String,
}

/// What only the outside knows when the hub starts.
#[derive(Clone, Debug)]
pub struct StartUp {
    /// Names the log for ever, if this is its first start.
    pub origin: String,
    /// The event as watchers see it; its name goes into a new log.
    pub event: EventView,
    /// Boot of the hub's machine.
    pub boot: Vec<u8>,
    /// Wall clock, microseconds since 1970, for people.
    pub wall_us: i64,
    /// How the hub's timeline was found again, in words.
    pub timeline: String,
    /// How far the timeline may be off against the last run, microseconds.
    pub bound_us: i64,
    /// Where the nonces of time probes begin: random outside, fixed in a simulation.
    pub nonce_seed: u64,
    /// When every prepared board is to be started.
    pub scheduled: Option<Instant<Hub>>,
}

/// Everything the hall can be told.
#[derive(Clone, Debug)]
pub enum Input {
    /// The hub starts: once, before every other input of a run.
    StartUp(Box<StartUp>),
    /// An agent opened a link and said hello.
    AgentConnected {
        /// Whose certificate it showed.
        agent: AgentId,
        /// The link.
        link: LinkId,
        /// When the hub accepted the link, which was before the agent made its hello.
        opened: Instant<Hub>,
        /// The hello.
        hello: Box<Hello>,
    },
    /// An agent sent a frame.
    AgentFrame {
        /// The link that brought it.
        link: LinkId,
        /// When it arrived.
        received: Instant<Hub>,
        /// The frame.
        frame: AgentFrame,
    },
    /// A link is over.
    AgentGone {
        /// Which.
        link: LinkId,
        /// Why, for people.
        why: String,
    },
    /// Something is asked of the hall.
    Asked {
        /// The request.
        request: HallRequest,
        /// The caller that waits for the answer.
        reply: ReplyId,
    },
    /// A request of an arbiter's device proved to be signed by it; the request itself follows.
    Signed(Box<RequestSigned>),
    /// The instant of [`super::Hall::next_wake`] has come.
    Wake,
}
