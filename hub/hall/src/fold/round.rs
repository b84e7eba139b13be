//! Links a board to its game in the event, as part of the fold.

use timing::BoardState;

use super::{Applied, Fold, FoldOutcome};
use crate::board_id::BoardId;
use crate::command_record::CommandRecord;
use crate::round::{finished, game_at, hall_board};
use tournament::{BoardNo, Change, RoundNo, Tournament};

impl Fold {
    /// Records the outcome of a command for a board's seat. A new game belongs to the round for which it was set. A
    /// game that is set without a round restarts the game of the board's round, unless that game already has a final
    /// result.
    pub(super) fn seat_game(
        &mut self,
        id: &BoardId,
        record: &CommandRecord,
        done: bool,
        applied: &mut Applied,
    ) {
        let Some(board) = self.boards.get_mut(id) else {
            return;
        };
        let asked = board.seat.answered(&record.id);
        applied.changed.commands.push(record.id.0.to_vec());
        if done && record.prepares().is_some() {
            let event = self.event.tournament.as_deref();
            let seated = board.seat.any_round();
            let kept = seated
                .filter(|round| game_at(event, *round, id).is_some_and(|game| !finished(game)));
            let round = asked.or(kept);
            board.seat.sit(round);
            applied.begin_game(id, round);
            self.follow_rules(id, applied);
        }
        if asked.is_some() {
            applied.add(FoldOutcome::Followed(id.clone()));
        }
    }

    /// Removes boards from rounds in which the changes no longer pair them. After a reseat that restarts games, a game
    /// that has already begun belongs to no round.
    pub(super) fn vacate(&mut self, changes: &[Change], applied: &mut Applied) {
        for change in changes {
            if let Change::Unpair(round) = change {
                for board in self.boards.values_mut() {
                    if board.seat.any_round() == Some(*round) {
                        applied.show(&board.id);
                    }
                    board.seat.leave(*round);
                }
            }
            if let Change::RemoveBoards(round, boards) = change {
                for no in boards {
                    self.leave(*round, *no, applied);
                }
            }
            if let Change::Reseat(round, seats) = change
                && seats.restart
            {
                for pairing in &seats.boards {
                    self.set_aside(*round, pairing.board);
                }
            }
        }
    }

    /// Updates the boards after the event was replaced or an import was undone. In the same event, boards keep games
    /// that are still paired; otherwise they leave the event. Returns the boards that lost their results.
    pub(super) fn reseat_all(
        &mut self,
        before: Option<&Tournament>,
        same_event: bool,
        applied: &mut Applied,
    ) -> Vec<BoardId> {
        let after = self.event.tournament.clone().filter(|_| same_event);
        let mut lifted = Vec::new();
        for board in self.boards.values_mut() {
            let Some(round) = board.seat.any_round() else {
                if !same_event {
                    board.seat.leave_event();
                }
                continue;
            };
            let was = game_at(before, round, &board.id);
            match game_at(after.as_deref(), round, &board.id) {
                Some(game)
                    if was.is_some_and(|was| was.result.is_some()) && game.result.is_none() =>
                {
                    lifted.push(board.id.clone());
                }
                Some(_) => (),
                None if same_event => board.seat.leave(round),
                None => board.seat.leave_event(),
            }
            applied.show(&board.id);
        }
        lifted
    }

    fn leave(&mut self, round: RoundNo, no: BoardNo, applied: &mut Applied) {
        let Some(board) = self.boards.get_mut(&hall_board(no)) else {
            return;
        };
        if board.seat.any_round() == Some(round) {
            applied.show(&board.id);
        }
        board.seat.leave(round);
    }

    fn set_aside(&mut self, round: RoundNo, no: BoardNo) {
        let Some(board) = self.boards.get_mut(&hall_board(no)) else {
            return;
        };
        // A game with a pending command counts as begun, because that command may start it.
        let begun = board.clock().state() != BoardState::Ready || !board.pending.is_empty();
        if begun {
            board.seat.set_aside(round);
        }
    }
}
