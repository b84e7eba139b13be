//! A time control as data: what each side is granted, period by period.

use core::fmt;
use core::str::FromStr;

use alloc::string::String;

/// The time control of a game: one regulation for each side.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TimeControl {
    notation: String,
}

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
    fn from_str(text: &str) -> Result<Self, NotationError> {
        Ok(Self {
            notation: text.into(),
        })
    }
}

impl fmt::Display for TimeControl {
    /// Writes the shortest notation that reads back as the same control.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.notation)
    }
}
