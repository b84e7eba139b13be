//! One player of the event.
//!
//! Owns a player's data apart from results. Must never know a round's pairing.

use std::collections::BTreeMap;

use crate::{Bye, PlayerNo, RoundNo};

/// FIDE's titles, the highest first (C.04.2).
pub const TITLES: [&str; 8] = ["GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM"];

/// Parses a FIDE title in upper or lower case. Returns `None` for any other title.
#[must_use]
pub fn fide_title(text: &str) -> Option<&'static str> {
    let mut titles = TITLES.into_iter();
    titles.find(|title| title.eq_ignore_ascii_case(text.trim()))
}

/// A player's sex as TRF records it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sex {
    /// TRF `m`.
    Male,
    /// TRF `w` (also `f` in some files).
    Female,
}

/// A player's entry in the event: personal data, first and last round, and byes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// The player's number, unique in the event.
    pub no: PlayerNo,
    /// The name, as `Last, First`.
    pub name: String,
    /// The sex, if known.
    pub sex: Option<Sex>,
    /// The title as written in TRF26 (`GM`, `WFM`); empty for a player without a title.
    pub title: String,
    /// The rating, used for the initial order and for the tie-breaks of C.07 10; `None` if unrated (0 in a file).
    pub rating: Option<u16>,
    /// The federation's three-letter code, or empty.
    pub federation: String,
    /// The FIDE ID, if the player has one.
    pub fide_id: Option<u64>,
    /// The date of birth, such as `1990/01/01`, `1990/00/00` or `1990`, or empty.
    pub birth: String,
    /// The club, or empty. No report has a column for the club.
    pub club: String,
    /// The player's first round: 1, or later for a late entry. [`Self::byes`] holds the byes for the rounds missed; a
    /// round not listed there is a zero-point bye.
    pub enters: RoundNo,
    /// The last round before a withdrawal; later rounds not listed in [`Self::byes`] are zero-point byes.
    pub leaves: Option<RoundNo>,
    /// Byes granted by round, including those for rounds missed before the entry.
    pub byes: BTreeMap<RoundNo, Bye>,
    /// Lines about this player that this program does not interpret, from an older log. Imports use
    /// [`Event::kept_lines`](crate::Event::kept_lines).
    pub kept_lines: Vec<String>,
}

impl Player {
    /// Creates a player with only a number and a name.
    #[must_use]
    pub fn new(no: PlayerNo, name: &str) -> Self {
        Self {
            no,
            name: name.to_owned(),
            sex: None,
            title: String::new(),
            rating: None,
            federation: String::new(),
            fide_id: None,
            birth: String::new(),
            club: String::new(),
            enters: RoundNo(1),
            leaves: None,
            byes: BTreeMap::new(),
            kept_lines: Vec::new(),
        }
    }

    /// Returns the player's bye for a round: the bye granted, or a zero-point bye before the entry and after a
    /// withdrawal. Returns `None` if the player takes part in the round.
    #[must_use]
    pub fn bye_in(&self, round: RoundNo) -> Option<Bye> {
        let away = round < self.enters || self.leaves.is_some_and(|last| round > last);
        let granted = self.byes.get(&round).copied();
        granted.or(away.then_some(Bye::Zero))
    }
}
