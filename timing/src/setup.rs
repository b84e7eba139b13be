//! The setup of a board before a game.

use crate::{Button, TimeControl};

/// The rule for starting White's clock. For a scheduled start, the hub sends a start command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StartRule {
    /// The arbiter starts White's clock; earlier presses have no effect.
    Arbiter,
    /// Black starts White's clock with a press of the button; the arbiter may start it too.
    BlackPress,
}

impl StartRule {
    /// Returns `arbiter` or `black-press`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Arbiter => "arbiter",
            Self::BlackPress => "black-press",
        }
    }

    /// Parses `arbiter` or `black-press`.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Arbiter, Self::BlackPress]
            .into_iter()
            .find(|rule| rule.as_str() == word)
    }
}

/// The settings of a clock for a game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The time control of both sides.
    pub control: TimeControl,
    /// The rule for starting White's clock.
    pub start: StartRule,
    /// White's button.
    pub white: Button,
}
