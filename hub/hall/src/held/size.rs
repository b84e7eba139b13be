//! The size of a command's effect, which determines whether a second arbiter is needed.

use timing::{ClockStep, Command, Duration, Side};

use super::super::board::Board;
use super::super::command_record::CommandKind;
use super::super::fold::journal::Undone;
use super::super::tournament::{Purpose, TournamentRequest};
use crate::Hall;
use crate::board_id::BoardId;
use tournament::{Change, Tournament};

pub(crate) enum EventSize {
    Replaces,
    Removes(u32),
}

impl Hall {
    pub(crate) fn is_above_time(&self, board: Option<&BoardId>, kind: &CommandKind) -> bool {
        let board = board.and_then(|board| self.fold.boards.get(board));
        let (Some(most), Some(board)) = (self.live.second.time, board) else {
            return false;
        };
        kind.clock_command()
            .is_some_and(|command| time_changed(board, command) > most)
    }

    pub(crate) fn event_above(&self, request: &TournamentRequest) -> Option<EventSize> {
        let sizes = self.live.second;
        let event = &self.fold.event;
        let present = event.tournament.as_ref()?;
        let removes = match &request.purpose {
            Purpose::Open { .. } | Purpose::Switch { .. } => {
                return sizes.event.then_some(EventSize::Replaces);
            }
            Purpose::Undo { version } => match event.without(*version).ok()?.1 {
                Undone::Opening(_) => return sizes.event.then_some(EventSize::Replaces),
                Undone::Event(after, _) => missing(present, &after),
            },
            Purpose::Amend | Purpose::Import { .. } => {
                let changes = request.changes.iter();
                changes.map(|change| removed(present, change)).sum()
            }
        };
        let removes = u32::try_from(removes).unwrap_or(u32::MAX);
        let above = sizes.pairings.is_some_and(|most| removes > most);
        above.then_some(EventSize::Removes(removes))
    }
}

/// Returns the larger of the two sides' changes in time, for a command that takes effect at the board's current time.
fn time_changed(board: &Board, command: &Command) -> Duration {
    if let Command::Prepare(_) = command {
        // `prepare` sets a new game. During a game the rules refuse it.
        return Duration::ZERO;
    }
    let (before, mut after) = (board.clock(), board.clock().clone());
    let at = before.now();
    let command = Box::new(command.clone());
    if after.apply(&ClockStep::Command { at, command }).is_err() {
        return Duration::ZERO;
    }
    let changed = |side| {
        let change = after.side(side, at).time - before.side(side, at).time;
        change.max(Duration::ZERO - change)
    };
    changed(Side::White).max(changed(Side::Black))
}

/// Returns the number of boards that a change removes from a round.
fn removed(event: &Tournament, change: &Change) -> usize {
    if let Change::RemoveBoards(_, boards) = change {
        return boards.len();
    }
    if let Change::Unpair(round) = change {
        let round = event.rounds().get(round);
        return round.map_or(0, |round| round.boards.len());
    }
    0
}

fn missing(before: &Tournament, after: &Tournament) -> usize {
    let rounds = before.rounds().iter();
    let missing = rounds.map(|(no, round)| {
        let kept = after.rounds().get(no);
        let mut boards = round.boards.keys().collect::<Vec<_>>();
        boards.retain(|board| kept.is_none_or(|kept| !kept.boards.contains_key(board)));
        boards.len()
    });
    missing.sum()
}
