//! Standings that an imported file states and that do not follow from its results.
//!
//! Owns their data, the rule by which they lapse, and the way they replace computed standings. Must never change a
//! tie-break value.

mod apply;

use std::collections::BTreeMap;

use crate::{Measure, Participant, Points};

/// The standings that a file states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatedStandings {
    /// The name of the file.
    pub file: String,
    /// The number of counted rounds at the import.
    pub after: u16,
    /// Places and points by participant; a team event has rows for its players too. Empty once a change to the event has
    /// made them obsolete.
    pub rows: BTreeMap<Participant, StatedRow>,
}

/// A participant's line in stated standings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StatedRow {
    /// The place; `None` if the file states none. If no row has a place, the points decide the places.
    pub rank: Option<u16>,
    /// Match points of a team, if they do not follow from its results.
    pub match_points: Option<Points>,
    /// Points, or game points of a team, if they do not follow from the results.
    pub points: Option<Points>,
}

impl StatedRow {
    const fn score(&self, who: Participant, measure: Measure) -> Option<Points> {
        match (who, measure) {
            (Participant::Team(_), Measure::Match) => self.match_points,
            (Participant::Team(_), Measure::Game) | (Participant::Player(_), _) => self.points,
        }
    }
}

/// The source of the places in standings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PlaceSource {
    /// Computed from results and tie-breaks alone.
    #[default]
    Computed,
    /// Stated by the file of this name.
    File(String),
    /// Computed, because the event has changed since the file of this name stated places.
    SinceFile(String),
}

impl PlaceSource {
    /// Returns the name of the file that states the places, or `None` if the places are computed.
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        match self {
            Self::File(file) => Some(file),
            Self::Computed | Self::SinceFile(_) => None,
        }
    }

    /// Describes the source for the arbiter, in English. Returns `None` for [`Self::Computed`].
    #[must_use]
    pub fn words(&self) -> Option<String> {
        match self {
            Self::Computed => None,
            Self::File(file) => Some(format!(
                "places as stated in {file}, until a pairing, a result or the list of tie-breaks changes"
            )),
            Self::SinceFile(file) => Some(format!(
                "computed places: the event has changed since {file}, which stated places and points"
            )),
        }
    }
}
