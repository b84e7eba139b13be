//! A fixed time for each move; unused time does not carry over. The main time is the time for the first move.

use core::fmt;

use crate::Duration;

/// A fixed time for each move, such as `move 30s`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoveTime(
    /// Time for each move.
    pub Duration,
);

impl fmt::Display for MoveTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "move {}", self.0)
    }
}
