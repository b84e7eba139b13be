//! The two players, the two buttons of a clock, and values by player.

use core::fmt;
use core::ops::{Index, IndexMut};

/// A player, named by the colour of the pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The player with the white pieces.
    White,
    /// The player with the black pieces.
    Black,
}

impl Side {
    /// Both sides, White first.
    pub const BOTH: [Self; 2] = [Self::White, Self::Black];

    /// Returns the opponent's side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// Returns the word for the side: `white` or `black`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
        }
    }

    /// Returns the side for the word `white` or `black`.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::BOTH.into_iter().find(|side| side.as_str() == word)
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A button of a clock, as seen from the arbiter's side of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Button {
    /// The button on the left.
    Left,
    /// The button on the right.
    Right,
}

impl Button {
    /// Returns the opposite button.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    /// Returns the word for the button: `left` or `right`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
        }
    }

    /// Returns the button for the word `left` or `right`.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Left, Self::Right]
            .into_iter()
            .find(|button| button.as_str() == word)
    }
}

impl fmt::Display for Button {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A pair of values, one for each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BySide<V> {
    /// The value that belongs to White.
    pub white: V,
    /// The value that belongs to Black.
    pub black: V,
}

impl<V> BySide<V> {
    /// Creates the pair by calling `make` for White and then for Black.
    pub fn from_fn(mut make: impl FnMut(Side) -> V) -> Self {
        let white = make(Side::White);
        Self {
            white,
            black: make(Side::Black),
        }
    }
}

impl<V> Index<Side> for BySide<V> {
    type Output = V;
    fn index(&self, side: Side) -> &V {
        match side {
            Side::White => &self.white,
            Side::Black => &self.black,
        }
    }
}

impl<V> IndexMut<Side> for BySide<V> {
    fn index_mut(&mut self, side: Side) -> &mut V {
        match side {
            Side::White => &mut self.white,
            Side::Black => &mut self.black,
        }
    }
}
