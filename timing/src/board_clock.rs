//! The clock of one board: a game and everything else that the board needs.
//!
//! Owns the assignment of buttons, the rule for starting White's clock, and the flags that have been called. All rules
//! of time belong to [`Game`].

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

/// State of a fallen flag (FIDE 6.8): called by the arbiter or not yet.
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

/// State of the board.
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
    /// The flag of the side on move has fallen and froze the clocks; the arbiter has not ruled yet.
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

/// State of a side's flag. The engine does not say whether a fall is still only *expected*.
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
    /// Byo-yomi periods left, including the current one; all of them before byo-yomi.
    pub byo_left: Option<u32>,
    /// Moves left in the Canadian block; all of its moves before it begins.
    pub stones: Option<u32>,
    /// The Triple Block bank.
    pub bank: Option<Duration>,
    /// Scrabble penalty points: zero or negative.
    pub points: Option<i64>,
    /// Simple delay left for the current move.
    pub delay_left: Option<Duration>,
    /// The flag.
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

    /// Applies a step. Hub and agent change clocks only through this function, so both reach the same state.
    ///
    /// # Errors
    /// The rule that refuses a command. The game is then unchanged, but time has passed up to the command, so that hub
    /// and agent agree whether or not one of them had settled that time before.
    pub fn apply(&mut self, step: &ClockStep) -> Result<Effects, Rejection> {
        match step {
            ClockStep::Fact { at, fact, rules } => Ok(self.on_fact_under(*rules, *at, *fact)),
            ClockStep::Command { at, command } => {
                self.on_command(*at, command).inspect_err(|_| {
                    // A refusal carries no effects; changes caused by time alone are visible in the clock itself.
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

    /// Continues the clock with `to` as its present: a running clock keeps running from there, a stopped one stays
    /// stopped.
    fn move_to(&mut self, to: Instant<Board>) {
        // A valid clock is valid at every instant; if it were not, it would stay unchanged.
        if let Ok(moved) = Self::from_snapshot(&self.snapshot().moved_to(to)) {
            *self = moved;
        }
    }

    /// Applies a fact observed at `now`. Never fails: a press without meaning yields an effect that says so.
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

    /// Lets time pass up to `now`, with no other event until then.
    pub fn pass_time(&mut self, now: Instant<Board>) -> Effects {
        self.game.pass_time(now)
    }

    /// Applies an arbiter's request at `now`.
    ///
    /// # Errors
    /// The rule that refuses the request. The state is then unchanged, and the time up to `now` is not settled.
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

    /// Applies the commands that concern more than the game's clocks.
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
                // The buttons keep their present assignment instead of the one in the snapshot.
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
            // Handled above.
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

    /// A flag that an edit has lifted can fall again and be called again.
    fn forget_lifted_flags(&mut self) {
        for side in Side::BOTH {
            if self.game.state.clocks[side].flag == Flag::Up {
                self.called[side] = Called::Not;
            }
        }
    }

    /// Checks whether [`BoardClock::on_command`] would accept the request.
    ///
    /// # Errors
    /// The rejection that it would return.
    pub fn check(&self, now: Instant<Board>, command: &Command) -> Result<(), Rejection> {
        match command.for_game() {
            Some(command) => self.game.check(now, command),
            None => self.clone().on_board_command(now, command).map(|_| ()),
        }
    }

    /// Returns the next instant at which something changes without a press: a flag, a period, byo-yomi or points of the
    /// side on move.
    pub fn next_deadline(&self) -> Option<Instant<Board>> {
        self.game.next_deadline()
    }

    /// Returns the instant up to which time is settled; [`Instant::MIN`] before the first fact or request.
    pub fn now(&self) -> Instant<Board> {
        self.game.now()
    }

    /// Returns the complete state of the clock.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot(self.clone())
    }

    /// Returns the clock in a snapshot.
    ///
    /// # Errors
    /// The snapshot describes an impossible clock. Snapshots read from bytes have been checked already.
    pub fn from_snapshot(snapshot: &Snapshot) -> Result<Self, SnapshotError> {
        snapshot.0.check_invariants()?;
        Ok(snapshot.0.clone())
    }

    /// Returns the display from `now` on until somebody presses.
    pub fn plan(&self, now: Instant<Board>) -> Plan {
        self.game.plan(now)
    }

    /// Returns one side at `now`, assuming no press until then.
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

    /// The result, once there is one.
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

    /// Returns the side that `button` belongs to.
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
