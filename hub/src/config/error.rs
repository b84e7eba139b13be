//! What is wrong with a configuration, and where.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Where a setting was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the file; line and column count from 1.
    File {
        /// The file.
        path: PathBuf,
        /// The line.
        line: usize,
        /// The column, in characters.
        column: usize,
    },
    /// In an environment variable.
    Variable(String),
    /// On the command line.
    Flag(String),
    /// Nowhere: found out on the machine, or built in.
    Default(&'static str),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File { path, line, column } => write!(f, "{}:{line}:{column}", path.display()),
            Place::Variable(name) => write!(f, "environment variable {name}"),
            Place::Flag(name) => write!(f, "flag {name}"),
            Place::Default(key) => write!(f, "default of {key}"),
        }
    }
}

/// Why there is no configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{}: cannot read the configuration: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// The file is not TOML.
    #[error("{place}: {what}")]
    Syntax {
        /// Where.
        place: Place,
        /// What is wrong.
        what: String,
    },
    /// No such key.
    #[error("{place}: unknown key “{key}”; {}", nearest.map_or_else(
        || "“flagfall config” prints every key".to_owned(),
        |nearest| format!("did you mean “{nearest}”?"),
    ))]
    UnknownKey {
        /// Where.
        place: Place,
        /// What was written.
        key: String,
        /// The key that is most like it, if any is.
        nearest: Option<&'static str>,
    },
    /// A value that is not what its key takes.
    #[error("{place}: {key} must be {expected}, not {found}")]
    Value {
        /// Where.
        place: Place,
        /// The key.
        key: &'static str,
        /// What it takes.
        expected: String,
        /// What was written.
        found: String,
    },
    /// A key that needs another one.
    #[error("{place}: {set} needs {missing}: set both, or neither")]
    Incomplete {
        /// Where.
        place: Place,
        /// The key that is set.
        set: &'static str,
        /// The key that is not.
        missing: &'static str,
    },
}
