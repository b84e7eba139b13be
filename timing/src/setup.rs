//! The settings of a board before a game.

use crate::{Button, TimeControl};

/// The rule for starting White's clock. A start at a scheduled time is a command from the hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StartRule {
    /// Only an arbiter starts White's clock; presses before the start have no effect.
    Arbiter,
    /// Black starts White's clock by pressing the button. An arbiter can start it too.
    BlackPress,
}

impl StartRule {
    /// Returns the word for the rule in commands: `arbiter` or `black-press`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Arbiter => "arbiter",
            Self::BlackPress => "black-press",
        }
    }

    /// Returns the rule for the word `arbiter` or `black-press`.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Arbiter, Self::BlackPress]
            .into_iter()
            .find(|rule| rule.as_str() == word)
    }
}

/// The settings of a board for a game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The time control of both sides.
    pub control: TimeControl,
    /// Rule for starting White's clock.
    pub start: StartRule,
    /// The button that White presses.
    pub white: Button,
}
