//! What is wrong with a file, said so that whoever has it open finds the place: line, column, what was expected, what
//! stood there. Owns the words; never decides what is a fault.

use std::fmt;

/// A remark about a place of a file that is odd and does not prevent its reading.
pub(in crate::formats) fn remark(line: usize, column: usize, words: impl fmt::Display) -> String {
    format!("line {line}, column {column}: {words}")
}

/// How many faults of one file are told; the rest is counted.
const TOLD: usize = 20;

/// One place of a file that is not what it has to be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[error("line {line}, column {column}: expected {expected}, found {found}")]
pub struct Fault {
    /// Line of the file, from 1.
    pub line: usize,
    /// Column of that line, from 1: characters, or for a table its column.
    pub column: usize,
    /// What was expected there.
    pub expected: String,
    /// What was found instead, as words.
    pub found: String,
}

impl Fault {
    /// A fault at a place, with the text that stood there.
    pub fn new(line: usize, column: usize, expected: impl Into<String>, found: &str) -> Self {
        Self {
            line,
            column,
            expected: expected.into(),
            found: quoted(found),
        }
    }

    /// A fault whose `found` is a sentence of its own, not a text of the file.
    pub fn because(
        line: usize,
        column: usize,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        Self {
            line,
            column,
            expected: expected.into(),
            found: found.into(),
        }
    }
}

/// Why a file was refused as a whole: at least one fault, in the order of the file. Nothing of it was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faults {
    told: Vec<Fault>,
    count: usize,
}

impl Faults {
    /// The value if there is no fault, the faults otherwise.
    ///
    /// # Errors
    /// The faults.
    pub fn none_or<T>(value: T, mut faults: Vec<Fault>) -> Result<T, Self> {
        if faults.is_empty() {
            return Ok(value);
        }
        faults.sort();
        faults.dedup();
        let count = faults.len();
        faults.truncate(TOLD);
        Err(Self {
            told: faults,
            count,
        })
    }

    /// The first faults, in the order of the file.
    pub fn told(&self) -> &[Fault] {
        &self.told
    }

    /// How many there are altogether.
    pub fn count(&self) -> usize {
        self.count
    }
}

impl From<Fault> for Faults {
    fn from(fault: Fault) -> Self {
        Self {
            told: vec![fault],
            count: 1,
        }
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, fault) in self.told.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{fault}")?;
        }
        match self.count - self.told.len() {
            0 => Ok(()),
            more => write!(f, "\nand {more} more"),
        }
    }
}

impl std::error::Error for Faults {}

/// A text of a file in a message: short, and without characters that would disturb a terminal.
pub(in crate::formats) fn quoted(text: &str) -> String {
    if text.trim().is_empty() {
        return "nothing".to_owned();
    }
    let shown: String = text
        .chars()
        .take(40)
        .map(|char| if char.is_control() { '\u{fffd}' } else { char })
        .collect();
    let dots = if text.chars().count() > 40 { "…" } else { "" };
    format!("`{shown}{dots}`")
}

/// Returns a text as one word of a shell's command line, whatever characters it has.
pub fn shell_word(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
