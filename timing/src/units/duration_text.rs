//! The text form of durations: `1h30m`, `5.25s`, `250ms`, and the plain seconds of commands and scripts.
//!
//! Owns how durations are parsed and printed in the notation, in commands and in scripts.

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use super::Duration;
use super::shortest::{Parts, shortest};

/// The units, largest first, with their lengths in microseconds.
pub(super) const UNITS: [(&str, i64); 5] = [
    ("d", 86_400_000_000),
    ("h", 3_600_000_000),
    ("m", 60_000_000),
    ("s", 1_000_000),
    ("ms", 1_000),
];

/// Maximum number of digits in a number. No duration of up to a hundred years needs more.
const MAX_DIGITS: usize = 22;

/// A syntax error in the text of a duration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseDurationError {
    /// Column of the error, from 1, in characters.
    pub column: usize,
    /// Description of the input expected there, or of the fault.
    pub expected: String,
}

impl fmt::Display for ParseDurationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.expected)
    }
}

impl core::error::Error for ParseDurationError {}

/// A syntax error in a duration, with its byte offset in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DurationFault {
    pub(crate) at: usize,
    pub(crate) expected: String,
}

fn fault(at: usize, expected: impl Into<String>) -> DurationFault {
    DurationFault {
        at,
        expected: expected.into(),
    }
}

/// A decimal number at the start of a text: all digits as one integer, the number of decimals, and the length in bytes.
struct Decimal {
    digits: i128,
    decimals: u32,
    len: usize,
}

fn read_decimal(text: &str) -> Result<Decimal, DurationFault> {
    let whole = text.bytes().take_while(u8::is_ascii_digit).count();
    if whole == 0 {
        return Err(fault(0, "expected a duration such as 90m or 1h30m"));
    }
    let mut decimals = 0;
    if text.as_bytes().get(whole) == Some(&b'.') {
        decimals = text
            .bytes()
            .skip(whole + 1)
            .take_while(u8::is_ascii_digit)
            .count();
        if decimals == 0 {
            return Err(fault(whole + 1, "expected a digit after the point"));
        }
    }
    let len = if decimals == 0 {
        whole
    } else {
        whole + 1 + decimals
    };
    if whole + decimals > MAX_DIGITS {
        return Err(fault(0, "expected a number of at most 22 digits"));
    }
    let digits = text
        .bytes()
        .take(len)
        .filter(u8::is_ascii_digit)
        .fold(0, |sum, digit| sum * 10 + i128::from(digit - b'0'));
    // Fits, because `decimals` is at most MAX_DIGITS.
    Ok(Decimal {
        digits,
        decimals: u32::try_from(decimals).unwrap_or(0),
        len,
    })
}

/// Converts `number`, in units of `unit_us` microseconds, to microseconds; `None` if the result is not whole.
fn exact(number: &Decimal, unit_us: i64) -> Option<i128> {
    let scaled = number.digits * i128::from(unit_us);
    let scale = 10_i128.pow(number.decimals);
    (scaled % scale == 0).then_some(scaled / scale)
}

/// Parses a duration without a sign at the start of `text`. Returns it and its length in bytes.
pub(crate) fn read_duration(text: &str) -> Result<(Duration, usize), DurationFault> {
    let (mut at, mut total, mut next_unit) = (0, 0_i128, 0);
    loop {
        let rest = text.get(at..).unwrap_or("");
        let number = read_decimal(rest).map_err(|f| fault(at + f.at, f.expected))?;
        let written = &rest[..number.len];
        let unit_len = rest
            .bytes()
            .skip(number.len)
            .take_while(u8::is_ascii_alphabetic)
            .count();
        let unit = &rest[number.len..number.len + unit_len];
        let Some(index) = UNITS.iter().position(|(name, _)| *name == unit) else {
            return Err(if unit.is_empty() {
                fault(
                    at,
                    alloc::format!("{written} has no unit; {written}m or {written}s?"),
                )
            } else {
                fault(
                    at + number.len,
                    alloc::format!("expected a unit (d, h, m, s or ms), not {unit}"),
                )
            });
        };
        if index < next_unit {
            return Err(fault(
                at + number.len,
                "expected units largest first, each once",
            ));
        }
        let Some(part) = exact(&number, UNITS[index].1) else {
            return Err(fault(at, "expected at most six decimals of a second"));
        };
        total += part;
        if total > i128::from(i64::MAX) {
            return Err(fault(0, "expected at most 36525 d"));
        }
        next_unit = index + 1;
        at += number.len + unit_len;
        let goes_on = text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
        if !goes_on {
            break;
        }
        if number.decimals > 0 {
            return Err(fault(
                at,
                "expected the end of the duration: only its last number has a fraction",
            ));
        }
    }
    // Fits, because the loop limits the total to `i64::MAX`.
    Ok((
        Duration::from_micros(i64::try_from(total).unwrap_or(i64::MAX)),
        at,
    ))
}

