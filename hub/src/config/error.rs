//! Configuration errors and their places.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// The place of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The file; line and column count from 1.
    File {
        /// The path.
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
    /// A default, found on the machine or built into the program.
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

/// The reason why the configuration cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("{}: cannot read the configuration: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The file is not TOML.
    #[error("{place}: {what}")]
    Syntax {
        /// The place of the error.
        place: Place,
        /// The error, from the parser.
        what: String,
    },
    /// The key is unknown.
    #[error("{place}: unknown key “{key}”; {}", nearest.map_or_else(
        || "“flagfall config” prints every key".to_owned(),
        |nearest| format!("did you mean “{nearest}”?"),
    ))]
    UnknownKey {
        /// The place of the key.
        place: Place,
        /// The unknown key.
        key: String,
        /// The most similar known key, if there is one.
        nearest: Option<&'static str>,
    },
    /// The value does not fit its key.
    #[error("{place}: {key} must be {expected}, not {found}")]
    Value {
        /// The place of the value.
        place: Place,
        /// The key.
        key: &'static str,
        /// The form that the key takes.
        expected: String,
        /// The value found.
        found: String,
    },
    /// A key is set without the key that it needs.
    #[error("{place}: {set} needs {missing}: set both, or neither")]
    Incomplete {
        /// The place of the key that is set.
        place: Place,
        /// The key that is set.
        set: &'static str,
        /// The key that is missing.
        missing: &'static str,
    },
}
