//! The setup of a board before a game.

use crate::{Button, TimeControl};

/// The person who starts White's clock. For a scheduled start, the hub sends a start command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StartRule {
    /// The arbiter; earlier presses have no effect.
    Arbiter,
    /// Black, with a press of the button (or the arbiter).
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

/// The setup of a game on a clock.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The time control of both sides.
    pub control: TimeControl,
    /// The rule for starting White's clock.
    pub start: StartRule,
    /// White's button.
    pub white: Button,
}
