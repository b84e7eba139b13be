//! The clock of one board. Owns the assignment of buttons, the rule for starting White's clock, and the record of called flags; the rules of time
//! belong to [`Game`].

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

/// The state of a fallen flag: called, or not yet (FIDE 6.8). A flag that is up counts as not called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Called {
    Not,
    Yes,
}

const NONE_CALLED: BySide<Called> = BySide {
    white: Called::Not,
    black: Called::Not,
};

/// The phase of the game on a board, from set-up to result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "a name without a doc says what it is")]
pub enum BoardState {
    /// The clocks are set and the game has not started.
    Ready,
    Running {
        mover: Side,
    },
    /// An arbiter's command stopped the clocks: a pause, a restore, or the removal of a result.
    Paused {
        /// The side whose clock a resume restarts, unless the arbiter names the other side.
        next: Side,
        since: Instant<Board>,
    },
    /// The players stopped the clocks and are waiting for an arbiter or a result.
    Stopped {
        next: Side,
        since: Instant<Board>,
    },
    /// The flag of the side to move has fallen and frozen the clocks. The game has no result yet.
    Flagged {
        side: Side,
    },
    Over,
}

impl BoardState {
    /// Returns the side whose clock is running; `None` in every other state, including [`Self::Flagged`].
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

    /// Returns the side whose clock is running or will run after a resume; `None` before the start, after the end, and while a flag freezes the
    /// clocks.
    pub const fn on_move(self) -> Option<Side> {
        match self {
            Self::Running { mover } => Some(mover),
            Self::Paused { next, .. } | Self::Stopped { next, .. } => Some(next),
            Self::Ready | Self::Flagged { .. } | Self::Over => None,
        }
    }
}

/// A side's flag: up, fallen or called. Does not say whether the clock beside the board has confirmed the fall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FlagView {
    /// The flag is up.
    None,
    /// The flag has fallen and has not been called.
    Fallen,
    /// The flag has fallen and has been called (FIDE 6.8).
    Called,
}

/// One side of the board at one instant, for display.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SideView {
    /// Time in hand, or the time used so far if the period counts up. Can be negative in overtime.
    pub time: Duration,
    /// The kind of time that the side is using.
    pub allotment: Allotment,
    /// Number of moves completed.
    pub moves: u32,
    /// Number of the side's current period, from 1.
    pub period: u32,
    /// Byo-yomi periods left, including the current one; before byo-yomi begins, all of them. `None` without byo-yomi.
    pub byo_left: Option<u32>,
    /// Moves left in the Canadian block; before the first block begins, all its moves. `None` without Canadian overtime.
    pub stones: Option<u32>,
    /// Time in the bank of a Triple Block clock; `None` under other controls.
    pub bank: Option<Duration>,
    /// Scrabble penalty points, zero or negative; `None` without overtime.
    pub points: Option<i64>,
    /// Simple delay left for the current move; `None` in a period without one.
    pub delay_left: Option<Duration>,
    /// State of the side's flag.
    pub flag: FlagView,
}

impl BoardClock {
    /// Returns the clock of a board that is set up for a game and not started.
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

    /// Returns the next deadline; `None` if there is none. At a deadline, a flag falls, a period or kind of time begins, penalty points increase, or
    /// the double flag ends the game.
    pub fn next_deadline(&self) -> Option<Instant<Board>> {
        self.game.next_deadline()
    }

    /// Returns the instant up to which time is settled; [`Instant::MIN`] on a new clock.
    pub fn now(&self) -> Instant<Board> {
        self.game.now()
    }

    /// Returns the display of both clocks from `now` until the next press.
    pub fn plan(&self, now: Instant<Board>) -> Plan {
        self.game.plan(now)
    }

    /// Returns one side's display at `now`, or at the settled instant if that is later. Assumes that nothing is pressed or commanded until then.
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

    /// Returns the state of the board at the instant up to which time is settled.
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

    /// Returns the side to move; `None` before the start, while the clocks are stopped, and after the end. Still returns the side whose fallen flag
    /// has frozen the clocks.
    pub fn running(&self) -> Option<Side> {
        self.game.running()
    }

    /// Returns the result, once there is one.
    pub fn result(&self) -> Option<GameResult> {
        self.game.result()
    }

    /// Returns the side whose flag fell first; the start of extra time, grace or overtime counts as a fall. A correction that lifts the flag, or a
    /// change of the time control, can clear this.
    pub fn first_flag(&self) -> Option<Side> {
        self.game.first_flag()
    }

    /// Returns the half of the time control that applies to `side`.
    pub fn control(&self, side: Side) -> &SideControl {
        self.game.control().side(side)
    }

    /// Returns the time control of both sides.
    pub fn time_control(&self) -> &TimeControl {
        self.game.control()
    }

    /// Returns the button that White presses.
    pub fn white_button(&self) -> Button {
        self.white
    }

    /// Returns the button that `side` presses.
    pub fn button_of(&self, side: Side) -> Button {
        match side {
            Side::White => self.white,
            Side::Black => self.white.other(),
        }
    }

    /// Returns the side that presses `button`.
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
