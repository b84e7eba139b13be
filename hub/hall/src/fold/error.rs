//! The reasons why the fold rejects a record: the log cannot be read, or the record does not fit the hall.

use proto::ids::{AgentId, EventSeq};
use proto::log::After;

use super::super::refusal::Refusal;
use crate::board_id::BoardId;
use crate::from_proto::BadInput;

/// The reason why a record cannot be applied; this program cannot continue with the log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FoldError {
    /// This version cannot read the record's bytes or values.
    #[error("record {index} cannot be read: {what}")]
    Unreadable {
        /// Index of the record.
        index: u64,
        /// The reason.
        what: String,
    },
    /// The record does not fit the records before it.
    #[error("record {index} does not follow from the records before it: {what}")]
    Impossible {
        /// Index of the record.
        index: u64,
        /// The contradiction.
        what: Misfit,
    },
    /// The record leads to a different state of the clocks than when it was accepted.
    #[error(
        "record {index}, board {board}: the log says White {} us, Black {} us, digest {}; this program comes to \
         White {} us, Black {} us, digest {}",
        logged.white_us, logged.black_us, proto::ids::hex(&logged.digest),
        folded.white_us, folded.black_us, proto::ids::hex(&folded.digest)
    )]
    Differs {
        /// Index of the record.
        index: u64,
        /// The board.
        board: BoardId,
        /// The logged state.
        logged: After,
        /// The state that this program computed.
        folded: After,
    },
}

/// The contradiction between a record and the records before it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misfit {
    /// A second opening of the log.
    #[error("the log is open already, as {origin}")]
    AlreadyOpen {
        /// The origin of the opened log.
        origin: String,
    },
    /// A record that needs the log's origin.
    #[error("the log has not been opened")]
    NotOpen,
    /// A board that is not in the hall.
    #[error("there is no board {0}")]
    NoBoard(BoardId),
    /// A new board with the name of an existing one.
    #[error("there is a board {0} already")]
    BoardExists(BoardId),
    /// A record that needs a board and has none.
    #[error("no board is named")]
    NoBoardNamed,
    /// An agent that was never enrolled.
    #[error("no such agent")]
    UnknownAgent,
    /// An agent whose access was revoked.
    #[error("agent {} is shut out", .0.short())]
    AgentRevoked(AgentId),
    /// A command that needs a clock, for a board without one.
    #[error("no clock serves board {0}")]
    NoClock(BoardId),
    /// A record that states a board's clock and changes no clock.
    #[error("it is said to have changed a clock, and changes none")]
    ChangesNoClock,
    /// A settled time without its board.
    #[error("time is settled on no board")]
    SettledNowhere,
    /// A pending command that its board does not have.
    #[error("the command does not wait on its board")]
    NotPending,
    /// An event that is not the next of its agent's chain.
    #[error("event {} does not continue the chain, which stands at {}", event.0, reached.0)]
    BrokenChain {
        /// The event's number.
        event: EventSeq,
        /// The newest event of the chain.
        reached: EventSeq,
    },
    /// An event that needs a place on the hub's timeline and has none.
    #[error("an event of a board with two clocks has no place in the hub's time")]
    Unplaced,
    /// The same clock for both sides.
    #[error("one clock serves both sides only without a side")]
    BothSides,
    /// A side's watermark, without its board.
    #[error("a clock has spoken for no board")]
    PassedNowhere,
    /// A watermark for a side that has another clock.
    #[error("a clock has spoken for a side it does not serve")]
    ForeignSide,
    /// A part that is not the next one of its whole.
    #[error("part {part} of {parts} of {of} does not follow the {before} parts before it")]
    PartOutOfOrder {
        /// The whole, in words.
        of: &'static str,
        /// The part's number, from 1.
        part: u32,
        /// The number of parts.
        parts: u32,
        /// The number of parts received before.
        before: u32,
    },
    /// A change of the event whose next piece is missing.
    #[error("a change breaks off")]
    ChangeCutOff,
    /// A bundle that ends within a change.
    #[error("the last change breaks off")]
    LastChangeCutOff,
    /// A part of a bundle that contains no change.
    #[error("something else among changes")]
    ForeignPart,
    /// A change in pieces whose bytes are damaged.
    #[error("{0}")]
    Undecodable(prost::DecodeError),
    /// A change in pieces with values that this version does not know.
    #[error(transparent)]
    BadChange(#[from] BadInput),
    /// A refusal by a rule of the hall or of the event.
    #[error("{0}")]
    Refused(Refusal),
}
