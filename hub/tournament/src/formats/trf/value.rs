//! The values of a report: points, dates, colours, result letters. Owns how they are read and written; must never know
//! their columns.

use std::ops::RangeInclusive;

use derive_more::Display;

use crate::{Bye, Outcome, Points, Scoring, Side};

/// Parses points in whole tenths: `11.5`, `2`, `.5`, `2,5` or `-1.0`. Decimals after the first must be zeros.
pub fn read_points(text: &str) -> Option<Points> {
    let (whole, decimals) = text.split_once(['.', ',']).unwrap_or((text, ""));
    let tenth = decimals.get(..1).unwrap_or("0");
    let only_zeros = decimals.bytes().skip(1).all(|byte| byte == b'0');
    let plain = only_zeros && text.bytes().any(|byte| byte.is_ascii_digit());
    Points::parse(&format!("{whole}.{tenth}")).filter(|_| plain)
}

/// A date that may be known only in part: an unknown month or day is 0.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[display("{year:04}/{month:02}/{day:02}")]
pub struct Date {
    /// Year of the Common Era.
    pub year: u16,
    /// Month, from 1 to 12; 0 if unknown.
    pub month: u8,
    /// Day of the month, from 1 to 31; 0 if unknown.
    pub day: u8,
}

impl Date {
    /// Creates a date; month and day may be 0. Returns `None` if the calendar does not have the date, if a day has no
    /// month, or if the year does not have four digits.
    pub fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        let whole = crate::Date::new(year, month.max(1), day.max(1));
        let known = (1000..=9999).contains(&year) && (month > 0 || day == 0);
        whole.filter(|_| known).map(|_| Self { year, month, day })
    }

    /// Parses `2026/11/20` (also with `-` or `.`), `20.11.2026`, or a year alone. Returns `None` for zeros or an empty
    /// string.
    ///
    /// # Errors
    /// Returns [`InvalidDate`] for any other text.
    pub fn read(text: &str) -> Result<Option<Self>, InvalidDate> {
        let parts: Vec<&str> = text.split(['/', '-', '.']).map(str::trim).collect();
        let is_zero = |part: &&str| part.bytes().all(|byte| byte == b'0');
        if parts.iter().all(is_zero) {
            return Ok(None);
        }
        let (year, month, day) = match *parts.as_slice() {
            [year] => (year, None, None),
            [day, month, year] if year.len() == 4 && text.contains('.') => {
                (year, Some(month), Some(day))
            }
            [year, month, day] => (year, Some(month), Some(day)),
            _ => return Err(InvalidDate),
        };
        let small = |text: Option<&str>| text.map_or(Some(0), two_digits);
        let known = || Self::new(digits(year, 4..=4)?, small(month)?, small(day)?);
        known().map(Some).ok_or(InvalidDate)
    }

    /// Parses a date in a form of other programs, such as `24/09/2010`, `Jun 26, 2020`, `26 June 2020` or `26/11/20`.
    /// Ignores a time after the date. If more than one number could be the month, takes the middle one of the three.
    pub fn read_other_form(text: &str) -> Option<Self> {
        let day = match text.split_once('T') {
            Some((day, _)) if day.ends_with(|char: char| char.is_ascii_digit()) => day,
            Some(_) | None => text,
        };
        let words = day.split(|char: char| !char.is_alphanumeric());
        let mut words = words.filter(|word| !word.is_empty());
        let (one, two, three) = (words.next()?, words.next()?, words.next()?);
        let year = |word: &str| digits(word, 4..=4);
        let known = match (month(one), month(two)) {
            (Some(month), _) => Self::new(year(three)?, month, two_digits(two)?),
            (None, Some(month)) => Self::new(year(three)?, month, two_digits(one)?),
            (None, None) => match (year(one), year(three)) {
                (Some(year), _) => Self::new(year, two_digits(two)?, two_digits(three)?),
                (None, Some(year)) if two_digits(two)? > 12 => {
                    Self::new(year, two_digits(one)?, two_digits(two)?)
                }
                (None, Some(year)) => Self::new(year, two_digits(two)?, two_digits(one)?),
                (None, None) => {
                    let year = century(digits(one, 2..=2)?);
                    match two_digits(two)? > 12 {
                        true => Self::new(year, two_digits(three)?, two_digits(two)?),
                        false => Self::new(year, two_digits(two)?, two_digits(three)?),
                    }
                }
            },
        };
        known.filter(|date| date.month > 0 && date.day > 0)
    }

    /// Parses `26/11/20`, the short form of record 132 (also with `-` or `.`). Years 70 to 99 belong to the 20th
    /// century. Returns `None` for `00/00/00`.
    ///
    /// # Errors
    /// Returns [`InvalidDate`] for any other text.
    pub fn read_short(text: &str) -> Result<Option<Self>, InvalidDate> {
        let short = text.len() == 8 && text.is_char_boundary(2);
        match text.split_at_checked(2) {
            Some((year, rest)) if short && year.bytes().all(|byte| byte.is_ascii_digit()) => {
                if text.bytes().all(|byte| matches!(byte, b'0' | b'/')) {
                    return Ok(None);
                }
                let year = century(year.parse().map_err(|_| InvalidDate)?);
                Self::read(&format!("{year}{rest}"))
            }
            _ => Err(InvalidDate),
        }
    }

    /// Returns the calendar day, if the date is complete.
    pub fn day(self) -> Option<crate::Date> {
        crate::Date::new(self.year, self.month, self.day)
    }

    /// Formats the date, or only its year if the month is unknown.
    pub fn known(&self) -> String {
        match self.month {
            0 => format!("{:04}", self.year),
            _ => self.to_string(),
        }
    }

    /// Formats the date in the short form of record 132.
    pub fn short(&self) -> String {
        format!("{:02}/{:02}/{:02}", self.year % 100, self.month, self.day)
    }
}

