//! The clock of one board: a game and everything else that the board needs.
//!
//! Owns the assignment of buttons, the rule for starting White's clock, and the record of called flags. All rules
//! of time belong to [`Game`].

use crate::game::Game;
use crate::phase::{PausedBy, Phase};
use crate::player_clock::Flag;
use crate::time_control::{AfterFlag, SideControl};
use crate::{
    Allotment, Board, Button, BySide, Duration, GameResult, Instant, Plan, Setup, Side, StartRule,
    TimeControl,
};

mod apply;

/// The clock of one board.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BoardClock {
    pub(crate) game: Game<Board>,
    pub(crate) white: Button,
    pub(crate) start: StartRule,
    pub(crate) called: BySide<Called>,
}

/// The state of a fallen flag: called by the arbiter or not yet (FIDE 6.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Called {
    Not,
    Yes,
}

/// No flag has been called.
const NONE_CALLED: BySide<Called> = BySide {
    white: Called::Not,
    black: Called::Not,
};

/// The phase of the game on a board, from set-up to result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoardState {
    /// Set up, not started.
    Ready,
    /// One side's clock is running.
    Running {
        /// The side on move.
        mover: Side,
    },
    /// The arbiter stopped the clocks.
    Paused {
        /// The side whose clock runs after a resume.
        next: Side,
        /// The instant at which the clocks stopped.
        since: Instant<Board>,
    },
    /// The players stopped the clocks and are waiting for an arbiter or a result.
    Stopped {
        /// The side whose clock runs after a resume.
        next: Side,
        /// The instant at which the clocks stopped.
        since: Instant<Board>,
    },
    /// The fallen flag of the side on move has frozen the clocks, and the arbiter has not ruled yet.
    Flagged {
        /// The side whose flag fell, which was on move.
        side: Side,
    },
    /// The game has a result.
    Over,
}

impl BoardState {
    /// Returns the side whose clock is running.
    pub const fn running(self) -> Option<Side> {
        match self {
            Self::Running { mover } => Some(mover),
            Self::Ready
            | Self::Paused { .. }
            | Self::Stopped { .. }
            | Self::Flagged { .. }
            | Self::Over => None,
        }
    }

    /// Returns the side whose clock is running or will run after a resume.
    pub const fn on_move(self) -> Option<Side> {
        match self {
            Self::Running { mover } => Some(mover),
            Self::Paused { next, .. } | Self::Stopped { next, .. } => Some(next),
            Self::Ready | Self::Flagged { .. } | Self::Over => None,
        }
    }
}

/// A side's flag: up, fallen or called. Does not tell whether the clock has confirmed the fall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FlagView {
    /// Up.
    None,
    /// Down, and not yet called.
    Fallen,
    /// Down, and called by the arbiter (FIDE 6.8).
    Called,
}

/// One side of the board, as displayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SideView {
    /// Time in hand.
    pub time: Duration,
    /// The kind of time the side is using.
    pub allotment: Allotment,
    /// Moves completed.
    pub moves: u32,
    /// Number of the period, from 1.
    pub period: u32,
    /// Byo-yomi periods left, including the current one; before byo-yomi begins, all of them.
    pub byo_left: Option<u32>,
    /// Moves left in the Canadian block; before the block begins, all its moves.
    pub stones: Option<u32>,
    /// The Triple Block bank.
    pub bank: Option<Duration>,
    /// Scrabble penalty points: zero or negative.
    pub points: Option<i64>,
    /// Simple delay left for the current move.
    pub delay_left: Option<Duration>,
    /// The side's flag.
    pub flag: FlagView,
}

impl BoardClock {
    /// Returns the clock of a board that has been set up for a game.
    pub fn new(setup: Setup) -> Self {
        let Setup {
            control,
            start,
            white,
        } = setup;
        Self {
            game: Game::new(control),
            white,
            start,
            called: NONE_CALLED,
        }
    }

    /// Returns the next instant at which the flag, period, byo-yomi or points of the side on move will change without a press.
    pub fn next_deadline(&self) -> Option<Instant<Board>> {
        self.game.next_deadline()
    }

    /// Returns the instant up to which time is settled; [`Instant::MIN`] before the first fact or command.
    pub fn now(&self) -> Instant<Board> {
        self.game.now()
    }

    /// Returns the display from `now` until the next press.
    pub fn plan(&self, now: Instant<Board>) -> Plan {
        self.game.plan(now)
    }

    /// Returns the display of one side at `now`, assuming no press until then.
    pub fn side(&self, side: Side, now: Instant<Board>) -> SideView {
        let clock = self.game.clock_at(side, now);
        let control = self.control(side);
        SideView {
            time: clock.time,
            allotment: clock.allotment(),
            moves: clock.moves,
            period: clock.period + 1,
            byo_left: clock.byo_left(control),
            stones: clock.stones(control),
            bank: control.triple_block().map(|_| clock.bank),
            points: clock.points(control),
            delay_left: clock.delay_left(control),
            flag: match (clock.flag, self.called[side]) {
                (Flag::Up, _) => FlagView::None,
                (Flag::Down, Called::Not) => FlagView::Fallen,
                (Flag::Down, Called::Yes) => FlagView::Called,
            },
        }
    }

    fn flag(&self, side: Side) -> FlagView {
        self.side(side, self.now()).flag
    }

    /// Returns the state of the board at the settled time.
    pub fn state(&self) -> BoardState {
        match self.game.phase() {
            Phase::Ready => BoardState::Ready,
            Phase::Running { mover } => {
                match (self.flag(mover), self.time_control().after_flag()) {
                    (FlagView::None, _) | (_, AfterFlag::RunsOn) => BoardState::Running { mover },
                    (FlagView::Fallen | FlagView::Called, AfterFlag::Freezes) => {
                        BoardState::Flagged { side: mover }
                    }
                }
            }
            Phase::Paused {
                next,
                since,
                by: PausedBy::Arbiter,
            } => BoardState::Paused { next, since },
            Phase::Paused {
                next,
                since,
                by: PausedBy::Players,
            } => BoardState::Stopped { next, since },
            Phase::Over { .. } => BoardState::Over,
        }
    }

    /// Returns the side whose clock counts as running, even while it is frozen by a flag.
    pub fn running(&self) -> Option<Side> {
        self.game.running()
    }

    /// Returns the result, once there is one.
    pub fn result(&self) -> Option<GameResult> {
        self.game.result()
    }

    /// Returns the side whose flag fell first, if that flag is down or its extra time or grace has begun.
    pub fn first_flag(&self) -> Option<Side> {
        self.game.first_flag()
    }

    /// Returns the part of the time control that applies to `side`.
    pub fn control(&self, side: Side) -> &SideControl {
        self.game.control().side(side)
    }

    /// Returns the time control of the game.
    pub fn time_control(&self) -> &TimeControl {
        self.game.control()
    }

    /// Returns White's button.
    pub fn white_button(&self) -> Button {
        self.white
    }

    /// Returns the button of `side`.
    pub fn button_of(&self, side: Side) -> Button {
        match side {
            Side::White => self.white,
            Side::Black => self.white.other(),
        }
    }

    /// Returns the side of `button`.
    pub fn side_of(&self, button: Button) -> Side {
        if button == self.white {
            Side::White
        } else {
            Side::Black
        }
    }

    /// Returns the rule for starting White's clock.
    pub fn start_rule(&self) -> StartRule {
        self.start
    }
}
