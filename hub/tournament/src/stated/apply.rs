//! Applies stated standings to computed ones, and lets them lapse when the event changes.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::{PlaceSource, StatedStandings};
use crate::{Change, Event, Measure, Participant, PlayerNo, Points, Row, Tournament};

impl StatedStandings {
    /// Returns true if the stated standings still apply: no change since the import has made them obsolete.
    #[must_use]
    pub fn holds(&self) -> bool {
        !self.rows.is_empty()
    }

    fn source(&self, rounds: u16, rows: &[Row]) -> PlaceSource {
        let named = || rows.iter().any(|row| self.rows.contains_key(&row.who));
        if self.holds() && rounds == self.after && named() {
            return PlaceSource::File(self.file.clone());
        }
        // The note about the file's places is shown for only one more round.
        let recent = rounds == self.after || rounds == self.after.saturating_add(1);
        match !self.holds() && recent {
            true => PlaceSource::SinceFile(self.file.clone()),
            false => PlaceSource::Computed,
        }
    }

    fn arrange(&self, rows: &mut [Row], primary: Measure) {
        let stated = |who: Participant| self.rows.get(&who).copied().unwrap_or_default();
        for row in rows.iter_mut() {
            let given = stated(row.who);
            row.score = given.score(row.who, primary).unwrap_or(row.score);
            let second = given.score(row.who, primary.other());
            row.second_score = row.second_score.map(|own| second.unwrap_or(own));
        }
        if rows.iter().any(|row| stated(row.who).rank.is_some()) {
            for row in rows.iter_mut() {
                row.rank = stated(row.who).rank.map_or(row.rank, usize::from);
            }
            rows.sort_by_key(|row| row.rank);
        } else {
            rows.sort_by_key(|row| Reverse(row.score));
            let scores: Vec<Points> = rows.iter().map(|row| row.score).collect();
            for row in rows.iter_mut() {
                row.rank = scores.partition_point(|score| *score > row.score) + 1;
            }
        }
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for row in rows.iter() {
            *counts.entry(row.rank).or_default() += 1;
        }
        for row in rows {
            row.shared = counts.get(&row.rank).is_some_and(|count| *count > 1);
        }
    }
}

impl Tournament {
    /// Returns the standings that an imported file stated, even if the event has changed since.
    #[must_use]
    pub fn stated(&self) -> Option<&StatedStandings> {
        self.stated.as_deref()
    }

    /// Returns the event with these stated standings.
    #[must_use]
    pub fn with_stated(mut self, stated: Option<StatedStandings>) -> Self {
        self.stated = stated.map(Arc::new);
        self
    }

    /// Applies the places and points that a file states to the standings after `rounds` rounds. Returns the source of
    /// the places.
    pub(crate) fn arrange_stated(
        &self,
        rounds: u16,
        rows: &mut [Row],
        primary: Measure,
    ) -> PlaceSource {
        let Some(stated) = &self.stated else {
            return PlaceSource::Computed;
        };
        let source = stated.source(rounds, rows);
        if matches!(source, PlaceSource::File(_)) {
            stated.arrange(rows, primary);
        }
        source
    }

    /// Returns true if a change makes the stated places and points obsolete. Must be called before the change is applied.
    pub(crate) fn outdates_stated(&self, change: &Change) -> bool {
        if !self.stated().is_some_and(StatedStandings::holds) {
            return false;
        }
        let paired = |round| self.rounds().get(round);
        match change {
            Change::SetEvent(event) => decides(event) != decides(self.event()),
            Change::EnterTeam(team) => {
                let known = self.teams().get(&team.no);
                known.is_some_and(|known| known.players != team.players)
            }
            Change::GrantBye(_, round, _) => paired(round).is_some(),
            Change::Enter(round, board, result, _) => {
                let board = paired(round).and_then(|paired| paired.boards.get(board));
                board.is_some_and(|board| board.result != Some(*result))
            }
            Change::RemoveResult(round, board, _) => {
                let board = paired(round).and_then(|paired| paired.boards.get(board));
                board.is_some_and(|board| board.result.is_some())
            }
            Change::ForfeitMatch(round, no, forfeit) => {
                let known = paired(round).and_then(|paired| paired.matches.get(no));
                known.is_some_and(|known| known.forfeit != *forfeit)
            }
            Change::PairRound(..)
            | Change::Unpair(_)
            | Change::Reseat(..)
            | Change::RemoveBoards(..) => true,
            Change::EnterPlayer(_)
            | Change::RemovePlayer(_)
            | Change::Renumber(_)
            | Change::Withdraw(..)
            | Change::ReturnPlayer(_)
            | Change::RemoveTeam(_)
            | Change::StateStandings(_)
            | Change::Preset(..)
            | Change::Start(..)
            | Change::FirstPress(..)
            | Change::Propose(..)
            | Change::Confirm(_)
            | Change::Reopen(..) => false,
        }
    }

    /// Drops the stated places and points, which no longer apply. Keeps the file's name for a note.
    pub(crate) fn outdate_stated(&mut self) {
        if let Some(stated) = &mut self.stated {
            Arc::make_mut(stated).rows.clear();
        }
    }

    pub(crate) fn stated_renumbered(
        &self,
        new: impl Fn(PlayerNo) -> PlayerNo,
    ) -> Option<StatedStandings> {
        let mut stated = self.stated()?.clone();
        let rows = std::mem::take(&mut stated.rows).into_iter();
        let rows = rows.map(|(who, row)| match who {
            Participant::Player(no) => (Participant::Player(new(no)), row),
            Participant::Team(_) => (who, row),
        });
        stated.rows = rows.collect();
        Some(stated)
    }
}

/// Returns the settings whose change makes stated places and points obsolete.
fn decides(event: &Event) -> impl PartialEq + '_ {
    (
        &event.tie_breaks,
        (event.scoring, event.match_scoring, event.team_bye_points),
        &event.abnormal_points,
        (event.system, event.contest),
    )
}
