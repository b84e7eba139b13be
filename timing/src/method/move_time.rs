//! A fixed time for every move; unused time does not carry over. The main time equals the time for one move.

use core::fmt;

use crate::Duration;

/// A fixed time for each move, such as `move 30s`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoveTime(
    /// The time for each move.
    pub Duration,
);

impl fmt::Display for MoveTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "move {}", self.0)
    }
}
