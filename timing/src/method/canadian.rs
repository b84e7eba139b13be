//! Canadian overtime: each block of time is for a number of moves.

use core::fmt;

use crate::Duration;
use crate::player_clock::{LivingOn, PlayerClock, UsedUp};
use crate::time_control::cursor::{Cursor, Fault};

/// Canadian overtime, such as `canadian 15/5m`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Canadian {
    /// Number of moves to make in each block.
    pub stones: u32,
    /// Time for each block.
    pub block: Duration,
}

impl Canadian {
    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        cursor.expect(
            " ",
            "a space and the moves of a block, as in canadian 15/5m",
        )?;
        let stones = cursor.count()?;
        cursor.expect("/", "/ and the time of a block, as in canadian 15/5m")?;
        Ok(Self {
            stones,
            block: cursor.duration()?,
        })
    }

    /// Starts the first block when the main time is used up. No flag falls.
    pub(crate) fn enter(&self, clock: &mut PlayerClock) -> UsedUp {
        self.new_block(clock);
        UsedUp::LivesOn { first_flag: false }
    }

    /// Counts a completed move. The press that completes a block starts the next one.
    pub(crate) fn next_move(&self, clock: &mut PlayerClock) {
        match clock.living_on {
            LivingOn::Canadian { stones } if stones > 1 => {
                clock.living_on = LivingOn::Canadian { stones: stones - 1 }
            }
            LivingOn::Canadian { .. }
            | LivingOn::Main
            | LivingOn::ByoYomi { .. }
            | LivingOn::Extra
            | LivingOn::Grace
            | LivingOn::Overtime => self.new_block(clock),
        }
    }

    fn new_block(&self, clock: &mut PlayerClock) {
        clock.living_on = LivingOn::Canadian {
            stones: self.stones,
        };
        clock.time = self.block;
    }
}

impl fmt::Display for Canadian {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " canadian {}/{}", self.stones, self.block)
    }
}
