//! The decoded frames of an agent, from its hello to its goodbye.
//!
//! Defines the vocabulary only. The signature of an event is checked before the event reaches the hall.

use proto::chain::ChainHash;
use proto::ids::EventSeq;
use proto::merkle::Hash;
use proto::wire::GoodbyeReason;
pub use proto::wire::{Health, Process};
use timing::text::DisplayText;
use timing::{Board, Fact, Instant};

use crate::corrections::Correction;

/// An agent's description of its firmware, for display.
pub type FirmwareText = DisplayText<80>;
pub type OriginText = DisplayText<300>;

/// The id of one link of an agent, unique within a run of the hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkId(pub u64);

/// The first frame of an agent on a link.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are those of the wire message")]
pub struct Hello {
    pub major: u32,
    pub minor: u32,
    pub firmware: FirmwareText,
    /// Origin of the journal's log; empty when the journal is empty.
    pub log_origin: OriginText,
    pub next_seq: EventSeq,
    /// Chain hash of the previous event; `None` when the journal is empty.
    pub head: Option<ChainHash>,
    pub boot: Vec<u8>,
    /// Board instant at which the hello was created.
    pub now: Instant<Board>,
    /// Number of the newest order that the agent has carried out.
    pub orders_taken: u64,
    /// True if the machine restarted after the journal's last event, so that board time stood still during the outage.
    pub rebooted: bool,
    /// The journal of a different log that the agent still stores: its origin and its number of unacknowledged events.
    pub foreign: Option<(OriginText, u64)>,
    /// True if the journal was damaged when the agent's program started.
    pub journal_damaged: bool,
    /// The run of the agent's program; `None` from firmware that does not report it.
    pub process: Option<Process>,
    /// True if arbiters cannot enter corrections at this clock.
    pub no_corrections: bool,
}

/// The fact stated by an agent's event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventFact {
    /// A player pressed a button, or the players stopped the clocks.
    Players(Fact),
    /// The agent carried out the hub's order with this number.
    OrderTaken(u64),
    /// Board time jumped by `jump_us`; the event's stamp is the instant after the jump.
    Rebase {
        /// Length of the jump, in microseconds; negative for a jump backwards.
        jump_us: i64,
        /// Error bound of the jump, in microseconds.
        uncertainty_us: i64,
        /// True if the machine restarted and the length of the outage is unknown, so that no time was charged.
        uncharged: bool,
    },
    /// A scripted press for a clock test, with the nonce of the test. Board clocks ignore it.
    ZeroTested(u64),
    /// An arbiter corrected the clock at the board; see [`SignedEvent::correction`].
    Correction,
}

/// An event of a chain, decoded and as signed bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are those of the wire message")]
pub struct SignedEvent {
    pub seq: EventSeq,
    pub prev_hash: ChainHash,
    /// Hash of this event, to which the next event refers.
    pub hash: ChainHash,
    pub at: Instant<Board>,
    /// The newest time probe that the agent had seen; 0 before the first.
    pub newest_probe: u64,
    pub boot: Vec<u8>,
    pub fact: EventFact,
    /// The correction, for [`EventFact::Correction`].
    pub correction: Option<Box<Correction>>,
    /// The encoded body, as received.
    pub body: Vec<u8>,
    pub signature: Vec<u8>,
}

/// A watermark as received, with its signature. The signature is empty if the clock does not sign watermarks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedPromise {
    /// Exclusive upper bound of the promise, in board time: no event after `seq` is stamped earlier.
    pub at: Instant<Board>,
    /// Highest sequence number that an event stamped before `at` can have.
    pub seq: EventSeq,
    /// Ed25519 signature over `at` and `seq` ([`proto::chain::verify_watermark`]).
    pub signature: Vec<u8>,
}

/// An agent's report that the log does not continue the checkpoint stored by the agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogContradiction {
    /// Number of records and root hash of the stored checkpoint.
    pub kept: (u64, Hash),
    /// Number of records and root hash of the checkpoint that the hub sent.
    pub sent: (u64, Hash),
    /// The signed note of the stored checkpoint; empty if the agent has none.
    pub note: String,
    /// True if the log's key signed `note`. Set by the link, which has the key.
    pub signed: bool,
}

/// A frame of an agent after the hello.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "a name without a doc says what it is")]
pub enum AgentFrame {
    /// An event of the chain, with its signature checked.
    Event(Box<SignedEvent>),
    /// A watermark without a signature; see [`SignedPromise`].
    Watermark {
        /// See [`SignedPromise::at`].
        at: Instant<Board>,
        /// See [`SignedPromise::seq`].
        seq: EventSeq,
    },
    Promise(SignedPromise),
    TimeReply {
        nonce: u64,
        /// Board instant at which the probe arrived.
        received: Instant<Board>,
        /// Board instant at which the reply left.
        sent: Instant<Board>,
    },
    /// The agent's report on its battery, journal, temperature and PIN entries.
    Health(Health),
    /// The agent's engine disagrees with the digest in the acknowledgement of `seq`.
    Diverged {
        seq: EventSeq,
    },
    /// The moves on the agent's electronic board since the starting position, in UCI notation.
    BoardMoves(Vec<String>),
    LogContradiction(Box<LogContradiction>),
    /// An event with an invalid signature. The link is being closed.
    BadSignature,
    Goodbye {
        reason: GoodbyeReason,
        text: String,
    },
}
