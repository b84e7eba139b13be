//! A date and time from the wall clock, for people to read. A player's time must never depend on it.

use std::fmt;

/// A reading of the wall clock, in microseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WallTime {
    unix_us: i64,
}

impl WallTime {
    pub const fn from_unix_us(unix_us: i64) -> WallTime {
        WallTime { unix_us }
    }

    pub const fn unix_us(self) -> i64 {
        self.unix_us
    }
}

/// Formats the time as RFC 3339, in UTC.
impl fmt::Display for WallTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_microsecond(self.unix_us) {
            Ok(timestamp) => write!(f, "{timestamp}"),
            Err(_) => write!(f, "{} µs since 1970", self.unix_us), // a year that RFC 3339 cannot express
        }
    }
}
