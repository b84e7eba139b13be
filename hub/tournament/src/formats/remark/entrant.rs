//! The file positions, players and teams that remarks name.

use std::fmt;

use derive_more::Display;

/// A line and column of a file.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[display("line {line}, column {column}")]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, as the file counts columns: in characters, or in bytes of UTF-8.
    pub column: usize,
}

/// A player or a team that a remark names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// The pairing number.
    pub number: u32,
    /// The name; empty if the number alone identifies the entrant.
    pub name: String,
}

impl Entrant {
    /// Creates an entrant without a name.
    pub fn numbered(number: impl Into<u32>) -> Self {
        Self::named(number, "")
    }

    /// Creates an entrant with a name.
    pub fn named(number: impl Into<u32>, name: &str) -> Self {
        Self {
            number: number.into(),
            name: name.to_owned(),
        }
    }
}

impl fmt::Display for Entrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name.as_str() {
            "" => write!(f, "{}", self.number),
            name => write!(f, "{} {name}", self.number),
        }
    }
}

/// The kind of entrant that a remark counts or names.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum Counted {
    #[display("players")]
    Players,
    #[display("teams")]
    Teams,
}

impl Counted {
    pub(super) const fn one(self) -> &'static str {
        match self {
            Self::Players => "player",
            Self::Teams => "team",
        }
    }
}
