//! Remarks on files and pairings: things that prevent nothing but that an arbiter should check. Owns the kinds of remark with
//! their data, from which the English text follows; other programs word the data themselves. Must never decide what deserves
//! a remark.

mod event;
mod games;
mod header;
mod pairing;
mod reading;
mod standings;

use std::fmt;

use derive_more::{Display, From};

pub use event::EventRemark;
pub use games::GamesRemark;
pub use header::HeaderRemark;
pub use pairing::PairingRemark;
pub use reading::{FieldTreatment, ReadingRemark};
pub use standings::{RankRule, StandingsRemark, TeamPoints};

/// A remark, by its subject.
#[derive(Clone, Debug, Display, From, PartialEq, Eq)]
pub enum Remark {
    /// Pairings, byes and pairing numbers.
    Pairing(PairingRemark),
    /// Differences between a file and the event that change nothing.
    Event(EventRemark),
    /// The reading of a file's text.
    Reading(ReadingRemark),
    /// The tournament section of a file.
    Header(HeaderRemark),
    /// Games, byes and teams of a file.
    Games(GamesRemark),
    /// Points and ranks that a file states.
    Standings(StandingsRemark),
}

/// A place in a file.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[display("line {line}, column {column}")]
pub struct Position {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters of the line.
    pub column: usize,
}

/// A player or a team.
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

/// The kind of entrants that a remark counts.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
pub enum Counted {
    /// Players.
    #[display("players")]
    Players,
    /// Teams.
    #[display("teams")]
    Teams,
}

/// Joins values with commas.
fn listed<T: fmt::Display>(values: &[T]) -> String {
    let words: Vec<String> = values.iter().map(ToString::to_string).collect();
    words.join(", ")
}