impl From<crate::Date> for Date {
    fn from(day: crate::Date) -> Self {
        Self {
            year: day.year(),
            month: day.month(),
            day: day.day(),
        }
    }
}

/// Parses a number in decimal digits. Returns `None` if the number of digits is outside the range `count`.
fn digits(text: &str, count: RangeInclusive<usize>) -> Option<u16> {
    let fits = count.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| fits)
}

fn two_digits(text: &str) -> Option<u8> {
    digits(text, 1..=2).and_then(|number| u8::try_from(number).ok())
}

/// Returns the year from 1970 to 2069 that ends in these two digits.
fn century(year: u16) -> u16 {
    year + if year >= 70 { 1900 } else { 2000 }
}

/// Returns the number of the month with this English name, which may be shortened to three letters or more.
fn month(name: &str) -> Option<u8> {
    const NAMES: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    let name = name.to_ascii_lowercase();
    let is = |full: &&str| name.len() >= 3 && full.starts_with(name.as_str());
    let found = NAMES.iter().zip(1..).find(|(full, _)| is(full));
    found.map(|(_, month)| month)
}

/// The error for text that is not a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidDate;

/// Returns `w` or `b`.
pub fn colour_letter(side: Side) -> char {
    match side {
        Side::White => 'w',
        Side::Black => 'b',
    }
}

/// Parses `w` or `b` in either case.
pub fn read_colour(text: &str) -> Option<Side> {
    match text {
        "w" | "W" => Some(Side::White),
        "b" | "B" => Some(Side::Black),
        _ => None,
    }
}

/// The letter of a player's result in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Letter {
    /// `1`, `=` or `0`: played.
    Game(Outcome),
    /// `W`, `D` or `L`: played, but not rated, such as a game of less than one move.
    Unrated(Outcome),
    /// `+`: won by forfeit.
    ForfeitWin,
    /// `-`: lost by forfeit.
    ForfeitLoss,
    /// `H`, `F`, `U` or `Z`: no opponent.
    Bye(Bye),
}

impl Letter {
    /// Every letter, with its character in a file.
    pub const ALL: [(Self, char); 12] = [
        (Self::Game(Outcome::Win), '1'),
        (Self::Game(Outcome::Draw), '='),
        (Self::Game(Outcome::Loss), '0'),
        (Self::ForfeitWin, '+'),
        (Self::ForfeitLoss, '-'),
        (Self::Unrated(Outcome::Win), 'W'),
        (Self::Unrated(Outcome::Draw), 'D'),
        (Self::Unrated(Outcome::Loss), 'L'),
        (Self::Bye(Bye::Half), 'H'),
        (Self::Bye(Bye::Full), 'F'),
        (Self::Bye(Bye::PairingAllocated), 'U'),
        (Self::Bye(Bye::Zero), 'Z'),
    ];

    /// Returns the letter's character in a file.
    pub fn letter(self) -> char {
        let mut all = Self::ALL.into_iter();
        let found = all.find(|(letter, _)| *letter == self);
        found.map_or(' ', |(_, char)| char)
    }

    /// Parses a letter in either case.
    pub fn read(text: &str) -> Option<Self> {
        let mut chars = text.chars();
        let char = chars.next()?.to_ascii_uppercase();
        let (letter, _) = Self::ALL.into_iter().find(|(_, known)| *known == char)?;
        Some(letter).filter(|_| chars.next().is_none())
    }

    /// Returns the bye that the letter records, if any.
    pub fn bye(self) -> Option<Bye> {
        match self {
            Self::Bye(bye) => Some(bye),
            Self::Game(_) | Self::Unrated(_) | Self::ForfeitWin | Self::ForfeitLoss => None,
        }
    }

    /// Returns the outcome of a played game; `None` for a forfeit or a bye.
    pub fn outcome(self) -> Option<Outcome> {
        match self {
            Self::Game(outcome) | Self::Unrated(outcome) => Some(outcome),
            Self::ForfeitWin | Self::ForfeitLoss | Self::Bye(_) => None,
        }
    }

