//! What the hall wants done, after the records of the same step are durable. Owns the vocabulary only: no channels, no sockets.

use std::sync::Arc;

use proto::ids::{AgentId, CommandId, EventSeq};
use proto::log::Record;
use proto::wire::{GoodbyeReason, HubFrame, TimeProbe};
use timing::{Button, BySide, Duration, Hub, Instant};

use super::ask::{Reply, ReplyId};
use super::command_record::PendingCommand;
use super::floor::FloorPlan;
use super::input::{BoardId, LinkId};
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
    /// Answers a request.
    pub(crate) fn reply(&mut self, reply: ReplyId, answer: Result<Reply, Denied>) {
        self.effects.push(HubEffect::Reply { reply, answer });
    }

    /// Answers an arbiter's command, and counts it.
    pub(crate) fn reply_to_command(&mut self, reply: ReplyId, answer: Result<Answer, Denied>) {
        let taken = answer
            .as_ref()
            .is_ok_and(|answer| matches!(answer.outcome, Outcome::Done | Outcome::Pending));
        self.effects
            .push(HubEffect::Count(Count::Command { taken }));
        self.reply(reply, answer.map(Reply::Command));
    }
}

/// An effect that may leave before the records of its step are durable: it tells of nothing that they say.
#[derive(Clone, Debug)]
pub enum Immediate {
    /// Ask a clock for its time; waiting for the disk would cost precision.
    Probe {
        /// The clock's link.
        link: LinkId,
        /// The question.
        probe: TimeProbe,
    },
    /// Update the gauges of the connected clocks.
    ClockHealth(ClockHealth),
}

/// An effect that waits until the records of its step are durable.
#[derive(Clone, Debug)]
pub enum HubEffect {
    /// Send a frame.
    ToAgent {
        /// On which link.
        link: LinkId,
        /// What.
        frame: HubFrame,
    },
    /// Say goodbye and close.
    CloseLink {
        /// Which link.
        link: LinkId,
        /// Why.
        reason: GoodbyeReason,
        /// The same for people.
        text: String,
    },
    /// Answer a request.
    Reply {
        /// The caller that waits.
        reply: ReplyId,
        /// The answer.
        answer: Result<Reply, Denied>,
    },
    /// Show where boards stand now.
    Floor(FloorPlan),
    /// Show players, pairings and results as they are now.
    Tournament {
        /// The hub's time.
        hub_us: i64,
        /// The event.
        now: TournamentNow,
    },
    /// Show that the hub has no event any more.
    NoTournament {
        /// The hub's time.
        hub_us: i64,
        /// The version without one.
        version: u64,
    },
    /// Show boards as they stand now.
    Publish {
        /// The hub's time.
        hub_us: i64,
        /// Each board that changed, whole.
        boards: Vec<Arc<BoardDetail>>,
    },
    /// Show the event as it is now.
    PublishEvent {
        /// The hub's time.
        hub_us: i64,
        /// The event.
        event: EventView,
    },
    /// A board has left the hall.
    Gone {
        /// The hub's time.
        hub_us: i64,
        /// Which.
        board: BoardId,
    },
    /// Tell the people who run the hub.
    Notice(Notice),
    /// Count it for those who watch the hub's health.
    Count(Count),
}

/// Something worth counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// A press completed a move.
    Press {
        /// When the finger moved, by the hub's reckoning.
        at: Instant<Hub>,
    },
    /// A press had no meaning.
    PressIgnored,
    /// A flag fall was confirmed.
    Flag,
    /// A command was answered.
    Command {
        /// It was carried out or is pending; otherwise it was refused.
        taken: bool,
    },
}

/// The clocks of the hall, summed up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockHealth {
    /// Clocks that are heard.
    pub online: u64,
    /// Different programs they run.
    pub programs: u64,
    /// The farthest that a crystal is off, either way, parts per billion.
    pub rate_ppb_max: i64,
    /// Crystals at or beyond the limit, or contradicting themselves.
    pub crystals_faulty: u64,
    /// The widest half of a proven interval, microseconds.
    pub offset_half_width_us_max: i64,
    /// The longest of the last round trips, microseconds.
    pub round_trip_us_max: i64,
    /// The weakest battery; `None` where all are on mains power.
    pub battery_percent_min: Option<u32>,
    /// Batteries that are noted.
    pub batteries_low: u64,
    /// The warmest, thousandths of a degree Celsius.
    pub temperature_mc_max: Option<i32>,
    /// Events that the log has not.
    pub unacknowledged: u64,
    /// Of these, the ones that no journal has either.
    pub unsaved: u64,
    /// Clocks that cannot write their journals.
    pub journals_failed: u64,
    /// Notes for arbiters that stand.
    pub notes: u64,
}

/// Something an arbiter or the organiser should know; never a punishment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// One word by which programs tell notices apart.
    pub kind: &'static str,
    /// One sentence.
    pub text: String,
    /// Which board, if one.
    pub board: Option<BoardId>,
    /// Which agent, if one.
    pub agent: Option<AgentId>,
}

