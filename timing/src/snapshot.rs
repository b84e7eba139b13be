//! The clock of a board as bytes: compact, versioned and validated.
//!
//! The bytes come from disks and networks and are never trusted: parsing returns a clock that the engine could have
//! reached, or an error.

use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;

use crate::{Board, BoardClock, Instant, Phase};

mod bytes;
mod checks;

use bytes::{Reader, Writer};

/// The version of the byte format that this program writes. Older versions must stay readable.
const VERSION: u8 = 1;

/// The complete state of a board's clock at one instant. A clock restored from it behaves exactly like the original.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Snapshot(pub(crate) BoardClock);

/// The reason why bytes are not a snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SnapshotError {
    /// The bytes have a format version that this engine does not know.
    UnknownVersion(u8),
    /// The bytes end early, or there are too many.
    WrongLength,
    /// A value is impossible in a clock; the text names the value.
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
    /// Returns the compact, versioned form: the notation of the control and at most 160 more bytes, less than 1 KiB in
    /// total.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.to_bytes()
    }

    /// Returns this clock moved to `at` on the board's timeline: the instant up to which time is settled becomes `at`.
    ///
    /// A running clock continues to run from `at`, and a stopped one stays stopped; the difference is not charged. A
    /// clock on which nothing has happened yet stays unchanged.
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

    /// Parses the bytes written by [`Snapshot::to_bytes`].
    ///
    /// # Errors
    /// Returns an error if the version is unknown, the length is wrong, or the bytes describe an impossible clock.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SnapshotError> {
        let (&version, rest) = bytes.split_first().ok_or(SnapshotError::WrongLength)?;
        if version != VERSION {
            return Err(SnapshotError::UnknownVersion(version));
        }
        let mut reader = Reader::new(rest);
        let snapshot = Self(reader.board_clock()?);
        reader.end()?;
        snapshot.0.check_invariants()?;
        // Every clock has exactly one form, so two hubs can compare clocks by their bytes or hashes.
        if snapshot.to_bytes() == bytes {
            Ok(snapshot)
        } else {
            Err(SnapshotError::Impossible("not the canonical form"))
        }
    }
}

impl BoardClock {
    /// Returns the bytes of the clock's snapshot.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::new(VERSION);
        writer.board_clock(self);
        writer.into_bytes()
    }
}

impl fmt::Display for Snapshot {
    /// Writes a line for logs: the time control and each side's time in hand.
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
