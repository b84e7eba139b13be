//! One side's clock: time in hand, what the side lives on, its moves.
//!
//! Knows neither instants nor the opponent's moves, never decides whose turn it is. It is told how long it ran and what
//! happened; the [`SideControl`] it is asked with must be the one it was made for.

use crate::method::{Bonus, Flow, Reserve};
use crate::time_control::{Length, Period, SideControl};
use crate::{Allotment, Duration};

/// What a side is living on; with its flag down, what it lived on when it fell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LivingOn {
    Main,
    ByoYomi { periods_left: u32 },
    Canadian { stones: u32 },
    Extra,
    Grace,
    Overtime,
}

/// Whether the last time is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Flag {
    Up,
    Down,
}

/// One side's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PlayerClock {
    /// Time in hand, or counted up. A Bronstein delay is in it. Zero while the flag is down.
    pub(crate) time: Duration,
    /// What the move on the clock has used so far.
    pub(crate) used: Duration,
    pub(crate) living_on: LivingOn,
    pub(crate) flag: Flag,
    /// Index of the period, from 0.
    pub(crate) period: u32,
    /// Moves completed.
    pub(crate) moves: u32,
    /// Moves counted towards the end of the period.
    pub(crate) counted: u32,
    /// Triple Block: the bank.
    pub(crate) bank: Duration,
}

impl PlayerClock {
    /// The clock before the game.
    pub(crate) fn new(control: &SideControl) -> Self {
        let first = control.period(0);
        Self {
            time: first.main + first.bonus.at_start(),
            used: Duration::ZERO,
            living_on: LivingOn::Main,
            flag: Flag::Up,
            period: 0,
            moves: 0,
            counted: 0,
            bank: control
                .triple_block()
                .map_or(Duration::ZERO, |triple| triple.bank),
        }
    }

    /// The word for what the side is living on.
    pub(crate) fn allotment(&self) -> Allotment {
        match (self.flag, self.living_on) {
            (Flag::Down, _) => Allotment::Flagged,
            (Flag::Up, LivingOn::Main) => Allotment::Main,
            (Flag::Up, LivingOn::ByoYomi { .. }) => Allotment::Byo,
            (Flag::Up, LivingOn::Canadian { .. }) => Allotment::Canadian,
            (Flag::Up, LivingOn::Extra) => Allotment::Extra,
            (Flag::Up, LivingOn::Grace) => Allotment::Grace,
            (Flag::Up, LivingOn::Overtime) => Allotment::Overtime,
        }
    }

    /// How long the move on the clock still costs nothing.
    pub(crate) fn free(&self, control: &SideControl) -> Duration {
        match (self.flag, self.living_on) {
            (Flag::Up, LivingOn::Main) => control.period(self.period).bonus.free(self.used),
            (Flag::Down, _)
            | (
                Flag::Up,
                LivingOn::ByoYomi { .. }
                | LivingOn::Canadian { .. }
                | LivingOn::Extra
                | LivingOn::Grace
                | LivingOn::Overtime,
            ) => Duration::ZERO,
        }
    }

    /// How long this clock can run until its time is used up; `None` if it never is.
    pub(crate) fn runs_out_after(&self, control: &SideControl) -> Option<Duration> {
        let period = control.period(self.period);
        match (self.flag, self.living_on, period.flow) {
            (Flag::Down, _, _)
            | (Flag::Up, LivingOn::Overtime, _)
            | (Flag::Up, LivingOn::Main, Flow::Up) => None,
            (Flag::Up, LivingOn::Main, Flow::Down | Flow::Hourglass) => {
                Some((self.free(control) + self.time + period.reserve.begins_after()).or_zero())
            }
            (
                Flag::Up,
                LivingOn::ByoYomi { .. }
                | LivingOn::Canadian { .. }
                | LivingOn::Extra
                | LivingOn::Grace,
                _,
            ) => Some(self.time.or_zero()),
        }
    }

    /// How long this clock can run until something a face shows beside the time changes.
    pub(crate) fn changes_after(&self, control: &SideControl) -> Option<Duration> {
        match (self.flag, self.living_on, control.reserve()) {
            (Flag::Up, LivingOn::Overtime, Reserve::Overtime(overtime)) => {
                Some(overtime.until_more_points(self.time))
            }
            _ => self.runs_out_after(control),
        }
    }

    /// Runs for `span`; returns what the opponent gains by it.
    pub(crate) fn run(&mut self, control: &SideControl, span: Duration) -> Duration {
        if self.flag == Flag::Down {
            return Duration::ZERO;
        }
        let charged = (span - self.free(control)).or_zero();
        self.used += span;
        match control.period(self.period).flow {
            Flow::Down => self.time -= charged,
            Flow::Up => self.time += charged,
            Flow::Hourglass => {
                self.time -= charged;
                return charged;
            }
        }
        Duration::ZERO
    }

    /// Rate of the time shown while this clock runs, in microseconds per microsecond.
    pub(crate) fn rate(&self, control: &SideControl) -> i8 {
        if self.flag == Flag::Down || self.free(control).is_positive() {
            return 0;
        }
        match control.period(self.period).flow {
            Flow::Down | Flow::Hourglass => -1,
            Flow::Up => 1,
        }
    }

    /// Rate at which this clock gains while the `mover`'s runs under `control`.
    pub(crate) fn gain_rate(&self, mover: &Self, control: &SideControl) -> i8 {
        match (control.period(mover.period).flow, self.flag) {
            (Flow::Hourglass, Flag::Up) => -mover.rate(control),
            (Flow::Hourglass, Flag::Down) | (Flow::Down | Flow::Up, _) => 0,
        }
    }

