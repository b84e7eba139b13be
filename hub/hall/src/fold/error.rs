//! The reasons why the fold rejects a record: it cannot be read, does not fit the hall, or states a different clock.

use proto::ids::{AgentId, EventSeq};
use proto::log::After;

use super::super::refusal::Refusal;
use crate::board_id::BoardId;
use crate::from_proto::BadInput;
use crate::time_chess::PlayerRefusal;

/// The reason why the fold rejects a record.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum FoldError {
    #[error("record {index} cannot be read: {what}")]
    Unreadable { index: u64, what: String },
    #[error("record {index} does not follow from the earlier records: {what}")]
    Impossible { index: u64, what: RecordConflict },
    #[error(
        "record {index}, board {board}: the log says White {} us, Black {} us, digest {}; this program computes \
         White {} us, Black {} us, digest {}",
        logged.white_us, logged.black_us, proto::ids::hex(&logged.digest),
        folded.white_us, folded.black_us, proto::ids::hex(&folded.digest)
    )]
    Differs {
        index: u64,
        board: BoardId,
        logged: After,
        folded: After,
    },
}

/// The reason why a record does not fit the hall.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum RecordConflict {
    #[error("the log has already been opened, as {origin}")]
    AlreadyOpen { origin: String },
    #[error("the log has not been opened")]
    NotOpen,
    #[error("there is no board {0}")]
    NoBoard(BoardId),
    #[error("board {0} already exists")]
    BoardExists(BoardId),
    #[error("no board is named")]
    NoBoardNamed,
    #[error("no such agent")]
    UnknownAgent,
    #[error("agent {} is revoked", .0.short())]
    AgentRevoked(AgentId),
    #[error("no clock serves board {0}")]
    NoClock(BoardId),
    #[error("the record should change a clock, but changes none")]
    ChangesNoClock,
    #[error("the record settles time but names no board")]
    SettledNowhere,
    #[error("the command is not pending on its board")]
    NotPending,
    #[error("event {} does not continue the chain, which ends at {}", event.0, reached.0)]
    BrokenChain { event: EventSeq, reached: EventSeq },
    #[error("an event on a board with two clocks has no instant on the hub's timeline")]
    Unplaced,
    #[error("a clock that serves both sides must be assigned without a side")]
    BothSides,
    #[error("a clock's report names no board")]
    PassedNowhere,
    #[error("a clock reported for a side that it does not serve")]
    ForeignSide,
    #[error("part {part} of {parts} of {of} does not follow the {before} previous parts")]
    PartOutOfOrder {
        /// The whole to which the part belongs, as text.
        of: &'static str,
        part: u32,
        parts: u32,
        before: u32,
    },
    #[error("a change is incomplete")]
    ChangeCutOff,
    #[error("the last change is incomplete")]
    LastChangeCutOff,
    #[error("an entry other than a change among the parts of a bundle")]
    ForeignPart,
    #[error("{0}")]
    Undecodable(prost::DecodeError),
    #[error(transparent)]
    BadChange(#[from] BadInput),
    #[error("board {0} has no game of Time Chess")]
    NoTimeChess(BoardId),
    #[error("{0}")]
    Player(PlayerRefusal),
    #[error("{0}")]
    Refused(Refusal),
}
