//! Errors in a file that an organiser can locate: line, column, expected and found text. Must never decide what counts
//! as an error.

use std::fmt;

use super::expected::Expected;
use super::wording::joined;

/// Maximum number of faults listed for one file; the others are only counted.
const MAX_LISTED: usize = 20;

/// Number of faults after which reading stops, because the file is evidently of a different kind.
pub(in crate::formats) const MAX_FAULTS: usize = 1_000;

/// An error at one place in a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[error("line {line}, column {column}: expected {expected}, found {found}")]
pub struct Fault {
    /// Line of the file, from 1.
    pub line: usize,
    /// Column, from 1, as the file counts columns.
    pub column: usize,
    /// The text or kind of text expected at this place.
    pub expected: Expected,
    /// The text found instead, or a description of it.
    pub found: Found,
}

/// The text found at a fault, or a description of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Found {
    /// Text from the file.
    Text(String),
    /// A description, for example of missing text.
    Described(String),
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(&quoted(text)),
            Self::Described(words) => f.write_str(words),
        }
    }
}

impl Fault {
    /// Builds a fault at a place, with the text found there.
    pub fn new(line: usize, column: usize, expected: Expected, found: &str) -> Self {
        Self {
            line,
            column,
            expected,
            found: Found::Text(found.to_owned()),
        }
    }

    /// Builds a fault with a description instead of text from the file.
    pub fn because(
        line: usize,
        column: usize,
        expected: Expected,
        found: impl Into<String>,
    ) -> Self {
        Self {
            line,
            column,
            expected,
            found: Found::Described(found.into()),
        }
    }

    pub(super) fn of_file(expected: Expected, found: impl Into<String>) -> Self {
        Self::because(1, 1, expected, found)
    }
}

/// A field of a file: its text without surrounding spaces, and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The text; empty if the field is blank or beyond the end of the line.
    pub text: String,
    /// Line of the file, from 1.
    pub line: usize,
    /// Column at which the field begins, from 1, as the file counts columns.
    pub column: usize,
}

impl Field {
    /// Builds a fault for this field.
    pub fn fault(&self, expected: Expected) -> Fault {
        Fault::new(self.line, self.column, expected, &self.text)
    }

    /// Returns true if the field is empty.
    pub fn is_blank(&self) -> bool {
        self.text.is_empty()
    }
}

/// The faults for which a file was refused as a whole: at least one, in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faults {
    listed: Vec<Fault>,
    count: usize,
}

impl Faults {
    /// Returns the value if there are no faults.
    ///
    /// # Errors
    /// Returns the faults if there are any.
    pub fn none_or<T>(value: T, mut faults: Vec<Fault>) -> Result<T, Self> {
        if faults.is_empty() {
            return Ok(value);
        }
        faults.sort();
        faults.dedup();
        let count = faults.len();
        faults.truncate(MAX_LISTED);
        faults.shrink_to_fit();
        let listed = faults;
        Err(Self { listed, count })
    }

    /// Returns the first faults, at most 20, in the order of the file.
    pub fn listed(&self) -> &[Fault] {
        &self.listed
    }

    /// Returns the number of faults found before reading stopped.
    pub fn count(&self) -> usize {
        self.count
    }
}

impl From<Fault> for Faults {
    fn from(fault: Fault) -> Self {
        Self {
            listed: vec![fault],
            count: 1,
        }
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&joined(&self.listed, "\n"))?;
        match self.count - self.listed.len() {
            0 => Ok(()),
            more => write!(f, "\nand {more} more"),
        }
    }
}

impl std::error::Error for Faults {}

pub(in crate::formats) fn quoted(text: &str) -> String {
    match shortened(text).as_str() {
        "" => "nothing".to_owned(),
        shown => format!("`{shown}`"),
    }
}

/// Shortens text from a file for a message, and replaces its control characters. Blank text becomes empty.
pub fn shortened(text: &str) -> String {
    if text.trim().is_empty() {
        return String::new();
    }
    let shown: String = text.chars().take(40).collect();
    let dots = if text.chars().count() > 40 { "…" } else { "" };
    shown.replace(char::is_control, "\u{fffd}") + dots
}

/// Quotes a string as a single word of a shell command line.
pub fn shell_word(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
