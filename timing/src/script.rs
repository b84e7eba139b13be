//! Clock scripts: one short game as text, with the expected times. They specify the behaviour of the engine.
//!
//! Parses the format strictly and runs a script through the same [`BoardClock`](crate::BoardClock) that serves a board.
//! Contains no rules of time. The format is described in `tests/vectors/README.md`.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::{Board, Button, GameCommand, Instant, Setup, Side, StartRule, TimeControl};

mod key;
mod read;
mod run;

pub use key::Key;

/// A parsed script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// The time control of both sides.
    pub control: TimeControl,
    /// The steps in order of time.
    pub steps: Vec<Step>,
}

/// One line of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Number of the line, from 1.
    pub line: usize,
    /// The instant of the step.
    pub at: Instant<Board>,
    /// The press, the command, or the values to check.
    pub action: Action,
}

/// The content of a script's line after its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// A press of a player's button.
    Press(Side),
    /// An arbiter's command. A refusal changes nothing and is not a failure.
    Command(GameCommand),
    /// Values to check.
    Expect(Vec<Expectation>),
}

/// One `KEY=VALUE` of an `expect` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// The value to compare.
    pub key: Key,
    /// The expected text, as written in the script.
    pub value: String,
}

/// A value that differs from the expected one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Number of the line, from 1.
    pub line: usize,
    /// The compared value.
    pub key: Key,
    /// The value in the script.
    pub expected: String,
    /// The engine's value.
    pub got: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {} expected {}, got {}",
            self.line, self.key, self.expected, self.got
        )
    }
}

/// A syntax error in a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptError {
    /// Number of the line, from 1.
    pub line: usize,
    /// Column of the error, from 1, in characters.
    pub column: usize,
    /// The expected input at that column.
    pub expected: String,
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.expected)
    }
}

impl core::error::Error for ScriptError {}

impl FromStr for Script {
    type Err = ScriptError;

    /// Parses a script.
    ///
    /// # Errors
    /// Returns the line and column of the first error, and the expected input there.
    fn from_str(text: &str) -> Result<Self, ScriptError> {
        read::read(text)
    }
}

impl Script {
    /// Runs the script on a new clock; returns every failed expectation in order.
    pub fn run(&self) -> Vec<Failure> {
        run::run(self)
    }

    /// Returns the board setup for the script: the arbiter starts the game, and White has the left button.
    pub fn setup(&self) -> Setup {
        Setup {
            control: self.control.clone(),
            start: StartRule::Arbiter,
            white: Button::Left,
        }
    }
}
