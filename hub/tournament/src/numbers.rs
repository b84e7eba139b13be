//! The numbers by which an event identifies its players, teams, rounds, boards and matches.

use derive_more::Display;

/// The tournament pairing number (TPN, starting number), from 1. Files and result slips identify a player by this
/// number.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayerNo(pub u16);

/// A team's pairing number, from 1.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TeamNo(pub u16);

/// A participant in the event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Participant {
    /// A player.
    Player(PlayerNo),
    /// A team.
    Team(TeamNo),
}

impl Participant {
    /// Returns the pairing number.
    #[must_use]
    pub const fn number(self) -> u16 {
        match self {
            Self::Player(player) => player.0,
            Self::Team(team) => team.0,
        }
    }
}

/// A round's number, from 1.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoundNo(pub u16);

impl RoundNo {
    /// Returns the next round.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

/// A board's number in its round, from 1, as shown on the table.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoardNo(pub u16);

/// A team match's number in its round, from 1.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MatchNo(pub u16);

/// Maximum number of rounds in an event.
pub const MAX_ROUNDS: u16 = 200;
