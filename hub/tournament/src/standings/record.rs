//! A participant's rounds as the standings read them, for those who show them.
//!
//! Owns nothing: it hands out what `field` has read. Must never compute a score of its own.

use std::collections::BTreeMap;

use timing::Side;

use super::super::fold::Tournament;
use super::super::points::Points;
use super::super::round::RoundNo;
use super::field::{Kind, Who};

/// What one round was for a participant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundRecord {
    /// The opponent, scheduled or met.
    pub opponent: Option<Who>,
    /// What the round was.
    pub kind: Kind,
    /// The colour; of a team, that of its first board.
    pub colour: Option<Side>,
    /// What it brought in the primary score, points apart from the result included.
    pub points: Points,
    /// What it brought in the other score of a team; for a player the same.
    pub second: Points,
    /// What its result is worth in game points, whichever score is the primary one.
    pub game_points: Points,
}

impl Tournament {
    /// Everybody's rounds, one for each round counted.
    #[must_use]
    pub fn records(&self, after: Option<RoundNo>) -> BTreeMap<Who, Vec<RoundRecord>> {
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
