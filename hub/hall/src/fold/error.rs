//! The reasons why the fold takes no record: those of a log that cannot be read, and those of a record that does not fit the hall.

use proto::ids::{AgentId, EventSeq};
use proto::log::After;

use super::super::input::BoardId;
use super::super::refusal::Refusal;
use crate::from_proto::BadInput;

/// The reason why a record cannot be applied: this program cannot go on with the log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FoldError {
    /// Its bytes or its values are not of this version.
    #[error("record {index} cannot be read: {what}")]
    Unreadable {
        /// Index of the record.
        index: u64,
        /// What is wrong.
        what: String,
    },
    /// It does not fit what came before it.
    #[error("record {index} does not follow from the records before it: {what}")]
    Impossible {
        /// Index of the record.
        index: u64,
        /// What does not fit.
        what: Misfit,
    },
    /// It leads to other clocks than when it was accepted.
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
        /// What the log says.
        logged: After,
        /// What this program comes to.
        folded: After,
    },
}

/// The contradiction between a record and the records before it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misfit {
    /// A second opening.
    #[error("the log is open already, as {origin}")]
    AlreadyOpen {
        /// The origin that the log was opened with.
        origin: String,
    },
    /// A record that needs the log's origin.
    #[error("the log has not been opened")]
    NotOpen,
    /// A board that is not in the hall.
    #[error("there is no board {0}")]
    NoBoard(BoardId),
    /// A new board with the name of another.
    #[error("there is a board {0} already")]
    BoardExists(BoardId),
    /// A record that is about a board, without one.
    #[error("no board is named")]
    NoBoardNamed,
    /// An agent that was never enrolled.
    #[error("no such agent")]
    UnknownAgent,
    /// An agent whose access was revoked.
    #[error("agent {} is shut out", .0.short())]
    AgentRevoked(AgentId),
    /// A command for the clock of a board without one.
    #[error("no clock serves board {0}")]
    NoClock(BoardId),
    /// A record with a board's clock after it that changes no clock.
    #[error("it is said to have changed a clock, and changes none")]
    ChangesNoClock,
    /// Time that passed, without its board.
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
    /// An event that needs a place on the hub's timeline.
    #[error("an event of a board with two clocks has no place in the hub's time")]
    Unplaced,
    /// The same clock for each of two sides.
    #[error("one clock serves both sides only without a side")]
    BothSides,
    /// A side's watermark, without its board.
    #[error("a clock has spoken for no board")]
    PassedNowhere,
    /// A watermark for a side with another clock.
    #[error("a clock has spoken for a side it does not serve")]
    ForeignSide,
    /// A part that is not the next of its whole.
    #[error("part {part} of {parts} of {of} does not follow the {before} parts before it")]
    PartOutOfOrder {
        /// The whole, in words.
        of: &'static str,
        /// The part's number, from 1.
        part: u32,
        /// The number of parts.
        parts: u32,
        /// The parts that were there.
        before: u32,
    },
    /// A change of the event whose next piece is missing.
    #[error("a change breaks off")]
    ChangeCutOff,
    /// A bundle that ends within a change.
    #[error("the last change breaks off")]
    LastChangeCutOff,
    /// A part of a bundle that is no change.
    #[error("something else among changes")]
    ForeignPart,
    /// A change in pieces whose bytes are damaged.
    #[error("{0}")]
    Undecodable(prost::DecodeError),
    /// A change in pieces with values that are not of this version.
    #[error(transparent)]
    BadChange(#[from] BadInput),
    /// A rule of the hall or of the event refuses it.
    #[error("{0}")]
    Refused(Refusal),
}
