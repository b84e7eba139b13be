//! The two players, the two buttons, and values for each player.

use core::fmt;
use core::ops::{Index, IndexMut};

/// A player, identified by colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The player with the white pieces.
    White,
    /// The player with the black pieces.
    Black,
}

impl Side {
    /// White, then Black.
    pub const BOTH: [Self; 2] = [Self::White, Self::Black];

    /// Returns the opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// Returns `white` or `black`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
        }
    }

    /// Parses `white` or `black`.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::BOTH.into_iter().find(|side| side.as_str() == word)
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A physical button of the clock, as seen from the arbiter's side of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Button {
    /// The left button.
    Left,
    /// The right button.
    Right,
}

impl Button {
    /// Returns the other button.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    /// Returns `left` or `right`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
        }
    }

    /// Parses `left` or `right`.
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

/// One value for each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BySide<V> {
    /// White's value.
    pub white: V,
    /// Black's value.
    pub black: V,
}

impl<V> BySide<V> {
    /// Calls `make` for each side, White first.
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
