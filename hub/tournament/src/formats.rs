//! Time controls in other notations: PGN's `TimeControl` tag, Lichess's reading of it, TRF26's record 222.
//!
//! Owns the translation and the list of what a notation cannot express. Must never change a control silently, or decide
//! which notation is used for a purpose.

use std::fmt;

use timing::{Duration, TimeControl};

pub mod difference;
pub mod draft;
pub mod fault;
mod fields;
pub mod omission;
pub mod pgn;
pub mod rating_report;
pub mod remark;
pub mod table;
pub mod text;
pub mod trf;
pub mod watch;

/// A time control in another notation, and what that notation cannot express.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The text; `None` if the notation cannot express the control and any text would mislead.
    pub text: Option<String>,
    /// The parts of the control that the text does not show; empty if it shows everything.
    pub lost: Vec<Lost>,
}

/// A part of a time control that a notation cannot express.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lost {
    /// A clause of the control, in Flagfall's notation.
    Clause(String),
    /// A duration that is not a whole number of seconds.
    PartSeconds(Duration),
    /// Different controls for the two sides.
    Odds,
    /// The repetition of a last period with a move count.
    Repetition,
    /// A game that continues after a flag until the flag is called.
    RunsOn,
    /// An increment in a period with a move count.
    IncrementInMoves,
    /// More than one period.
    Periods,
    /// A number of seconds that the reader is known to take for minutes.
    TakenForMinutes(i64),
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Clause(clause) => write!(f, "`{clause}` cannot be expressed"),
            Self::PartSeconds(duration) => {
                write!(f, "{duration} is not a whole number of seconds")
            }
            Self::Odds => f.write_str("White and Black have different controls"),
            Self::Repetition => f.write_str("the last period repeats"),
            Self::RunsOn => f.write_str("the game continues after a flag until the flag is called"),
            Self::IncrementInMoves => {
                f.write_str("an increment in a period with a move count cannot be expressed")
            }
            Self::Periods => f.write_str("more than one period cannot be expressed"),
            Self::TakenForMinutes(seconds) => {
                write!(f, "{seconds} seconds would be taken for {seconds} minutes")
            }
        }
    }
}

/// The reason why text in another notation is not a time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The text states that the control is unknown (`?`) or that there is none (`-`).
    #[error("the text states that the time control is {0}")]
    NoControl(&'static str),
    /// A misplaced character.
    #[error("column {column}: expected {expected}")]
    Malformed {
        /// Column of the character, from 1, in characters.
        column: usize,
        /// The text expected there.
        expected: &'static str,
    },
    /// Well formed, but not a control that a clock can have.
    #[error("no clock can have this time control: {0}")]
    Impossible(String),
}

/// Parses Flagfall's notation of a translated control, so that its rules stay in one place.
fn control(notation: &str) -> Result<TimeControl, ReadError> {
    notation.parse().map_err(|error: timing::NotationError| {
        ReadError::Impossible(format!("{notation}: {error}"))
    })
}
