//! The event's own data: its name, system, scoring and list of tie-breaks.
//!
//! Owns everything about the event that belongs to no player or round. Must never hold a result.

use std::collections::BTreeMap;
use std::fmt;

use crate::{
    AbnormalPoints, Acceleration, BoardNo, Forbidden, Game, Points, RoundNo, Scoring, Side,
    TieBreak,
};

/// A day of the Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    /// Returns the day, if the calendar has it.
    #[must_use]
    pub const fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        let leap =
            year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let days = match month {
            1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
            4 | 6 | 9 | 11 => 30,
            2 if leap => 29,
            2 => 28,
            _ => 0,
        };
        if year > 0 && day > 0 && day <= days {
            Some(Self { year, month, day })
        } else {
            None
        }
    }

    /// Parses a text such as `2026/11/20` or `2026-11-20`. A two-digit year belongs to this century.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.trim().split(['/', '-', '.']);
        let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
        let plain = [year, month, day].iter().all(|part| {
            !part.is_empty() && part.len() <= 4 && part.bytes().all(|byte| byte.is_ascii_digit())
        });
        if !plain || parts.next().is_some() {
            return None;
        }
        let full: u16 = year.parse().ok()?;
        let full = if year.len() == 2 { 2000 + full } else { full };
        Self::new(full, month.parse().ok()?, day.parse().ok()?)
    }

    /// Returns the year.
    #[must_use]
    pub const fn year(self) -> u16 {
        self.year
    }

    /// Returns the month, from 1.
    #[must_use]
    pub const fn month(self) -> u8 {
        self.month
    }

    /// Returns the day of the month, from 1.
    #[must_use]
    pub const fn day(self) -> u8 {
        self.day
    }
}

impl fmt::Display for Date {
    /// Formats the date as TRF does: `2026/11/20`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!(
            "{:04}/{:02}/{:02}",
            self.year, self.month, self.day
        ))
    }
}

/// The edition of C.07 that applies, by the day the event starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Regulations {
    /// In force from 1 August 2024: the dummy of an unplayed round has the participant's own score.
    August2024,
    /// In force from 1 March 2026: the dummy's score is capped (16.4).
    March2026,
}

impl Regulations {
    /// Returns the edition in force when an event starts, or the newest if the date is unknown.
    #[must_use]
    pub fn on(start: Option<Date>) -> Self {
        match start {
            Some(day) if (day.year, day.month) < (2026, 3) => Self::August2024,
            Some(_) | None => Self::March2026,
        }
    }
}

/// The pairing system, which decides how unplayed rounds count (C.07 15 and 16).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum System {
    /// A Swiss: article 16 applies.
    Swiss,
    /// All participants meet each other this many times. Article 15 applies: forfeits count as games.
    RoundRobin {
        /// 1 for a single round robin, 2 for a double one.
        cycles: u8,
    },
}

/// The kind of competitors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Contest {
    /// Individual players.
    Individual,
    /// Teams on this many boards.
    Teams {
        /// Boards of a match.
        boards: u16,
    },
}

/// A part of the hall: a range of board numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sector {
    /// The first board.
    pub from: BoardNo,
    /// The last board.
    pub to: BoardNo,
    /// The time control of these boards, as [`Event::time_control_code`] or in Flagfall's notation; empty to use the
    /// event's.
    pub control: String,
}

impl Sector {
    /// Returns a sector without a time control of its own.
    #[must_use]
    pub const fn new(from: BoardNo, to: BoardNo) -> Self {
        Self {
            from,
            to,
            control: String::new(),
        }
    }

    /// Returns whether the sector contains a board.
    #[must_use]
    pub fn has(&self, board: BoardNo) -> bool {
        (self.from..=self.to).contains(&board)
    }
}

