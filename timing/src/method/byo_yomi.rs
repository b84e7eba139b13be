//! Japanese byo-yomi: a move uses up a period only if it lasts to the end of the period.

use core::fmt;

use crate::Duration;
use crate::player_clock::{PlayerClock, TimeKind, UsedUp};
use crate::time_control::cursor::{Cursor, Fault};

/// Byo-yomi, such as `byo 3x30s`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ByoYomi {
    /// Number of periods that follow the main time.
    pub periods: u32,
    /// Length of each period. A press within a period restores it in full.
    pub period: Duration,
}

impl ByoYomi {
    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        cursor.expect(" ", "a space and the number of periods, as in byo 3x30s")?;
        let periods = cursor.count()?;
        cursor.expect("x", "x and the length of a period, as in byo 3x30s")?;
        Ok(Self {
            periods,
            period: cursor.duration()?,
        })
    }

    pub(crate) fn enter(&self, clock: &mut PlayerClock) -> UsedUp {
        clock.time_kind = TimeKind::ByoYomi {
            periods_left: self.periods,
        };
        clock.time = self.period;
        UsedUp::Continues { first_flag: false }
    }

    /// Returns the number of periods left once the time `over` has passed since the end of a period, and the time that further whole periods took.
    /// Never uses up the last period. Returns `None` if the period that ended was the last.
    pub(crate) fn overstep(&self, periods_left: u32, over: Duration) -> Option<(u32, Duration)> {
        let others = periods_left.checked_sub(1).filter(|others| *others > 0)?;
        // The notation has no empty periods, but a division by zero must be impossible.
        let whole =
            (over.as_micros().max(0) / self.period.as_micros().max(1)).min(i64::from(others) - 1);
        // `whole` is at most `others - 1`, so it fits into `u32` and at least one period is left.
        let left = others - u32::try_from(whole).unwrap_or(0);
        Some((
            left,
            Duration::from_micros(whole.saturating_mul(self.period.as_micros())),
        ))
    }
}

impl fmt::Display for ByoYomi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " byo {}x{}", self.periods, self.period)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(periods_left: u32, over: i64, expected: Option<(u32, i64)>) {
        let byo_yomi = ByoYomi {
            periods: 5,
            period: Duration::from_secs(10),
        };
        let got = byo_yomi.overstep(periods_left, Duration::from_secs(over));
        assert_eq!(
            got,
            expected.map(|(left, whole)| (left, Duration::from_secs(whole)))
        );
    }

    #[test]
    fn whole_periods_that_are_used_up_are_skipped_in_one_step() {
        check(5, 0, Some((4, 0)));
        check(5, 9, Some((4, 0)));
        check(5, 10, Some((3, 10)));
        check(5, 39, Some((1, 30)));
        check(5, 4_000, Some((1, 30)));
        check(2, 4_000, Some((1, 0)));
        check(1, 0, None);
    }
}
