//! The arbiter's start of a round, a sector, or a board. Black's press and the scheduled start work separately; the
//! event is told of every start.

use timing::{BoardState, Command, Hub, Instant, StartRule};

use super::preset::words_of;
use super::{RoundRequest, WorkState, game_at, hall_board, no_game};
use crate::Hall;
use crate::board::Board;
use crate::command_record::PendingCommand;
use crate::effect::Step;
use crate::fold::command::{Route, route};
use crate::outcome::Denied;
use crate::round::requests::{NotGiven, Order, Stand, boards_of};
use tournament::{Actor, BoardNo, BoardPhase, Change, RoundNo, Scope};

/// The state of a board that the arbiter does not start.
const BLACK_STARTS: &str = "Black starts White's clock by a press";

impl Hall {
    pub(super) fn start(
        &mut self,
        now: Instant<Hub>,
        request: &RoundRequest,
        boards: &[BoardNo],
        step: &mut Step,
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
                self.change_tournament(now, &request.actor, &reason, &changes, step)
                    .map_err(Denied::Unfit)?;
            }
            // Starts boards that the event had started before their clocks were set.
            for no in &ready {
                if waits(self, no)
                    && let Err(why) =
                        self.start_clock(now, round, *no, &request.actor, &reason, step)
                {
                    refusals.push((*no, (WorkState::Refused, why.to_string())));
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
        now: Instant<Hub>,
        round: RoundNo,
        scope: &Scope,
        actor: &Actor,
        step: &mut Step,
    ) {
        let event = self.fold.event.tournament().cloned();
        let boards = event.and_then(|event| boards_of(&event, round, scope).ok());
        for no in boards.unwrap_or_default() {
            if self.start_stand(round, no).0 == WorkState::Open {
                // A refusal is visible in the board's state.
                let _ = self.start_clock(now, round, no, actor, &format!("round {round}"), step);
            }
        }
    }

    fn start_clock(
        &mut self,
        now: Instant<Hub>,
        round: RoundNo,
        no: BoardNo,
        actor: &Actor,
        reason: &str,
        step: &mut Step,
    ) -> Result<(), NotGiven> {
        let id = hall_board(no);
        let order = Order {
            board: &id,
            round,
            actor: &actor.name,
            reason,
        };
        self.give_behind(now, order, Command::Start(None), step)
    }

    pub(super) fn phase(&self, round: RoundNo, no: BoardNo) -> BoardPhase {
        let event = self.fold.event.tournament().map(|event| &**event);
        game_at(event, round, &hall_board(no)).map_or(BoardPhase::Paired, |game| game.phase)
    }

    /// Returns a board's state before the start of its round; `Open` means that it can start.
    fn start_stand(&self, round: RoundNo, no: BoardNo) -> Stand {
        let event = self.fold.event.tournament().map(|event| &**event);
        let id = hall_board(no);
        let refused = |words: &str| (WorkState::Refused, words.to_owned());
        let Some(game) = game_at(event, round, &id) else {
            return refused("there is no such board in the round");
        };
        if let Some(words) = no_game(event, round, game) {
            return (WorkState::NoGame, words);
        }
        let Some(board) = self.fold.boards.get(&id) else {
            return (WorkState::Missing, "the hall has no such board".to_owned());
        };
        if let Some((setup, behind)) = board.game_asked_for(round) {
            return match setup.start {
                StartRule::BlackPress => (WorkState::Set, BLACK_STARTS.to_owned()),
                StartRule::Arbiter if behind.iter().any(starts) => self.under_way(board),
                StartRule::Arbiter => (WorkState::Open, String::new()),
            };
        }
        if board.seat.round != Some(round) {
            return refused("its clock is not set for this round yet");
        }
        if board.is_being_started() {
            return self.under_way(board);
        }
        match board.clock().state() {
            BoardState::Ready if route(board, &Command::Start(None)) == Route::NoAgent => {
                (WorkState::Missing, "no clock serves it".to_owned())
            }
            BoardState::Ready if board.clock().start_rule() == StartRule::BlackPress => {
                (WorkState::Set, BLACK_STARTS.to_owned())
            }
            BoardState::Ready => (WorkState::Open, String::new()),
            BoardState::Running { .. }
            | BoardState::Paused { .. }
            | BoardState::Stopped { .. }
            | BoardState::Flagged { .. }
            | BoardState::Over => (WorkState::Started, String::new()),
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
