//! Other people's notations of a time control: PGN's `TimeControl` tag, Lichess's reading of it, TRF26's record 222.
//!
//! Owns the translation and the account of what a notation cannot say; never bends a control silently, never decides
//! which notation is used where.

use std::fmt;

use timing::{Duration, TimeControl};

pub mod difference;
pub mod draft;
pub mod fault;
mod fields;
pub mod pgn;
pub mod rating_report;
pub mod table;
pub mod text;
pub mod trf;
pub mod watch;

/// A control in another notation, with what that notation could not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The text; `None` where the notation has no word for the control and a wrong one would mislead.
    pub text: Option<String>,
    /// What a reader of the text alone would not learn. Empty: the text says it all.
    pub lost: Vec<Lost>,
}

/// Something a notation cannot say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lost {
    /// A clause of the control, in our notation's words.
    Clause(String),
    /// A duration that is no whole number of seconds.
    PartSeconds(Duration),
    /// The sides have controls of their own, and the notation has one for both.
    Odds,
    /// A last period with a move count repeats; the notation has no repetition.
    Repetition,
    /// The game goes on after a flag until it is called.
    RunsOn,
    /// An increment in a period with a move count.
    IncrementInMoves,
    /// More than one period.
    Periods,
    /// A number that the reader is known to take for minutes.
    TakenForMinutes(i64),
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Clause(clause) => write!(f, "`{clause}` cannot be said"),
            Self::PartSeconds(duration) => write!(f, "{duration} is no whole number of seconds"),
            Self::Odds => f.write_str("White and Black have controls of their own"),
            Self::Repetition => f.write_str("the last period repeats"),
            Self::RunsOn => f.write_str("the game runs on after a flag until it is called"),
            Self::IncrementInMoves => {
                f.write_str("an increment in a period with a move count cannot be said")
            }
            Self::Periods => f.write_str("more than one period cannot be said"),
            Self::TakenForMinutes(seconds) => {
                write!(f, "{seconds} seconds would be taken for {seconds} minutes")
            }
        }
    }
}

/// Why a text of another notation gives no control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The text says that the control is not known (`?`) or that there is none (`-`).
    #[error("the text says that the time control is {0}")]
    NoControl(&'static str),
    /// A character that does not belong there.
    #[error("column {column}: expected {expected}")]
    Malformed {
        /// Column of the fault, from 1, in characters.
        column: usize,
        /// What was expected there.
        expected: &'static str,
    },
    /// Well formed, and a control no clock can have.
    #[error("no clock can have this control: {0}")]
    Impossible(String),
}

/// Reads our own notation of what a translation built; the rules of the notation stay in one place.
fn control(notation: &str) -> Result<TimeControl, ReadError> {
    notation.parse().map_err(|error: timing::NotationError| {
        ReadError::Impossible(format!("{notation}: {error}"))
    })
}