    /// Returns the points for the letter under a scoring.
    pub fn points(self, scoring: &Scoring) -> Points {
        match self {
            Self::Game(outcome) | Self::Unrated(outcome) => scoring.game(outcome),
            Self::ForfeitWin => scoring.win,
            Self::ForfeitLoss => scoring.forfeit_loss,
            Self::Bye(bye) => bye.points(scoring),
        }
    }

    /// Returns true if the letter is a forfeit. A forfeit may have no opponent, as on a team's board that the other team
    /// left empty.
    pub fn is_forfeit(self) -> bool {
        matches!(self, Self::ForfeitWin | Self::ForfeitLoss)
    }

    /// Returns true if the opponent's letter can be `other`. The two outcomes of a played game are independent. An
    /// arbiter may take points from one player or add some to the other (Laws 12.9.5 and 12.9.6).
    pub fn is_compatible_with(self, other: Self) -> bool {
        match (self, other) {
            (Self::Game(_), Self::Game(_)) | (Self::Unrated(_), Self::Unrated(_)) => true,
            (Self::ForfeitLoss, Self::ForfeitLoss) => true,
            (_, _) => self.is_forfeit() && other.is_forfeit() && self != other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_in_the_spellings_of_programs() {
        let of = |text| read_points(text).map(|points| points.to_string());
        for (text, read) in [
            ("11.5", "11.5"),
            ("2", "2.0"),
            (".5", "0.5"),
            ("02.0", "2.0"),
            ("2,5", "2.5"),
            ("-1.0", "-1.0"),
            ("1.50", "1.5"),
        ] {
            assert_eq!(of(text), Some(read.to_owned()), "{text}");
        }
        for text in ["", ".", "-", "1.25", "1.5.5", "x", "9999999", "+1"] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[test]
    fn complete_and_partial_dates() {
        let of = |text| Date::read(text).map(|date| date.map(|date| date.to_string()));
        let some = |text: &str| Ok(Some(text.to_owned()));
        assert_eq!(of("2026/11/20"), some("2026/11/20"));
        assert_eq!(of("2026-1-2"), some("2026/01/02"));
        assert_eq!(of("20.11.2026"), some("2026/11/20"));
        assert_eq!(of("1987/00/00"), some("1987/00/00"));
        assert_eq!(of("1987"), some("1987/00/00"));
        assert_eq!(of("0000/00/00"), Ok(None));
        for text in [
            "2026/02/29",
            "2026/13/01",
            "26/11/20",
            "x",
            "2026/11",
            "2026/00/05",
            "1/2/3/4",
        ] {
            assert_eq!(of(text), Err(InvalidDate), "{text}");
        }
        assert_eq!(Date::read_short("26/11/20"), Ok(Date::new(2026, 11, 20)));
        assert_eq!(Date::read_short("99/12/31"), Ok(Date::new(1999, 12, 31)));
        assert_eq!(Date::read_short("00/00/00"), Ok(None));
        assert_eq!(Date::read_short("26-11-2"), Err(InvalidDate));
        assert_eq!(Date::read_short("2é/1/20"), Err(InvalidDate));
    }

    #[test]
    fn dates_in_other_forms() {
        let of = |text| Date::read_other_form(text).map(|date| date.to_string());
        for (text, read) in [
            ("Jun 26, 2020", "2020/06/26"),
            ("26 June 2020", "2020/06/26"),
            ("24/09/2010", "2010/09/24"),
            ("09/24/2010", "2010/09/24"),
            ("3-4-2010", "2010/04/03"),
            ("26/11/22", "2026/11/22"),
            ("99/12/31", "1999/12/31"),
            ("11.25.02", "2011/02/25"),
            ("2026-11-20T10:00:00Z", "2026/11/20"),
            ("2026/11/20 10:00", "2026/11/20"),
        ] {
            assert_eq!(of(text), Some(read.to_owned()), "{text}");
        }
        for text in [
            "",
            "x",
            "Ju 26, 2020",
            "2026/13/20",
            "31/02/2026",
            "1/2",
            "20/2026",
            "June 2020",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[test]
    fn letters_round_trip_and_have_a_counterpart() {
        for (letter, char) in Letter::ALL {
            assert_eq!(letter.letter(), char);
            assert_eq!(Letter::read(&char.to_string()), Some(letter));
            let mut others = Letter::ALL.iter();
            let meets = others.any(|(other, _)| letter.is_compatible_with(*other));
            assert_eq!(meets, letter.bye().is_none());
        }
        assert_eq!(Letter::read("h"), Some(Letter::Bye(Bye::Half)));
        assert_eq!(Letter::read("10"), None);
        let pairs = Letter::ALL.into_iter().flat_map(|(one, first)| {
            let others = Letter::ALL.into_iter();
            let compatible = others.filter(move |(other, _)| one.is_compatible_with(*other));
            compatible.map(move |(_, second)| format!("{first}{second}"))
        });
        let pairs: Vec<String> = pairs.collect();
        let expected = "11 1= 10 =1 == =0 01 0= 00 +- -+ -- WW WD WL DW DD DL LW LD LL";
        assert_eq!(pairs.join(" "), expected);
    }
}
