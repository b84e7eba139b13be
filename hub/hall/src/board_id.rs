//! The number or name of a board, as arbiters and clocks write it.

use std::borrow::Borrow;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// A board's number or name: 1 to 32 characters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoardId(Arc<str>);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} cannot name a board: a name has 1 to 32 characters, no control character, and no space at either end"
)]
pub struct BadBoardId(pub String);

impl BoardId {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for BoardId {
    type Err = BadBoardId;
    fn from_str(text: &str) -> Result<Self, BadBoardId> {
        let len = text.chars().count();
        if !(1..=32).contains(&len) || text.trim() != text || text.chars().any(char::is_control) {
            return Err(BadBoardId(text.chars().take(40).collect()));
        }
        Ok(Self(text.into()))
    }
}

impl Borrow<str> for BoardId {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for BoardId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for BoardId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "board {}", self.0)
    }
}
