//! The core of the rules: the clocks of one game as a pure state machine.
//!
//! Owns every change of a game's state. Must never read a system clock. Without a command, ends a game only where the time control itself ends it.
//! Knows neither boards nor networks.

use crate::method::Reserve;
use crate::phase::{PausedBy, Phase};
use crate::player_clock::{Flag, PlayerClock, TimeKind, UsedUp};
use crate::time_control::{AfterFlag, Length, TimeControl};
use crate::{
    Allotment, Button, BySide, Duration, Effect, Effects, GameResult, Ignored, Instant,
    RulesVersion, Side, Timeline,
};

mod commands;
mod drawing;

/// The clocks of a game on the timeline `T`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Game<T: Timeline> {
    pub(crate) control: TimeControl,
    pub(crate) state: State<T>,
}

/// A game's state apart from its time control, small enough to copy in order to look ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State<T: Timeline> {
    pub(crate) phase: Phase<T>,
    pub(crate) clocks: BySide<PlayerClock>,
    pub(crate) first_flag: Option<Side>,
    /// The instant up to which every effect of time has been applied.
    pub(crate) settled: Instant<T>,
}

impl<T: Timeline> Game<T> {
    /// Returns the clocks of a game that has not started.
    pub fn new(control: TimeControl) -> Self {
        let clocks = BySide::from_fn(|side| PlayerClock::new(control.side(side)));
        let mut state = State {
            phase: Phase::Ready,
            clocks,
            first_flag: None,
            settled: Instant::MIN,
        };
        for side in Side::BOTH {
            // A main time of `0s` without an increment is already used up: byo-yomi or the Canadian block begins before the game.
            if state.clocks[side].runs_out_after(control.side(side)) == Some(Duration::ZERO) {
                state.use_up(&control, side, &mut Effects::default());
            }
        }
        Self { control, state }
    }

    /// Lets time pass up to `now`, and applies the deadlines until then. The caller must apply any earlier press or command first.
    pub fn pass_time(&mut self, now: Instant<T>) -> Effects<T> {
        let mut effects = Effects::default();
        self.state.settle(&self.control, now, &mut effects);
        effects
    }

    /// Applies a press of `button` by `side` at `now` under `rules`. Never fails: a press that is ignored yields [`Effect::PressIgnored`].
    pub fn on_press(
        &mut self,
        rules: RulesVersion,
        now: Instant<T>,
        side: Side,
        button: Button,
    ) -> Effects<T> {
        let late = now < self.state.settled;
        let mut effects = self.pass_time(now);
        let pressed = if late {
            Err(Ignored::Late)
        } else {
            self.press(rules, side, &mut effects)
        };
        if let Err(why) = pressed {
            effects.push(Effect::PressIgnored { button, side, why });
        }
        effects
    }

    /// Stops the clocks at `now`, because the players held both buttons. Only lets time pass before the start, while the clocks are already
    /// stopped, and after the end. Has no effect if time is already settled beyond `now`.
    pub fn on_stop(&mut self, now: Instant<T>) -> Effects<T> {
        let late = now < self.state.settled;
        let mut effects = self.pass_time(now);
        match self.state.phase {
            Phase::Running { mover } if !late => {
                self.state.phase = Phase::Paused {
                    next: mover,
                    since: now,
                    by: PausedBy::Players,
                };
                effects.push(Effect::Stopped);
            }
            Phase::Running { .. } | Phase::Ready | Phase::Paused { .. } | Phase::Over { .. } => (),
        }
        effects
    }

