//! A participant's rounds as the standings count them, for display.
//!
//! Owns the public form of the records in `field`. Must never compute a score of its own.

use std::collections::BTreeMap;

use super::field::RoundKind;
use crate::{Participant, Points, RoundNo, Side, Tournament};

/// One round of a participant, as the standings count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundRecord {
    /// The opponent, scheduled or met.
    pub opponent: Option<Participant>,
    /// The kind of round.
    pub kind: RoundKind,
    /// The colour; for a team, that of its first board.
    pub colour: Option<Side>,
    /// The points in the primary score, including bonuses and penalties.
    pub points: Points,
    /// The points in the secondary score of a team; for a player the same as `points`.
    pub second: Points,
    /// The game points of the result, whichever score is primary, without bonuses and penalties.
    pub game_points: Points,
}

impl Tournament {
    /// Returns every participant's records, one for each round up to `after`, or for each round begun.
    #[must_use]
    pub fn records(&self, after: Option<RoundNo>) -> BTreeMap<Participant, Vec<RoundRecord>> {
        let field = self.field(after);
        let who = |index: usize| field.competitors.get(index).map(|other| other.who);
        let records = field.competitors.iter().map(|competitor| {
            let rounds = competitor.log.iter().map(|entry| RoundRecord {
                opponent: entry.opponent.and_then(who),
                kind: entry.kind,
                colour: entry.colour,
                points: entry.total(field.primary),
                second: entry.total(field.primary.other()),
                game_points: entry.scores.of_game,
            });
            (competitor.who, rounds.collect())
        });
        records.collect()
    }
}
