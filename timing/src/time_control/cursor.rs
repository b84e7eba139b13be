//! A position in a line of text, from which words, numbers and durations are parsed.
//!
//! Shared by the notation of time controls, the text of commands, and scripts; depends on none of them.

use alloc::format;
use alloc::string::String;

use crate::Duration;
use crate::units::{DurationFault, read_duration, read_seconds};

/// A syntax error, with its byte offset in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) at: usize,
    pub(crate) expected: String,
}

impl Fault {
    pub(crate) fn new(at: usize, what: impl AsRef<str>) -> Self {
        Self {
            at,
            expected: format!("expected {}", what.as_ref()),
        }
    }

    /// Returns the column of the error in `text`, from 1, in characters.
    pub(crate) fn column(&self, text: &str) -> usize {
        text.get(..self.at)
            .map_or_else(|| text.chars().count(), |before| before.chars().count())
            + 1
    }
}

impl From<DurationFault> for Fault {
    fn from(fault: DurationFault) -> Self {
        Self {
            at: fault.at,
            expected: fault.expected,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Returns the byte offset up to which the text has been parsed.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// Takes the remaining text without trailing white space.
    pub(crate) fn line(&mut self) -> &'a str {
        let line = self.rest().trim_end();
        self.at = self.text.len();
        line
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.rest().is_empty()
    }

    pub(crate) fn eat(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.at += text.len();
        }
        found
    }

    /// Skips `text`. If it does not come next, returns an error that says that `what` was expected.
    pub(crate) fn expect(&mut self, text: &str, what: &str) -> Result<(), Fault> {
        if self.eat(text) {
            Ok(())
        } else {
            Err(self.fault(what))
        }
    }

    pub(crate) fn fault(&self, what: impl AsRef<str>) -> Fault {
        Fault::new(self.at, what)
    }

    /// Takes the text up to the next space or tab, or up to the end. It may be empty.
    pub(crate) fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let word = rest.split([' ', '\t']).next().unwrap_or("");
        self.at += word.len();
        word
    }

    pub(crate) fn skip_spaces(&mut self) -> bool {
        let start = self.at;
        self.at += self.rest().len() - self.rest().trim_start_matches([' ', '\t']).len();
        self.at > start
    }

    pub(crate) fn sees_number_then(&self, after: &str) -> bool {
        let digits = self.digits();
        !digits.is_empty()
            && self
                .rest()
                .get(digits.len()..)
                .is_some_and(|rest| rest.starts_with(after))
    }

    fn digits(&self) -> &'a str {
        let rest = self.rest();
        let len = rest.bytes().take_while(u8::is_ascii_digit).count();
        rest.get(..len).unwrap_or("")
    }

    pub(crate) fn number(&mut self) -> Result<u32, Fault> {
        let digits = self.digits();
        let number = digits.parse().map_err(|_| match digits {
            "" => self.fault("a whole number"),
            _ => self.fault("a number below 4294967296"),
        })?;
        self.at += digits.len();
        Ok(number)
    }

    /// Parses a whole number greater than zero.
    pub(crate) fn count(&mut self) -> Result<u32, Fault> {
        let start = *self;
        match self.number()? {
            0 => Err(start.fault("a whole number of at least 1")),
            count => Ok(count),
        }
    }

    /// Parses a duration in the notation: with units, longer than zero, and at most a hundred years.
    pub(crate) fn duration(&mut self) -> Result<Duration, Fault> {
        let start = *self;
        match self.duration_or_zero()? {
            Duration::ZERO => Err(start.fault("a duration longer than zero")),
            span => Ok(span),
        }
    }

    pub(crate) fn duration_or_zero(&mut self) -> Result<Duration, Fault> {
        let fault = |f: DurationFault| Fault {
            at: self.at + f.at,
            expected: f.expected,
        };
        let (span, len) = read_duration(self.rest()).map_err(fault)?;
        if span > Duration::LONGEST_IN_NOTATION {
            return Err(self.fault("at most 36525 d"));
        }
        self.at += len;
        Ok(span)
    }

    pub(crate) fn space_then_duration(&mut self) -> Result<Duration, Fault> {
        self.expect(" ", "a space and a duration")?;
        self.duration()
    }

    /// Parses a time in a command: a duration or plain seconds, with an optional `-` if `signed` is true.
    pub(crate) fn seconds(&mut self, signed: bool) -> Result<Duration, Fault> {
        let start = self.at;
        let word = self.word();
        read_seconds(word, signed).map_err(|f| Fault {
            at: start + f.at,
            expected: f.expected,
        })
    }
}
