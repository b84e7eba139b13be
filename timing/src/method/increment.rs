//! Increment: time added for every move from the first on (FIDE 6.3.1, the "cumulative mode" of the glossary), with or without a cap.

use core::fmt;

use crate::Duration;
use crate::player_clock::PlayerClock;

/// An increment, such as `+2s`, or `+10s` with `cap 1m15s`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Increment {
    /// Time added for each move.
    pub by: Duration,
    /// Upper limit to which the increment raises the clock. A clock above the limit is not lowered.
    pub cap: Option<Duration>,
}

impl Increment {
    /// Adds the increment for the next move. The increment for the first move is on the clock from the start.
    pub(crate) fn next_move(&self, clock: &mut PlayerClock) {
        let lifted = clock.time + self.by;
        clock.time = match self.cap {
            Some(cap) => lifted.min(cap).max(clock.time),
            None => lifted,
        };
    }
}

impl fmt::Display for Increment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "+{}", self.by)?;
        match self.cap {
            Some(cap) => write!(f, " cap {cap}"),
            None => Ok(()),
        }
    }
}
