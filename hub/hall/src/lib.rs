//! The hall: every board, every agent and every arbiter's command as one state machine that uses no system clock,
//! socket or disk.
//!
//! [`Hall::on_input`] takes an input and returns records to log and effects to carry out once the records are durable.
//! The durable state is a fold of the records (`fold`). The state of this run (links, silence, offsets) is kept
//! separately and ends with the run. The same inputs at the same instants produce the same output, byte for byte.
//!
//! Must never read the system clock, wait, do I/O, draw a random number except from the seeded generator, or iterate in
//! an undefined order.

#![expect(
    missing_docs,
    reason = "not an API outside this repository: only names that need a doc have one"
)]

mod agent;
mod agent_frame;
mod anomaly;
mod answers;
mod arbiter_view;
mod ask;
mod audit;
mod board;
mod board_id;
mod board_moves;
mod changes;
mod command;
mod command_record;
mod corrections;
mod default_time;
mod delayed;
mod describe;
mod effect;
mod entry;
mod event_no;
mod evidence;
mod floor;
mod fold;
pub mod from_proto;
mod greeting;
mod hall;
mod held;
mod input;
mod log_epoch;
mod note;
mod note_kind;
mod offence;
mod options;
mod outcome;
mod pair;
mod pending;
mod picture;
mod placing;
mod play;
mod player;
mod probes;
mod public_board;
mod react;
mod recent;
pub mod refusal;
pub mod replay;
mod request;
mod roster;
mod round;
mod ruling;
mod rulings;
mod same_variants;
mod session;
mod start;
mod sum_check;
mod suspicion;
mod time_chess;
pub mod to_proto;
mod told;
pub mod tournament;
mod trace;
mod traffic;
pub mod view;
mod wakes;
mod wall_time;
mod words;
mod zero_test;

pub use agent_frame::{
    AgentFrame, EventFact, FirmwareText, Health, Hello, LinkId, LogContradiction, OriginText,
    Process, SignedEvent, SignedPromise,
};
pub use anomaly::{NotesSeen, Thresholds};
pub use arbiter_view::{AgentInfo, BoardDetail, BoardNote, Offset, SideClock};
pub use ask::{
    Answer, Ask, AskAgents, AskOutcome, AskPresses, AskProceedings, HallRequest, Reply, ReplyId,
};
pub use audit::{AuditedCommand, command_in};
pub use board_id::{BadBoardId, BoardId};
pub use command_record::{CommandKind, CommandRecord, PendingCommand};
pub use corrections::{Arbiter, Arbiters, Correction};
pub use delayed::DelayedHall;
pub use describe::{describe, describe_changes, exact_time};
pub use effect::{ClockHealth, Count, HubEffect, Immediate, Step};
pub use event_no::EventNo;
pub use evidence::PromiseCheck;
pub use floor::{FloorAnswer, FloorPlan, FloorRequest, MAX_COORDINATE, MAX_PLACES, Spot};
pub use fold::tournament::with_changes;
pub use fold::{FoldError, RecordConflict};
pub use hall::Hall;
pub use held::{
    DecideHeld, DecisionOutcome, HeldCommand, HeldEffect, HeldRefusal, HoldRevocation, Limited,
    LogCall, MAX_HELD_COMMANDS, MAX_HELD_PER_SENDER, SecondArbiterLimits,
};
pub use input::{Input, StartUp};
pub use log_epoch::begins_log_epoch;
pub use note::Notice;
pub use note_kind::NoteKind;
pub use offence::{Offence, OffenceKind};
pub(crate) use options::Labels;
pub use options::{EventOptions, Sound};
pub use outcome::{Denied, Outcome};
pub use proto::log::ChiefRecovered as ChiefRecovery;
pub use refusal::Refusal;
pub use request::{Action, Actor, Enrolment, Request, RequestDigest, Role, is_same_person};
pub use round::{
    BoardReason, BoardWork, PresetWith, RoundRequest, RoundStatus, RoundWork, WorkState,
};
pub use ruling::{Ruling, RulingRefusal};
pub use rulings::BoardProceedings;
pub use time_chess::{PlayerAct, PlayerRefusal, PlayerRequest, PressRule, TimeChessBoard};
pub use tournament::{Purpose, TournamentAnswer, TournamentNow, TournamentRequest, UndoableImport};
pub use trace::{GameCursor, GamePlace};
pub use wall_time::WallTime;
pub use zero_test::{
    Certificate, LIMIT_ANSWER, LIMIT_ERROR, LIMIT_INTERVAL, LIMIT_RATE_PPB, TestPress,
};
