//! One team of the event.
//!
//! Owns a team's name and its players in board order. Must never know results.

use crate::{PlayerNo, TeamNo};

/// A team's entry in the event: its names and its players in board order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Team {
    /// The team's number, unique in the event.
    pub no: TeamNo,
    /// The team's full name.
    pub name: String,
    /// A short name for tables, or empty.
    pub short_name: String,
    /// The federation's three-letter code, or empty.
    pub federation: String,
    /// The players in board order, reserves last. A player belongs to one team only.
    pub players: Vec<PlayerNo>,
}
