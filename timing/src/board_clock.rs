//! The clock of one board: a game plus what is needed beside it.
//!
//! Owns which button is whose, who starts White's clock, and which fallen flags have been called. Every rule of time is
//! the [`Game`]'s.

use crate::command::GameCommand;
use crate::game::Game;
use crate::phase::{PausedBy, Phase};
use crate::player_clock::Flag;
use crate::time_control::{AfterFlag, SideControl};
use crate::{
    Allotment, Board, Button, BySide, ClockStep, Command, Duration, Effect, Effects, Fact,
    GameResult, Instant, Plan, Rejection, RulesVersion, Setup, Side, Snapshot, SnapshotError,
    StartRule, TimeControl,
};

/// The clock of one board.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BoardClock {
    pub(crate) game: Game<Board>,
    pub(crate) white: Button,
    pub(crate) start: StartRule,
    pub(crate) called: BySide<Called>,
}

/// Whether a fallen flag has been called (FIDE 6.8).
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

impl BoardState {
    /// The side whose clock runs.
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

    /// The side whose clock runs, or will when the clocks resume.
    pub const fn on_move(self) -> Option<Side> {
        match self {
            Self::Running { mover } => Some(mover),
            Self::Paused { next, .. } | Self::Stopped { next, .. } => Some(next),
            Self::Ready | Self::Flagged { .. } | Self::Over => None,
        }
    }
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
    /// Byo-yomi periods left, the one in use included; all of them before byo-yomi.
    pub byo_left: Option<u32>,
    /// Moves left in the Canadian block; all of them before it.
    pub stones: Option<u32>,
    /// Triple Block: the bank.
    pub bank: Option<Duration>,
    /// Scrabble: penalty points, zero or negative.
    pub points: Option<i64>,
    /// Simple delay: what is left of it for the move on the clock.
    pub delay_left: Option<Duration>,
    /// The flag.
    pub flag: FlagView,
}

impl BoardClock {
    /// A board set for a game.
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

    /// Applies a step. The one way in which hub and agent change a clock, so that both come to the same state.
    ///
    /// # Errors
    /// The rule that refuses a command. The game is then as it was, but time has passed up to the command: the two ends
    /// agree whether or not one of them had settled that time before.
    pub fn apply(&mut self, step: &ClockStep) -> Result<Effects, Rejection> {
        match step {
            ClockStep::Fact { at, fact, rules } => Ok(self.on_fact_under(*rules, *at, *fact)),
            ClockStep::Command { at, command } => {
                self.on_command(*at, command).inspect_err(|_| {
                    // A refusal carries no effects; what time alone changes is seen in the clock itself.
                    let _ = self.pass_time(*at);
                })
            }
            ClockStep::TimePassed(at) => Ok(self.pass_time(*at)),
            ClockStep::Moved(to) => {
                self.move_to(*to);
                Ok(Effects::default())
            }
        }
    }

    /// Calls the present `to` from now on: a running clock runs on from there, a stopped one stays stopped.
    fn move_to(&mut self, to: Instant<Board>) {
        // A clock that is possible here is possible at any instant; were it not, it would stay as it is.
        if let Ok(moved) = Self::from_snapshot(&self.snapshot().moved_to(to)) {
            *self = moved;
        }
    }

    /// Applies a fact observed at `now`. Never fails: a press that means nothing becomes an effect that says so.
    pub fn on_fact(&mut self, now: Instant<Board>, fact: Fact) -> Effects {
        self.on_fact_under(RulesVersion::LATEST, now, fact)
    }

    fn on_fact_under(&mut self, rules: RulesVersion, now: Instant<Board>, fact: Fact) -> Effects {
        match fact {
            Fact::Pressed(button) => {
                let side = self.side_of(button);
                let starts = (self.start, side, self.game.phase())
                    == (StartRule::BlackPress, Side::Black, Phase::Ready);
                if starts
                    && let Ok(effects) = self
                        .game
                        .on_command(now, GameCommand::Start(Some(Side::White)))
                {
                    return effects;
                }
                self.game.on_press(rules, now, side, button)
            }
            Fact::Stopped => self.game.on_stop(now),
        }
    }

    /// Lets time pass up to `now`: nothing else happened until then.
    pub fn pass_time(&mut self, now: Instant<Board>) -> Effects {
        self.game.pass_time(now)
    }

    /// Applies an arbiter's request at `now`.
    ///
    /// # Errors
    /// If a rule refuses it; the state is then untouched, and the time up to `now` not settled.
    pub fn on_command(
        &mut self,
        now: Instant<Board>,
        command: &Command,
    ) -> Result<Effects, Rejection> {
        match command.for_game() {
            Some(command) => {
                let effects = self.game.on_command(now, command)?;
                self.forget_lifted_flags();
                Ok(effects)
            }
            None => {
                let mut next = self.clone();
                let effects = next.on_board_command(now, command)?;
                *self = next;
                Ok(effects)
            }
        }
    }

