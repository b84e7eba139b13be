//! Rates of play: standard, rapid or blitz, by the time for a game of sixty moves. Owns the limits of the Laws.

use serde::{Deserialize, Serialize};
use timing::{Bonus, Duration, Length, Side, SideControl, TimeControl};

/// The number of moves over which a rate of play is measured (FIDE Laws A.1, B.1; B.02 1.1).
const MOVES: i64 = 60;

text_enum! {
    /// A rate of play. Each has its own ratings.
    #[derive(Serialize, Deserialize)]
    RateOfPlay {
        /// At least 60 minutes for sixty moves, for the side with less time.
        Standard = "standard",
        /// More than 10 but less than 60 minutes for sixty moves, for the side with less time.
        Rapid = "rapid",
        /// At most 10 minutes for sixty moves, for the side with less time.
        Blitz = "blitz",
    }
}

impl RateOfPlay {
    /// Returns the rate of play of a time control. If the sides have different times, the shorter one decides.
    #[must_use]
    pub fn of(control: &TimeControl) -> Self {
        let minutes = |minutes: i64| Duration::from_secs(minutes * 60);
        match time_for_sixty_moves(control) {
            time if time >= minutes(60) => Self::Standard,
            time if time > minutes(10) => Self::Rapid,
            _ => Self::Blitz,
        }
    }
}

/// Returns the time that the side with less time has for sixty moves.
#[must_use]
pub fn time_for_sixty_moves(control: &TimeControl) -> Duration {
    let [white, black] = Side::BOTH.map(|side| of_side(control.side(side)));
    white.min(black)
}

fn of_side(side: &SideControl) -> Duration {
    let mut sum = 0_i64;
    let mut left = MOVES;
    for period in side.periods() {
        let moves = match period.length {
            Length::Moves(moves) => i64::from(moves).min(left),
            Length::ByZero => 0,
            Length::ToTheEnd => left,
        };
        let for_each = match period.bonus {
            Bonus::Increment(increment) => increment.by.as_micros(),
            Bonus::Delay(delay) => delay.0.as_micros(),
            Bonus::Bronstein(delay) => delay.0.as_micros(),
            Bonus::MoveTime(time) => time.0.as_micros(),
            Bonus::None | Bonus::TripleBlock(_) => 0,
        };
        sum = sum
            .saturating_add(period.main.as_micros())
            .saturating_add(for_each.saturating_mul(moves));
        left -= moves;
        if left <= 0 && period.length != Length::ByZero {
            break;
        }
    }
    Duration::from_micros(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(notation: &str, rate: RateOfPlay, minutes: i64) {
        let control: TimeControl = notation.parse().unwrap();
        assert_eq!(RateOfPlay::of(&control), rate, "{notation}");
        let time = time_for_sixty_moves(&control);
        assert_eq!(time, Duration::from_secs(minutes * 60), "{notation}");
    }

    #[test]
    fn the_rate_is_measured_over_sixty_moves() {
        check("90m+30s", RateOfPlay::Standard, 120);
        check("40/90m+30s : 30m+30s", RateOfPlay::Standard, 150);
        check("30m+30s", RateOfPlay::Standard, 60);
        check("15m+10s", RateOfPlay::Rapid, 25);
        check("10m", RateOfPlay::Blitz, 10);
        check("3m+2s", RateOfPlay::Blitz, 5);
        check("5m vs 4m", RateOfPlay::Blitz, 4);
        check("10m+1s", RateOfPlay::Rapid, 11);
        check("60m", RateOfPlay::Standard, 60);
        let rate = |notation: &str| RateOfPlay::of(&notation.parse().unwrap());
        assert_eq!(rate("59m59s"), RateOfPlay::Rapid);
        assert_eq!(rate("10m1s"), RateOfPlay::Rapid);
        assert_eq!(rate("3m delay 2s"), RateOfPlay::Blitz);
    }
}
