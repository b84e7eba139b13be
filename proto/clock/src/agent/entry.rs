//! What a journal holds: the entries from which an agent finds its chain, its board and its timeline again.
//! Owns their shape and bytes; never touches a file.

use alloc::string::String;
use alloc::vec::Vec;
use prost::Message;
use proto::wire::{Arbiters, Event, Labels, Order, Shared};

/// One entry of a journal.
#[derive(Clone, PartialEq, Message)]
pub struct Entry {
    /// What it is.
    #[prost(oneof = "Kind", tags = "1, 2, 3, 4, 5, 6, 7, 8, 16, 17, 19")]
    pub kind: Option<Kind>,
}

/// The kinds of entries.
#[expect(
    clippy::large_enum_variant,
    reason = "entries are written and read one at a time, and nearly all of them are events"
)]
#[derive(Clone, PartialEq, prost::Oneof)]
pub enum Kind {
    /// First of every journal.
    #[prost(message, tag = "1")]
    Opened(Opened),
    /// A link of the chain.
    #[prost(message, tag = "2")]
    Event(Event),
    /// What the `OrderTaken` event after it carried out.
    #[prost(message, tag = "3")]
    Order(Order),
    /// Everything up to here in one piece, after compaction.
    #[prost(message, tag = "4")]
    State(State),
    /// How board time follows from the machine's clock on this boot.
    #[prost(message, tag = "5")]
    Timeline(Timeline),
    /// The hub holds everything up to this sequence number.
    #[prost(uint64, tag = "6")]
    Acked(u64),
    /// What the face shows beside the clock.
    #[prost(message, tag = "7")]
    Labels(Labels),
    /// How the hub said the board stands, where the other side has a clock elsewhere.
    #[prost(message, tag = "8")]
    Shared(Shared),
    /// Who may correct this clock.
    #[prost(message, tag = "16")]
    Arbiters(Arbiters),
    /// A PIN was tried.
    #[prost(message, tag = "17")]
    Pins(PinTries),
    /// The run of the program that writes from here on.
    #[prost(fixed64, tag = "19")]
    Token(u64),
}

/// To which log a journal belongs, and whose it is.
#[derive(Clone, PartialEq, Message)]
pub struct Opened {
    /// Origin of the hub's log.
    #[prost(string, tag = "1")]
    pub log_origin: String,
    /// The agent's Ed25519 public key.
    #[prost(bytes = "vec", tag = "2")]
    pub agent: Vec<u8>,
}

/// An agent at one point of its chain.
#[derive(Clone, PartialEq, Message)]
pub struct State {
    /// Sequence number of the last event.
    #[prost(uint64, tag = "1")]
    pub seq: u64,
    /// Its chain hash.
    #[prost(bytes = "vec", tag = "2")]
    pub head: Vec<u8>,
    /// Its stamp, microseconds of board time.
    #[prost(sint64, tag = "3")]
    pub at_us: i64,
    /// The boot it happened in.
    #[prost(bytes = "vec", tag = "4")]
    pub boot: Vec<u8>,
    /// The hub holds everything up to here; events after it follow this entry.
    #[prost(uint64, tag = "5")]
    pub acked: u64,
    /// Chain hash of event `acked`.
    #[prost(bytes = "vec", tag = "6")]
    pub acked_head: Vec<u8>,
    /// Highest order taken.
    #[prost(uint64, tag = "7")]
    pub orders_taken: u64,
    /// Bytes of `timing::Snapshot`; empty without a board.
    #[prost(bytes = "vec", tag = "8")]
    pub snapshot: Vec<u8>,
    /// What the face shows beside the clock.
    #[prost(message, optional, tag = "9")]
    pub labels: Option<Labels>,
    /// The side that is served here, where the other has a clock elsewhere.
    #[prost(enumeration = "proto::Side", tag = "10")]
    pub side: i32,
    /// When the newest correction was made, microseconds of board time.
    #[prost(sint64, tag = "16")]
    pub corrected_us: i64,
    /// Who may correct this clock.
    #[prost(message, optional, tag = "17")]
    pub arbiters: Option<Arbiters>,
    /// Who tried to.
    #[prost(message, optional, tag = "18")]
    pub pins: Option<PinTries>,
}

/// PINs tried at this clock.
#[derive(Clone, PartialEq, Eq, Message)]
pub struct PinTries {
    /// Wrong ones since the last right one.
    #[prost(uint32, tag = "1")]
    pub wrong: u32,
    /// When the last was tried, microseconds of board time.
    #[prost(sint64, tag = "2")]
    pub at_us: i64,
}

/// How board time follows from the machine's clock.
#[derive(Clone, PartialEq, Eq, Message)]
pub struct Timeline {
    /// The boot this holds for.
    #[prost(bytes = "vec", tag = "1")]
    pub boot: Vec<u8>,
    /// Board time is the machine's clock plus this, microseconds.
    #[prost(sint64, tag = "2")]
    pub base_us: i64,
    /// Board time when this was written.
    #[prost(sint64, tag = "3")]
    pub at_us: i64,
}

impl From<Kind> for Entry {
    fn from(kind: Kind) -> Self {
        Self { kind: Some(kind) }
    }
}

/// Entries to be written.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// In this order, as one write.
    pub entries: Vec<Entry>,
    /// What has to be true when `JournalSynced` is given for this batch.
    pub need: Need,
    /// Sequence number of the newest event once this batch is written.
    pub seq: u64,
}

/// How a batch is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Appended and synced to the disk.
    Synced,
    /// Appended; synced with the next one that needs it.
    Lazy,
    /// The batch is a whole journal: it takes the place of what was there, at once or not at all.
    Replace,
}
