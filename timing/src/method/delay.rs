//! Simple (US) delay: the main time stands still for the first seconds of each move. Nothing accumulates.

use core::fmt;

use crate::Duration;
use crate::time_control::cursor::{Cursor, Fault};

/// `delay 5s`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Delay(
    /// The span at the start of each move that costs nothing.
    pub Duration,
);

impl Delay {
    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        cursor.space_then_duration().map(Self)
    }

    /// What is left of the delay in a move of which `used` is used.
    pub(crate) fn left(&self, used: Duration) -> Duration {
        (self.0 - used).or_zero()
    }
}

impl fmt::Display for Delay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " delay {}", self.0)
    }
}