    /// Gains what the opponent used of an hourglass. A fallen clock stays at zero.
    pub(crate) fn gain(&mut self, span: Duration) {
        match self.flag {
            Flag::Up => self.time += span,
            Flag::Down => (),
        }
    }

    /// Whether a first flag of this side is down: the flag itself, or what only follows a fallen one has begun.
    pub(crate) fn has_fallen(&self) -> bool {
        self.flag == Flag::Down
            || matches!(
                self.living_on,
                LivingOn::Extra | LivingOn::Grace | LivingOn::Overtime
            )
    }

    /// The flag falls.
    pub(crate) fn fall(&mut self) {
        self.flag = Flag::Down;
        self.time = Duration::ZERO;
    }

    /// The opponent's press begins a move. What an interrupted one had used of its delay belonged to that move: the
    /// arbiter had given the move back (FIDE 7.5.1).
    pub(crate) fn begin_move(&mut self) {
        self.used = Duration::ZERO;
    }

    /// A press completes the move. Returns whether it brought a period. With the flag down it earns nothing.
    pub(crate) fn complete_move(&mut self, control: &SideControl) -> bool {
        self.moves = self.moves.saturating_add(1);
        self.counted = self.counted.saturating_add(1);
        let used = core::mem::take(&mut self.used);
        if self.flag == Flag::Down {
            return false;
        }
        if self.living_on != LivingOn::Main {
            control.reserve().next_move(self);
            return false;
        }
        let period = control.period(self.period);
        self.time += period.bonus.comes_back(used);
        let brought = match period.length {
            Length::Moves(moves) if self.counted >= moves => {
                self.enter_next_period(control);
                true
            }
            Length::Moves(_) | Length::ByZero | Length::ToTheEnd => false,
        };
        let period = control.period(self.period);
        period.bonus.next_move(self, period.main);
        brought
    }

    /// Receives the next period, or the last once more: its main time is added, and the part of the clock that belongs to
    /// the move is replaced by the new period's.
    fn enter_next_period(&mut self, control: &SideControl) {
        let old = control.period(self.period);
        if !control.is_last(self.period) {
            self.period += 1;
        }
        let new = control.period(self.period);
        self.time = (self.time - old.bonus.shown() + new.main + new.bonus.shown()).or_zero();
        self.counted = 0;
    }

    /// Receives the next period by zero; whether there was one. What it brings begins with it, for both sides.
    pub(crate) fn enter_period_by_zero(&mut self, control: &SideControl) -> bool {
        if self.flag == Flag::Down
            || self.living_on != LivingOn::Main
            || control.is_last(self.period)
        {
            return false;
        }
        let old = control.period(self.period).bonus;
        // A side whose time is used up has used the old delay up with it.
        self.time = match self.time.is_positive() {
            true => self.time + old.comes_back(self.used),
            false => old.shown(),
        };
        self.enter_next_period(control);
        if matches!(control.period(self.period).bonus, Bonus::Bronstein(_)) {
            self.used = Duration::ZERO;
        }
        true
    }

    /// Byo-yomi periods left, the one in use included; all of them before byo-yomi.
    pub(crate) fn byo_left(&self, control: &SideControl) -> Option<u32> {
        match (control.reserve(), self.living_on) {
            (Reserve::ByoYomi(_), LivingOn::ByoYomi { periods_left }) => Some(periods_left),
            (Reserve::ByoYomi(byo_yomi), _) => Some(byo_yomi.periods),
            (
                Reserve::None
                | Reserve::Canadian(_)
                | Reserve::DoubleFlag(_)
                | Reserve::Grace(_)
                | Reserve::Overtime(_),
                _,
            ) => None,
        }
    }

    /// Moves left in the Canadian block; all of them before it.
    pub(crate) fn stones(&self, control: &SideControl) -> Option<u32> {
        match (control.reserve(), self.living_on) {
            (Reserve::Canadian(_), LivingOn::Canadian { stones }) => Some(stones),
            (Reserve::Canadian(canadian), _) => Some(canadian.stones),
            (
                Reserve::None
                | Reserve::ByoYomi(_)
                | Reserve::DoubleFlag(_)
                | Reserve::Grace(_)
                | Reserve::Overtime(_),
                _,
            ) => None,
        }
    }

    /// Scrabble's penalty points: zero or negative.
    pub(crate) fn points(&self, control: &SideControl) -> Option<i64> {
        match (control.reserve(), self.living_on) {
            (Reserve::Overtime(overtime), LivingOn::Overtime) => {
                Some(overtime.points_at(self.time))
            }
            (Reserve::Overtime(_), _) => Some(0),
            (
                Reserve::None
                | Reserve::ByoYomi(_)
                | Reserve::Canadian(_)
                | Reserve::DoubleFlag(_)
                | Reserve::Grace(_),
                _,
            ) => None,
        }
    }

    /// Simple delay: what is left of it for the move on the clock.
    pub(crate) fn delay_left(&self, control: &SideControl) -> Option<Duration> {
        match self.period_of(control).bonus {
            Bonus::Delay(_) => Some(self.free(control)),
            Bonus::None
            | Bonus::Increment(_)
            | Bonus::Bronstein(_)
            | Bonus::MoveTime(_)
            | Bonus::TripleBlock(_) => None,
        }
    }

    /// The period the side is in.
    pub(crate) fn period_of<'a>(&self, control: &'a SideControl) -> &'a Period {
        control.period(self.period)
    }
}