    /// Applies a press by `side` at the settled instant (FIDE 6.2.1).
    fn press(
        &mut self,
        rules: RulesVersion,
        side: Side,
        effects: &mut Effects<T>,
    ) -> Result<(), Ignored> {
        match self.state.phase {
            Phase::Running { mover } if mover != side => Err(Ignored::OutOfTurn),
            Phase::Running { .. } if self.is_frozen(side) => Err(Ignored::FlagDown),
            Phase::Running { .. } => {
                self.complete_move(rules, side, effects);
                Ok(())
            }
            Phase::Ready => Err(Ignored::NotStarted),
            Phase::Paused { .. } => Err(Ignored::ClocksStopped),
            Phase::Over { .. } => Err(Ignored::GameOver),
        }
    }

    fn is_frozen(&self, side: Side) -> bool {
        match self.control.after_flag() {
            AfterFlag::Freezes => self.state.clocks[side].flag == Flag::Down,
            AfterFlag::RunsOn => false,
        }
    }

    fn complete_move(&mut self, rules: RulesVersion, side: Side, effects: &mut Effects<T>) {
        let clock = &mut self.state.clocks[side];
        let brought_period = clock.complete_move(self.control.side(side));
        effects.push(Effect::MoveCompleted {
            side,
            moves: clock.moves,
        });
        if brought_period {
            effects.push(Effect::PeriodEntered {
                side,
                period: clock.period + 1,
                at: self.state.settled,
            });
        }
        if rules >= RulesVersion::Two {
            self.state.clocks[side.other()].begin_move();
        }
        self.state.phase = Phase::Running {
            mover: side.other(),
        };
        // If the other side has no time left, its flag falls immediately.
        let now = self.state.settled;
        self.state.settle(&self.control, now, effects);
    }

    /// Returns the next deadline; `None` if there is none. At a deadline, a flag falls, a period or kind of time begins, penalty points increase, or
    /// the double flag ends the game.
    pub fn next_deadline(&self) -> Option<Instant<T>> {
        match self.state.phase {
            Phase::Running { mover } => {
                let span = self.state.clocks[mover].changes_after(self.control.side(mover))?;
                Some(self.state.settled + span)
            }
            Phase::Ready | Phase::Paused { .. } | Phase::Over { .. } => None,
        }
    }

    /// Returns the time control of both sides.
    pub fn control(&self) -> &TimeControl {
        &self.control
    }

    /// Returns the phase of the game at the instant up to which time is settled.
    pub fn phase(&self) -> Phase<T> {
        self.state.phase
    }

    /// Returns the instant up to which time is settled; [`Instant::MIN`] in a new game.
    pub fn now(&self) -> Instant<T> {
        self.state.settled
    }

    /// Returns the side whose flag fell first; the start of extra time, grace or overtime counts as a fall. A correction that lifts the flag, or a
    /// change of the time control, can clear this.
    pub fn first_flag(&self) -> Option<Side> {
        self.state.first_flag
    }

    /// Returns the result, once there is one.
    pub fn result(&self) -> Option<GameResult> {
        match self.state.phase {
            Phase::Over { result, .. } => Some(result),
            Phase::Ready | Phase::Running { .. } | Phase::Paused { .. } => None,
        }
    }

    /// Returns the side to move; `None` before the start, while the clocks are stopped, and after the end. Still returns the side whose fallen flag
    /// has frozen the clocks.
    pub fn running(&self) -> Option<Side> {
        match self.state.phase {
            Phase::Running { mover } => Some(mover),
            Phase::Ready | Phase::Paused { .. } | Phase::Over { .. } => None,
        }
    }
}

impl<T: Timeline> State<T> {
    /// Lets time pass up to `now`, including a deadline at `now` itself. Each change takes effect at its own instant, in order. An earlier `now`
    /// changes nothing.
    pub(crate) fn settle(
        &mut self,
        control: &TimeControl,
        now: Instant<T>,
        effects: &mut Effects<T>,
    ) {
        while let Phase::Running { mover } = self.phase {
            let left = (now - self.settled).or_zero();
            match self.clocks[mover].runs_out_after(control.side(mover)) {
                Some(span) if span <= left => {
                    self.pass(control, mover, span);
                    self.settled = self.settled + span;
                    self.skip_byo_yomi(control, mover, left - span);
                    self.use_up(control, mover, effects);
                }
                Some(_) | None => {
                    self.pass(control, mover, left);
                    break;
                }
            }
        }
        self.settled = self.settled.max(now);
    }

