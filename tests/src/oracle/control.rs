//! The oracle's own picture of a time control, and the text it hands to the engine.
//!
//! Owns a plain tree of the grammar and a printer for it. Must never parse, and must never borrow a type, a constant
//! or a helper from `timing`: two programs that share code share its mistakes.

use std::fmt;

/// Microseconds of a day.
pub(super) const DAY: i64 = 86_400_000_000;

/// The time control of one game.
#[derive(Clone, Debug)]
pub(super) struct Control {
    /// White's control, then Black's.
    pub(super) sides: [SideControl; 2],
    /// Whether the text may be written once for both sides.
    pub(super) same: bool,
    /// Whether the game goes on after a flag.
    pub(super) runs_on: bool,
}

/// The time control of one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SideControl {
    /// One or more periods.
    Periods(Vec<Period>),
    /// A fixed time for every move.
    Move(i64),
    /// Counts up, no limit.
    Up,
    /// What one side uses the other gains.
    Hourglass(i64),
    /// ICCF Triple Block: the event's days, guaranteed time or not.
    Triple(u32, bool),
}

/// What brings the period after this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Until {
    /// So many moves. On the last period: it repeats.
    Moves(u32),
    /// Either side's time in it being used up.
    Zero,
    /// Nothing: the last period.
    End,
}

/// One period of main time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Period {
    /// What brings the next one.
    pub(super) until: Until,
    /// Whether the text writes the star that a repeating last period may carry.
    pub(super) star: bool,
    /// Main time, µs.
    pub(super) main: i64,
    /// Increment, µs; 0 for none.
    pub(super) increment: i64,
    /// What stands behind the time.
    pub(super) tail: Tail,
}

/// What a period may end with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tail {
    /// Nothing.
    None,
    /// The increment never lifts the clock above this, µs.
    Cap(i64),
    /// The main time stands still for so long at the start of a move, µs.
    Delay(i64),
    /// What was used comes back after the press, up to so much, µs.
    Bronstein(i64),
    /// Periods of byo-yomi, and how long each is, µs.
    Byo(u32, i64),
    /// Moves in a block, and how long a block is, µs.
    Canadian(u32, i64),
    /// Extra time and the least it gives a move, µs, by a formula.
    Extra(i64, i64, Bonus),
    /// So much once after the main time, µs.
    Grace(i64),
    /// Penalty points for every so many µs below zero.
    Overtime(u32, i64),
}

/// The three bonus formulas of the double flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bonus {
    /// `min(t+m, (t+x)/2)`.
    Hybrid,
    /// `t + m - m·t/x`.
    Linear,
    /// `min(t+m, x)`.
    Truncated,
}

/// A length of time, printed as the grammar writes one: `1d2h3m4.000005s`.
#[derive(Clone, Copy)]
pub(super) struct Length(pub i64);

/// A length of time, printed as bare seconds: `93784.000005`.
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
    fn lengths_are_written_as_the_grammar_asks() {
        let text = |micros| Length(micros).to_string();
        assert_eq!(text(0), "0s");
        assert_eq!(text(1), "0.000001s");
        assert_eq!(text(5_400_000_000), "1h30m");
        assert_eq!(text(DAY + 1_500_000), "1d1.5s");
        assert_eq!(Seconds(-60_000_001).to_string(), "-60.000001");
    }
}
