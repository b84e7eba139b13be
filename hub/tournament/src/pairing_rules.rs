//! An arbiter's pairing rules: forbidden pairings and accelerations.
//!
//! Owns the data of these rules, and the Baku acceleration (FIDE C.04.5.1). Must never make a pairing.

mod baku;

use std::collections::BTreeMap;

use crate::numbers::MAX_ROUNDS;
use crate::{Points, RoundNo};

/// Participants who must not meet in some rounds (TRF 260).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forbidden {
    /// The first and the last round in which the participants must not meet.
    pub rounds: (RoundNo, RoundNo),
    /// Numbers of players, or of teams in a team event. No two of them may meet.
    pub participants: Vec<u16>,
}

impl Forbidden {
    /// The rounds of a rule that applies to the whole event, whatever its number of rounds.
    pub const ALL_ROUNDS: (RoundNo, RoundNo) = (RoundNo(1), RoundNo(MAX_ROUNDS));

    /// Returns true if two participants must not meet in a round.
    #[must_use]
    pub fn forbids(&self, round: RoundNo, one: u16, other: u16) -> bool {
        (self.rounds.0..=self.rounds.1).contains(&round)
            && self.participants.contains(&one)
            && self.participants.contains(&other)
    }
}

/// Fictitious points that are added to participants' scores for the pairing of some rounds (TRF 250).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Acceleration {
    /// Fictitious points, or game points in a team event.
    pub points: Option<Points>,
    /// Fictitious match points, in a team event.
    pub match_points: Option<Points>,
    /// The first and the last round in whose pairing the points count.
    pub rounds: (RoundNo, RoundNo),
    /// The first and the last number of a range of players, or of teams in a team event.
    pub participants: (u16, u16),
}

/// Fictitious points, then fictitious match points.
type Fictitious = (Option<Points>, Option<Points>);

/// Returns the fictitious points of each participant in each round of the accelerations. A later acceleration replaces
/// an earlier one.
#[must_use]
pub fn expand_accelerations(
    accelerations: &[Acceleration],
) -> BTreeMap<(u16, RoundNo), Fictitious> {
    let mut points = BTreeMap::new();
    for acceleration in accelerations {
        for who in acceleration.participants.0..=acceleration.participants.1 {
            for round in acceleration.rounds.0.0..=acceleration.rounds.1.0 {
                let value = (acceleration.points, acceleration.match_points);
                points.insert((who, RoundNo(round)), value);
            }
        }
    }
    points
}

/// Returns the accelerations that give these points to each participant. Participants with consecutive numbers and
/// equal points share one acceleration.
#[must_use]
pub fn merge_accelerations(points: &BTreeMap<(u16, RoundNo), Fictitious>) -> Vec<Acceleration> {
    let mut by_rounds: BTreeMap<(RoundNo, RoundNo, Fictitious), Vec<u16>> = BTreeMap::new();
    for ((who, from, to), value) in runs(points) {
        by_rounds.entry((from, to, value)).or_default().push(who);
    }
    let mut all = Vec::new();
    for ((from, to, (points, match_points)), who) in by_rounds {
        for same in who.chunk_by(|one, next| one + 1 == *next) {
            all.push(Acceleration {
                points,
                match_points,
                rounds: (from, to),
                participants: (same[0], same[same.len() - 1]),
            });
        }
    }
    all
}

fn runs(
    points: &BTreeMap<(u16, RoundNo), Fictitious>,
) -> Vec<((u16, RoundNo, RoundNo), Fictitious)> {
    let mut runs: Vec<((u16, RoundNo, RoundNo), Fictitious)> = Vec::new();
    for ((who, round), value) in points {
        match runs.last_mut() {
            Some(((of, _, to), same)) if of == who && to.next() == *round && same == value => {
                *to = *round;
            }
            Some(_) | None => runs.push(((*who, *round, *round), *value)),
        }
    }
    runs
}
