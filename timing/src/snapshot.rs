//! A board's clock as bytes: compact, versioned, checked.
//!
//! Bytes come from disks and wires, so reading never trusts them: what it returns is a clock the engine could have
//! come to, or an error.

use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;

use crate::{Board, BoardClock, Instant, Phase};

mod bytes;
mod checks;

use bytes::{Reader, Writer};

/// The version written. Older ones have to stay readable.
const VERSION: u8 = 1;

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
    /// The compact, versioned form: the control's notation and at most 160 bytes more, under 1 KiB in all.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::new(VERSION);
        writer.board_clock(&self.0);
        writer.into_bytes()
    }

    /// The same clock at another moment of the board's timeline: what was settled up to then is settled up to `at`.
    ///
    /// A running clock runs on from `at` and a stopped one stays stopped; no time is charged for the difference. A clock
    /// on which nothing has happened yet stays as it is.
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

    /// Reads what [`Snapshot::to_bytes`] wrote.
    ///
    /// # Errors
    /// If the bytes are of an unknown version, of the wrong length, or describe a clock that cannot be.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SnapshotError> {
        let (&version, rest) = bytes.split_first().ok_or(SnapshotError::WrongLength)?;
        if version != VERSION {
            return Err(SnapshotError::UnknownVersion(version));
        }
        let mut reader = Reader::new(rest);
        let snapshot = Self(reader.board_clock()?);
        reader.end()?;
        snapshot.0.check_invariants()?;
        // One clock has one form: whatever two hubs compare or hash is equal if and only if the clocks are.
        if snapshot.to_bytes() == bytes {
            Ok(snapshot)
        } else {
            Err(SnapshotError::Impossible("a second way to say it"))
        }
    }
}

impl fmt::Display for Snapshot {
    /// A line for logs: the control and the time in hand.
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
