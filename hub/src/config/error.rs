//! Configuration errors and their places.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// The source of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    File {
        path: PathBuf,
        /// Line of the setting, counted from 1.
        line: usize,
        /// Column, in characters, counted from 1.
        column: usize,
    },
    Variable(String),
    Flag(String),
    /// The default of the key with this name, found on the machine or built into the program.
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

#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("{}: cannot read the configuration: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{place}: {what}")]
    Syntax { place: Place, what: String },
    #[error("{place}: unknown key “{key}”; {}", nearest.map_or_else(
        || "“flagfall config” prints every key".to_owned(),
        |nearest| format!("did you mean “{nearest}”?"),
    ))]
    UnknownKey {
        place: Place,
        key: String,
        nearest: Option<&'static str>,
    },
    #[error("{place}: {key} must be {expected}, not {found}")]
    Value {
        place: Place,
        key: &'static str,
        expected: String,
        found: String,
    },
    #[error("{place}: {set} needs {missing}: set both, or neither")]
    Incomplete {
        place: Place,
        set: &'static str,
        missing: &'static str,
    },
}
