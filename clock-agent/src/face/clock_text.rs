//! The digits of one clock: the time in hand as text.
//!
//! Owns the rounding rule, which the hub and the browser pages share (`tests/clock-text.txt` tests all three). Must never know a side's kind of time
//! or read a system clock.

use timing::Duration;

/// The largest time shown with tenths, in microseconds.
const TENTHS_BELOW: i64 = 9_900_000;
const SECOND: i64 = 1_000_000;
const TENTH: i64 = 100_000;

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ClockText {
    /// Large digits such as `1:02:33`, `43:07` or `0:08`, with a leading `+` in overtime.
    pub big: String,
    /// Tenths such as `.4` for times from 0.1 to 9.9 seconds; otherwise empty.
    pub small: String,
}

impl ClockText {
    /// Returns both parts in one string: `0:08.4`.
    pub fn whole(&self) -> String {
        format!("{}{}", self.big, self.small)
    }
}

/// Formats `in_hand`, rounded up, so that zero appears only when the time is used up.
///
/// Two groups of digits are minutes and seconds; three are hours, minutes and seconds. The text is never hours and minutes.
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

/// Formats the time of a side in overtime, for example `+0:42` for 42 seconds. Rounds up, so that the digits agree with the penalty points, which are
/// charged for each started unit of overtime.
pub fn overtime_text(in_hand: Duration) -> ClockText {
    let over = clock_text((-in_hand).or_zero());
    ClockText {
        big: format!("+{}", over.big),
        small: over.small,
    }
}

/// Returns the time until the digits change, if the time in hand changes by `rate` (−1, 0 or 1) per microsecond. `None` if they never change: the
/// clock is stopped, or it counts down and its time is used up.
pub(crate) fn until_change(in_hand: Duration, rate: i8) -> Option<Duration> {
    let us = in_hand.as_micros();
    let step = if us <= TENTHS_BELOW { TENTH } else { SECOND };
    match rate {
        // The digits stay until the time falls to the next lower multiple of the step.
        ..0 if us <= 0 => None,
        ..0 => Some(us - ((us - 1) / step * step).max(tenths_edge(us))),
        0 => None,
        1.. => Some((us.max(0).saturating_add(step - 1) / step * step).saturating_add(1) - us),
    }
    .map(Duration::from_micros)
}

/// Returns the lower end of the range that contains `us`: the times shown with tenths, or those shown in whole seconds. After `0:10`, the digits
/// change to tenths, not to `0:09`.
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
