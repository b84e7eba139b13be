//! Remarks on files and pairings, for an arbiter to check; they never block a change. Owns the kinds of remark with
//! their data and English text; other programs build their own text from the data. Must never decide what deserves a
//! remark.

mod entrant;
mod event;
mod games;
mod header;
mod pairing;
mod reading;
mod standings;

use derive_more::{Display, From};

pub use entrant::{Counted, Entrant, Position};
pub use event::EventRemark;
pub use games::{ByeConflict, GamesRemark};
pub use header::HeaderRemark;
pub use pairing::PairingRemark;
pub use reading::{FieldTreatment, ReadingRemark};
pub use standings::{RankRule, StandingsRemark, TeamPoints};

/// A remark on a file or a pairing. The variants group remarks by subject.
#[derive(Clone, Debug, Display, From, PartialEq, Eq)]
pub enum Remark {
    /// Pairings, byes and pairing numbers.
    Pairing(PairingRemark),
    /// Differences between a file and the event that do not lead to a change.
    Event(EventRemark),
    /// The reading of a file's text.
    Reading(ReadingRemark),
    /// The tournament section of a file.
    Header(HeaderRemark),
    /// Games, byes and teams of a file.
    Games(GamesRemark),
    /// Points and ranks that a file states.
    Standings(StandingsRemark),
}
