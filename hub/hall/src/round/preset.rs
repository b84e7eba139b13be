//! Sets the clocks of a round: determines what each board needs, or the reason why it cannot be set. A preset never
//! erases a game that the event has not decided. A clock with a different control is listed and is changed only on
//! request.

use timing::{BoardClock, BoardState, Button, Command, Setup, StartRule, TimeControl};

use super::controls::{Controls, GameControl};
use super::{
    BoardReason, PresetWith, RoundRequest, WorkState, finished, game_at, hall_board, is_decided,
    no_game, results,
};
use crate::Hall;
use crate::board::{Board, Keeper};
use crate::command_record::{CommandKind, PendingCommand};
use crate::effect::OpenStep;
use crate::refusal::Why;
use crate::round::requests::{NotGiven, Order, Stand};
use tournament::{ActorKind, BoardNo, Refusal as EventRefusal, RoundNo, Tournament};

enum Plan {
    /// No action is needed or possible; this is the board's state.
    Stands(Stand),
    Add,
    Set(Setup),
}

impl Hall {
    pub(super) fn preset(
        &mut self,
        request: &RoundRequest,
        with: &PresetWith,
        controls: &Controls,
        boards: &[BoardNo],
        step: &mut OpenStep,
    ) -> Vec<(BoardNo, Stand)> {
        let reason = words_of(request);
        let mut stands = Vec::with_capacity(boards.len());
        for no in boards {
            let GameControl { control, draw_odds } = controls.at(*no);
            let id = hall_board(*no);
            let order = Order {
                board: &id,
                round: request.round,
                actor: &request.actor.name,
                reason: &reason,
                draw_odds: *draw_odds,
            };
            let plan = self.plan(request.round, *no, control, with.again);
            let stand = match (plan, request.dry_run) {
                (Plan::Stands(stand), _) => stand,
                (Plan::Set(_), true) => (WorkState::Open, None),
                (Plan::Add, true) => (WorkState::Missing, Some(BoardReason::NotInHall(*no))),
                (Plan::Add, false) if request.actor.kind == ActorKind::FloorArbiter => {
                    (WorkState::Missing, Some(BoardReason::ChiefAddsBoard(*no)))
                }
                (Plan::Add, false) => {
                    let given = self.add_for_game(order, with.start, control, step);
                    self.stand_after(given, request.round, *no, control)
                }
                (Plan::Set(setup), false) => {
                    self.leave_former_game(order, step);
                    let given = self.give_behind(order, Command::Prepare(setup), step);
                    self.stand_after(given, request.round, *no, control)
                }
            };
            stands.push((*no, stand));
        }
        stands
    }

    /// Makes the clock leave a game that the event has decided but that is still in progress on the clock. Does nothing
    /// if a pending command already does so. The clock gets the game's result, or none if the match is forfeited.
    fn leave_former_game(&mut self, order: Order<'_>, step: &mut OpenStep) {
        let Some(board) = self.fold.boards.get(order.board) else {
            return;
        };
        if !board.in_play() || board.is_being_ended() || board.fault.is_some() {
            return;
        }
        let has_result = self
            .game_of(board)
            .is_some_and(|(_, _, game)| finished(game));
        if has_result {
            self.agree(order.board, order.actor, "", false, step);
            return;
        }
        let setup = setup_for(board, board.clock().time_control());
        let fresh = Command::Restore(Box::new(BoardClock::new(setup).snapshot()));
        // If the rules refuse this command, they also refuse the preset that follows.
        let _ = self.give(order, fresh, step);
    }

    /// Gives a command after the board's pending commands. If a pending command ends the game or sets the next one, the
    /// new command is judged only when the clock carries it out.
    pub(super) fn give_behind(
        &mut self,
        order: Order<'_>,
        command: Command,
        step: &mut OpenStep,
    ) -> Result<(), NotGiven> {
        let board = self.fold.board(order.board)?;
        let makes_way = if matches!(command, Command::Prepare(_)) {
            board.in_play() && board.is_being_ended()
        } else {
            board.asks_for_game(order.round)
        };
        if makes_way && board.fault.is_none() {
            self.give_kind(order, CommandKind::Board(command), step)
        } else {
            self.give(order, command, step)
        }
    }

    fn add_for_game(
        &mut self,
        order: Order<'_>,
        start: StartRule,
        control: &TimeControl,
        step: &mut OpenStep,
    ) -> Result<(), NotGiven> {
        let setup = Setup {
            control: control.clone(),
            start: self.start_rule_in(order.round, start),
            white: Button::Left,
        };
        self.give_kind(order, CommandKind::AddBoard(setup), step)
    }

    /// Returns `rule`, or, for a round of Time Chess, [`StartRule::Arbiter`], because a press cannot start White's
    /// clock there.
    fn start_rule_in(&self, round: RoundNo, rule: StartRule) -> StartRule {
        let event = self.fold.event.tournament.as_deref().map(Tournament::event);
        let key = event.map_or("", |event| event.rules_in(Some(round)));
        match laws::RuleSet::find(key).map(|rules| rules.game) {
            Some(laws::GameKind::TimeChess) => StartRule::Arbiter,
            Some(_) | None => rule,
        }
    }

