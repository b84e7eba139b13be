//! One side of the naive clock: its time in hand, and what it gains for a completed move.
//!
//! Owns the methods of timing, one short function each. Must not know about the other side, pauses or results: the clock handles those.

use super::control::{Bonus, DAY, Period, SideControl, Tail, Until};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Main,
    Byo,
    Canadian,
    Extra,
    /// Othello's grace time after the main time.
    Grace,
    /// Scrabble overtime, below zero.
    Overtime,
    Flagged,
}

#[derive(Clone, Debug)]
pub(super) struct Hand {
    pub(super) control: SideControl,
    /// Time in hand, µs.
    pub(super) time: i64,
    pub(super) phase: Phase,
    /// The phase in which this side's flag fell; used only after a flag fall.
    pub(super) fell_in: Phase,
    /// The period, counted from 0.
    pub(super) period: usize,
    /// The number of moves completed in the current period.
    pub(super) count: i64,
    pub(super) moves: i64,
    /// The remaining simple delay in this move, µs.
    pub(super) delay_left: i64,
    /// The time used in this move, µs. A Bronstein delay gives back at most its own length.
    pub(super) used: i64,
    pub(super) byo: u32,
    /// The moves left in the Canadian block.
    pub(super) stones: u32,
    /// The Triple Block bank, µs.
    pub(super) bank: i64,
}

impl Hand {
    pub(super) fn new(control: &SideControl) -> Self {
        let mut hand = Self {
            control: control.clone(),
            time: 0,
            phase: Phase::Main,
            fell_in: Phase::Main,
            period: 0,
            count: 0,
            moves: 0,
            delay_left: 0,
            used: 0,
            byo: 0,
            stones: 0,
            bank: 0,
        };
        match control {
            SideControl::Move(time) | SideControl::Hourglass(time) => hand.time = *time,
            SideControl::Up => {}
            SideControl::Triple(days, _) => {
                hand.time = 50 * DAY;
                hand.bank = triple(*days).0 * DAY;
            }
            SideControl::Periods(periods) => {
                let last = &periods[periods.len() - 1];
                match last.tail {
                    Tail::Byo(count, _) => hand.byo = count,
                    Tail::Canadian(stones, _) => hand.stones = stones,
                    Tail::None
                    | Tail::Cap(_)
                    | Tail::Delay(_)
                    | Tail::Bronstein(_)
                    | Tail::Extra(..)
                    | Tail::Grace(_)
                    | Tail::Overtime(..) => {}
                }
                let first = &periods[0];
                hand.time = first.main + first.increment + first.bronstein();
                hand.delay_left = first.delay();
                if hand.time == 0 {
                    hand.enter_after_main();
                }
            }
        }
        hand
    }

    pub(super) fn now_in(&self) -> Option<&Period> {
        match &self.control {
            SideControl::Periods(periods) => periods.get(self.period),
            SideControl::Move(_)
            | SideControl::Up
            | SideControl::Hourglass(_)
            | SideControl::Triple(..) => None,
        }
    }

    /// Returns true if the time of the current phase is used up. Overtime and the phase after a flag fall never end.
    pub(super) fn is_used_up(&self) -> bool {
        if self.control == SideControl::Up || self.delay_left > 0 {
            return false;
        }
        match self.phase {
            Phase::Overtime | Phase::Flagged => false,
            // Overtime begins below zero: at exactly zero, the side is still in main time.
            Phase::Main if matches!(self.tail(), Tail::Overtime(..)) => self.time < 0,
            Phase::Main | Phase::Byo | Phase::Canadian | Phase::Extra | Phase::Grace => {
                self.time <= 0
            }
        }
    }

    /// Returns true if this side enters the next period when either side's time reaches zero: it is in main time and another period follows.
    pub(super) fn receives_by_zero(&self) -> bool {
        let periods = if let SideControl::Periods(periods) = &self.control {
            periods.len()
        } else {
            0
        };
        self.phase == Phase::Main && self.period + 1 < periods
    }

    pub(super) fn main_is_down(&self) -> bool {
        self.phase == Phase::Extra || (self.phase == Phase::Flagged && self.fell_in == Phase::Extra)
    }

    pub(super) fn tail(&self) -> Tail {
        self.now_in().map_or(Tail::None, |period| period.tail)
    }

    pub(super) fn points(&self) -> i64 {
        match self.tail() {
            Tail::Overtime(points, each) if self.time < 0 => {
                let mut parts = 0;
                let mut below = -self.time;
                while below > 0 {
                    parts += 1;
                    below -= each;
                }
                -(i64::from(points) * parts)
            }
            Tail::Overtime(..)
            | Tail::None
            | Tail::Cap(_)
            | Tail::Delay(_)
            | Tail::Bronstein(_)
            | Tail::Byo(..)
            | Tail::Canadian(..)
            | Tail::Extra(..)
            | Tail::Grace(_) => 0,
        }
    }

    /// Enters the phase after the main time and sets its time. Returns false if no phase with a time of its own follows.
    pub(super) fn enter_after_main(&mut self) -> bool {
        match self.tail() {
            Tail::Byo(count, each) => {
                self.phase = Phase::Byo;
                self.byo = count;
                self.time = each;
            }
            Tail::Canadian(stones, block) => {
                self.phase = Phase::Canadian;
                self.stones = stones;
                self.time = block;
            }
            Tail::Extra(extra, _, _) => {
                self.phase = Phase::Extra;
                self.time = extra;
            }
            Tail::Grace(grace) => {
                self.phase = Phase::Grace;
                self.time = grace;
            }
            Tail::None
            | Tail::Cap(_)
            | Tail::Delay(_)
            | Tail::Bronstein(_)
            | Tail::Overtime(..) => return false,
        }
        true
    }