/// Everything about the event that belongs to no player or round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// TRF 012.
    pub name: String,
    /// TRF 022.
    pub city: String,
    /// TRF 032.
    pub federation: String,
    /// TRF 042; decides which tie-break regulations apply.
    pub starts: Option<Date>,
    /// TRF 052.
    pub ends: Option<Date>,
    /// TRF 102.
    pub chief_arbiter: String,
    /// TRF 112, one each.
    pub deputies: Vec<String>,
    /// TRF 122: the time control in words.
    pub time_control: String,
    /// TRF 222: the time control in code.
    pub time_control_code: String,
    /// TRF 092: the type in words.
    pub type_text: String,
    /// TRF 192: the type in code, as written; empty if there is none.
    pub type_code: String,
    /// TRF 182: the program that makes the pairings.
    pub pairing_program: String,
    /// The pairing system.
    pub system: System,
    /// The kind of competitors.
    pub contest: Contest,
    /// The game being played.
    pub game: Game,
    /// TRF 142: the number of rounds in the whole event.
    pub rounds: u16,
    /// TRF 132.
    pub round_dates: BTreeMap<RoundNo, Date>,
    /// TRF 152: the colour of the first player in round 1.
    pub initial_colour: Option<Side>,
    /// TRF 162: points for games.
    pub scoring: Scoring,
    /// TRF 362: points for matches.
    pub match_scoring: Scoring,
    /// TRF 202 or 212: the tie-breaks in order. The primary score comes first even if it is not listed.
    pub tie_breaks: Vec<TieBreak>,
    /// The rating of an unrated player in the tie-breaks of article 10. With `None`, these tie-breaks have no value
    /// while an unrated player takes part (C.07 10).
    pub unrated_as: Option<u16>,
    /// Game points of a team with a pairing-allocated bye; `None` means a win on every board.
    pub team_bye_points: Option<Points>,
    /// Participants who must not meet (TRF 260).
    pub forbidden: Vec<Forbidden>,
    /// Fictitious points for the pairing (TRF 250). Empty without acceleration, and also where the type code names the
    /// Baku method, which decides them itself.
    pub accelerations: Vec<Acceleration>,
    /// Bonuses, penalties and results worth other points (TRF 299).
    pub abnormal_points: Vec<AbnormalPoints>,
    /// Sectors of the hall, by name.
    pub sectors: BTreeMap<String, Sector>,
    /// The key of the rule set of every game; empty if the time control decides.
    pub rules: String,
    /// Rounds with a rule set of their own.
    pub round_rules: BTreeMap<RoundNo, String>,
    /// Unchanged lines of the imported file that this program does not interpret, kept for the export.
    pub kept_lines: Vec<String>,
}

impl Event {
    /// Returns the key of the rule set of a round's games, or of games outside the rounds; empty if the time control
    /// decides.
    #[must_use]
    pub fn rules_in(&self, round: Option<RoundNo>) -> &str {
        let of_round = round.and_then(|round| self.round_rules.get(&round));
        of_round.unwrap_or(&self.rules)
    }

    /// Returns an individual Swiss at chess with the standard scoring and no tie-breaks.
    #[must_use]
    pub fn new(name: &str, rounds: u16) -> Self {
        Self {
            name: name.to_owned(),
            city: String::new(),
            federation: String::new(),
            starts: None,
            ends: None,
            chief_arbiter: String::new(),
            deputies: Vec::new(),
            time_control: String::new(),
            time_control_code: String::new(),
            type_text: String::new(),
            type_code: String::new(),
            pairing_program: String::new(),
            system: System::Swiss,
            contest: Contest::Individual,
            game: Game::Chess,
            rounds,
            round_dates: BTreeMap::new(),
            initial_colour: None,
            scoring: Scoring::STANDARD,
            match_scoring: Scoring::MATCH,
            tie_breaks: Vec::new(),
            unrated_as: None,
            team_bye_points: None,
            forbidden: Vec::new(),
            accelerations: Vec::new(),
            abnormal_points: Vec::new(),
            sectors: BTreeMap::new(),
            rules: String::new(),
            round_rules: BTreeMap::new(),
            kept_lines: Vec::new(),
        }
    }
}
