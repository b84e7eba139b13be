//! Runs one side's clock through its periods and reserve until its flag falls.

use super::{Flag, PlayerClock, TimeKind};
use crate::method::{Bonus, Flow, Reserve};
use crate::time_control::{Length, Period, SideControl};
use crate::{Allotment, Duration};

impl PlayerClock {
    pub(crate) fn new(control: &SideControl) -> Self {
        let first = control.period(0);
        Self {
            time: first.main + first.bonus.at_start(),
            used: Duration::ZERO,
            time_kind: TimeKind::Main,
            flag: Flag::Up,
            period: 0,
            moves: 0,
            counted: 0,
            bank: control
                .triple_block()
                .map_or(Duration::ZERO, |triple| triple.bank),
        }
    }

    pub(crate) fn allotment(&self) -> Allotment {
        match (self.flag, self.time_kind) {
            (Flag::Down, _) => Allotment::Flagged,
            (Flag::Up, TimeKind::Main) => Allotment::Main,
            (Flag::Up, TimeKind::ByoYomi { .. }) => Allotment::Byo,
            (Flag::Up, TimeKind::Canadian { .. }) => Allotment::Canadian,
            (Flag::Up, TimeKind::Extra) => Allotment::Extra,
            (Flag::Up, TimeKind::Grace) => Allotment::Grace,
            (Flag::Up, TimeKind::Overtime) => Allotment::Overtime,
        }
    }

    /// Returns the rest of the current move's delay, before the main time runs; zero if there is none.
    pub(crate) fn free(&self, control: &SideControl) -> Duration {
        match (self.flag, self.time_kind) {
            (Flag::Up, TimeKind::Main) => control.period(self.period).bonus.free(self.used),
            (Flag::Down, _)
            | (
                Flag::Up,
                TimeKind::ByoYomi { .. }
                | TimeKind::Canadian { .. }
                | TimeKind::Extra
                | TimeKind::Grace
                | TimeKind::Overtime,
            ) => Duration::ZERO,
        }
    }

    /// Returns how long the clock can run until its current time is used up; `None` if it never will be.
    pub(crate) fn runs_out_after(&self, control: &SideControl) -> Option<Duration> {
        let period = control.period(self.period);
        match (self.flag, self.time_kind, period.flow) {
            (Flag::Down, _, _)
            | (Flag::Up, TimeKind::Overtime, _)
            | (Flag::Up, TimeKind::Main, Flow::Up) => None,
            (Flag::Up, TimeKind::Main, Flow::Down | Flow::Hourglass) => {
                Some((self.free(control) + self.time + period.reserve.begins_after()).or_zero())
            }
            (
                Flag::Up,
                TimeKind::ByoYomi { .. }
                | TimeKind::Canadian { .. }
                | TimeKind::Extra
                | TimeKind::Grace,
                _,
            ) => Some(self.time.or_zero()),
        }
    }

    /// Returns how long the clock can run until its flag falls, its period or kind of time changes, or its penalty increases; `None` if nothing will
    /// change.
    pub(crate) fn changes_after(&self, control: &SideControl) -> Option<Duration> {
        match (self.flag, self.time_kind, control.reserve()) {
            (Flag::Up, TimeKind::Overtime, Reserve::Overtime(overtime)) => {
                Some(overtime.until_more_points(self.time))
            }
            _ => self.runs_out_after(control),
        }
    }

    /// Runs the clock for `span`. Returns the time that the opponent gains.
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

    /// Returns the change of the time per microsecond, in microseconds, while this clock is running: −1, 0 or 1.
    pub(crate) fn rate(&self, control: &SideControl) -> i8 {
        if self.flag == Flag::Down || self.free(control).is_positive() {
            return 0;
        }
        match control.period(self.period).flow {
            Flow::Down | Flow::Hourglass => -1,
            Flow::Up => 1,
        }
    }

