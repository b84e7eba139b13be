//! Othello's grace: a short time to finish the game, granted once. When it is used up, the flag falls.

use core::fmt;

use crate::Duration;
use crate::player_clock::{PlayerClock, TimeKind, UsedUp};
use crate::time_control::cursor::{Cursor, Fault};

/// Othello's grace, for example `grace 2m`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Grace(
    /// Time granted once, when the main time is used up.
    pub Duration,
);

impl Grace {
    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        cursor.space_then_duration().map(Self)
    }

    pub(crate) fn enter(&self, clock: &mut PlayerClock) -> UsedUp {
        clock.time_kind = TimeKind::Grace;
        clock.time = self.0;
        UsedUp::Continues { first_flag: true }
    }
}

impl fmt::Display for Grace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " grace {}", self.0)
    }
}
