//! A time control as data: what each side is granted, period by period.
//!
//! Holds no state of a game. A [`TimeControl`] that exists is one the notation can say: the only way to make one is to
//! read it, so everything else in the crate may rely on the notation's rules (a last period, no zero durations where
//! none may be, by-zero periods on both sides alike).

use core::fmt;
use core::str::FromStr;

use alloc::string::String;
use alloc::vec::Vec;

use crate::method::{Bonus, Flow, Reserve, TripleBlock};
use crate::{BySide, Duration, Side};

pub(crate) mod cursor;
mod notation;

pub(crate) use notation::read;

/// The time control of a game: one regulation for each side, and what a fallen flag means for the clocks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TimeControl {
    sides: BySide<SideControl>,
    after_flag: AfterFlag,
}

/// Whether the clocks go on when a flag falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AfterFlag {
    /// The clocks freeze.
    Freezes,
    /// `runs on`: the game goes on until the flag is called (FIDE 6.8).
    RunsOn,
}

/// What one side is granted: its periods, of which there is at least one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SideControl {
    periods: Vec<Period>,
}

/// One period: main time, joined to a bonus for each move, a flow, and a reserve for when the main time is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Period {
    /// What ends it.
    pub length: Length,
    /// The main time it grants.
    pub main: Duration,
    /// What a move brings.
    pub bonus: Bonus,
    /// Where used time goes.
    pub flow: Flow,
    /// What follows the main time. Only a last period has one.
    pub reserve: Reserve,
}

/// What ends a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Length {
    /// So many moves; as the last period it repeats.
    Moves(u32),
    /// Either side's main time used up: both sides receive the next.
    ByZero,
    /// The end of the game.
    ToTheEnd,
}

impl TimeControl {
    /// What `side` is granted.
    pub fn side(&self, side: Side) -> &SideControl {
        &self.sides[side]
    }

    /// Whether the clocks go on when a flag falls.
    pub fn after_flag(&self) -> AfterFlag {
        self.after_flag
    }

    /// The same control with another answer to [`Self::after_flag`]: an event may have its own rule for it.
    #[must_use]
    pub fn with_after_flag(self, after_flag: AfterFlag) -> Self {
        Self { after_flag, ..self }
    }

    /// Whether a side plays under the double flag, so that draws can be claimed.
    pub fn has_double_flag(&self) -> bool {
        Side::BOTH
            .into_iter()
            .any(|side| matches!(self.side(side).reserve(), Reserve::DoubleFlag(_)))
    }

    /// Whether a side plays under Triple Block, so that clocks can be refilled.
    pub fn has_triple_block(&self) -> bool {
        Side::BOTH
            .into_iter()
            .any(|side| self.side(side).triple_block().is_some())
    }
}

impl SideControl {
    /// The periods in order: at least one, and only the last has a reserve or no end.
    pub fn periods(&self) -> &[Period] {
        &self.periods
    }

    /// The period of that index, or the last.
    pub(crate) fn period(&self, index: u32) -> &Period {
        usize::try_from(index)
            .ok()
            .and_then(|index| self.periods.get(index))
            .unwrap_or_else(|| self.last())
    }

    /// Whether the period of that index is the last.
    pub(crate) fn is_last(&self, index: u32) -> bool {
        usize::try_from(index).is_ok_and(|index| index + 1 >= self.periods.len())
    }

    fn last(&self) -> &Period {
        match self.periods.last() {
            Some(last) => last,
            None => &NO_TIME,
        }
    }

    /// What follows the last main time.
    pub fn reserve(&self) -> &Reserve {
        &self.last().reserve
    }

    /// The Triple Block regulation, if it is one.
    pub fn triple_block(&self) -> Option<&TripleBlock> {
        match &self.last().bonus {
            Bonus::TripleBlock(triple) => Some(triple),
            Bonus::None
            | Bonus::Increment(_)
            | Bonus::Delay(_)
            | Bonus::Bronstein(_)
            | Bonus::MoveTime(_) => None,
        }
    }
}

/// What a control without periods would grant; reading never yields one.
const NO_TIME: Period = Period {
    length: Length::ToTheEnd,
    main: Duration::ZERO,
    bonus: Bonus::None,
    flow: Flow::Down,
    reserve: Reserve::None,
};

/// Why a text is no time control.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NotationError {
    /// Column of the fault, from 1, in characters.
    pub column: usize,
    /// What was expected there.
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

    /// Reads the notation.
    ///
    /// # Errors
    /// The column of the first fault and what was expected there.
    fn from_str(text: &str) -> Result<Self, NotationError> {
        notation::read(text).map_err(|fault| NotationError {
            column: fault.column(text),
            expected: fault.expected.clone(),
        })
    }
}
