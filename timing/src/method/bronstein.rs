//! Bronstein delay: it stands on the clock from the start, and after a press what was used of it comes back.

use core::fmt;

use crate::Duration;
use crate::time_control::cursor::{Cursor, Fault};

/// `bronstein 3s`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bronstein(
    /// The most that comes back after a move; shown on top of the main time.
    pub Duration,
);

impl Bronstein {
    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        cursor.space_then_duration().map(Self)
    }

    /// What comes back of a move of which `used` was used.
    pub(crate) fn comes_back(&self, used: Duration) -> Duration {
        self.0.min(used)
    }
}

impl fmt::Display for Bronstein {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " bronstein {}", self.0)
    }
}
