//! The points and ranks of an event: those of its standings, and each player's own points from the rounds alone.

use std::collections::BTreeMap;

use super::model::{Draft, DraftRound, Seats};
use super::pairing_rules;
use crate::tie_break::primary;
use crate::{Measure, Participant, PlayerNo, Points, RoundNo, TeamNo, Tournament};

/// The points and ranks of the standings, for a report's columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Points and rank of each player.
    pub players: BTreeMap<PlayerNo, (Points, u16)>,
    /// Match points, game points and rank of each team.
    pub teams: BTreeMap<TeamNo, (Points, Points, u16)>,
}

impl Totals {
    /// Returns the points and ranks of the current standings.
    pub fn of(tournament: &Tournament) -> Self {
        let mut totals = Self::default();
        let primary = primary(&tournament.event().tie_breaks);
        for row in tournament.standings(None).rows {
            let rank = u16::try_from(row.rank).unwrap_or(u16::MAX);
            match row.who {
                Participant::Player(no) => {
                    totals.players.insert(no, (row.score, rank));
                }
                Participant::Team(no) => {
                    let second = row.second_score.unwrap_or_default();
                    let (matches, games) = match primary {
                        Measure::Match => (row.score, second),
                        Measure::Game => (second, row.score),
                    };
                    totals.teams.insert(no, (matches, games, rank));
                }
            }
        }
        totals
    }
}

pub(super) struct Seating<'d> {
    boards: BTreeMap<(RoundNo, PlayerNo), &'d Seats>,
    pub(super) rounds: u16,
}

impl<'d> Seating<'d> {
    pub(super) fn new(draft: &'d Draft) -> Self {
        let mut boards = BTreeMap::new();
        for (no, round) in &draft.rounds {
            for seats in round.boards.values() {
                boards.extend(seats.players().map(|player| ((*no, player), seats)));
            }
        }
        Self {
            boards,
            rounds: cells_to(draft),
        }
    }

    pub(super) fn of(&self, round: RoundNo, player: PlayerNo) -> Option<&'d Seats> {
        self.boards.get(&(round, player)).copied()
    }
}

/// Returns the last round with a cell in a player's line.
fn cells_to(draft: &Draft) -> u16 {
    let paired = draft.rounds.keys().next_back().map_or(0, |round| round.0);
    let byes = draft.players.values().flat_map(|player| player.byes.keys());
    let asked = byes.filter(|no| pairing_rules::is_in_line(draft, **no));
    let asked = asked.max().map_or(0, |round| round.0);
    asked.max(paired).min(draft.event.rounds)
}

pub(super) fn results_of(draft: &Draft, player: PlayerNo) -> Points {
    own_points(draft, &Seating::new(draft), player)
}

pub(super) fn own_points(draft: &Draft, seating: &Seating<'_>, player: PlayerNo) -> Points {
    let scoring = &draft.event.scoring;
    let of_round = |(no, round): (&RoundNo, &DraftRound)| match seating.of(*no, player) {
        Some(seats) => {
            let side = seats.side_of(player)?;
            seats.result?.points(side, scoring)
        }
        None => round.byes.get(&player).map(|bye| bye.points(scoring)),
    };
    draft.rounds.iter().filter_map(of_round).sum()
}

pub(super) fn next_round(draft: &Draft) -> RoundNo {
    let last = draft.rounds.keys().next_back();
    last.map_or(RoundNo(1), |last| last.next())
}
