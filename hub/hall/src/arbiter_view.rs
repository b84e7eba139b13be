//! The arbiters' view of boards and agents, which contains more than the public view. Holds the data only.

use std::sync::Arc;

use laws::{OpenClaim, RuleSet};
use proto::ids::{AgentId, EventSeq};
use proto::log::NoteFigures;
use timing::{Button, BySide, Duration, Hub, Instant};

use crate::board_id::BoardId;
use crate::command_record::PendingCommand;
use crate::note_kind::NoteKind;
use crate::time_chess::TimeChessBoard;
use crate::view::{BoardView, PressLine};
use tournament::RoundNo;

/// The arbiters' view of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardDetail {
    /// The clock and the players, with the board's own sequence number, which commands quote.
    pub view: Arc<BoardView>,
    /// The view as last published. Its sequence number counts only published changes, so the number does not reveal
    /// changes that only arbiters may see.
    pub published: Arc<BoardView>,
    /// The button that White presses: left or right.
    pub white_button: Button,
    /// The round of the event to which the board's game belongs.
    pub round: Option<RoundNo>,
    pub agent: Option<AgentId>,
    /// The rule set; `None` if only the board's public view is known.
    pub rules: Option<&'static RuleSet>,
    pub open_claim: Option<OpenClaim>,
    /// Number of illegal moves that arbiters recorded in this game (FIDE 7.5.5).
    pub illegal_moves: BySide<u32>,
    /// The two clocks of a board on which each side has its own.
    pub clocks: Option<BySide<SideClock>>,
    /// Hub instant at which a player called the arbiter, with the clocks stopped.
    pub arbiter_called: Option<Instant<Hub>>,
    /// The arbiter who paused the clocks, while they are paused.
    pub paused_by: Option<String>,
    /// The part of each side's time used in this game that is known only from the clocks' own reports.
    pub unverified_time: BySide<Duration>,
    /// The texts of `notes`, joined into one line; `None` if there are no notes.
    pub note: Option<String>,
    /// The individual notes. Never shown to players or spectators (FIDE 12.6).
    pub notes: Vec<BoardNote>,
    /// Pending commands, oldest first.
    pub pending: Vec<PendingCommand>,
    /// The newest completed moves, oldest first, at most twelve.
    pub presses: Vec<PressLine>,
    /// The game of Time Chess. Only arbiters see it; all others get its [`time_chess::View`].
    pub time_chess: Option<Arc<TimeChessBoard>>,
}

impl BoardDetail {
    /// Builds the detail of a board of which only the public view is known.
    pub fn public(view: BoardView) -> Self {
        Self::shown(Arc::new(view))
    }

    pub(crate) fn shown(view: Arc<BoardView>) -> Self {
        Self {
            published: view.clone(),
            view,
            white_button: Button::Left,
            round: None,
            agent: None,
            rules: None,
            open_claim: None,
            illegal_moves: BySide::default(),
            clocks: None,
            arbiter_called: None,
            paused_by: None,
            unverified_time: BySide::default(),
            note: None,
            notes: Vec::new(),
            pending: Vec::new(),
            presses: Vec::new(),
            time_chess: None,
        }
    }

    /// Returns the board as viewers see it: players, clocks and moves. `view` is the board's public view. The result
    /// reveals no note, call, offence or command (FIDE 12.6).
    pub fn for_viewers(&self, view: Arc<BoardView>) -> Self {
        let side = |clock: &SideClock| SideClock {
            agent: clock.agent,
            online: clock.online,
            uncertainty: None,
        };
        let press = |line: &PressLine| PressLine {
            event_seq: EventSeq::default(),
            ..*line
        };
        let clocks = self.clocks.as_ref();
        Self {
            white_button: self.white_button,
            round: self.round,
            agent: self.agent,
            rules: self.rules,
            clocks: clocks.map(|clocks| BySide::from_fn(|of| side(&clocks[of]))),
            presses: self.presses.iter().map(press).collect(),
            ..Self::shown(view)
        }
    }
}

/// An observation for the arbiter; never a penalty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardNote {
    pub kind: NoteKind,
    /// The observation, the arbiter's options and, where one applies, the rule.
    pub text: String,
    /// Hub instant at which the note was raised; `None` if it is not recorded.
    pub since: Option<Instant<Hub>>,
    /// Number of occurrences since `since`, for a counted note ([`NoteKind::is_counted`]); 0 for a note that ends
    /// with its cause.
    pub count: u64,
    /// Instant at which the note was last counted.
    pub latest: Option<Instant<Hub>>,
    pub agent: Option<AgentId>,
    pub figures: NoteFigures,
}

impl BoardNote {
    /// Returns a note that ends with its cause and has neither a beginning nor figures.
    pub fn new(kind: NoteKind, text: String) -> Self {
        Self {
            kind,
            text,
            since: None,
            count: 0,
            latest: None,
            agent: None,
            figures: NoteFigures::default(),
        }
    }
}

/// One of the two clocks of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideClock {
    /// The agent that serves the side; `None` if the side has no clock.
    pub agent: Option<AgentId>,
    /// True if the clock was heard recently.
    pub online: bool,
    /// Half-width of the interval that provably contains the current offset.
    pub uncertainty: Option<Duration>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "a name without a doc says what it is")]
pub struct AgentInfo {
    pub agent: AgentId,
    pub name: String,
    /// The agent's X25519 public key for Bluetooth LE; empty if the agent was enrolled without one.
    pub exchange_key: Vec<u8>,
    pub board: Option<BoardId>,
    /// True if the agent was heard in the last 3.5 seconds.
    pub online: bool,
    pub revoked: bool,
    /// A description of the firmware; empty if the agent has not connected in this run.
    pub firmware: String,
    /// Battery charge, 0 to 100; `None` on mains power or when unknown.
    pub battery_percent: Option<u32>,
    /// Sequence number of the agent's newest event in the log.
    pub acked_seq: EventSeq,
    /// Half-width of the interval that provably contains the offset, in microseconds.
    pub offset_uncertainty_us: Option<i64>,
    /// Rate error of the crystal relative to the hub's, in parts per billion.
    pub rate_ppb: Option<i64>,
    /// Round trip of the last time exchange, in microseconds.
    pub round_trip_us: Option<i64>,
    /// True if the agent can write its journal.
    pub journal_ok: bool,
    /// Number of the agent's events that are missing from the log.
    pub unacknowledged: u64,
    /// Number of the agent's events that are missing from both the log and the agent's journal.
    pub unsaved: u64,
    /// Temperature of the clock, in thousandths of a degree Celsius.
    pub temperature_mc: Option<i32>,
    pub offset: Option<Offset>,
    pub alerts: Vec<BoardNote>,
}

/// Hub time minus board time, in microseconds. The true offset is within `lo_us..=hi_us`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offset {
    pub lo_us: i64,
    pub est_us: i64,
    pub hi_us: i64,
}
