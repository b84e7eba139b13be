//! FIDE's rating list: read from the files that FIDE publishes, kept as one indexed file, searched by number and by name.
//!
//! Owns everything between a downloaded file and the players it lists. Must never fetch anything, and never decide which listed
//! player an arbiter means. Reading (`read`) and the index (`index`) are pure; only `store` knows the disk.
//!
//! **The index is one file that is scanned, not a tree.** It holds blocks of 1,024 players, the highest rated first: in each block
//! the searchable words of its players, then their records; behind the blocks, a table of FIDE numbers for binary search. A search
//! by name reads the words of all blocks (about 25 MB for a million players) and looks for the longest word of the query with a
//! vectorised substring search. *Because* two million names are a few tens of megabytes, which the page cache holds and which are
//! searched in milliseconds; because any prefix of any word, in any order, with a federation, is then one case; and because nothing
//! but the table of blocks (16 bytes for 1,024 players) stays in the hub's memory. *Instead of* word tries with lists of postings:
//! one letter has hundreds of thousands of postings that must be intersected and ranked, and building them needs an external sort.

pub mod fold;
pub mod index;
pub mod read;
mod scan;
pub mod store;
mod text_list;
mod xml_list;
mod zip_file;

use std::fmt;

use serde::{Deserialize, Serialize};

use tournament::{RateOfPlay, Sex};

pub use index::{Index, Query};
pub use read::{ListError, read};
pub use store::FideListStore;

/// A player of the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListedPlayer {
    /// The FIDE number.
    pub fide_id: u32,
    /// `Last, First`, as the list has it.
    pub name: String,
    /// Three letters, or empty.
    pub federation: String,
    /// `None` where the list does not say.
    pub sex: Option<Sex>,
    /// `GM`, `WFM`; empty without one.
    pub title: String,
    /// The standard rating; `None` if unrated, or not in this list.
    pub standard: Option<u16>,
    /// The rapid rating.
    pub rapid: Option<u16>,
    /// The blitz rating.
    pub blitz: Option<u16>,
    /// The year of birth.
    pub born: Option<u16>,
    /// The list marks the player inactive.
    pub inactive: bool,
}

impl ListedPlayer {
    /// The rating at a rate of play.
    #[must_use]
    pub fn rating(&self, rate: RateOfPlay) -> Option<u16> {
        match rate {
            RateOfPlay::Standard => self.standard,
            RateOfPlay::Rapid => self.rapid,
            RateOfPlay::Blitz => self.blitz,
        }
    }

    /// The highest of the ratings, by which better known players come first.
    #[must_use]
    pub fn best_rating(&self) -> u16 {
        let ratings = [self.standard, self.rapid, self.blitz];
        ratings.into_iter().flatten().max().unwrap_or(0)
    }
}

/// A month of a rating list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Month {
    /// Year of our era.
    pub year: u16,
    /// 1 to 12.
    pub month: u8,
}

impl Month {
    /// Reads the month that headings and file names carry: `OCT26`, `oct26frl`.
    #[must_use]
    pub fn in_text(text: &str) -> Option<Self> {
        const NAMES: [&str; 12] = [
            "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
        ];
        let text = text.to_ascii_lowercase();
        let found = |name: &str| {
            text.match_indices(name).find_map(|(at, _)| {
                let digits = text.get(at + 3..at + 5)?;
                let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
                if plain {
                    digits.parse::<u16>().ok()
                } else {
                    None
                }
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
    /// `2026-10`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.year, self.month)
    }
}

/// A line of the file that gave no player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineFault {
    /// Line of the file, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub why: String,
}

/// An imported list: where it comes from and what it holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListInfo {
    /// The file that was imported.
    pub file_name: String,
    /// The month of the list, where its headings or its name say it.
    pub month: Option<Month>,
    /// The day the file in a zip was made, `2026-10-09`; empty if not known.
    pub dated: String,
    /// The only rate of play whose ratings the list has; `None`: all of them.
    pub only: Option<RateOfPlay>,
    /// Players in the index.
    pub players: u64,
    /// Lines that gave no player.
    pub unreadable: u64,
    /// The first of them.
    pub faults: Vec<LineFault>,
    /// When it was imported, Unix time in microseconds.
    pub imported_unix_us: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_is_found_in_headings_and_file_names() {
        let of = |text: &str| Month::in_text(text).map(|month| month.to_string());
        assert_eq!(of("OCT26").as_deref(), Some("2026-10"));
        assert_eq!(of("standard_sep26frl_xml.zip").as_deref(), Some("2026-09"));
        assert_eq!(of("Mar11").as_deref(), Some("2011-03"));
        assert_eq!(of("players_list_foa.txt"), None);
        assert_eq!(of("decidedmay"), None);
    }
}
