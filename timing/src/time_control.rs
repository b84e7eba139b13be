//! A time control as data: the time that each side receives, period by period.
//!
//! Contains no state of a game. A [`TimeControl`] comes only from parsing the notation, so the rest of the crate can rely on the notation's rules.
//! There is a last period, a duration is zero only where that is allowed, and the same periods end at zero for both sides.

use core::fmt;
use core::str::FromStr;

use alloc::string::String;
use alloc::vec::Vec;

use crate::method::{Bonus, Flow, Reserve, TripleBlock};
use crate::{BySide, Duration, Side};

pub(crate) mod cursor;
mod notation;

pub(crate) use notation::read;

/// The time control of a game, for both sides.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TimeControl {
    sides: BySide<SideControl>,
    after_flag: AfterFlag,
}

/// The rule for the clocks after a flag falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AfterFlag {
    /// The clocks freeze until an arbiter rules.
    Freezes,
    /// `runs on`: play continues, and presses still count (FIDE 6.8).
    RunsOn,
}

/// The time control of one side: one or more periods.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SideControl {
    periods: Vec<Period>,
}

/// One period of a side's time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Period {
    /// The condition that ends the period.
    pub length: Length,
    /// Main time that the side receives at the start of the period.
    pub main: Duration,
    /// The time that a move earns.
    pub bonus: Bonus,
    /// The destination of the time used.
    pub flow: Flow,
    /// The time that follows the main time. Only a last period can have a reserve.
    pub reserve: Reserve,
}

/// The condition that ends a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Length {
    /// The side has completed this number of moves in the period. A last period then begins again.
    Moves(u32),
    /// Either side has used up its main time. Both sides then enter the next period.
    ByZero,
    /// Only the end of the game ends the period.
    ToTheEnd,
}

impl TimeControl {
    /// Returns the time control of `side`.
    pub fn side(&self, side: Side) -> &SideControl {
        &self.sides[side]
    }

    /// Returns the rule for the clocks after a flag falls.
    pub fn after_flag(&self) -> AfterFlag {
        self.after_flag
    }

    /// Returns the same control with this rule for a fallen flag. An event may set its own rule.
    #[must_use]
    pub fn with_after_flag(self, after_flag: AfterFlag) -> Self {
        Self { after_flag, ..self }
    }

    /// Returns true if either side plays under the double flag, so that draws can be claimed.
    pub fn has_double_flag(&self) -> bool {
        Side::BOTH
            .into_iter()
            .any(|side| matches!(self.side(side).reserve(), Reserve::DoubleFlag(_)))
    }

    /// Returns true if either side plays under Triple Block, so that clocks can be refilled.
    pub fn has_triple_block(&self) -> bool {
        Side::BOTH
            .into_iter()
            .any(|side| self.side(side).triple_block().is_some())
    }
}

impl SideControl {
    /// Returns the periods in order. There is at least one. Only the last can have a reserve or continue to the end of the game.
    pub fn periods(&self) -> &[Period] {
        &self.periods
    }

    /// Returns the period with this index, or the last period if the index is out of range.
    pub(crate) fn period(&self, index: u32) -> &Period {
        usize::try_from(index)
            .ok()
            .and_then(|index| self.periods.get(index))
            .unwrap_or_else(|| self.last())
    }

    pub(crate) fn is_last(&self, index: u32) -> bool {
        usize::try_from(index).is_ok_and(|index| index + 1 >= self.periods.len())
    }

    fn last(&self) -> &Period {
        match self.periods.last() {
            Some(last) => last,
            None => &NO_TIME,
        }
    }

    /// Returns the reserve of the last period.
    pub fn reserve(&self) -> &Reserve {
        &self.last().reserve
    }

    /// Returns the parameters of Triple Block if the side plays under it.
    pub fn triple_block(&self) -> Option<&TripleBlock> {
        if let Bonus::TripleBlock(triple) = &self.last().bonus {
            Some(triple)
        } else {
            None
        }
    }
}

/// A period without time: the base of each parsed period. Also stands for the last period of an empty list, which parsing rules out.
const NO_TIME: Period = Period {
    length: Length::ToTheEnd,
    main: Duration::ZERO,
    bonus: Bonus::None,
    flow: Flow::Down,
    reserve: Reserve::None,
};

/// A syntax error in the notation of a time control.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NotationError {
    /// Column of the error, from 1, in characters.
    pub column: usize,
    /// Description of the input expected there, or of the fault.
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

    fn from_str(text: &str) -> Result<Self, NotationError> {
        notation::read(text).map_err(|fault| NotationError {
            column: fault.column(text),
            expected: fault.expected.clone(),
        })
    }
}
