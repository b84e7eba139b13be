//! The entries of a journal, from which an agent recovers its chain, board and timeline. Owns their types and bytes; never touches a file.

use alloc::string::String;
use alloc::vec::Vec;
use prost::Message;
use proto::wire::{Arbiters, Event, Labels, Order, SharedBoard};

/// One entry of a journal.
#[derive(Clone, PartialEq, Message)]
pub struct Entry {
    /// The content; `None` if this version does not know the entry's kind.
    #[prost(oneof = "Kind", tags = "1, 2, 3, 4, 5, 6, 7, 8, 16, 17, 19")]
    pub kind: Option<Kind>,
}

/// The content of an entry, by kind.
#[expect(
    clippy::large_enum_variant,
    reason = "entries are written and read one at a time, and nearly all of them are events"
)]
#[derive(Clone, PartialEq, prost::Oneof)]
pub enum Kind {
    /// The log and the agent to which the journal belongs; the first entry of every journal.
    #[prost(message, tag = "1")]
    Opened(Opened),
    /// An event of the chain.
    #[prost(message, tag = "2")]
    Event(Event),
    /// Content of the order that the following `OrderTaken` event reports as carried out.
    #[prost(message, tag = "3")]
    Order(Order),
    /// The agent's state at one point of its chain, where recovery restarts the chain.
    #[prost(message, tag = "4")]
    State(State),
    /// Conversion from the machine's clock to board time, valid during one boot.
    #[prost(message, tag = "5")]
    Timeline(Timeline),
    /// Sequence number of the newest event that the hub has acknowledged.
    #[prost(uint64, tag = "6")]
    Acked(u64),
    /// The board's name, the players' names and other details for the face.
    #[prost(message, tag = "7")]
    Labels(Labels),
    /// The hub's state of a board with a clock for each side.
    #[prost(message, tag = "8")]
    Shared(SharedBoard),
    /// Arbiters permitted to correct this clock.
    #[prost(message, tag = "16")]
    Arbiters(Arbiters),
    /// The PIN attempts so far.
    #[prost(message, tag = "17")]
    Pins(PinAttempts),
    /// Token of the run of the program that writes the following entries.
    #[prost(fixed64, tag = "19")]
    Token(u64),
}

/// The log and the agent to which a journal belongs.
#[derive(Clone, PartialEq, Message)]
pub struct Opened {
    /// Origin of the hub's log.
    #[prost(string, tag = "1")]
    pub log_origin: String,
    /// The agent's Ed25519 public key.
    #[prost(bytes = "vec", tag = "2")]
    pub agent: Vec<u8>,
}

/// The state of an agent at one point of its chain.
#[derive(Clone, PartialEq, Message)]
pub struct State {
    /// Sequence number of the last event.
    #[prost(uint64, tag = "1")]
    pub seq: u64,
    /// Chain hash of the last event.
    #[prost(bytes = "vec", tag = "2")]
    pub head: Vec<u8>,
    /// Stamp of the last event, in microseconds of board time.
    #[prost(sint64, tag = "3")]
    pub at_us: i64,
    /// Boot id of the last event.
    #[prost(bytes = "vec", tag = "4")]
    pub boot: Vec<u8>,
    /// Sequence number of the last event that the journal no longer contains. The entry is followed by the acknowledged events that are still kept,
    /// with an `Acked` if there are any, and then by the unacknowledged events.
    #[prost(uint64, tag = "5")]
    pub acked: u64,
    /// Chain hash of event `acked`.
    #[prost(bytes = "vec", tag = "6")]
    pub acked_head: Vec<u8>,
    /// The highest order number that the agent has carried out.
    #[prost(uint64, tag = "7")]
    pub orders_taken: u64,
    /// Bytes of `timing::Snapshot`; empty without a board.
    #[prost(bytes = "vec", tag = "8")]
    pub snapshot: Vec<u8>,
    /// The board's name, the players' names and other details for the face.
    #[prost(message, optional, tag = "9")]
    pub labels: Option<Labels>,
    /// The side served here, if only one; unspecified for both, or without a board.
    #[prost(enumeration = "proto::Side", tag = "10")]
    pub side: i32,
    /// Board time of the newest correction, in microseconds.
    #[prost(sint64, tag = "16")]
    pub corrected_us: i64,
    /// Arbiters permitted to correct this clock.
    #[prost(message, optional, tag = "17")]
    pub arbiters: Option<Arbiters>,
    /// The PIN attempts so far.
    #[prost(message, optional, tag = "18")]
    pub pins: Option<PinAttempts>,
}

/// The PIN attempts at this clock.
#[derive(Clone, PartialEq, Eq, Message)]
pub struct PinAttempts {
    /// Number of wrong attempts since the last correct PIN.
    #[prost(uint32, tag = "1")]
    pub wrong: u32,
    /// Board time of the last recorded attempt, in microseconds.
    #[prost(sint64, tag = "2")]
    pub at_us: i64,
}

/// The conversion from the machine's clock to board time.
#[derive(Clone, PartialEq, Eq, Message)]
pub struct Timeline {
    /// The boot in which the conversion is valid.
    #[prost(bytes = "vec", tag = "1")]
    pub boot: Vec<u8>,
    /// Board time minus the machine's clock, in microseconds.
    #[prost(sint64, tag = "2")]
    pub base_us: i64,
    /// Board time at which this entry was written, in microseconds.
    #[prost(sint64, tag = "3")]
    pub at_us: i64,
}

impl From<Kind> for Entry {
    fn from(kind: Kind) -> Self {
        Self { kind: Some(kind) }
    }
}

/// Journal entries to write together.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// The entries of one write, in order.
    pub entries: Vec<Entry>,
    /// The way in which the batch is written. After a successful write in any mode except `Lazy`, the agent must receive `JournalSynced`.
    pub mode: WriteMode,
    /// Sequence number of the newest event after this write.
    pub seq: u64,
}

/// The way a batch is written to the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteMode {
    /// Appends, then syncs the journal.
    Synced,
    /// Appends without a sync; the next synced write also makes these entries durable.
    Lazy,
    /// Replaces the whole journal atomically.
    Replace,
}
