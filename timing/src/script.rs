//! Clock scripts: short games as text, each with the expected times. They specify how the engine behaves.
//!
//! Parses the format strictly and runs scripts on the same [`BoardClock`](crate::BoardClock) that serves a board. Contains no rules of time.
//! `tests/vectors/README.md` describes the format.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::{Board, Button, GameCommand, Instant, Setup, Side, StartRule, TimeControl};

mod key;
mod read;
mod run;

pub use key::Key;

/// A parsed clock script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// The time control of both sides.
    pub control: TimeControl,
    /// The steps in order of time.
    pub steps: Vec<Step>,
}

/// One line of a script after the time control.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Line number in the script, from 1.
    pub line: usize,
    /// Instant of the step; the script starts at zero.
    pub at: Instant<Board>,
    /// The press or command to apply, or the values to check.
    pub action: Action,
}

/// The part of a line that follows its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// A player presses the button. Scripts name the player, not the button.
    Press(Side),
    /// An arbiter's command. A refused one has no effect, and the script continues.
    Command(GameCommand),
    /// Values that the clock must have at this instant.
    Expect(Vec<Expectation>),
}

/// One `KEY=VALUE` of an `expect` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// The key, which names a value of the clock.
    pub key: Key,
    /// The expected value, as written in the script.
    pub value: String,
}

/// A value of the clock that differs from the expected one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Number of the `expect` line, from 1.
    pub line: usize,
    /// The key of the value.
    pub key: Key,
    /// The value that the script expects.
    pub expected: String,
    /// The value that the clock has.
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
    /// Number of the faulty line, from 1.
    pub line: usize,
    /// Column of the error in that line, from 1, in characters.
    pub column: usize,
    /// Description of the input expected there, or of the fault.
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

    fn from_str(text: &str) -> Result<Self, ScriptError> {
        read::read(text)
    }
}

impl Script {
    /// Runs the script on a new clock. Returns every expectation that was not met, in order.
    pub fn run(&self) -> Vec<Failure> {
        run::run(self)
    }

    /// Returns the setup of the board for this script: an arbiter starts the game, and White's button is the left one.
    pub fn setup(&self) -> Setup {
        Setup {
            control: self.control.clone(),
            start: StartRule::Arbiter,
            white: Button::Left,
        }
    }
}
