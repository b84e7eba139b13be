//! Applies an event's abnormal points to a participant in a round, and converts them for pairing programs.

use std::collections::BTreeMap;

use super::{AbnormalPoints, ResultKind};
use crate::{Contest, Event, Points, RoundNo, Tournament};

impl Event {
    /// Returns a participant's bonuses less penalties in a round, as (match points, points or game points).
    #[must_use]
    pub fn bonus(&self, round: RoundNo, who: u16) -> (Points, Points) {
        let mut sum = (Points::ZERO, Points::ZERO);
        let all = self.abnormal_points.iter();
        for given in all.filter(|given| given.replaces.is_none() && given.applies(round, who)) {
            sum.0 += given.match_points.unwrap_or_default();
            sum.1 += given.points.unwrap_or_default();
        }
        sum
    }

    /// Returns the points that replace those of a result, as (match points, points or game points).
    ///
    /// A rule that names participants takes precedence over a rule for all participants. Otherwise a rule for one round
    /// takes precedence over a rule for every round, and then a later rule over an earlier one.
    #[must_use]
    pub fn replaced(
        &self,
        kind: ResultKind,
        round: RoundNo,
        who: u16,
    ) -> (Option<Points>, Option<Points>) {
        let all = self.abnormal_points.iter();
        let mut found: Vec<_> = all
            .filter(|given| given.replaces == Some(kind) && given.applies(round, who))
            .collect();
        found.sort_by_key(|given| (!given.participants.is_empty(), given.round.is_some()));
        let last = |of: fn(&AbnormalPoints) -> Option<Points>| {
            found.iter().rev().find_map(|given| of(given))
        };
        (last(|given| given.match_points), last(|given| given.points))
    }
}

impl Tournament {
    /// Converts the abnormal points of the rounds that have begun to bonuses and penalties for single rounds, the only
    /// form that pairing programs read. In a team event, returns the abnormal points unchanged.
    #[must_use]
    pub fn abnormal_points_as_bonuses(&self) -> Vec<AbnormalPoints> {
        if self.event().abnormal_points.is_empty() || self.event().contest != Contest::Individual {
            return self.event().abnormal_points.clone();
        }
        let mut by_scoring = self.event().clone();
        by_scoring.abnormal_points.clear();
        let (players, teams) = (self.players().clone(), self.teams().clone());
        let by_scoring = Self::restored(by_scoring, players, teams, self.rounds().clone());
        let by_scoring = by_scoring.records(None);
        let mut by_round: BTreeMap<(RoundNo, Points), Vec<u16>> = BTreeMap::new();
        for (who, rounds) in self.records(None) {
            let usual = by_scoring.get(&who).into_iter().flatten();
            for ((round, usual), no) in rounds.iter().zip(usual).zip((1..).map(RoundNo)) {
                let more = round.points - usual.points;
                if more != Points::ZERO {
                    by_round.entry((no, more)).or_default().push(who.number());
                }
            }
        }
        let bonuses = by_round.into_iter();
        let bonuses = bonuses.map(|((round, points), participants)| AbnormalPoints {
            replaces: None,
            match_points: None,
            points: Some(points),
            round: Some(round),
            participants,
        });
        bonuses.collect()
    }
}
