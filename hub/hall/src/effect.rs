//! Effects of the hall, carried out once the records of the same step are durable. Defines the vocabulary only: no
//! channels, no sockets.

use std::sync::Arc;

use proto::ids::{AgentId, CommandId, EventSeq};
use proto::log::Record;
use proto::wire::{GoodbyeReason, HubFrame, TimeProbe};
use timing::{Button, BySide, Duration, Hub, Instant};

use super::ask::{Reply, ReplyId};
use super::command_record::PendingCommand;
use super::floor::FloorPlan;
use super::input::{BoardId, LinkId};
use super::note_kind::NoteKind;
use super::refusal::Refusal;
use super::tournament::TournamentNow;
use super::zero_test::Certificate;
use crate::view::{BoardView, EventView, PressLine};
use tournament::RoundNo;

/// The consequences of one input.
#[derive(Debug, Default)]
#[must_use]
pub struct Step {
    /// Records to log, in this order.
    pub records: Vec<Record>,
    /// Effects to carry out once the records are durable, in this order.
    pub effects: Vec<HubEffect>,
    /// Effects that need not wait for the records.
    pub immediate: Vec<Immediate>,
}

impl Step {
    pub(crate) fn reply(&mut self, reply: ReplyId, answer: Result<Reply, Denied>) {
        self.effects.push(HubEffect::Reply { reply, answer });
    }

    /// Answers an arbiter's command and counts it.
    pub(crate) fn reply_to_command(&mut self, reply: ReplyId, answer: Result<Answer, Denied>) {
        let taken = answer
            .as_ref()
            .is_ok_and(|answer| matches!(answer.outcome, Outcome::Done | Outcome::Pending));
        self.effects
            .push(HubEffect::Count(Count::Command { taken }));
        self.reply(reply, answer.map(Reply::Command));
    }
}

/// An effect that may leave before the records of its step are durable, because it reveals none of their content.
#[derive(Clone, Debug)]
pub enum Immediate {
    /// Asks a clock for its time; waiting for the disk would cost precision.
    Probe {
        /// The clock's link.
        link: LinkId,
        /// The probe.
        probe: TimeProbe,
    },
    /// Updates the gauges of the connected clocks.
    ClockHealth(ClockHealth),
}

/// An effect that waits until the records of its step are durable.
#[derive(Clone, Debug)]
pub enum HubEffect {
    /// Sends a frame.
    ToAgent {
        /// The link.
        link: LinkId,
        /// The frame.
        frame: HubFrame,
    },
    /// Sends a goodbye and closes the link.
    CloseLink {
        /// The link.
        link: LinkId,
        /// The reason.
        reason: GoodbyeReason,
        /// The reason in words.
        text: String,
    },
    /// Answers a request.
    Reply {
        /// The caller that waits.
        reply: ReplyId,
        /// The answer.
        answer: Result<Reply, Denied>,
    },
    /// Publishes the floor plan.
    Floor(FloorPlan),
    /// Publishes players, pairings and results.
    Tournament {
        /// The hub's time.
        hub_us: i64,
        /// The event.
        now: TournamentNow,
    },
    /// Publishes that the hub has no event any more.
    NoTournament {
        /// The hub's time.
        hub_us: i64,
        /// The event's version after its removal.
        version: u64,
    },
    /// Publishes boards.
    Publish {
        /// The hub's time.
        hub_us: i64,
        /// Each changed board in full.
        boards: Vec<Arc<BoardDetail>>,
    },
    /// Publishes the view of the event.
    PublishEvent {
        /// The hub's time.
        hub_us: i64,
        /// The event.
        event: EventView,
    },
    /// Publishes that a board has left the hall.
    Gone {
        /// The hub's time.
        hub_us: i64,
        /// The board.
        board: BoardId,
    },
    /// Notifies the people who run the hub.
    Notice(Notice),
    /// Counts for the hub's metrics.
    Count(Count),
}

/// A countable occurrence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// A press completed a move.
    Press {
        /// Hub instant of the press, as estimated.
        at: Instant<Hub>,
    },
    /// A press was ignored.
    PressIgnored,
    /// A flag fall was confirmed.
    Flag,
    /// A command was answered.
    Command {
        /// True if the command was carried out or is pending; false if it was refused.
        taken: bool,
    },
}

/// A summary of the hall's clocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockHealth {
    /// Number of clocks online.
    pub online: u64,
    /// Number of different firmware versions.
    pub programs: u64,
    /// Greatest absolute error of a crystal's rate, in parts per billion.
    pub rate_ppb_max: i64,
    /// Number of crystals that reach the limit or contradict themselves.
    pub crystals_faulty: u64,
    /// Greatest half-width of a proven offset interval, in microseconds.
    pub offset_half_width_us_max: i64,
    /// Greatest of the latest round trips, in microseconds.
    pub round_trip_us_max: i64,
    /// Lowest battery charge; `None` if all clocks are on mains power.
    pub battery_percent_min: Option<u32>,
    /// Number of batteries with a note.
    pub batteries_low: u64,
    /// Highest temperature, in thousandths of a degree Celsius.
    pub temperature_mc_max: Option<i32>,
    /// Number of events that are missing from the log.
    pub unacknowledged: u64,
    /// Number of those events that are in no journal either.
    pub unsaved: u64,
    /// Number of clocks that cannot write their journals.
    pub journals_failed: u64,
    /// Number of current notes for arbiters.
    pub notes: u64,
}

/// Information for an arbiter or the organiser; never a penalty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// The kind, for programs.
    pub kind: NoteKind,
    /// The text, one sentence.
    pub text: String,
    /// The board, if the notice concerns one.
    pub board: Option<BoardId>,
    /// The agent, if the notice concerns one.
    pub agent: Option<AgentId>,
}

