//! Clock scripts: one short game as text, with what must stand on the clocks. The engine's contract is written in them.
//!
//! Reads the format strictly and runs it through the same [`BoardClock`](crate::BoardClock) that serves a board. Owns no
//! rule of time. The whole format is described in `tests/vectors/README.md`.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::{Board, Button, GameCommand, Instant, Setup, Side, StartRule, TimeControl};

mod key;
mod read;
mod run;

pub use key::Key;

/// A script that has been read: every line of it means something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// The control both sides play under.
    pub control: TimeControl,
    /// What happens, in order of time.
    pub steps: Vec<Step>,
}

/// One line of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Number of the line, from 1.
    pub line: usize,
    /// When it happens.
    pub at: Instant<Board>,
    /// What happens.
    pub action: Action,
}

/// What a line of a script does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// A player's button.
    Press(Side),
    /// The arbiter. A refusal changes nothing and is no failure.
    Command(GameCommand),
    /// What must hold.
    Expect(Vec<Expectation>),
}

/// One `KEY=VALUE` of an `expect` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// What is looked at.
    pub key: Key,
    /// What it must say, as the script writes it.
    pub value: String,
}

/// A value that is not as expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Number of the line, from 1.
    pub line: usize,
    /// What was looked at.
    pub key: Key,
    /// What the script says.
    pub expected: String,
    /// What the engine says.
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

/// Why a text is no script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptError {
    /// Number of the line, from 1.
    pub line: usize,
    /// Column of the fault, from 1, in characters.
    pub column: usize,
    /// What was expected there.
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

    /// Reads a script.
    ///
    /// # Errors
    /// Line and column of the first fault and what was expected there.
    fn from_str(text: &str) -> Result<Self, ScriptError> {
        read::read(text)
    }
}

impl Script {
    /// Runs the script on a fresh clock; returns every expectation that did not hold, in order.
    pub fn run(&self) -> Vec<Failure> {
        run::run(self)
    }

    /// How the scripts' board is set: the arbiter starts, White's button is the left one.
    pub fn setup(&self) -> Setup {
        Setup {
            control: self.control.clone(),
            start: StartRule::Arbiter,
            white: Button::Left,
        }
    }
}
