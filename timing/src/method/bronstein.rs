//! Bronstein delay: it is displayed from the start of the move, and the used part is given back after the press.

use core::fmt;

use crate::Duration;
use crate::time_control::cursor::{Cursor, Fault};

/// Bronstein delay, such as `bronstein 3s`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bronstein(
    /// The maximum time given back after a move; displayed in addition to the main time.
    pub Duration,
);

impl Bronstein {
    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        cursor.space_then_duration().map(Self)
    }

    /// Returns the time given back for a move that took `used`.
    pub(crate) fn comes_back(&self, used: Duration) -> Duration {
        self.0.min(used)
    }
}

impl fmt::Display for Bronstein {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " bronstein {}", self.0)
    }
}
