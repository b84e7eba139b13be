//! Simple (US) delay: the main time does not run during the first seconds of each move. Nothing accumulates.

use core::fmt;

use crate::Duration;
use crate::time_control::cursor::{Cursor, Fault};

/// Simple delay, such as `delay 5s`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Delay(
    /// Free time at the start of each move.
    pub Duration,
);

impl Delay {
    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        cursor.space_then_duration().map(Self)
    }

    /// Returns the delay left in a move after `used`.
    pub(crate) fn left(&self, used: Duration) -> Duration {
        (self.0 - used).or_zero()
    }
}

impl fmt::Display for Delay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " delay {}", self.0)
    }
}