    fn stand_after(
        &self,
        given: Result<(), NotGiven>,
        round: RoundNo,
        no: BoardNo,
        control: &TimeControl,
    ) -> Stand {
        if let Err(why) = given {
            return (WorkState::Refused, Some(why.into()));
        }
        match self.plan(round, no, control, false) {
            Plan::Stands(stand) => stand,
            Plan::Add | Plan::Set(_) => (WorkState::Open, None),
        }
    }

    fn plan(&self, round: RoundNo, no: BoardNo, control: &TimeControl, again: bool) -> Plan {
        let event = self.fold.event.tournament.as_deref();
        let id = hall_board(no);
        let Some(game) = game_at(event, round, &id) else {
            return refused(BoardReason::Refused(
                EventRefusal::NoBoard(round, no).into(),
            ));
        };
        if let Some(reason) = no_game(event, round, game) {
            return Plan::Stands((WorkState::NoGame, Some(reason)));
        }
        let Some(board) = self.fold.boards.get(&id) else {
            return Plan::Add;
        };
        if board.asks_for_game(round) || board.is_being_set_again() {
            return Plan::Stands(self.under_way(board));
        }
        if board.seat.round == Some(round) {
            return self.plan_again(board, control, again);
        }
        let former = board.seat.round;
        let former = former.and_then(|round| Some((round, game_at(event, round, &id)?)));
        if let Some((former, game)) = former
            && !is_decided(event, former, game)
        {
            return refused(BoardReason::FormerGame(former));
        }
        // A game that the event has decided is over, even if a silent clock still shows it in progress.
        if board.in_play() && former.is_none() {
            return refused(BoardReason::Refused(Why::BoardInPlay.into()));
        }
        Plan::Set(setup_for(board, control))
    }

    fn plan_again(&self, board: &Board, control: &TimeControl, again: bool) -> Plan {
        let has = board.clock().time_control();
        let differs = || {
            let reason = BoardReason::OtherControl {
                has: has.clone(),
                wanted: control.clone(),
            };
            Plan::Stands((WorkState::Differs, Some(reason)))
        };
        match board.clock().state() {
            BoardState::Ready if has == control && board.fault.is_none() => {
                Plan::Stands(self.set_stand(board))
            }
            BoardState::Ready if again || board.fault.is_some() => {
                Plan::Set(setup_for(board, control))
            }
            BoardState::Ready => differs(),
            BoardState::Over => {
                let result = board.clock().result().map(results::of_clock);
                let reason = BoardReason::GameEnded(result);
                Plan::Stands((WorkState::Started, Some(reason)))
            }
            BoardState::Running { .. }
            | BoardState::Paused { .. }
            | BoardState::Stopped { .. }
            | BoardState::Flagged { .. } => match has == control {
                true => Plan::Stands((WorkState::Started, Some(BoardReason::InPlay))),
                false => differs(),
            },
        }
    }

    /// Returns the state of a board that is set; it depends on whether clocks are assigned and have answered.
    fn set_stand(&self, board: &Board) -> Stand {
        match &board.pair {
            Some(pair) if pair.agents().count() < 2 => {
                (WorkState::Missing, Some(BoardReason::SideWithoutClock))
            }
            None if board.is_hub_clock() => (WorkState::Set, None),
            None if board.agent.is_none() => (WorkState::Missing, Some(BoardReason::NoClock)),
            Some(_) | None if board.is_taken() => (WorkState::Set, None),
            Some(_) | None => self.under_way(board),
        }
    }
}

impl Board {
    /// Returns true if every clock of the board has adopted the hub's state.
    pub(super) fn is_taken(&self) -> bool {
        match &self.pair {
            Some(pair) => pair.is_complete(),
            None => matches!(self.keeper, Keeper::Agent(_)),
        }
    }

    pub(super) fn asks_for_game(&self, round: RoundNo) -> bool {
        self.game_asked_for(round).is_some()
    }

    /// Returns the pending setup for a round's game, with the pending commands after it.
    pub(super) fn game_asked_for(&self, round: RoundNo) -> Option<(&Setup, &[PendingCommand])> {
        let asks = |pending: &PendingCommand| {
            pending.record.prepares().is_some()
                && self.seat.round_of(&pending.record.id) == Some(round)
        };
        let at = self.pending.iter().rposition(asks)?;
        let (asked, behind) = self.pending.get(at..)?.split_first()?;
        Some((asked.record.prepares()?, behind))
    }

    /// Returns true if a pending command sets the board for a game of a different round.
    pub(super) fn is_leaving(&self) -> bool {
        self.pending.iter().any(|pending| {
            let asked = self.seat.round_of(&pending.record.id);
            pending.record.prepares().is_some() && asked.is_some() && asked != self.seat.round
        })
    }
}

pub(super) fn setup_for(board: &Board, control: &TimeControl) -> Setup {
    Setup {
        control: control.clone(),
        start: board.start_rule_for(board.clock().start_rule()),
        white: board.clock().white_button(),
    }
}

fn refused(why: BoardReason) -> Plan {
    Plan::Stands((WorkState::Refused, Some(why)))
}

pub(super) fn words_of(request: &RoundRequest) -> String {
    match request.reason.as_str() {
        "" => format!("round {}", request.round),
        reason => reason.to_owned(),
    }
}