/// Parses all of `text` as a time in a command or script: a duration or plain seconds, with an optional `-` if `signed` is true.
pub(crate) fn read_seconds(text: &str, signed: bool) -> Result<Duration, DurationFault> {
    let (negative, body) = match text.strip_prefix('-') {
        Some(body) if signed => (true, body),
        Some(_) => return Err(fault(0, "expected a time without a sign")),
        None => (false, text),
    };
    let start = text.len() - body.len();
    let shift = |f: DurationFault| fault(f.at + start, f.expected);
    let number = read_decimal(body).map_err(shift)?;
    let (span, len) = if number.len == body.len() {
        let micros = exact(&number, 1_000_000)
            .ok_or_else(|| fault(start, "expected at most six decimals"))?;
        let micros = i64::try_from(micros).ok().filter(|us| *us <= i64::MAX / 2);
        (
            Duration::from_micros(micros.ok_or_else(|| fault(start, "expected fewer seconds"))?),
            number.len,
        )
    } else {
        read_duration(body).map_err(shift)?
    };
    if len != body.len() {
        return Err(fault(start + len, "expected the end of the time"));
    }
    Ok(if negative { -span } else { span })
}

/// Writes `span` in seconds with up to six decimals and no trailing zeros, which is the form in `expect` lines.
pub(crate) fn write_seconds(f: &mut dyn fmt::Write, span: Duration) -> fmt::Result {
    let micros = span.as_micros();
    let (sign, magnitude) = (if micros < 0 { "-" } else { "" }, micros.unsigned_abs());
    write!(f, "{sign}{}", magnitude / 1_000_000)?;
    write_fraction(f, i128::from(magnitude % 1_000_000), 1_000_000)
}

/// Writes `part / whole` as `.ddd` with as many decimals as necessary, or nothing if it is zero.
fn write_fraction(f: &mut dyn fmt::Write, part: i128, whole: i128) -> fmt::Result {
    if part != 0 {
        f.write_char('.')?;
    }
    let mut part = part;
    while part != 0 {
        part *= 10;
        write!(f, "{}", part / whole)?;
        part %= whole;
    }
    Ok(())
}

impl FromStr for Duration {
    type Err = ParseDurationError;

    /// Parses a duration in the notation, with an optional leading `-`.
    fn from_str(text: &str) -> Result<Self, ParseDurationError> {
        let (sign, body) = match text.strip_prefix('-') {
            Some(body) => (1, body),
            None => (0, text),
        };
        let read = read_duration(body).and_then(|(span, len)| {
            if len == body.len() {
                Ok(span)
            } else {
                Err(fault(len, "expected the end of the duration"))
            }
        });
        match read {
            Ok(span) => Ok(if sign == 1 { -span } else { span }),
            Err(DurationFault { at, expected }) => {
                let column = text
                    .get(..at + sign)
                    .map_or(1, |before| before.chars().count() + 1);
                Err(ParseDurationError { column, expected })
            }
        }
    }
}

impl fmt::Display for Duration {
    /// Writes the shortest text for this duration, such as `90m`, `5.25s` or `50d`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.width().is_none() {
            return write_shortest(f, *self);
        }
        let mut text = String::new();
        write_shortest(&mut text, *self)?;
        f.pad(&text)
    }
}

fn write_shortest(f: &mut dyn fmt::Write, span: Duration) -> fmt::Result {
    if span.as_micros() < 0 {
        f.write_char('-')?;
    }
    let micros = span.as_micros().unsigned_abs();
    for part in Parts::new(micros, shortest(micros)) {
        write!(f, "{}", part.whole)?;
        write_fraction(f, part.rest.into(), part.unit.into())?;
        f.write_str(part.name)?;
    }
    Ok(())
}

impl fmt::Debug for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
