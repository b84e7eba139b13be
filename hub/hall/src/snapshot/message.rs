//! The messages of a hall's snapshot: protobuf without a schema file, because only the hub reads it. Defines shapes
//! only.

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Hall {
    #[prost(uint32, tag = "1")]
    pub(super) version: u32,
    #[prost(string, optional, tag = "2")]
    pub(super) origin: Option<String>,
    #[prost(string, tag = "3")]
    pub(super) event_name: String,
    #[prost(uint64, tag = "4")]
    pub(super) epoch: u64,
    #[prost(uint64, tag = "5")]
    pub(super) records: u64,
    #[prost(sint64, optional, tag = "6")]
    pub(super) hub_us: Option<i64>,
    #[prost(message, repeated, tag = "7")]
    pub(super) boards: Vec<Board>,
    #[prost(message, repeated, tag = "8")]
    pub(super) agents: Vec<Agent>,
    #[prost(message, repeated, tag = "9")]
    pub(super) answers: Vec<Answer>,
    #[prost(message, repeated, tag = "30")]
    pub(super) anomalies: Vec<Anomaly>,
    #[prost(message, repeated, tag = "20")]
    pub(super) arbiters: Vec<Arbiter>,
    #[prost(message, optional, tag = "21")]
    pub(super) event: Option<Event>,
    #[prost(message, optional, tag = "22")]
    pub(super) floor: Option<Floor>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Floor {
    #[prost(uint64, tag = "1")]
    pub(super) version: u64,
    #[prost(string, tag = "2")]
    pub(super) actor: String,
    #[prost(sint64, optional, tag = "3")]
    pub(super) changed_us: Option<i64>,
    #[prost(message, repeated, tag = "4")]
    pub(super) places: Vec<proto::log::FloorPlace>,
    #[prost(message, repeated, tag = "5")]
    pub(super) parts: Vec<proto::log::FloorArranged>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Event {
    #[prost(message, optional, tag = "1")]
    pub(super) tournament: Option<proto::event::Tournament>,
    #[prost(uint64, tag = "2")]
    pub(super) version: u64,
    #[prost(message, repeated, tag = "3")]
    pub(super) touched: Vec<Touched>,
    #[prost(message, repeated, tag = "4")]
    pub(super) parts: Vec<proto::log::EventChanged>,
    #[prost(uint32, tag = "5")]
    pub(super) number: u32,
    #[prost(uint32, tag = "6")]
    pub(super) last_number: u32,
    #[prost(message, optional, tag = "7")]
    pub(super) journal: Option<Journal>,
    #[prost(message, repeated, tag = "8")]
    pub(super) aside: Vec<Aside>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Aside {
    #[prost(uint32, tag = "1")]
    pub(super) number: u32,
    #[prost(message, optional, tag = "2")]
    pub(super) tournament: Option<proto::event::Tournament>,
    #[prost(message, optional, tag = "3")]
    pub(super) journal: Option<Journal>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Journal {
    #[prost(message, optional, tag = "1")]
    pub(super) opened: Option<Opened>,
    #[prost(message, optional, tag = "2")]
    pub(super) base: Option<proto::event::Tournament>,
    #[prost(message, repeated, tag = "3")]
    pub(super) bundles: Vec<Bundle>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Opened {
    #[prost(message, optional, tag = "1")]
    pub(super) import: Option<Import>,
    #[prost(uint64, tag = "2")]
    pub(super) version: u64,
    #[prost(string, tag = "3")]
    pub(super) by: String,
    #[prost(uint32, optional, tag = "4")]
    pub(super) instead_of: Option<u32>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Import {
    #[prost(string, tag = "1")]
    pub(super) file: String,
    #[prost(uint32, repeated, tag = "2")]
    pub(super) begun: Vec<u32>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Bundle {
    #[prost(uint64, tag = "1")]
    pub(super) version: u64,
    #[prost(message, optional, tag = "2")]
    pub(super) actor: Option<proto::event::Actor>,
    #[prost(message, optional, tag = "3")]
    pub(super) import: Option<Import>,
    #[prost(message, repeated, tag = "4")]
    pub(super) changes: Vec<proto::event::Change>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Touched {
    /// The kind of topic; `round` and `no` are its numbers.
    #[prost(uint32, tag = "1")]
    pub(super) kind: u32,
    #[prost(uint32, tag = "2")]
    pub(super) round: u32,
    #[prost(uint32, tag = "3")]
    pub(super) no: u32,
    #[prost(uint64, tag = "4")]
    pub(super) version: u64,
    #[prost(string, tag = "5")]
    pub(super) by: String,
    #[prost(sint64, optional, tag = "110")]
    pub(super) at_us: Option<i64>,
    #[prost(enumeration = "proto::refusal::ChangeKind", tag = "111")]
    pub(super) change: i32,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Arbiter {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(bytes = "vec", tag = "2")]
    pub(super) key: Vec<u8>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Anomaly {
    #[prost(string, optional, tag = "1")]
    pub(super) board: Option<String>,
    #[prost(bytes = "vec", optional, tag = "2")]
    pub(super) agent: Option<Vec<u8>>,
    #[prost(string, tag = "3")]
    pub(super) kind: String,
    #[prost(string, tag = "4")]
    pub(super) text: String,
    #[prost(sint64, tag = "5")]
    pub(super) since_us: i64,
    #[prost(uint64, tag = "6")]
    pub(super) count: u64,
    #[prost(sint64, optional, tag = "7")]
    pub(super) latest_us: Option<i64>,
    #[prost(message, optional, tag = "8")]
    pub(super) figures: Option<proto::log::NoteFigures>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Answer {
    #[prost(bytes = "vec", tag = "1")]
    pub(super) id: Vec<u8>,
    #[prost(uint32, tag = "2")]
    pub(super) outcome: u32,
    #[prost(string, tag = "3")]
    pub(super) refusal: String,
    #[prost(string, optional, tag = "4")]
    pub(super) board: Option<String>,
    #[prost(uint64, optional, tag = "5")]
    pub(super) version: Option<u64>,
    #[prost(fixed64, tag = "6")]
    pub(super) digest: u64,
    /// The data of the refusal whose text is `refusal`.
    #[prost(message, optional, tag = "7")]
    pub(super) why: Option<proto::refusal::Refusal>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Board {
    #[prost(string, tag = "1")]
    pub(super) id: String,
    #[prost(bytes = "vec", tag = "2")]
    pub(super) clock: Vec<u8>,
    #[prost(sint64, tag = "3")]
    pub(super) used_us: i64,
    #[prost(sint64, optional, tag = "4")]
    pub(super) since_us: Option<i64>,
    #[prost(message, repeated, tag = "5")]
    pub(super) lines: Vec<Line>,
    #[prost(bytes = "vec", tag = "6")]
    pub(super) base: Vec<u8>,
    #[prost(message, repeated, tag = "7")]
    pub(super) steps: Vec<Step>,
    #[prost(uint64, tag = "8")]
    pub(super) seq: u64,
    #[prost(uint64, tag = "9")]
    pub(super) clocks_seq: u64,
    #[prost(uint64, tag = "10")]
    pub(super) decision_seq: u64,
    #[prost(message, repeated, tag = "11")]
    pub(super) changes: Vec<Change>,
    #[prost(string, tag = "12")]
    pub(super) white: String,
    #[prost(string, tag = "13")]
    pub(super) black: String,
    #[prost(string, tag = "14")]
    pub(super) round: String,
    #[prost(bytes = "vec", optional, tag = "15")]
    pub(super) agent: Option<Vec<u8>>,
    #[prost(bytes = "vec", optional, tag = "16")]
    pub(super) keeper: Option<Vec<u8>>,
    #[prost(uint64, optional, tag = "17")]
    pub(super) adoption: Option<u64>,
    #[prost(message, repeated, tag = "18")]
    pub(super) pending: Vec<Pending>,
    #[prost(sint64, optional, tag = "19")]
    pub(super) state_since_us: Option<i64>,
    #[prost(string, optional, tag = "20")]
    pub(super) fault: Option<String>,
    #[prost(uint32, tag = "21")]
    pub(super) draw_odds: u32,
    #[prost(sint64, optional, tag = "22")]
    pub(super) started_us: Option<i64>,
    #[prost(uint32, tag = "23")]
    pub(super) late_side: u32,
    #[prost(string, tag = "24")]
    pub(super) late_text: String,
    #[prost(uint32, tag = "25")]
    pub(super) of_round: u32,
    #[prost(message, repeated, tag = "26")]
    pub(super) asked: Vec<Asked>,
    #[prost(uint32, tag = "27")]
    pub(super) anew_for: u32,
    #[prost(message, optional, tag = "40")]
    pub(super) pair: Option<Pair>,
    #[prost(sint64, optional, tag = "80")]
    pub(super) arbiter_called_us: Option<i64>,
    #[prost(message, repeated, tag = "60")]
    pub(super) offences: Vec<Offence>,
    #[prost(string, optional, tag = "110")]
    pub(super) paused_by: Option<String>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Offence {
    #[prost(bytes = "vec", tag = "1")]
    pub(super) command: Vec<u8>,
    #[prost(uint32, tag = "2")]
    pub(super) kind: u32,
    #[prost(uint32, tag = "3")]
    pub(super) side: u32,
    #[prost(bool, tag = "4")]
    pub(super) revoked: bool,
    #[prost(bool, tag = "5")]
    pub(super) stands: bool,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Pending {
    #[prost(message, optional, tag = "1")]
    pub(super) record: Option<proto::log::CommandReceived>,
    #[prost(sint64, tag = "4")]
    pub(super) since_us: i64,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Asked {
    #[prost(bytes = "vec", tag = "1")]
    pub(super) id: Vec<u8>,
    #[prost(uint32, tag = "2")]
    pub(super) round: u32,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Line {
    #[prost(uint64, tag = "1")]
    pub(super) event_seq: u64,
    #[prost(uint32, tag = "2")]
    pub(super) n: u32,
    #[prost(bool, tag = "3")]
    pub(super) black: bool,
    #[prost(sint64, tag = "4")]
    pub(super) at_us: i64,
    #[prost(sint64, tag = "5")]
    pub(super) used_us: i64,
    #[prost(sint64, tag = "6")]
    pub(super) left_us: i64,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Step {
    #[prost(uint64, optional, tag = "1")]
    pub(super) event_seq: Option<u64>,
    #[prost(sint64, tag = "2")]
    pub(super) hub_us: i64,
    #[prost(uint32, tag = "3")]
    pub(super) kind: u32,
    #[prost(sint64, tag = "4")]
    pub(super) at_us: i64,
    #[prost(string, tag = "5")]
    pub(super) command: String,
    #[prost(uint32, tag = "60")]
    pub(super) rules: u32,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Change {
    #[prost(uint64, tag = "1")]
    pub(super) seq: u64,
    #[prost(uint32, tag = "2")]
    pub(super) kind: u32,
    #[prost(bool, tag = "3")]
    pub(super) black: bool,
    #[prost(uint32, tag = "4")]
    pub(super) moves: u32,
    /// The text of a decision, from a hub that stored only its text.
    #[prost(string, tag = "5")]
    pub(super) text: String,
    #[prost(message, optional, tag = "110")]
    pub(super) told: Option<proto::refusal::Change>,
    #[prost(sint64, optional, tag = "111")]
    pub(super) at_us: Option<i64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Agent {
    #[prost(bytes = "vec", tag = "1")]
    pub(super) id: Vec<u8>,
    #[prost(string, tag = "2")]
    pub(super) name: String,
    #[prost(bytes = "vec", tag = "3")]
    pub(super) exchange_key: Vec<u8>,
    #[prost(bytes = "vec", tag = "4")]
    pub(super) certificate_serial: Vec<u8>,
    #[prost(bool, tag = "5")]
    pub(super) revoked: bool,
    #[prost(string, optional, tag = "6")]
    pub(super) board: Option<String>,
    #[prost(uint64, tag = "7")]
    pub(super) seq: u64,
    #[prost(bytes = "vec", tag = "8")]
    pub(super) head: Vec<u8>,
    #[prost(sint64, optional, tag = "9")]
    pub(super) at_us: Option<i64>,
    #[prost(sint64, optional, tag = "10")]
    pub(super) heard_us: Option<i64>,
    #[prost(sint64, optional, tag = "11")]
    pub(super) offset_us: Option<i64>,
    #[prost(uint64, tag = "12")]
    pub(super) next_order: u64,
    #[prost(message, repeated, tag = "13")]
    pub(super) orders: Vec<Order>,
    #[prost(sint64, optional, tag = "20")]
    pub(super) corrected_us: Option<i64>,
    #[prost(string, optional, tag = "21")]
    pub(super) left: Option<String>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Order {
    #[prost(uint64, tag = "1")]
    pub(super) number: u64,
    #[prost(bool, tag = "2")]
    pub(super) withdrawn: bool,
    #[prost(string, optional, tag = "3")]
    pub(super) board: Option<String>,
    #[prost(message, optional, tag = "4")]
    pub(super) record: Option<proto::log::CommandReceived>,
    #[prost(bytes = "vec", tag = "7")]
    pub(super) snapshot: Vec<u8>,
    #[prost(uint32, tag = "40")]
    pub(super) side: u32,
    #[prost(sint64, optional, tag = "41")]
    pub(super) issued_us: Option<i64>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Pair {
    #[prost(message, optional, tag = "1")]
    pub(super) white: Option<Seat>,
    #[prost(message, optional, tag = "2")]
    pub(super) black: Option<Seat>,
    #[prost(sint64, tag = "3")]
    pub(super) turn_before_us: i64,
    #[prost(sint64, tag = "4")]
    pub(super) turn_after_us: i64,
    #[prost(uint64, tag = "5")]
    pub(super) events: u64,
    #[prost(string, optional, tag = "6")]
    pub(super) straddle: Option<String>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Seat {
    #[prost(bytes = "vec", tag = "1")]
    pub(super) agent: Vec<u8>,
    /// The order that assigns the side, while it is under way.
    #[prost(uint64, optional, tag = "2")]
    pub(super) ordered: Option<u64>,
    #[prost(sint64, tag = "3")]
    pub(super) passed_us: i64,
    #[prost(message, repeated, tag = "4")]
    pub(super) held: Vec<Held>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Held {
    #[prost(uint64, tag = "1")]
    pub(super) number: u64,
    /// 1 left, 2 right, 3 stop.
    #[prost(uint32, tag = "2")]
    pub(super) fact: u32,
    #[prost(sint64, tag = "3")]
    pub(super) lo_us: i64,
    #[prost(sint64, tag = "4")]
    pub(super) est_us: i64,
    #[prost(sint64, tag = "5")]
    pub(super) hi_us: i64,
}