    fn pass(&mut self, control: &TimeControl, mover: Side, span: Duration) {
        let gained = self.clocks[mover].run(control.side(mover), span);
        if gained.is_positive() {
            self.clocks[mover.other()].gain(gained);
        }
    }

    /// Skips the byo-yomi periods that are used up completely within `over`, but never the last period. A long span then needs one step and
    /// yields one effect.
    fn skip_byo_yomi(&mut self, control: &TimeControl, mover: Side, over: Duration) {
        let clock = &mut self.clocks[mover];
        if let (TimeKind::ByoYomi { periods_left }, Reserve::ByoYomi(byo_yomi)) =
            (clock.time_kind, control.side(mover).reserve())
            && let Some((left, skipped)) = byo_yomi.overstep(periods_left, over)
        {
            clock.time_kind = TimeKind::ByoYomi {
                periods_left: left + 1,
            };
            clock.used += skipped;
            self.settled = self.settled + skipped;
        }
    }

    fn use_up(&mut self, control: &TimeControl, side: Side, effects: &mut Effects<T>) {
        let at = self.settled;
        let regulation = control.side(side);
        let other = self.clocks[side.other()];
        let clock = &mut self.clocks[side];
        let period = *clock.period_of(regulation);
        let outcome = match clock.time_kind {
            TimeKind::Main if period.length == Length::ByZero => {
                return self.enter_period_by_zero(control, side, effects);
            }
            TimeKind::Main => period.reserve.main_used_up(clock, &other),
            TimeKind::ByoYomi { periods_left } if periods_left > 1 => {
                regulation.reserve().next_move(clock);
                clock.time_kind = TimeKind::ByoYomi {
                    periods_left: periods_left - 1,
                };
                UsedUp::Continues { first_flag: false }
            }
            TimeKind::ByoYomi { .. }
            | TimeKind::Canadian { .. }
            | TimeKind::Extra
            | TimeKind::Grace => UsedUp::FlagFell,
            TimeKind::Overtime => UsedUp::Continues { first_flag: true },
        };
        match outcome {
            UsedUp::Continues { first_flag } => {
                let allotment = clock.allotment();
                effects.push(Effect::AllotmentEntered {
                    side,
                    allotment,
                    at,
                });
                if first_flag {
                    self.first_flag.get_or_insert(side);
                }
            }
            UsedUp::FlagFell => {
                clock.fall();
                self.first_flag.get_or_insert(side);
                effects.push(Effect::FlagFell { side, at });
            }
            UsedUp::GameEnds(result) => {
                self.first_flag.get_or_insert(side);
                effects.push(Effect::AllotmentEntered {
                    side,
                    allotment: Allotment::Extra,
                    at,
                });
                self.end(result, effects);
            }
        }
    }

    fn enter_period_by_zero(
        &mut self,
        control: &TimeControl,
        side: Side,
        effects: &mut Effects<T>,
    ) {
        for side in [side, side.other()] {
            let clock = &mut self.clocks[side];
            if clock.enter_period_by_zero(control.side(side)) {
                effects.push(Effect::PeriodEntered {
                    side,
                    period: clock.period + 1,
                    at: self.settled,
                });
            }
        }
    }

    fn end(&mut self, result: GameResult, effects: &mut Effects<T>) {
        let next = match self.phase {
            Phase::Ready => None,
            Phase::Running { mover } => Some(mover),
            Phase::Paused { next, .. } => Some(next),
            Phase::Over { next, .. } => next,
        };
        self.phase = Phase::Over { result, next };
        effects.push(Effect::Ended {
            result: Some(result),
        });
    }
}
