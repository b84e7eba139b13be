//! At an arbiter's request, sets a board again for different players after its game has begun. The board's clock leaves
//! that game and returns to its initial setting. Each step waits for the clock's answer to the previous one. The
//! sequence thus completes even if the clock loses its signal or the hub restarts.

use timing::{BoardClock, BoardState, Command};

use super::preset::setup_for;
use crate::board::Board;
use crate::board_id::BoardId;
use crate::effect::OpenStep;
use crate::round::requests::Order;
use crate::{Hall, note};
use tournament::RoundNo;

impl Hall {
    /// Gives a board's clock the next command towards its new game in a round, unless such a command is pending.
    pub(super) fn set_again(
        &mut self,
        id: &BoardId,
        round: RoundNo,
        actor: &str,
        step: &mut OpenStep,
    ) {
        let Some(board) = self.fold.boards.get(id) else {
            return;
        };
        if board.is_being_set_again() {
            return;
        }
        let order = Order {
            board: id,
            round,
            actor,
            reason: "different players: set again",
            draw_odds: board.draw_odds,
        };
        if let Err(why) = self.give(order, board.towards_a_new_game(), step) {
            self.note(step, note::not_set_again(id, &why.to_string()));
        }
    }
}

impl Board {
    /// Returns true if a pending command leads to the new game.
    pub(super) fn is_being_set_again(&self) -> bool {
        self.seat.restart_round.is_some_and(|round| {
            self.pending.iter().any(|pending| {
                let command = pending.record.clock_command();
                matches!(command, Some(Command::Prepare(_) | Command::Restore(_)))
                    && self.seat.round_of(&pending.record.id) == Some(round)
            })
        })
    }

    /// Returns the next command towards the new game. The clock of a game in progress first returns to its initial
    /// setting.
    fn towards_a_new_game(&self) -> Command {
        let setup = setup_for(self, self.clock().time_control());
        if self.fault.is_some() {
            return Command::Prepare(setup);
        }
        match self.clock().state() {
            BoardState::Ready | BoardState::Over => Command::Prepare(setup),
            BoardState::Running { .. }
            | BoardState::Paused { .. }
            | BoardState::Stopped { .. }
            | BoardState::Flagged { .. } => {
                Command::Restore(Box::new(BoardClock::new(setup).snapshot()))
            }
        }
    }
}
