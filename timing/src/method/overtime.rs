//! Scrabble overtime: play continues below zero, and the time used beyond zero costs penalty points.

use core::fmt;

use crate::Duration;
use crate::player_clock::{PlayerClock, TimeKind, UsedUp};
use crate::time_control::cursor::{Cursor, Fault};

/// Scrabble overtime, such as `overtime 10/1m`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Overtime {
    /// Penalty points for each span below zero that has begun.
    pub points: u32,
    /// Length of a span.
    pub every: Duration,
}

impl Overtime {
    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        cursor.expect(" ", "a space and the points, as in overtime 10/1m")?;
        let points = cursor.count()?;
        cursor.expect("/", "/ and the time they are due for, as in overtime 10/1m")?;
        Ok(Self {
            points,
            every: cursor.duration()?,
        })
    }

    pub(crate) fn enter(&self, clock: &mut PlayerClock) -> UsedUp {
        clock.time_kind = TimeKind::Overtime;
        UsedUp::Continues { first_flag: true }
    }

    /// Returns the number of spans below zero that have begun with `time` on the clock.
    fn begun(&self, time: Duration) -> i64 {
        let over = (-time).or_zero().as_micros();
        let every = self.every.as_micros().max(1);
        over / every + i64::from(over % every != 0)
    }

    /// Returns the penalty points with `time` on the clock: zero or negative.
    pub(crate) fn points_at(&self, time: Duration) -> i64 {
        self.begun(time).saturating_mul(-i64::from(self.points))
    }

    /// Returns how much longer a clock with `time` on it can run before the penalty increases.
    pub(crate) fn until_more_points(&self, time: Duration) -> Duration {
        let paid = Duration::from_micros(self.begun(time).saturating_mul(self.every.as_micros()));
        paid + time + Duration::MICROSECOND
    }
}

impl fmt::Display for Overtime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " overtime {}/{}", self.points, self.every)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(time_us: i64, points: i64, more_in_us: i64) {
        let overtime = Overtime {
            points: 10,
            every: Duration::from_mins(1),
        };
        let time = Duration::from_micros(time_us);
        assert_eq!(overtime.points_at(time), points);
        assert_eq!(overtime.until_more_points(time).as_micros(), more_in_us);
    }

    #[test]
    fn ten_points_for_a_minute_or_part_of_one() {
        check(5, 0, 6);
        check(0, 0, 1);
        check(-1, -10, 60_000_000);
        check(-60_000_000, -10, 1);
        check(-60_000_001, -20, 60_000_000);
    }
}
