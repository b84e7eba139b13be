//! The six phases of a day.
//!
//! Owns the cycle, the player to move in each phase, and the pieces that each player sees. Must never depend on a
//! position.

use std::fmt;
use std::str::FromStr;

use shakmaty::Color;

/// One of the six phases of the day. Each has one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// Black moves; both players see every piece. A game begins here unless its starting position says otherwise.
    Dawn,
    /// White moves; Black sees only Black's pieces.
    Midday,
    /// Black moves blind, seeing only Black's pieces.
    Evening,
    /// White moves; both players see every piece.
    Dusk,
    /// Black moves; White sees only White's pieces.
    Midnight,
    /// White moves blind, seeing only White's pieces.
    Morning,
}

impl Phase {
    /// The phases in the order of a day.
    pub const ALL: [Self; 6] = [
        Self::Dawn,
        Self::Midday,
        Self::Evening,
        Self::Dusk,
        Self::Midnight,
        Self::Morning,
    ];

    /// Returns the phase's number, from 1 (dawn) to 6 (morning).
    pub fn number(self) -> u8 {
        self as u8 + 1
    }

    /// Returns the next phase. Dawn follows morning.
    #[must_use]
    pub fn next(self) -> Self {
        Self::ALL[usize::from(self.number()) % Self::ALL.len()]
    }

    /// Returns the player to move.
    pub fn mover(self) -> Color {
        match self {
            Self::Dawn | Self::Evening | Self::Midnight => Color::Black,
            Self::Midday | Self::Dusk | Self::Morning => Color::White,
        }
    }

    /// Returns the player who sees only their own pieces: Black by day, White by night; `None` at dawn and dusk.
    pub fn blind(self) -> Option<Color> {
        match self {
            Self::Dawn | Self::Dusk => None,
            Self::Midday | Self::Evening => Some(Color::Black),
            Self::Midnight | Self::Morning => Some(Color::White),
        }
    }

    /// Returns true if the player to move is blind.
    pub fn is_blind_turn(self) -> bool {
        self.blind() == Some(self.mover())
    }

    /// Returns the name in lower case, as in a FEN.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dawn => "dawn",
            Self::Midday => "midday",
            Self::Evening => "evening",
            Self::Dusk => "dusk",
            Self::Midnight => "midnight",
            Self::Morning => "morning",
        }
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error for a string that is not the name of a phase.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a phase: write dawn, midday, evening, dusk, midnight or morning")]
pub struct UnknownPhase(pub String);

impl FromStr for Phase {
    type Err = UnknownPhase;

    fn from_str(text: &str) -> Result<Self, UnknownPhase> {
        Self::ALL
            .into_iter()
            .find(|phase| phase.name() == text)
            .ok_or_else(|| UnknownPhase(text.to_owned()))
    }
}
