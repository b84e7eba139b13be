//! Counts of changes by kind, for button labels. Owns the kind under which each change counts.

use super::item::{Difference, DifferenceKind};
use crate::{Change, Tournament};

/// Number of changes, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Number of new players.
    pub players: usize,
    /// Number of known players whose data changes.
    pub amended_players: usize,
    /// Number of new or amended teams.
    pub teams: usize,
    /// Number of newly paired or reseated boards.
    pub games: usize,
    /// Number of entered results and of changed match forfeits.
    pub results: usize,
    /// Number of byes of players and teams.
    pub byes: usize,
    /// Number of removed pairings.
    pub removed_pairings: usize,
    /// True if the event's own data or its stated standings change.
    pub event: bool,
}

impl Counts {
    /// Counts changes; each entered player counts as new.
    pub fn of_changes(changes: &[Change]) -> Self {
        let mut counts = Self::default();
        for change in changes {
            counts.add(change, false);
        }
        counts
    }

    /// Counts an event's players, teams, games, results and byes.
    pub fn of_event(event: &Tournament) -> Self {
        let rounds = event.rounds().values();
        let boards = || rounds.clone().flat_map(|round| round.boards.values());
        Self {
            players: event.players().len(),
            teams: event.teams().len(),
            games: boards().count(),
            results: boards().filter(|board| board.result.is_some()).count(),
            byes: rounds
                .clone()
                .map(|round| round.byes.len() + round.team_byes.len())
                .sum(),
            event: true,
            ..Self::default()
        }
    }

    fn add(&mut self, change: &Change, amends: bool) {
        match change {
            Change::SetEvent(_) | Change::StateStandings(_) => self.event = true,
            Change::EnterPlayer(_) if amends => self.amended_players += 1,
            Change::EnterPlayer(_) => self.players += 1,
            Change::EnterTeam(_) => self.teams += 1,
            Change::PairRound(_, pairings) => {
                self.games += pairings.boards.len();
                self.byes += pairings.byes.len() + pairings.team_byes.len();
            }
            Change::Reseat(_, seats) => self.games += seats.boards.len(),
            Change::RemoveBoards(_, boards) => self.removed_pairings += boards.len(),
            Change::GrantBye(_, _, Some(_)) => self.byes += 1,
            Change::Enter(..) | Change::ForfeitMatch(..) => self.results += 1,
            Change::RemovePlayer(_)
            | Change::RemoveTeam(_)
            | Change::Renumber(_)
            | Change::Withdraw(..)
            | Change::ReturnPlayer(_)
            | Change::GrantBye(_, _, None)
            | Change::Unpair(_)
            | Change::Preset(..)
            | Change::Start(..)
            | Change::FirstPress(..)
            | Change::Propose(..)
            | Change::RemoveResult(..)
            | Change::Confirm(_)
            | Change::Reopen(..) => (),
        }
    }
}

impl Difference {
    /// Counts the changes of every item.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for item in &self.items {
            for change in &item.changes {
                counts.add(change, item.kind == DifferenceKind::ChangedPlayer);
            }
        }
        Counts {
            removed_pairings: self.removed_pairings,
            ..counts
        }
    }
}
