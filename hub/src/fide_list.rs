//! FIDE's rating list: read from FIDE's files, kept as one indexed file, searched by FIDE ID and by name.
//!
//! Owns everything from a downloaded file to the players it lists. Must never download anything, or decide which listed player an arbiter
//! means. Reading (`read`) and the index (`index`) have no side effects; only `store` accesses the disk.
//!
//! **The index is one file that is scanned, not a tree.** It holds blocks of 1,024 players, highest rated first. Each block has the searchable
//! words of its players, then their records. After the blocks comes a table of FIDE IDs for binary search. A search by name reads the words of
//! the blocks (at most about 25 MB for a million players). A vectorised substring search finds the query's longest word, or the federation if
//! that word is short.
//!
//! The page cache holds the words of two million names, a few tens of megabytes, and a scan searches them in milliseconds. The same scan
//! answers every search by name: prefixes of words, in any order, with or without a federation. Only the table of blocks (16 bytes per 1,024 players)
//! stays in the hub's memory. The alternative would be tries of words with posting lists. For one letter, hundreds of thousands of postings
//! would have to be intersected and ranked, and building the lists needs an external sort.

pub mod fold;
mod format;
pub mod index;
pub mod read;
mod scan;
pub mod store;
mod text_list;
mod xml_list;
mod zip_file;

use std::fmt;

use serde::{Deserialize, Serialize};

use tournament::formats::fault::shortened;
use tournament::{RateOfPlay, Sex};

pub use format::read;
pub use index::{Index, Query};
pub use read::ListError;
pub use store::FideListStore;

/// A player in FIDE's list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListedPlayer {
    /// The player's FIDE ID, never 0.
    pub fide_id: u32,
    /// The name as listed, `Last, First`.
    pub name: String,
    /// The federation's three-letter code, or empty.
    pub federation: String,
    pub sex: Option<Sex>,
    /// The FIDE title, such as `GM` or `WFM`; empty without a title.
    pub title: String,
    /// The standard rating. Each rating is `None` if the player is unrated, or if the list does not have it.
    pub standard: Option<u16>,
    pub rapid: Option<u16>,
    pub blitz: Option<u16>,
    pub born: Option<u16>,
    pub inactive: bool,
}

impl ListedPlayer {
    #[must_use]
    pub fn rating(&self, rate: RateOfPlay) -> Option<u16> {
        match rate {
            RateOfPlay::Standard => self.standard,
            RateOfPlay::Rapid => self.rapid,
            RateOfPlay::Blitz => self.blitz,
        }
    }

    /// Returns the highest of the ratings, or 0 without one. Used to list better-known players first.
    #[must_use]
    pub(crate) fn best_rating(&self) -> u16 {
        let ratings = [self.standard, self.rapid, self.blitz];
        ratings.into_iter().flatten().max().unwrap_or(0)
    }
}

/// The month of a rating list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Month {
    pub year: u16,
    /// Month of the year, from 1 to 12.
    pub month: u8,
}

impl Month {
    /// Finds the month in a heading or file name such as `OCT26` or `oct26frl`.
    #[must_use]
    pub(crate) fn in_text(text: &str) -> Option<Self> {
        const NAMES: [&str; 12] = [
            "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
        ];
        let text = text.to_ascii_lowercase();
        let found = |name: &str| {
            text.match_indices(name).find_map(|(at, _)| {
                let digits = text.get(at + 3..at + 5)?;
                let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
                digits.parse::<u16>().ok().filter(|_| plain)
            })
        };
        let mut months = (1_u8..).zip(NAMES);
        months.find_map(|(month, name)| {
            let year = 2000 + found(name)?;
            Some(Self { year, month })
        })
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.year, self.month)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineFault {
    /// Line of the file, from 1.
    pub line: u64,
    pub why: FaultReason,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum FaultReason {
    Field {
        field: PlayerField,
        /// The field's text, shortened.
        found: String,
    },
    /// A reason that an earlier version stored as English text.
    Text(String),
}

impl FaultReason {
    pub(crate) fn field(field: PlayerField, found: &str) -> Self {
        let found = shortened(found);
        Self::Field { field, found }
    }
}

impl fmt::Display for FaultReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field {
                field: PlayerField::Name,
                ..
            } => f.write_str("the player has no name"),
            Self::Field { field, found } => write!(f, "expected {field}, found {found:?}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlayerField {
    FideId,
    Name,
    /// The rating in a list for one rate of play.
    Rating,
    StandardRating,
    RapidRating,
    BlitzRating,
    BirthYear,
}

impl fmt::Display for PlayerField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::FideId => "a FIDE ID",
            Self::Name => "a name",
            Self::Rating => "a rating",
            Self::StandardRating => "a standard rating",
            Self::RapidRating => "a rapid rating",
            Self::BlitzRating => "a blitz rating",
            Self::BirthYear => "a year of birth",
        })
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListInfo {
    pub file_name: String,
    /// The month of the list, if its headings or the file's name state it.
    pub month: Option<Month>,
    /// The date of the file within a zip, `2026-10-09`; empty if unknown.
    #[serde(rename = "dated")]
    pub file_date: String,
    /// The only rate of play whose ratings the list has; `None` if it has all.
    #[serde(rename = "only")]
    pub single_rate: Option<RateOfPlay>,
    pub players: u64,
    pub unreadable: u64,
    /// The first unreadable lines, at most 20.
    pub faults: Vec<LineFault>,
    /// The time of the import, as Unix time in microseconds.
    pub imported_unix_us: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_of_an_older_index_are_still_read() {
        let old = r#"{"line":7,"why":"expected a FIDE ID, found \"x9\""}"#;
        let read: LineFault = serde_json::from_str(old).unwrap();
        assert_eq!(read.why.to_string(), "expected a FIDE ID, found \"x9\"");
        let new = LineFault {
            line: 7,
            why: FaultReason::field(PlayerField::FideId, "x9"),
        };
        assert_eq!(new.why.to_string(), read.why.to_string());
        let stored = serde_json::to_string(&new).unwrap();
        assert_eq!(serde_json::from_str::<LineFault>(&stored).unwrap(), new);
    }

    #[test]
    fn months_in_headings_and_file_names() {
        let of = |text: &str| Month::in_text(text).map(|month| month.to_string());
        assert_eq!(of("OCT26").as_deref(), Some("2026-10"));
        assert_eq!(of("standard_sep26frl_xml.zip").as_deref(), Some("2026-09"));
        assert_eq!(of("Mar11").as_deref(), Some("2011-03"));
        assert_eq!(of("players_list_foa.txt"), None);
        assert_eq!(of("decidedmay"), None);
    }
}
