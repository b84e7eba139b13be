//! Othello's grace: a short extra time, granted once, to finish the game; using it up ends the game.

use core::fmt;

use crate::Duration;
use crate::player_clock::{LivingOn, PlayerClock, UsedUp};
use crate::time_control::cursor::{Cursor, Fault};

/// Grace, such as `grace 2m`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grace(
    /// The time granted once when the main time is used up.
    pub Duration,
);

impl Grace {
    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        cursor.space_then_duration().map(Self)
    }

    /// Records the first flag and starts the grace.
    pub(crate) fn enter(&self, clock: &mut PlayerClock) -> UsedUp {
        clock.living_on = LivingOn::Grace;
        clock.time = self.0;
        UsedUp::LivesOn { first_flag: true }
    }
}

impl fmt::Display for Grace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " grace {}", self.0)
    }
}