/// The outcome of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The command took effect.
    Done,
    /// The command waits for a clock without a signal; it can be forced or withdrawn.
    Pending,
    /// The command had no effect; the refusal names the rule, or the change since its sender looked.
    Refused(Refusal),
    /// The command was withdrawn before it took effect.
    Withdrawn,
}

/// The answer to a command.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The command.
    pub id: CommandId,
    /// The outcome.
    pub outcome: Outcome,
    /// The board after the command.
    pub board: Option<Arc<BoardDetail>>,
    /// After a clock test: the certificate of each clock of the board.
    pub certificates: Vec<Arc<Certificate>>,
}

/// The refusal of a request that never became a command: nothing is logged, and the next attempt may have another
/// answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Denied {
    /// The request is invalid; the text says where.
    #[error("{0}")]
    Invalid(String),
    /// The request does not fit the current state: it is ambiguous between two clocks, or a round is over.
    #[error("{0}")]
    Unfit(Refusal),
    /// The board, agent or command does not exist.
    #[error("{0}")]
    NotFound(Refusal),
    /// The actor's role does not allow it.
    #[error("{0}")]
    Forbidden(Refusal),
    /// The clock for which the request is meant is not connected.
    #[error("{0}")]
    Away(Refusal),
    /// The hub is temporarily unable to do it.
    #[error("{0}")]
    Unavailable(String),
}

/// The arbiters' view of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardDetail {
    /// The public view.
    pub view: Arc<BoardView>,
    /// White's button.
    pub white_button: Button,
    /// The round of the event to which the board's game belongs.
    pub round: Option<RoundNo>,
    /// The agent that serves the board.
    pub agent: Option<AgentId>,
    /// Number of illegal moves that arbiters recorded in this game (FIDE 7.5.5).
    pub illegal_moves: BySide<u32>,
    /// The clocks of the sides, where each side has its own.
    pub clocks: Option<BySide<SideClock>>,
    /// Hub instant at which a player called the arbiter, with the clocks stopped.
    pub arbiter_called: Option<Instant<Hub>>,
    /// The arbiter who paused the clocks, while they are paused.
    pub paused_by: Option<String>,
    /// A note for the arbiter, in one line.
    pub note: Option<String>,
    /// The single notes, most urgent first. Never shown to players or spectators (FIDE 12.6).
    pub notes: Vec<BoardNote>,
    /// Pending commands, oldest first.
    pub pending: Vec<PendingCommand>,
    /// The newest completed moves, oldest first, at most twelve.
    pub presses: Vec<PressLine>,
}

impl BoardDetail {
    /// Returns the detail of a board for which arbiters see no more than the public.
    pub fn public(view: BoardView) -> Self {
        Self {
            view: Arc::new(view),
            white_button: Button::Left,
            round: None,
            agent: None,
            illegal_moves: BySide::default(),
            clocks: None,
            arbiter_called: None,
            paused_by: None,
            note: None,
            notes: Vec::new(),
            pending: Vec::new(),
            presses: Vec::new(),
        }
    }
}

/// An observation for the arbiter; never a penalty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardNote {
    /// The kind, for programs.
    pub kind: NoteKind,
    /// The observation, the arbiter's options, and the rule.
    pub text: String,
    /// Beginning of the cause; `None` if it has no beginning.
    pub since: Option<Instant<Hub>>,
}

/// One of the two clocks of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideClock {
    /// The agent; `None` if the side has no clock.
    pub agent: Option<AgentId>,
    /// The clock was heard recently.
    pub online: bool,
    /// Half-width of the proven interval of the current offset.
    pub uncertainty: Option<Duration>,
}

/// The arbiters' view of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentInfo {
    /// The agent's key.
    pub agent: AgentId,
    /// The agent's name.
    pub name: String,
    /// The X25519 key; empty if the agent was enrolled without one.
    pub exchange_key: Vec<u8>,
    /// The board that the agent serves.
    pub board: Option<BoardId>,
    /// The agent was heard in the last 3.5 seconds.
    pub online: bool,
    /// The agent is revoked.
    pub revoked: bool,
    /// The firmware; empty if the agent was not connected in this run.
    pub firmware: String,
    /// Battery charge, 0 to 100; `None` on mains power or when unknown.
    pub battery_percent: Option<u32>,
    /// Sequence number of its newest event in the log.
    pub acked_seq: EventSeq,
    /// Half-width of the proven interval of the offset, in microseconds.
    pub offset_uncertainty_us: Option<i64>,
    /// Rate of the crystal relative to the hub's, in parts per billion.
    pub rate_ppb: Option<i64>,
    /// Round trip of the last time exchange, in microseconds.
    pub round_trip_us: Option<i64>,
    /// The agent can write its journal.
    pub journal_ok: bool,
    /// Number of its events that are missing from the log.
    pub unacknowledged: u64,
    /// Number of those events that are not in its journal either.
    pub unsaved: u64,
    /// Temperature in thousandths of a degree Celsius.
    pub temperature_mc: Option<i32>,
    /// The current offset between its time and the hub's.
    pub offset: Option<Offset>,
    /// Notes for the arbiter about the clock.
    pub alerts: Vec<BoardNote>,
}

/// An offset (hub − board) in microseconds: the true one lies in `lo_us..=hi_us`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offset {
    /// Lower bound.
    pub lo_us: i64,
    /// Best estimate.
    pub est_us: i64,
    /// Upper bound.
    pub hi_us: i64,
}
