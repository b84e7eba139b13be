//! A board's clock as bytes.

use alloc::vec::Vec;
use core::fmt;

use crate::BoardClock;

/// Everything a board's clock is, at one instant. Bit-exact: going on from it equals going on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Snapshot(pub(crate) BoardClock);

/// Why bytes are no snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SnapshotError {
    /// Written by another version of the engine.
    UnknownVersion(u8),
    /// The bytes end early, or go on too long.
    WrongLength,
    /// A value no clock can have; the text says which.
    Impossible(&'static str),
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownVersion(version) => {
                write!(f, "snapshot version {version} is not known here")
            }
            Self::WrongLength => f.write_str("the snapshot is cut short or too long"),
            Self::Impossible(what) => write!(f, "no clock can have this: {what}"),
        }
    }
}

impl core::error::Error for SnapshotError {}

impl Snapshot {
    /// The compact, versioned form.
    pub fn to_bytes(&self) -> Vec<u8> {
        todo!()
    }

    /// Reads what [`Snapshot::to_bytes`] wrote.
    ///
    /// # Errors
    /// If the bytes are of an unknown version, of the wrong length, or describe a clock that cannot be.
    pub fn from_bytes(_bytes: &[u8]) -> Result<Self, SnapshotError> {
        todo!()
    }
}
