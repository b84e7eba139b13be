//! Simple (US) delay: the main time does not run during the first seconds of each move. An unused delay is lost.

use core::fmt;

use crate::Duration;
use crate::time_control::cursor::{Cursor, Fault};

/// A simple delay, such as `delay 5s`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Delay(
    /// Time at the start of each move during which the main time does not run.
    pub Duration,
);

impl Delay {
    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        cursor.space_then_duration().map(Self)
    }

    pub(crate) fn left(&self, used: Duration) -> Duration {
        (self.0 - used).or_zero()
    }
}

impl fmt::Display for Delay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " delay {}", self.0)
    }
}
