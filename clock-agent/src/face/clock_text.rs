//! The digits of one clock: microseconds in hand to the text every display of the hall shows.
//!
//! Owns the one rounding rule, which the live page has word for word (`tests/clock-text.txt` holds both to it).
//! Must never know what a side lives on, nor read a clock.

use timing::Duration;

/// From here on a clock shows no tenths: 9.9 s is the largest time that has them.
const TENTHS_BELOW: i64 = 9_900_000;
const SECOND: i64 = 1_000_000;
const TENTH: i64 = 100_000;

/// A clock's digits: the large ones, and the tenths that follow when time is short.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ClockText {
    /// `1:02:33`, `43:07`, `0:08`; with a leading `+` when overtime is counted.
    pub big: String,
    /// `.4` under ten seconds, else empty.
    pub small: String,
}

impl ClockText {
    /// Both parts in one string: `0:08.4`.
    pub fn whole(&self) -> String {
        format!("{}{}", self.big, self.small)
    }
}

/// The digits of `in_hand`, rounded up, so that zero is shown only when the time is used up.
///
/// Two groups are minutes and seconds, three are hours, minutes and seconds; never hours and minutes.
pub fn clock_text(in_hand: Duration) -> ClockText {
    let us = in_hand.as_micros();
    if us <= 0 {
        return groups(0);
    }
    if us <= TENTHS_BELOW {
        let tenths = us.saturating_add(TENTH - 1) / TENTH;
        return ClockText {
            big: format!("0:0{}", tenths / 10),
            small: format!(".{}", tenths % 10),
        };
    }
    groups(us.saturating_add(SECOND - 1) / SECOND)
}

/// The digits of a side that plays on below zero: `+0:42` for 42 seconds over, rounded up like any other time,
/// as the points for it are.
pub fn overtime_text(in_hand: Duration) -> ClockText {
    let over = clock_text((-in_hand).or_zero());
    ClockText {
        big: format!("+{}", over.big),
        small: over.small,
    }
}

/// How much must pass, while the time in hand changes by `rate` (−1 or 1) each microsecond, until the digits change.
/// `None` if they never will: a standing clock, or one that is used up.
pub(crate) fn until_change(in_hand: Duration, rate: i8) -> Option<Duration> {
    let us = in_hand.as_micros();
    let step = if us <= TENTHS_BELOW { TENTH } else { SECOND };
    match rate {
        // The digits hold while time stays above the next lower multiple of the step.
        ..0 if us <= 0 => None,
        ..0 => Some(us - ((us - 1) / step * step).max(tenths_edge(us))),
        0 => None,
        1.. => Some((us.max(0).saturating_add(step - 1) / step * step).saturating_add(1) - us),
    }
    .map(Duration::from_micros)
}

/// Between 9.9 and 10 seconds the whole `0:10` gives way to tenths, not to `0:09`.
fn tenths_edge(us: i64) -> i64 {
    if us > TENTHS_BELOW { TENTHS_BELOW } else { 0 }
}

fn groups(seconds: i64) -> ClockText {
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let big = match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    };
    ClockText {
        big,
        small: String::new(),
    }
}
