//! One team of the event.
//!
//! Owns a team's name and its players in board order. Must never know results.

use std::fmt;

use crate::PlayerNo;

/// A team's pairing number, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TeamNo(pub u16);

impl fmt::Display for TeamNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A team of the event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Team {
    /// The team's number, unique in the event.
    pub no: TeamNo,
    /// The name.
    pub name: String,
    /// A short name for tables, or empty.
    pub short_name: String,
    /// The federation's three letters, or empty.
    pub federation: String,
    /// The players in board order, reserves last. A player belongs to one team only.
    pub players: Vec<PlayerNo>,
}
