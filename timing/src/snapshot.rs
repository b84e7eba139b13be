//! The clock of a board as bytes: compact, versioned, and validated on reading.
//!
//! The bytes come from disks and networks and are not trusted. Reading them returns either an error or a clock that keeps the engine's invariants.

use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;

use crate::{Board, BoardClock, Instant, Phase};

mod bytes;
mod checks;

use bytes::{Reader, Writer};

/// Version of the byte format that this program writes. Older versions must remain readable.
const VERSION: u8 = 1;

/// The complete state of a board's clock. [`BoardClock::from_snapshot`] returns a clock that behaves exactly like the original.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Snapshot(pub(crate) BoardClock);

/// An error from reading a snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SnapshotError {
    /// This program does not know the version of the format.
    UnknownVersion(u8),
    /// The bytes end too early, or more bytes follow the snapshot.
    WrongLength,
    /// A value that no clock can have, or bytes in a form other than the canonical one. The text describes the fault.
    Impossible(&'static str),
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownVersion(version) => {
                write!(f, "unknown snapshot version {version}")
            }
            Self::WrongLength => f.write_str("the snapshot is too short or too long"),
            Self::Impossible(what) => write!(f, "the snapshot has an impossible value: {what}"),
        }
    }
}

impl core::error::Error for SnapshotError {}

impl Snapshot {
    /// Returns the snapshot as bytes: the notation of the time control, and at most 160 more bytes. The total is less than 1 KiB.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.to_bytes()
    }

    /// Returns the snapshot of the same clock moved on the board's timeline, so that `at` is the instant up to which time is settled.
    ///
    /// A running clock continues from `at`, and a stopped clock stays stopped. The difference is charged to neither side. A clock on which nothing
    /// has happened yet stays unchanged.
    #[must_use]
    pub fn moved_to(&self, at: Instant<Board>) -> Self {
        let mut moved = self.clone();
        let state = &mut moved.0.game.state;
        if state.settled == Instant::MIN {
            return moved;
        }
        let jump = at - state.settled;
        state.settled = at;
        if let Phase::Paused { since, .. } = &mut state.phase {
            *since = *since + jump;
        }
        moved
    }

    /// Reads a snapshot from the bytes that [`Snapshot::to_bytes`] returned.
    ///
    /// # Errors
    /// Returns an error for an unknown version, a wrong length, an impossible state, or bytes that are not in the canonical form.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SnapshotError> {
        let (&version, rest) = bytes.split_first().ok_or(SnapshotError::WrongLength)?;
        if version != VERSION {
            return Err(SnapshotError::UnknownVersion(version));
        }
        let mut reader = Reader::new(rest);
        let snapshot = Self(reader.board_clock()?);
        reader.end()?;
        snapshot.0.check_invariants()?;
        // Each clock has exactly one byte form, so that hubs can compare clocks by bytes or hashes.
        if snapshot.to_bytes() == bytes {
            Ok(snapshot)
        } else {
            Err(SnapshotError::Impossible("not the canonical form"))
        }
    }
}

impl BoardClock {
    /// Returns the clock's snapshot as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::new(VERSION);
        writer.board_clock(self);
        writer.into_bytes()
    }
}

impl fmt::Display for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clocks = &self.0.game.state.clocks;
        let control = self.0.time_control().to_string();
        write!(
            f,
            "{control}, white {}, black {}",
            clocks.white.time, clocks.black.time
        )
    }
}
