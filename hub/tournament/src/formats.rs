//! The files of other programs, and time controls in their notations: PGN's `TimeControl` tag, Lichess's reading of it,
//! TRF26's record 222.
//!
//! Owns the translation of controls and the list of what a notation cannot express. Must never change a control
//! silently, or decide which notation is used for a purpose.

use derive_more::Display;
use timing::{Duration, TimeControl};

pub mod difference;
pub mod draft;
pub mod expected;
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
mod wording;

/// A time control in another program's notation, and the parts that this notation cannot express.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The control as text; `None` if the notation cannot express it and any text would mislead.
    pub text: Option<String>,
    /// The parts of the control that the text does not show; empty if it shows everything.
    pub lost: Vec<Inexpressible>,
}

/// A part of a time control that a notation cannot express.
#[derive(Clone, Debug, Display, PartialEq, Eq)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum Inexpressible {
    /// A clause of the control, in Flagfall's notation.
    #[display("`{_0}` cannot be expressed")]
    Clause(String),
    #[display("{_0} is not a whole number of seconds")]
    PartSeconds(Duration),
    #[display("White and Black have different controls")]
    Odds,
    #[display("the last period repeats")]
    Repetition,
    #[display("the game continues after a flag until the flag is called")]
    RunsOn,
    #[display("an increment in a period with a move count cannot be expressed")]
    IncrementInMoves,
    #[display("more than one period cannot be expressed")]
    Periods,
    #[display("{_0} seconds would be taken for {_0} minutes")]
    TakenForMinutes(i64),
}

/// The reason why a string cannot be read as a time control.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum ReadError {
    /// The text states that the control is unknown (`?`) or that there is none (`-`).
    #[error("the text states that the time control is {0}")]
    NoControl(&'static str),
    #[error("column {column}: expected {expected}")]
    Malformed {
        /// The column, from 1, in characters.
        column: usize,
        expected: &'static str,
    },
    #[error("no clock can have this time control: {0}")]
    Impossible(String),
}

/// Parses a translated control in Flagfall's notation, so that the rules for controls stay in one place.
fn control(notation: &str) -> Result<TimeControl, ReadError> {
    notation.parse().map_err(|error: timing::NotationError| {
        ReadError::Impossible(format!("{notation}: {error}"))
    })
}
