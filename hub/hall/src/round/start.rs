//! Starts a round, a sector, or a board at an arbiter's request. Black's press and the scheduled start are handled
//! elsewhere.

use timing::{BoardState, Command, StartRule};

use super::preset::words_of;
use super::{BoardReason, RoundRequest, WorkState, game_at, hall_board, no_game};
use crate::Hall;
use crate::board::Board;
use crate::command_record::PendingCommand;
use crate::effect::OpenStep;
use crate::fold::command::{Route, route};
use crate::outcome::Denied;
use crate::round::requests::{NotGiven, Order, Stand, boards_of};
use tournament::{Actor, BoardNo, BoardPhase, Change, Refusal as EventRefusal, RoundNo, Scope};

impl Hall {
    pub(super) fn start(
        &mut self,
        request: &RoundRequest,
        boards: &[BoardNo],
        step: &mut OpenStep,
    ) -> Result<Vec<(BoardNo, Stand)>, Denied> {
        let round = request.round;
        let waits = |hall: &Self, no: &BoardNo| hall.start_stand(round, *no).0 == WorkState::Open;
        let ready: Vec<BoardNo> = boards
            .iter()
            .copied()
            .filter(|no| waits(self, no))
            .collect();
        let mut refusals = Vec::new();
        if !request.dry_run {
            let reason = words_of(request);
            let fresh = ready
                .iter()
                .filter(|no| self.phase(round, **no) < BoardPhase::Started);
            let changes: Vec<Change> = fresh
                .map(|no| Change::Start(round, Scope::Board(*no)))
                .collect();
            if !changes.is_empty() {
                self.change_tournament(&request.actor, &reason, &changes, step)
                    .map_err(Denied::NotPossible)?;
            }
            // Starts boards that the event marked as started before their clocks were set.
            for no in &ready {
                if waits(self, no)
                    && let Err(why) = self.start_clock(round, *no, &request.actor, &reason, step)
                {
                    refusals.push((*no, (WorkState::Refused, Some(why.into()))));
                }
            }
        }
        let stands = boards.iter().map(|no| {
            let refused = refusals.iter().find(|(of, _)| of == no);
            let stand = refused.map(|(_, stand)| stand.clone());
            (*no, stand.unwrap_or_else(|| self.start_stand(round, *no)))
        });
        Ok(stands.collect())
    }

    pub(super) fn on_start(
        &mut self,
        round: RoundNo,
        scope: &Scope,
        actor: &Actor,
        step: &mut OpenStep,
    ) {
        let event = self.fold.event.tournament.as_ref().cloned();
        let boards = event.and_then(|event| boards_of(&event, round, scope).ok());
        for no in boards.unwrap_or_default() {
            if self.start_stand(round, no).0 == WorkState::Open {
                // If the start is refused, the board stays ready to start.
                let _ = self.start_clock(round, no, actor, &format!("round {round}"), step);
            }
        }
    }

    fn start_clock(
        &mut self,
        round: RoundNo,
        no: BoardNo,
        actor: &Actor,
        reason: &str,
        step: &mut OpenStep,
    ) -> Result<(), NotGiven> {
        let id = hall_board(no);
        let order = Order {
            board: &id,
            round,
            actor: &actor.name,
            reason,
            draw_odds: None,
        };
        let start = match self.fold.boards.get(&id) {
            Some(board) => board.start_by_rules(Command::Start(None)),
            None => Command::Start(None),
        };
        self.give_behind(order, start, step)
    }

    pub(super) fn phase(&self, round: RoundNo, no: BoardNo) -> BoardPhase {
        let event = self.fold.event.tournament.as_deref();
        game_at(event, round, &hall_board(no)).map_or(BoardPhase::Paired, |game| game.phase)
    }

    /// Returns a board's state with regard to the start of its round; `Open` means that it can start.
    fn start_stand(&self, round: RoundNo, no: BoardNo) -> Stand {
        let event = self.fold.event.tournament.as_deref();
        let id = hall_board(no);
        let Some(game) = game_at(event, round, &id) else {
            let why = EventRefusal::NoBoard(round, no);
            return (WorkState::Refused, Some(BoardReason::Refused(why.into())));
        };
        if let Some(reason) = no_game(event, round, game) {
            return (WorkState::NoGame, Some(reason));
        }
        let Some(board) = self.fold.boards.get(&id) else {
            return (WorkState::Missing, Some(BoardReason::NotInHall(no)));
        };
        if let Some((setup, behind)) = board.game_asked_for(round) {
            return match setup.start {
                StartRule::BlackPress => (WorkState::Set, Some(BoardReason::BlackStarts)),
                StartRule::Arbiter if behind.iter().any(starts) => self.under_way(board),
                StartRule::Arbiter => (WorkState::Open, None),
            };
        }
        if board.seat.round != Some(round) {
            return (WorkState::Refused, Some(BoardReason::NotSet));
        }
        if board.is_being_started() {
            return self.under_way(board);
        }
        match board.clock().state() {
            BoardState::Ready if route(board, &Command::Start(None)) == Route::NoAgent => {
                (WorkState::Missing, Some(BoardReason::NoClock))
            }
            BoardState::Ready if board.clock().start_rule() == StartRule::BlackPress => {
                (WorkState::Set, Some(BoardReason::BlackStarts))
            }
            BoardState::Ready => (WorkState::Open, None),
            BoardState::Running { .. }
            | BoardState::Paused { .. }
            | BoardState::Stopped { .. }
            | BoardState::Flagged { .. }
            | BoardState::Over => (WorkState::Started, None),
        }
    }
}

impl Board {
    fn is_being_started(&self) -> bool {
        self.pending.iter().any(starts)
    }
}

fn starts(pending: &PendingCommand) -> bool {
    matches!(pending.record.clock_command(), Some(Command::Start(_)))
}
