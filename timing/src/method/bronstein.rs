//! Bronstein delay: shown in addition to the main time. The press gives back the time used, up to the length of the delay.

use core::fmt;

use crate::Duration;
use crate::time_control::cursor::{Cursor, Fault};

/// A Bronstein delay, such as `bronstein 3s`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bronstein(
    /// Maximum time given back after a move. The clock shows it in addition to the main time.
    pub Duration,
);

impl Bronstein {
    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        cursor.space_then_duration().map(Self)
    }

    pub(crate) fn refund(&self, used: Duration) -> Duration {
        self.0.min(used)
    }
}

impl fmt::Display for Bronstein {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " bronstein {}", self.0)
    }
}