    /// Returns the change of this clock's time while `mover`'s clock is running under `control`: 1 in an hourglass while both flags are up, and
    /// otherwise 0.
    pub(crate) fn gain_rate(&self, mover: &Self, control: &SideControl) -> i8 {
        match (control.period(mover.period).flow, self.flag) {
            (Flow::Hourglass, Flag::Up) => -mover.rate(control),
            (Flow::Hourglass, Flag::Down) | (Flow::Down | Flow::Up, _) => 0,
        }
    }

    /// Adds the time that the opponent used in an hourglass. With the flag down, the clock stays at zero.
    pub(crate) fn gain(&mut self, span: Duration) {
        match self.flag {
            Flag::Up => self.time += span,
            Flag::Down => (),
        }
    }

    /// Returns true if the side's first flag has fallen: its flag is down, or extra time, grace or overtime has begun.
    pub(crate) fn has_fallen(&self) -> bool {
        self.flag == Flag::Down
            || matches!(
                self.time_kind,
                TimeKind::Extra | TimeKind::Grace | TimeKind::Overtime
            )
    }

    pub(crate) fn fall(&mut self) {
        self.flag = Flag::Down;
        self.time = Duration::ZERO;
    }

    /// Begins a move after the opponent's press, with its whole delay. An interrupted move (FIDE 7.5.1) may have used some of the delay.
    pub(crate) fn begin_move(&mut self) {
        self.used = Duration::ZERO;
    }

    /// Completes the move after a press. Returns true if a new period begins. With the flag down, the move earns no time.
    pub(crate) fn complete_move(&mut self, control: &SideControl) -> bool {
        self.moves = self.moves.saturating_add(1);
        self.counted = self.counted.saturating_add(1);
        let used = core::mem::take(&mut self.used);
        if self.flag == Flag::Down {
            return false;
        }
        if self.time_kind != TimeKind::Main {
            control.reserve().next_move(self);
            return false;
        }
        let period = control.period(self.period);
        self.time += period.bonus.refund(used);
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

    /// Enters the next period, or the last one again, and adds its main time. Replaces the old period's Bronstein delay on the clock with the
    /// new period's.
    fn enter_next_period(&mut self, control: &SideControl) {
        let old = control.period(self.period);
        if !control.is_last(self.period) {
            self.period += 1;
        }
        let new = control.period(self.period);
        self.time = (self.time - old.bonus.shown() + new.main + new.bonus.shown()).or_zero();
        self.counted = 0;
    }

    /// Enters the next period, because this side or the opponent has used up its time. Returns false if this side stays in its period: its flag is
    /// down, it is no longer in main time, or it has no next period.
    pub(crate) fn enter_period_by_zero(&mut self, control: &SideControl) -> bool {
        if self.flag == Flag::Down
            || self.time_kind != TimeKind::Main
            || control.is_last(self.period)
        {
            return false;
        }
        let old = control.period(self.period).bonus;
        // A side whose time is used up has also used up its delay.
        self.time = match self.time.is_positive() {
            true => self.time + old.refund(self.used),
            false => old.shown(),
        };
        self.enter_next_period(control);
        if matches!(control.period(self.period).bonus, Bonus::Bronstein(_)) {
            self.used = Duration::ZERO;
        }
        true
    }

    pub(crate) fn byo_left(&self, control: &SideControl) -> Option<u32> {
        match (control.reserve(), self.time_kind) {
            (Reserve::ByoYomi(_), TimeKind::ByoYomi { periods_left }) => Some(periods_left),
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

    pub(crate) fn stones(&self, control: &SideControl) -> Option<u32> {
        match (control.reserve(), self.time_kind) {
            (Reserve::Canadian(_), TimeKind::Canadian { stones }) => Some(stones),
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

    pub(crate) fn points(&self, control: &SideControl) -> Option<i64> {
        match (control.reserve(), self.time_kind) {
            (Reserve::Overtime(overtime), TimeKind::Overtime) => {
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

    pub(crate) fn period_of<'a>(&self, control: &'a SideControl) -> &'a Period {
        control.period(self.period)
    }
}
