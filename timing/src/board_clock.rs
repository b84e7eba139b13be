//! The clock of one board: a game plus what is needed beside it.

use crate::{
    Allotment, Board, Button, Command, Duration, Effects, Fact, GameResult, Instant, Plan,
    Rejection, Setup, Side, Snapshot, SnapshotError, StartRule, TimeControl,
};

/// The clock of one board.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BoardClock {
    setup: Setup,
}

/// What the board is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoardState {
    /// Set, not started.
    Ready,
    /// This side's clock runs.
    Running {
        /// Whose.
        mover: Side,
    },
    /// The arbiter stopped the clocks.
    Paused {
        /// Who runs when they resume.
        next: Side,
        /// Since when they stand.
        since: Instant<Board>,
    },
    /// The players stopped the clocks and wait for an arbiter or a result.
    Stopped {
        /// Who runs when they resume.
        next: Side,
        /// Since when they stand.
        since: Instant<Board>,
    },
    /// The clocks are frozen by the fallen flag of the side on move; nothing has been ruled.
    Flagged {
        /// Whose flag, and who was on move.
        side: Side,
    },
    /// The game has a result.
    Over,
}

/// What is known of a side's flag. Whether a fall is only *expected* yet is not the engine's to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FlagView {
    /// Up.
    None,
    /// Down, and not yet called.
    Fallen,
    /// Down, and called by the arbiter (FIDE 6.8).
    Called,
}

/// One side of the board, as a face shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SideView {
    /// Time in hand.
    pub time: Duration,
    /// What the side is living on.
    pub allotment: Allotment,
    /// Moves completed.
    pub moves: u32,
    /// Number of the period, from 1.
    pub period: u32,
    /// Byo-yomi periods left, the one in use included.
    pub byo_left: Option<u32>,
    /// Moves left in the Canadian block.
    pub stones: Option<u32>,
    /// Triple Block: the bank.
    pub bank: Option<Duration>,
    /// Scrabble: penalty points, zero or negative.
    pub points: Option<i64>,
    /// Simple delay: what is left of it for this move.
    pub delay_left: Option<Duration>,
    /// The flag.
    pub flag: FlagView,
}

impl BoardClock {
    /// A board set for a game.
    pub fn new(setup: Setup) -> Self {
        Self { setup }
    }

    /// Applies a fact observed at `now`. Never fails: a press that means nothing becomes an effect that says so.
    pub fn on_fact(&mut self, _now: Instant<Board>, _fact: Fact) -> Effects {
        todo!()
    }

    /// Applies an arbiter's request at `now`.
    ///
    /// # Errors
    /// If a rule refuses it; the state is then untouched, apart from time settled.
    pub fn on_command(
        &mut self,
        _now: Instant<Board>,
        _command: &Command,
    ) -> Result<Effects, Rejection> {
        todo!()
    }

    /// Whether [`BoardClock::on_command`] would accept the request.
    ///
    /// # Errors
    /// The refusal it would meet.
    pub fn check(&self, _now: Instant<Board>, _command: &Command) -> Result<(), Rejection> {
        todo!()
    }

    /// The next instant at which something changes without a press.
    pub fn next_deadline(&self) -> Option<Instant<Board>> {
        todo!()
    }

    /// Up to when time is settled; [`Instant::MIN`] before the first fact or request.
    pub fn now(&self) -> Instant<Board> {
        todo!()
    }

    /// Everything the clock is.
    pub fn snapshot(&self) -> Snapshot {
        todo!()
    }

    /// The clock a snapshot holds.
    ///
    /// # Errors
    /// If the snapshot holds no possible clock.
    pub fn from_snapshot(_snapshot: &Snapshot) -> Result<Self, SnapshotError> {
        todo!()
    }

    /// What a face shows from `now` on if nobody presses.
    pub fn plan(&self, _now: Instant<Board>) -> Plan {
        todo!()
    }

    /// One side at `now`.
    pub fn side(&self, _side: Side, _now: Instant<Board>) -> SideView {
        todo!()
    }

    /// What the board is doing, as of the time settled.
    pub fn state(&self) -> BoardState {
        todo!()
    }

    /// The result, once there is one.
    pub fn result(&self) -> Option<GameResult> {
        todo!()
    }

    /// Whose flag fell first, if one is down.
    pub fn first_flag(&self) -> Option<Side> {
        todo!()
    }

    /// The time control of the game.
    pub fn time_control(&self) -> &TimeControl {
        &self.setup.control
    }

    /// Which button is White's.
    pub fn white_button(&self) -> Button {
        self.setup.white
    }

    /// Who starts White's clock.
    pub fn start_rule(&self) -> StartRule {
        self.setup.start
    }
}