/// What became of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It took effect.
    Done,
    /// It waits for a silent clock: it may be forced or withdrawn.
    Pending,
    /// It had no effect; the text names the rule, or what has changed since its sender looked.
    Refused(Refusal),
    /// It was taken back before it took effect.
    Withdrawn,
}

/// The answer to a command.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Which command.
    pub id: CommandId,
    /// What became of it.
    pub outcome: Outcome,
    /// The board after it.
    pub board: Option<Arc<BoardDetail>>,
    /// After a zero test: what it found, for each clock of the board.
    pub certificates: Vec<Arc<Certificate>>,
}

/// A request that never became a command of the hall: nothing is logged, and asking again may be answered otherwise.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Denied {
    /// The request makes no sense; the text says where.
    #[error("{0}")]
    Invalid(String),
    /// What there is does not fit it: two clocks may be meant, or a round is over.
    #[error("{0}")]
    Unfit(Refusal),
    /// No such board, agent or command.
    #[error("{0}")]
    NotFound(Refusal),
    /// The actor's role does not allow it.
    #[error("{0}")]
    Forbidden(Refusal),
    /// The clock that it is for is not there.
    #[error("{0}")]
    Away(Refusal),
    /// The hub cannot, for now.
    #[error("{0}")]
    Unavailable(String),
}

/// A board as arbiters may see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardDetail {
    /// What everyone may see.
    pub view: Arc<BoardView>,
    /// Which button is White's.
    pub white_button: Button,
    /// The round of the event whose game it has.
    pub round: Option<RoundNo>,
    /// Who serves the board.
    pub agent: Option<AgentId>,
    /// Illegal moves in this game that arbiters have named (FIDE 7.5.5).
    pub illegal_moves: BySide<u32>,
    /// The clocks of its sides, where each has its own.
    pub clocks: Option<BySide<SideClock>>,
    /// When a player called the arbiter, with the clocks stopped.
    pub arbiter_called: Option<Instant<Hub>>,
    /// The arbiter whose command paused the clocks, while they stand.
    pub paused_by: Option<String>,
    /// What an arbiter should look at, in one line.
    pub note: Option<String>,
    /// The same one by one, the most urgent first. Never for players or spectators (FIDE 12.6).
    pub notes: Vec<BoardNote>,
    /// Commands that wait for the board's clock, oldest first.
    pub pending: Vec<PendingCommand>,
    /// The newest completed moves, oldest first, at most twelve.
    pub presses: Vec<PressLine>,
}

impl BoardDetail {
    /// A board of which arbiters see no more than everyone.
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

/// Something an arbiter should look at; never a punishment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardNote {
    /// One word by which programs tell notes apart.
    pub kind: &'static str,
    /// What is seen, what the arbiter may do, and the rule.
    pub text: String,
    /// Since when; `None` for what has no beginning.
    pub since: Option<Instant<Hub>>,
}

/// One of the two clocks of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideClock {
    /// Which; `None` while the side has none.
    pub agent: Option<AgentId>,
    /// It was heard of late.
    pub online: bool,
    /// Half-width of the proven interval of its offset, now.
    pub uncertainty: Option<Duration>,
}

/// An agent as arbiters may see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentInfo {
    /// Its key.
    pub agent: AgentId,
    /// Its name.
    pub name: String,
    /// Its X25519 key; empty when it was enrolled without one.
    pub exchange_key: Vec<u8>,
    /// The board it serves.
    pub board: Option<BoardId>,
    /// It was heard in the last 3.5 seconds.
    pub online: bool,
    /// It is shut out.
    pub revoked: bool,
    /// Its program; empty when it has not been connected in this run.
    pub firmware: String,
    /// 0 to 100; `None` on mains power or when unknown.
    pub battery_percent: Option<u32>,
    /// Its newest event in the log.
    pub acked_seq: EventSeq,
    /// Half-width of the proven interval of the offset between its clock and the hub's, microseconds.
    pub offset_uncertainty_us: Option<i64>,
    /// How fast its crystal runs against the hub's, parts per billion.
    pub rate_ppb: Option<i64>,
    /// The last time exchange's round trip, microseconds.
    pub round_trip_us: Option<i64>,
    /// It can write its journal.
    pub journal_ok: bool,
    /// Events it has that the log has not.
    pub unacknowledged: u64,
    /// Of these, the ones that are not in its journal either.
    pub unsaved: u64,
    /// Thousandths of a degree Celsius.
    pub temperature_mc: Option<i32>,
    /// The offset between its time and the hub's, now.
    pub offset: Option<Offset>,
    /// What is wrong with it, for the arbiter.
    pub alerts: Vec<BoardNote>,
}

/// An offset (hub − board), microseconds: the true one lies in `lo_us..=hi_us`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offset {
    /// The least it can be.
    pub lo_us: i64,
    /// The best guess.
    pub est_us: i64,
    /// The most it can be.
    pub hi_us: i64,
}
