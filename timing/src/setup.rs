//! What a board is given before a game.

use crate::{Button, TimeControl};

/// Who starts White's clock. At a scheduled time the hub does, by a start command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StartRule {
    /// The arbiter; presses before that mean nothing.
    Arbiter,
    /// Black, by a press of the button (or the arbiter).
    BlackPress,
}

impl StartRule {
    /// `arbiter` or `black-press`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Arbiter => "arbiter",
            Self::BlackPress => "black-press",
        }
    }

    /// The rule called `arbiter` or `black-press`.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Arbiter, Self::BlackPress]
            .into_iter()
            .find(|rule| rule.as_str() == word)
    }
}

/// A game as it is set on a clock.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The time control of both sides.
    pub control: TimeControl,
    /// Who starts White's clock.
    pub start: StartRule,
    /// Which button is White's.
    pub white: Button,
}
