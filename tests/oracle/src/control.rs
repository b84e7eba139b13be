//! The oracle's own model of a time control, and the notation that it passes to the engine.
//!
//! Owns a plain tree of the grammar and a printer for it. Must not parse, and must not borrow a type, a constant or a helper from `timing`: programs
//! that share code share its mistakes.

use std::fmt;

/// A day, µs.
pub(super) const DAY: i64 = 86_400_000_000;

#[derive(Clone, Debug)]
pub(super) struct Control {
    /// White's control, then Black's.
    pub(super) sides: [SideControl; 2],
    /// True if both sides have the same control, so that the notation is written only once.
    pub(super) same: bool,
    /// True if the game continues after a flag fall.
    pub(super) runs_on: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SideControl {
    Periods(Vec<Period>),
    /// A fixed time for every move, µs.
    Move(i64),
    Up,
    /// Hourglass with this initial time, µs: the time that one side uses is added to the opponent's.
    Hourglass(i64),
    /// ICCF Triple Block: the total number of days, as in the published table, and true if time is guaranteed.
    Triple(u32, bool),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Until {
    /// The completion of this number of moves. If this ends the last period, that period repeats.
    Moves(u32),
    /// Either side's time in this period reaching zero.
    Zero,
    End,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Period {
    pub(super) until: Until,
    /// True if the notation writes the optional star of a repeating last period.
    pub(super) star: bool,
    /// The period's main time, µs.
    pub(super) main: i64,
    /// The increment, µs; 0 for none.
    pub(super) increment: i64,
    pub(super) tail: Tail,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tail {
    None,
    /// The cap of the increment, µs: the increment never lifts the clock above it.
    Cap(i64),
    /// A delay, µs: the main time does not run for this long at the start of a move.
    Delay(i64),
    /// A Bronstein delay, µs: the press gives back the time used for the move, up to this length.
    Bronstein(i64),
    /// The number of byo-yomi periods, and the length of each, µs.
    Byo(u32, i64),
    /// The moves in a Canadian block, and the length of a block, µs.
    Canadian(u32, i64),
    /// Double flag: the extra time and the minimum for a move, both in µs, and the formula for the time after a move.
    Extra(i64, i64, Bonus),
    /// A single grace time after the main time, µs.
    Grace(i64),
    /// The penalty points charged for each interval below zero that has begun, and the length of an interval, µs.
    Overtime(u32, i64),
}

/// The formula for the new time after a move in extra time: t is the time left, m the minimum for a move, x the extra time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bonus {
    /// `min(t+m, (t+x)/2)`.
    Hybrid,
    /// `t + m - m·t/x`.
    Linear,
    /// `min(t+m, x)`.
    Truncated,
}

/// A duration, printed in the grammar's form: `1d2h3m4.000005s`.
#[derive(Clone, Copy)]
pub(super) struct Length(pub i64);

/// A duration, printed as bare seconds: `93784.000005`.
#[derive(Clone, Copy)]
pub(super) struct Seconds(pub i64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let micros = self.0.unsigned_abs();
        let (whole, part) = (micros / 1_000_000, micros % 1_000_000);
        if part == 0 {
            return write!(f, "{sign}{whole}");
        }
        let digits = format!("{part:06}");
        write!(f, "{sign}{whole}.{}", digits.trim_end_matches('0'))
    }
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut left = self.0;
        if left == 0 {
            return f.write_str("0s");
        }
        for (unit, name) in [(DAY, "d"), (3_600_000_000, "h"), (60_000_000, "m")] {
            if left >= unit {
                write!(f, "{}{name}", left / unit)?;
                left %= unit;
            }
        }
        if left > 0 {
            write!(f, "{}s", Seconds(left))?;
        }
        Ok(())
    }
}

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.sides[0])?;
        if !self.same {
            write!(f, " vs {}", self.sides[1])?;
        }
        if self.runs_on {
            f.write_str(" runs on")?;
        }
        Ok(())
    }
}

impl fmt::Display for SideControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move(time) => write!(f, "move {}", Length(*time)),
            Self::Up => f.write_str("up"),
            Self::Hourglass(time) => write!(f, "{} hourglass", Length(*time)),
            Self::Triple(days, guaranteed) => {
                write!(f, "triple {days}{}", if *guaranteed { " gt" } else { "" })
            }
            Self::Periods(periods) => {
                for (index, period) in periods.iter().enumerate() {
                    if index > 0 {
                        f.write_str(" : ")?;
                    }
                    write!(f, "{period}")?;
                }
                Ok(())
            }
        }
    }
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.star {
            f.write_str("*")?;
        }
        match self.until {
            Until::Moves(count) => write!(f, "{count}/")?,
            Until::Zero => f.write_str("zero/")?,
            Until::End => {}
        }
        write!(f, "{}", Length(self.main))?;
        if self.increment > 0 {
            write!(f, "+{}", Length(self.increment))?;
        }
        match self.tail {
            Tail::None => Ok(()),
            Tail::Cap(cap) => write!(f, " cap {}", Length(cap)),
            Tail::Delay(delay) => write!(f, " delay {}", Length(delay)),
            Tail::Bronstein(delay) => write!(f, " bronstein {}", Length(delay)),
            Tail::Byo(periods, each) => write!(f, " byo {periods}x{}", Length(each)),
            Tail::Canadian(stones, block) => write!(f, " canadian {stones}/{}", Length(block)),
            Tail::Grace(grace) => write!(f, " grace {}", Length(grace)),
            Tail::Overtime(points, each) => write!(f, " overtime {points}/{}", Length(each)),
            Tail::Extra(extra, least, bonus) => {
                let formula = match bonus {
                    Bonus::Hybrid => "hybrid",
                    Bonus::Linear => "linear",
                    Bonus::Truncated => "truncated",
                };
                write!(
                    f,
                    " extra {} min {} {formula}",
                    Length(extra),
                    Length(least)
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_written_as_the_grammar_requires() {
        let text = |micros| Length(micros).to_string();
        assert_eq!(text(0), "0s");
        assert_eq!(text(1), "0.000001s");
        assert_eq!(text(5_400_000_000), "1h30m");
        assert_eq!(text(DAY + 1_500_000), "1d1.5s");
        assert_eq!(Seconds(-60_000_001).to_string(), "-60.000001");
    }
}