    /// Begins the next period in mid-move, because either side's time in the current period is used up.
    pub(super) fn enter_next_by_zero(&mut self) {
        let old = self.now_in().map_or(0, Period::bronstein);
        // The time shown includes the old Bronstein delay, which ends with the period. If the time is used up, so is that delay.
        let without = if self.time > 0 {
            self.time + self.used.min(old) - old
        } else {
            0
        };
        self.period += 1;
        self.count = 0;
        if let Some(next) = self.now_in() {
            let (main, bronstein, delay) = (next.main, next.bronstein(), next.delay());
            self.time = (without + main + bronstein).max(0);
            if bronstein > 0 {
                self.used = 0;
            }
            // The new delay counts from the start of the move, which began in the previous period.
            self.delay_left = (delay - self.used).max(0);
        }
    }

    /// Completes a move, credits the time gained for it, and begins this side's next move.
    pub(super) fn complete_move(&mut self) {
        self.moves += 1;
        self.count += 1;
        match self.control.clone() {
            SideControl::Move(time) => self.time = time,
            SideControl::Up | SideControl::Hourglass(_) => {}
            SideControl::Triple(days, guaranteed) => self.earn_triple(days, guaranteed),
            SideControl::Periods(periods) => match self.phase {
                Phase::Main => self.earn_in_main(&periods),
                Phase::Byo => self.time = self.whole_byo(),
                Phase::Canadian => self.count_stone(),
                Phase::Extra => self.earn_bonus(),
                Phase::Grace | Phase::Overtime => {}
                Phase::Flagged => unreachable!("a fallen side earns nothing"),
            },
        }
        self.begin_move();
    }

    pub(super) fn begin_move(&mut self) {
        self.used = 0;
        self.delay_left = self.now_in().map_or(0, Period::delay);
    }

    fn earn_in_main(&mut self, periods: &[Period]) {
        let old = &periods[self.period];
        self.time += self.used.min(old.bronstein());
        let mut next = self.period;
        if let Until::Moves(moves) = old.until
            && self.count >= i64::from(moves)
        {
            if self.period + 1 < periods.len() {
                next = self.period + 1;
            }
            self.time += periods[next].main - old.bronstein() + periods[next].bronstein();
            self.time = self.time.max(0);
            self.count = 0;
        }
        self.period = next;
        let new = &periods[next];
        match new.tail {
            Tail::Cap(cap) => {
                if self.time < cap {
                    self.time = cap.min(self.time + new.increment);
                }
            }
            Tail::None
            | Tail::Delay(_)
            | Tail::Bronstein(_)
            | Tail::Byo(..)
            | Tail::Canadian(..)
            | Tail::Extra(..)
            | Tail::Grace(_)
            | Tail::Overtime(..) => self.time += new.increment,
        }
    }

    pub(super) fn whole_byo(&self) -> i64 {
        let Tail::Byo(_, each) = self.tail() else {
            unreachable!("byo-yomi in a period without it");
        };
        each
    }

    fn count_stone(&mut self) {
        let Tail::Canadian(stones, block) = self.tail() else {
            unreachable!("a Canadian block in a period without one");
        };
        self.stones -= 1;
        if self.stones == 0 {
            self.stones = stones;
            self.time = block;
        }
    }

    fn earn_bonus(&mut self) {
        let Tail::Extra(extra, least, bonus) = self.tail() else {
            unreachable!("extra time in a period without it");
        };
        let (t, m, x) = (i128::from(self.time), i128::from(least), i128::from(extra));
        let lifted = match bonus {
            Bonus::Truncated => (t + m).min(x),
            Bonus::Hybrid => (t + m).min((t + x).div_euclid(2)),
            Bonus::Linear => t + m - (m * t + x - 1).div_euclid(x),
        };
        self.time =
            i64::try_from(lifted.max(t)).expect("at most the extra time, or what was there");
    }

    fn earn_triple(&mut self, days: u32, guaranteed: bool) {
        let (_, increment) = triple(days);
        if self.moves <= 50 {
            let sum = self.time + increment * DAY;
            self.time = sum.min(50 * DAY);
            self.bank += sum - self.time;
        }
        self.refill(None);
        if guaranteed && self.moves > 50 && self.bank == 0 && self.time < 3 * DAY {
            self.time = 3 * DAY;
        }
    }

    /// Moves time from the bank to the clock: at most `amount`, and never more than fits. `None` moves all that fits.
    pub(super) fn refill(&mut self, amount: Option<i64>) {
        let fits = (50 * DAY - self.time).min(self.bank);
        let moved = amount.map_or(fits, |amount| amount.min(fits));
        self.time += moved;
        self.bank -= moved;
    }
}

impl Period {
    pub(super) fn bronstein(&self) -> i64 {
        if let Tail::Bronstein(delay) = self.tail {
            delay
        } else {
            0
        }
    }

    pub(super) fn delay(&self) -> i64 {
        if let Tail::Delay(delay) = self.tail {
            delay
        } else {
            0
        }
    }
}

/// Returns the bank and the increment, in days, from ICCF's published table. The clock itself always starts with 50 days.
fn triple(days: u32) -> (i64, i64) {
    match days {
        302 => (50, 1),
        350 => (75, 1),
        400 => (50, 2),
        450 => (75, 2),
        500 => (50, 3),
        550 => (75, 3),
        600 => (50, 4),
        650 => (75, 4),
        700 => (50, 5),
        750 => (75, 5),
        800 => (50, 6),
        850 => (75, 6),
        900 => (50, 7),
        950 => (75, 7),
        1000 => (50, 8),
        1050 => (75, 8),
        1100 => (50, 9),
        other => unreachable!("{other} days are not in the published table"),
    }
}