    /// The commands that are about more than the game's clocks.
    fn on_board_command(
        &mut self,
        now: Instant<Board>,
        command: &Command,
    ) -> Result<Effects, Rejection> {
        if let Command::ChangeControl(control) = command {
            let effects = self.game.change_control(now, control)?;
            self.forget_lifted_flags();
            return Ok(effects);
        }
        if now < self.game.now() {
            return Err(Rejection::Late);
        }
        let mut effects = self.pass_time(now);
        match command {
            Command::Prepare(setup) => match self.game.phase() {
                Phase::Running { .. } | Phase::Paused { .. } => return Err(Rejection::GameGoingOn),
                Phase::Ready | Phase::Over { .. } => {
                    *self = Self::new(setup.clone());
                    self.game.stop_at(now);
                    effects.push(Effect::Prepared);
                }
            },
            Command::Restore(snapshot) => {
                // The buttons are where they are now, not where they were then.
                *self = Self {
                    white: self.white,
                    ..snapshot.0.clone()
                };
                self.game.stop_at(now);
                effects.push(Effect::Restored);
            }
            Command::CallFlag(side) => {
                self.call_flag(*side)?;
                effects.push(Effect::FlagCalled { side: *side });
            }
            Command::WhiteIs(button) => {
                self.white = *button;
                effects.push(Effect::ButtonsChanged { white: self.white });
            }
            Command::Swap => {
                self.white = self.white.other();
                effects.push(Effect::ButtonsChanged { white: self.white });
            }
            // Dealt with before.
            Command::ChangeControl(_)
            | Command::Start(_)
            | Command::Pause
            | Command::Resume(_)
            | Command::Set { .. }
            | Command::Add { .. }
            | Command::Moves { .. }
            | Command::Refill { .. }
            | Command::End(_)
            | Command::ClaimDraw(_) => (),
        }
        Ok(effects)
    }

    /// FIDE 6.8: a flag is considered to have fallen when the arbiter observes it.
    fn call_flag(&mut self, side: Side) -> Result<(), Rejection> {
        match (self.game.phase(), self.flag(side)) {
            (Phase::Over { .. }, _) => Err(Rejection::GameOver),
            (_, FlagView::None) => Err(Rejection::FlagUp),
            (_, FlagView::Called) => Err(Rejection::AlreadyCalled),
            (_, FlagView::Fallen) => {
                self.called[side] = Called::Yes;
                Ok(())
            }
        }
    }

    /// A flag that an edit lifted falls anew, and is called anew.
    fn forget_lifted_flags(&mut self) {
        for side in Side::BOTH {
            if self.game.state.clocks[side].flag == Flag::Up {
                self.called[side] = Called::Not;
            }
        }
    }

    /// Whether [`BoardClock::on_command`] would accept the request.
    ///
    /// # Errors
    /// The refusal it would meet.
    pub fn check(&self, now: Instant<Board>, command: &Command) -> Result<(), Rejection> {
        match command.for_game() {
            Some(command) => self.game.check(now, command),
            None => self.clone().on_board_command(now, command).map(|_| ()),
        }
    }

    /// The next instant at which something changes without a press: a flag, a period, byo-yomi, points of the side on move.
    pub fn next_deadline(&self) -> Option<Instant<Board>> {
        self.game.next_deadline()
    }

    /// Up to when time is settled; [`Instant::MIN`] before the first fact or request.
    pub fn now(&self) -> Instant<Board> {
        self.game.now()
    }

    /// Everything the clock is.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot(self.clone())
    }

    /// The clock a snapshot holds.
    ///
    /// # Errors
    /// If the snapshot holds no possible clock; one read from bytes has been checked already.
    pub fn from_snapshot(snapshot: &Snapshot) -> Result<Self, SnapshotError> {
        snapshot.0.check_invariants()?;
        Ok(snapshot.0.clone())
    }

    /// What a face shows from `now` on if nobody presses.
    pub fn plan(&self, now: Instant<Board>) -> Plan {
        self.game.plan(now)
    }

    /// One side at `now`, if nobody presses until then.
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

    /// What the board is doing, as of the time settled.
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

    /// The side whose clock counts as running: frozen by a flag it still does.
    pub fn running(&self) -> Option<Side> {
        self.game.running()
    }

    /// The result, once there is one.
    pub fn result(&self) -> Option<GameResult> {
        self.game.result()
    }

    /// Whose flag fell first, if that flag is down or what followed it has begun.
    pub fn first_flag(&self) -> Option<Side> {
        self.game.first_flag()
    }

    /// What one side is granted.
    pub fn control(&self, side: Side) -> &SideControl {
        self.game.control().side(side)
    }

    /// The time control of the game.
    pub fn time_control(&self) -> &TimeControl {
        self.game.control()
    }

    /// Which button is White's.
    pub fn white_button(&self) -> Button {
        self.white
    }

    /// The button of that side.
    pub fn button_of(&self, side: Side) -> Button {
        match side {
            Side::White => self.white,
            Side::Black => self.white.other(),
        }
    }

    /// Whose button that is.
    pub fn side_of(&self, button: Button) -> Side {
        if button == self.white {
            Side::White
        } else {
            Side::Black
        }
    }

    /// Who starts White's clock.
    pub fn start_rule(&self) -> StartRule {
        self.start
    }
}
