//! The fields `M/S+I` in PGN's and TRF26's notations: a move count, seconds, an increment. Owns the fields; must never
//! read or write the text around them.

use timing::{Bonus, Duration, Flow, Length, Period, Reserve, SideControl};

use super::wording::shown;
use super::{Inexpressible, ReadError};

/// One period as `[moves/]seconds[+increment]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) moves: Option<u32>,
    pub(super) seconds: i64,
    pub(super) increment: Option<i64>,
}

impl Field {
    /// Parses a field that begins at `column` (from 1) of the whole text.
    pub(super) fn read(text: &str, column: usize) -> Result<Self, ReadError> {
        let (moves, rest, rest_column) = match text.split_once('/') {
            Some((moves, rest)) => {
                let count = whole(moves, column, "a number of moves")?;
                let count = u32::try_from(count).ok().filter(|count| *count > 0);
                let fault = malformed(column, "a number of moves from 1 to 4294967295");
                let rest_column = column + moves.chars().count() + 1;
                (Some(count.ok_or(fault)?), rest, rest_column)
            }
            None => (None, text, column),
        };
        let (seconds, increment) = match rest.split_once('+') {
            Some((seconds, increment)) => {
                let at = rest_column + seconds.chars().count() + 1;
                let increment = whole(increment, at, "an increment in seconds")?;
                (seconds, Some(increment))
            }
            None => (rest, None),
        };
        let seconds = whole(seconds, rest_column, "a number of seconds")?;
        Ok(Self {
            moves,
            seconds,
            increment: increment.filter(|increment| *increment > 0),
        })
    }

    pub(super) fn notation(&self) -> String {
        let moves = self.moves.map(|moves| format!("{moves}/"));
        let increment = self.increment.map(Duration::from_secs);
        let increment = increment.map(|increment| format!("+{increment}"));
        let seconds = Duration::from_secs(self.seconds);
        format!("{}{seconds}{}", shown(moves), shown(increment))
    }
}

impl std::fmt::Display for Field {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.seconds)?;
        match self.increment {
            Some(increment) => write!(f, "+{increment}"),
            None => Ok(()),
        }
    }
}

/// Returns the periods of a side as fields, or `None` if fields without the lost parts would mislead. Adds those parts to
/// `lost`.
pub(super) fn of_side(side: &SideControl, lost: &mut Vec<Inexpressible>) -> Option<Vec<Field>> {
    let periods = side.periods().iter();
    periods.map(|period| of_period(period, lost)).collect()
}

pub(super) fn repeats(side: &SideControl) -> bool {
    let last = side.periods().last();
    last.is_some_and(|last| matches!(last.length, Length::Moves(_)))
}

fn of_period(period: &Period, lost: &mut Vec<Inexpressible>) -> Option<Field> {
    let moves = match period.length {
        Length::Moves(moves) => Some(moves),
        Length::ToTheEnd => None,
        Length::ByZero => {
            lost.push(Inexpressible::Clause("zero/".to_owned()));
            return None;
        }
    };
    match period.flow {
        Flow::Down => (),
        Flow::Up => {
            lost.push(Inexpressible::Clause("up".to_owned()));
            return None;
        }
        Flow::Hourglass => {
            lost.push(Inexpressible::Clause("hourglass".to_owned()));
            return None;
        }
    }
    let increment = match period.bonus {
        Bonus::None => None,
        Bonus::Increment(increment) => {
            if let Some(cap) = increment.cap {
                lost.push(Inexpressible::Clause(format!("cap {cap}")));
            }
            Some(whole_seconds(increment.by, lost)?)
        }
        Bonus::Delay(_) | Bonus::Bronstein(_) => {
            lost.push(Inexpressible::Clause(
                period.bonus.to_string().trim().to_owned(),
            ));
            None
        }
        Bonus::MoveTime(_) | Bonus::TripleBlock(_) => {
            lost.push(Inexpressible::Clause(
                period.bonus.to_string().trim().to_owned(),
            ));
            return None;
        }
    };
    if !matches!(period.reserve, Reserve::None) {
        lost.push(Inexpressible::Clause(
            period.reserve.to_string().trim().to_owned(),
        ));
    }
    Some(Field {
        moves,
        seconds: whole_seconds(period.main, lost)?,
        increment,
    })
}

fn whole_seconds(duration: Duration, lost: &mut Vec<Inexpressible>) -> Option<i64> {
    let micros = duration.as_micros();
    if micros % 1_000_000 == 0 {
        return Some(micros / 1_000_000);
    }
    lost.push(Inexpressible::PartSeconds(duration));
    None
}

/// Parses a whole number that does not exceed the longest duration in Flagfall's notation, in seconds.
fn whole(text: &str, column: usize, expected: &'static str) -> Result<i64, ReadError> {
    let digits = text.chars().take_while(char::is_ascii_digit).count();
    if digits == 0 || digits < text.chars().count() {
        return Err(malformed(column + digits, expected));
    }
    let limit = Duration::LONGEST_IN_NOTATION.as_micros() / 1_000_000;
    let number = text.parse().ok().filter(|number| *number <= limit);
    number.ok_or(malformed(column, "at most 36525 days in seconds"))
}

pub(super) fn malformed(column: usize, expected: &'static str) -> ReadError {
    ReadError::Malformed { column, expected }
}
