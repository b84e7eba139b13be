//! The double flag: main time in which a checkmate wins, then extra time in which it is only a draw.
//!
//! A player whose main time is used up continues in extra time. Each move there earns a bonus, which guarantees a minimum time per move. A
//! checkmate by this player is only a draw, and an opponent still in main time may claim a draw. When both main times are used up, the game is drawn.

use core::fmt;

use crate::player_clock::{PlayerClock, TimeKind, UsedUp};
use crate::time_control::cursor::{Cursor, Fault};
use crate::{Duration, GameResult};

/// The extra time of the double flag, such as `extra 60s min 10s hybrid`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DoubleFlag {
    /// Extra time when the main time is used up; the bonus never raises the clock above it.
    pub extra: Duration,
    /// Minimum time that the bonus guarantees for a move.
    pub min: Duration,
    /// Formula of the bonus, which decreases as the time left approaches the whole extra time.
    pub bonus: ExtraBonus,
}

/// The formula for the time on the clock after a press: `t` is the extra time left, `m` the minimum, and `x` the whole extra time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExtraBonus {
    /// `min(t+m, ⌊(t+x)/2⌋)`
    Hybrid,
    /// `t + m - ⌈m·t/x⌉`
    Linear,
    /// `min(t+m, x)`
    Truncated,
}

impl ExtraBonus {
    const ALL: [Self; 3] = [Self::Hybrid, Self::Linear, Self::Truncated];

    /// Returns the word for this formula in the notation.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Hybrid => "hybrid",
            Self::Linear => "linear",
            Self::Truncated => "truncated",
        }
    }
}

impl DoubleFlag {
    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        cursor.expect(
            " ",
            "a space and the extra time, as in extra 60s min 10s hybrid",
        )?;
        let at = cursor.at();
        let extra = cursor.duration()?;
        cursor.expect(
            " min ",
            "min and the least time for a move, as in extra 60s min 10s hybrid",
        )?;
        let min = cursor.duration()?;
        let formula = "hybrid, linear or truncated";
        cursor.expect(" ", formula)?;
        let start = cursor.at();
        let word = cursor.word();
        let bonus = ExtraBonus::ALL
            .into_iter()
            .find(|bonus| bonus.as_str() == word);
        let bonus = bonus.ok_or_else(|| Fault::new(start, formula))?;
        if extra < min + min {
            return Err(Fault::new(
                at,
                alloc::format!("extra time of at least twice the minimum, {}", min + min),
            ));
        }
        Ok(Self { extra, min, bonus })
    }

    /// Starts the extra time. If the opponent is in extra time too, the game is drawn.
    pub(crate) fn enter(&self, clock: &mut PlayerClock, other: &PlayerClock) -> UsedUp {
        clock.time_kind = TimeKind::Extra;
        clock.time = self.extra;
        match other.time_kind {
            TimeKind::Extra => UsedUp::GameEnds(GameResult::Draw),
            TimeKind::Main
            | TimeKind::ByoYomi { .. }
            | TimeKind::Canadian { .. }
            | TimeKind::Grace
            | TimeKind::Overtime => UsedUp::Continues { first_flag: true },
        }
    }

    /// Adds the bonus, which every press in extra time earns, including the press of the move during which the extra time began.
    pub(crate) fn next_move(&self, clock: &mut PlayerClock) {
        clock.time = clock.time.max(self.after_press(clock.time));
    }

    fn after_press(&self, time: Duration) -> Duration {
        match self.bonus {
            ExtraBonus::Hybrid => {
                let halfway =
                    i128::midpoint(time.as_micros().into(), self.extra.as_micros().into());
                // Lies between two `i64` values, so it fits.
                (time + self.min).min(Duration::from_micros(
                    i64::try_from(halfway).unwrap_or(i64::MAX),
                ))
            }
            ExtraBonus::Linear => {
                let product = i128::from(self.min.as_micros()) * i128::from(time.as_micros());
                let extra = i128::from(self.extra.as_micros().max(1));
                let less = -(-product).div_euclid(extra);
                time + self.min - Duration::from_micros(i64::try_from(less).unwrap_or(i64::MAX))
            }
            ExtraBonus::Truncated => (time + self.min).min(self.extra),
        }
    }
}

impl fmt::Display for DoubleFlag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            " extra {} min {} {}",
            self.extra,
            self.min,
            self.bonus.as_str()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the time after a press under the truncated, linear and hybrid formulas, in this order. All times are in microseconds; `time` is the
    /// time before the press.
    #[track_caller]
    fn check(min: i64, extra: i64, time: i64, expected: [i64; 3]) {
        let all = [
            ExtraBonus::Truncated,
            ExtraBonus::Linear,
            ExtraBonus::Hybrid,
        ];
        let got = all.map(|bonus| {
            let us = Duration::from_micros;
            DoubleFlag {
                extra: us(extra),
                min: us(min),
                bonus,
            }
            .after_press(us(time))
            .as_micros()
        });
        assert_eq!(got, expected, "{time} of {extra}, at least {min}");
    }

    #[test]
    fn the_worked_numbers_of_a_minute_of_extra_time() {
        for (time, expected) in [
            (1, [10_001, 10_000, 10_001]),
            (10_000, [20_000, 18_333, 20_000]),
            (30_000, [40_000, 35_000, 40_000]),
            (39_999, [49_999, 43_332, 49_999]),
            (40_000, [50_000, 43_333, 50_000]),
            (40_001, [50_001, 43_334, 50_000]),
            (42_000, [52_000, 45_000, 51_000]),
            (44_000, [54_000, 46_666, 52_000]),
            (49_999, [59_999, 51_665, 54_999]),
            (54_000, [60_000, 55_000, 57_000]),
            (58_000, [60_000, 58_333, 59_000]),
            (59_999, [60_000, 59_999, 59_999]),
            (60_000, [60_000, 60_000, 60_000]),
        ] {
            check(10_000, 60_000, time, expected);
        }
    }

    #[test]
    fn the_worked_numbers_of_a_classical_game() {
        check(30_000, 300_000, 240_001, [270_001, 246_000, 270_000]);
        check(30_000, 300_000, 60_000, [90_000, 84_000, 90_000]);
        check(30_000, 600_000, 540_002, [570_002, 543_001, 570_001]);
    }

    #[test]
    fn a_hundred_years_do_not_overflow() {
        let most = Duration::LONGEST_IN_NOTATION.as_micros();
        check(most / 2, most, most - 1, [most, most - 1, most - 1]);
    }
}
