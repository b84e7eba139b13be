//! Canadian overtime: each block of time is for a number of moves.

use core::fmt;

use crate::Duration;
use crate::player_clock::{PlayerClock, TimeKind, UsedUp};
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

    pub(crate) fn enter(&self, clock: &mut PlayerClock) -> UsedUp {
        self.new_block(clock);
        UsedUp::Continues { first_flag: false }
    }

    /// Counts a completed move. The press that completes a block starts the next one.
    pub(crate) fn next_move(&self, clock: &mut PlayerClock) {
        match clock.time_kind {
            TimeKind::Canadian { stones } if stones > 1 => {
                clock.time_kind = TimeKind::Canadian { stones: stones - 1 }
            }
            TimeKind::Canadian { .. }
            | TimeKind::Main
            | TimeKind::ByoYomi { .. }
            | TimeKind::Extra
            | TimeKind::Grace
            | TimeKind::Overtime => self.new_block(clock),
        }
    }

    fn new_block(&self, clock: &mut PlayerClock) {
        clock.time_kind = TimeKind::Canadian {
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
