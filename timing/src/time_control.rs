//! A time control as data: the time granted to each side, period by period.
//!
//! Contains no state of a game. A [`TimeControl`] can only be created by parsing the notation, so the rest of the crate can rely on the notation's
//! rules. There is a last period, durations are zero only where that is allowed, and periods that end at zero are the same for both sides.

use core::fmt;
use core::str::FromStr;

use alloc::string::String;
use alloc::vec::Vec;

use crate::method::{Bonus, Flow, Reserve, TripleBlock};
use crate::{BySide, Duration, Side};

pub(crate) mod cursor;
mod notation;

pub(crate) use notation::read;

/// The time control of a game: one part for each side, and the effect of a fallen flag on the clocks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TimeControl {
    sides: BySide<SideControl>,
    after_flag: AfterFlag,
}

/// Effect of a fallen flag on the clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AfterFlag {
    /// The clocks freeze.
    Freezes,
    /// `runs on`: the game continues until the flag is called (FIDE 6.8).
    RunsOn,
}

/// The time granted to one side, in at least one period.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SideControl {
    periods: Vec<Period>,
}

/// One period: main time, combined with a bonus per move, a flow, and a reserve after the main time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Period {
    /// The condition that ends the period.
    pub length: Length,
    /// The main time that the period grants.
    pub main: Duration,
    /// The bonus for a move.
    pub bonus: Bonus,
    /// The effect of used time on the clocks.
    pub flow: Flow,
    /// The time after the main time. Only a last period has a reserve.
    pub reserve: Reserve,
}

/// The condition that ends a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Length {
    /// This number of moves; a last period with this length repeats.
    Moves(u32),
    /// Either side's main time is used up: both sides receive the next period.
    ByZero,
    /// The end of the game.
    ToTheEnd,
}

impl TimeControl {
    /// Returns the time granted to `side`.
    pub fn side(&self, side: Side) -> &SideControl {
        &self.sides[side]
    }

    /// Returns the effect of a fallen flag on the clocks.
    pub fn after_flag(&self) -> AfterFlag {
        self.after_flag
    }

    /// Returns the same control with a different effect of a fallen flag: an event may have its own rule.
    #[must_use]
    pub fn with_after_flag(self, after_flag: AfterFlag) -> Self {
        Self { after_flag, ..self }
    }

    /// Returns whether a side plays under the double flag, so that draws can be claimed.
    pub fn has_double_flag(&self) -> bool {
        Side::BOTH
            .into_iter()
            .any(|side| matches!(self.side(side).reserve(), Reserve::DoubleFlag(_)))
    }

    /// Returns whether a side plays under Triple Block, so that clocks can be refilled.
    pub fn has_triple_block(&self) -> bool {
        Side::BOTH
            .into_iter()
            .any(|side| self.side(side).triple_block().is_some())
    }
}

impl SideControl {
    /// Returns the periods in order. There is at least one; only the last can have a reserve or no end.
    pub fn periods(&self) -> &[Period] {
        &self.periods
    }

    /// Returns the period with that index, or the last one.
    pub(crate) fn period(&self, index: u32) -> &Period {
        usize::try_from(index)
            .ok()
            .and_then(|index| self.periods.get(index))
            .unwrap_or_else(|| self.last())
    }

    /// Returns whether the period with that index is the last one.
    pub(crate) fn is_last(&self, index: u32) -> bool {
        usize::try_from(index).is_ok_and(|index| index + 1 >= self.periods.len())
    }

    fn last(&self) -> &Period {
        match self.periods.last() {
            Some(last) => last,
            None => &NO_TIME,
        }
    }

    /// Returns the reserve after the last main time.
    pub fn reserve(&self) -> &Reserve {
        &self.last().reserve
    }

    /// Returns the Triple Block parameters, if the control has them.
    pub fn triple_block(&self) -> Option<&TripleBlock> {
        if let Bonus::TripleBlock(triple) = &self.last().bonus {
            Some(triple)
        } else {
            None
        }
    }
}

/// The period of a control that has none; parsing never returns such a control.
const NO_TIME: Period = Period {
    length: Length::ToTheEnd,
    main: Duration::ZERO,
    bonus: Bonus::None,
    flow: Flow::Down,
    reserve: Reserve::None,
};

/// A syntax error in a time control.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NotationError {
    /// Column of the error, from 1, in characters.
    pub column: usize,
    /// The expected input at that column.
    pub expected: String,
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.expected)
    }
}

impl core::error::Error for NotationError {}

impl FromStr for TimeControl {
    type Err = NotationError;

    /// Parses the notation.
    ///
    /// # Errors
    /// Returns the column of the first error, and the expected input there.
    fn from_str(text: &str) -> Result<Self, NotationError> {
        notation::read(text).map_err(|fault| NotationError {
            column: fault.column(text),
            expected: fault.expected.clone(),
        })
    }
}
