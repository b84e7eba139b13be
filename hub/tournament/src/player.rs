//! One player of the event.
//!
//! Owns what is known of a player apart from results. Must never know a round's pairing.

use std::collections::BTreeMap;
use std::fmt;

use super::result::Bye;
use super::round::RoundNo;

/// The tournament pairing number (TPN, start number), from 1: the number by which files and slips name a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayerNo(pub u16);

impl fmt::Display for PlayerNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// FIDE's titles, the highest first (C.04.2).
pub const TITLES: [&str; 8] = ["GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM"];

/// Returns the FIDE title that a text names, in small or capital letters; `None` if it names none. Reports may have other titles, which
/// an event keeps as they are.
#[must_use]
pub fn fide_title(text: &str) -> Option<&'static str> {
    let mut titles = TITLES.into_iter();
    titles.find(|title| title.eq_ignore_ascii_case(text.trim()))
}

/// As TRF knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sex {
    /// TRF `m`.
    Male,
    /// TRF `w` (also `f` in some files).
    Female,
}

/// A player of the event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// His number, unique in the event.
    pub no: PlayerNo,
    /// `Last, First`.
    pub name: String,
    /// If the file says it.
    pub sex: Option<Sex>,
    /// The title as TRF26 writes it (`GM`, `WFM`), empty without one.
    pub title: String,
    /// The rating used for the tie-breaks of article 10, the first he enters with; `None` if unrated (a file's 0).
    pub rating: Option<u16>,
    /// Three letters, or empty.
    pub federation: String,
    /// The FIDE number, if he has one.
    pub fide_id: Option<u64>,
    /// The date of birth as the file writes it (`1990/01/01`, `1990`), or empty.
    pub birth: String,
    /// The club, or empty. No report has a column for it.
    pub club: String,
    /// The first round he takes part in: 1, or later for a late arrival. What he gets for the rounds missed stands in
    /// [`Self::byes`] (zero if nothing does).
    pub enters: RoundNo,
    /// The last round he took part in, if he has withdrawn: the rounds after it are zero point byes.
    pub leaves: Option<RoundNo>,
    /// Byes asked for and granted for rounds that are not paired yet, or missed before he came.
    pub byes: BTreeMap<RoundNo, Bye>,
    /// Lines of the imported file about this player that this program does not read (national ratings), as they were.
    pub kept_lines: Vec<String>,
}

impl Player {
    /// A player of whom only number and name are known.
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

    /// The bye he has for a round, if he does not play in it: one that was granted, or zero before he came and after he
    /// left.
    #[must_use]
    pub fn bye_in(&self, round: RoundNo) -> Option<Bye> {
        let away = round < self.enters || self.leaves.is_some_and(|last| round > last);
        self.byes
            .get(&round)
            .copied()
            .or(if away { Some(Bye::Zero) } else { None })
    }
}
