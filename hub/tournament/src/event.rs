//! The event's own data, such as its name, system, scoring and list of tie-breaks.
//!
//! Owns the data that does not belong to a player or a round. Must never hold a result.

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
    /// Returns the date, or `None` if the calendar has no such day.
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

    /// Parses a date such as `2026/11/20` or `2026-11-20`. A two-digit year counts from 2000.
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
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!(
            "{:04}/{:02}/{:02}",
            self.year, self.month, self.day
        ))
    }
}

/// The edition of C.07 that applies, which depends on the event's start date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Regulations {
    /// In force from 1 August 2024: the dummy opponent in an unplayed round has the participant's own score.
    August2024,
    /// In force from 1 March 2026: the dummy opponent's score is capped (16.4).
    March2026,
}

impl Regulations {
    /// Returns the edition for an event that starts on this day; the newest one if the date is unknown. An event
    /// before August 2024 gets the oldest one.
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
    /// A Swiss event. Article 16 applies.
    Swiss,
    /// A round robin. Article 15 applies: forfeits count as games.
    RoundRobin {
        /// The number of times that each pair meets: 1 in a single round robin, 2 in a double one.
        cycles: u8,
    },
}

/// The competitors of an event: individual players or teams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Contest {
    /// Individual players.
    Individual,
    /// Teams, which meet in matches.
    Teams {
        /// The number of boards in a match.
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
    /// The time control of these boards, in the form of [`Event::time_control_code`] or in Flagfall's notation; empty
    /// to use the event's.
    pub control: String,
}

impl Sector {
    /// Builds a sector that uses the event's time control.
    #[must_use]
    pub const fn new(from: BoardNo, to: BoardNo) -> Self {
        Self {
            from,
            to,
            control: String::new(),
        }
    }

    /// Returns true if the sector contains a board.
    #[must_use]
    pub fn has(&self, board: BoardNo) -> bool {
        (self.from..=self.to).contains(&board)
    }
}

/// The event's own data, which does not belong to a player or a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The event's name (TRF 012).
    pub name: String,
    /// The city (TRF 022).
    pub city: String,
    /// The federation's code (TRF 032).
    pub federation: String,
    /// The first day (TRF 042), which determines the tie-break regulations that apply.
    pub starts: Option<Date>,
    /// The last day (TRF 052).
    pub ends: Option<Date>,
    /// The chief arbiter's name (TRF 102).
    pub chief_arbiter: String,
    /// The names of the deputy arbiters (TRF 112).
    pub deputies: Vec<String>,
    /// The time control as free text (TRF 122).
    pub time_control: String,
    /// The encoded time control (TRF 222).
    pub time_control_code: String,
    /// The type of the event as free text (TRF 092).
    pub type_text: String,
    /// The encoded type of the event (TRF 192), unchanged from the file; empty if there is none.
    pub type_code: String,
    /// The program that makes the pairings (TRF 182).
    pub pairing_program: String,
    /// The pairing system.
    pub system: System,
    /// The kind of competitors.
    pub contest: Contest,
    /// The kind of game.
    pub game: Game,
    /// The number of rounds in the whole event (TRF 142).
    pub rounds: u16,
    /// The date of each round (TRF 132).
    pub round_dates: BTreeMap<RoundNo, Date>,
    /// The colour of the first player in round 1 (TRF 152).
    pub initial_colour: Option<Side>,
    /// Points for games (TRF 162).
    pub scoring: Scoring,
    /// Points for matches (TRF 362).
    pub match_scoring: Scoring,
    /// The tie-breaks in order (TRF 202 or 212). The primary score comes first even if it is not listed.
    pub tie_breaks: Vec<TieBreak>,
    /// The rating to assume for an unrated player in a tie-break of article 10 that states none itself. Without either
    /// rating, the tie-break has no value while an unrated player takes part (C.07 10).
    pub unrated_as: Option<u16>,
    /// Game points of a team with a pairing-allocated bye; `None` means a win on every board.
    pub team_bye_points: Option<Points>,
    /// Participants who must not meet (TRF 260).
    pub forbidden: Vec<Forbidden>,
    /// Fictitious points for pairing (TRF 250). If there are none and the encoded type names the Baku method, that method
    /// sets the points.
    pub accelerations: Vec<Acceleration>,
    /// Bonuses, penalties, and results whose points differ from the scoring (TRF 299).
    pub abnormal_points: Vec<AbnormalPoints>,
    /// Sectors of the hall, by name.
    pub sectors: BTreeMap<String, Sector>,
    /// The key of the rule set of the games, unless [`Event::round_rules`] names another; empty if the time control
    /// decides.
    pub rules: String,
    /// The key of the rule set of each round that does not use [`Event::rules`].
    pub round_rules: BTreeMap<RoundNo, String>,
    /// Data kept from the imported file: the order of its records, other programs' lines, and the records and cells
    /// that the event would not reproduce.
    pub kept_lines: Vec<String>,
}

impl Event {
    /// Returns the key of the rule set for a round's games, or for games outside any round; empty if the time control
    /// decides.
    #[must_use]
    pub fn rules_in(&self, round: Option<RoundNo>) -> &str {
        let of_round = round.and_then(|round| self.round_rules.get(&round));
        of_round.unwrap_or(&self.rules)
    }

    /// Builds an individual Swiss chess event with standard scoring and no tie-breaks.
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
