//! The commands for a board in the fold: each takes effect immediately, waits for the board's clocks, or is refused.

use std::sync::Arc;

use proto::ids::CommandId;
use proto::refusal::ChangeKind;
use timing::{Board as BoardTime, ClockStep, Command, Hub, Instant};

use super::{Applied, Fold, FoldOutcome, RecordConflict};
use crate::agent::OrderKind;
use crate::answers::CommandResult;
use crate::board::{Board, Keeper};
use crate::board_id::BoardId;
use crate::changes::Change;
use crate::command_record::{CommandKind, CommandRecord, PendingCommand};
use crate::outcome::Outcome;
use crate::play::GameStep;
use crate::refusal::{Refusal, Why};
use crate::told;
use crate::words::draw_odds;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Route {
    /// The hub applies the command immediately.
    AtOnce,
    /// The board's agent gets an order to carry out the command.
    Order,
    /// The command waits until the clock of the side to move has reported up to the hub instant of the command.
    Wait,
    /// The command would start a clock, but the board does not have all the clocks that it needs.
    NoAgent,
}

pub(crate) fn route(board: &Board, command: &Command) -> Route {
    let starts = |part: &Command| matches!(part, Command::Start(_) | Command::Resume(_));
    let starts = command.parts().iter().any(starts);
    if board.fault.is_some() {
        return Route::AtOnce;
    }
    if board.pair.is_some() {
        return match board.runs() {
            true => Route::Wait,
            false if starts && !board.is_served() => Route::NoAgent,
            false => Route::AtOnce,
        };
    }
    match (board.keeper, board.agent) {
        (Keeper::Agent(_), _) => Route::Order,
        (Keeper::Hub { .. }, None) if starts && !board.is_hub_clock() => Route::NoAgent,
        (Keeper::Hub { .. }, None) => Route::AtOnce,
        (Keeper::Hub { .. }, Some(_)) => {
            if starts || board.runs() || !board.pending.is_empty() {
                Route::Order
            } else {
                Route::AtOnce
            }
        }
    }
}

impl Board {
    fn wait_with(&mut self, record: &Arc<CommandRecord>, command: &Command, hub: Instant<Hub>) {
        self.pending.push(PendingCommand {
            record: record.clone(),
            since: hub,
        });
        self.seat.ask(record);
        let whom = match self.pair {
            Some(_) => "waits for the clocks' reports",
            None => "is on its way to the clock",
        };
        let text = format!("{} by {} {whom}", record.text(), record.actor);
        self.changes
            .decide(told::waiting(command, &record.actor, hub, text));
    }
}

impl Fold {
    pub(super) fn command(
        &mut self,
        board: Option<&BoardId>,
        record: &Arc<CommandRecord>,
        applied: &mut Applied,
    ) -> Result<(), RecordConflict> {
        let outcome = match (&record.kind, board) {
            (CommandKind::Refused(why), _) => Outcome::Refused(why.clone()),
            (_, None) => return Err(RecordConflict::NoBoardNamed),
            (CommandKind::Board(command), Some(id)) => {
                self.board_command(id, record, command, applied)?
            }
            (CommandKind::Ruling(ruling), Some(id)) => self.ruling(id, record, ruling, applied)?,
            (_, Some(id)) => {
                self.arrange(id, record, applied)?;
                Outcome::Done
            }
        };
        let pending = outcome == Outcome::Pending;
        if let (Outcome::Done | Outcome::Pending, Some(offence), Some(board)) = (
            &outcome,
            record.offence,
            board.and_then(|id| self.boards.get_mut(id)),
        ) {
            board.offences.enter(record.id, offence);
        }
        let result = CommandResult {
            outcome,
            board: board.cloned(),
            version: None,
            digest: record.digest,
        };
        self.answers.remember(record.id, result);
        if let (CommandKind::ZeroTest, Some(id)) = (&record.kind, board) {
            // The command is answered when the test ends.
            let test = FoldOutcome::ZeroTest(id.clone(), record.id);
            applied.add(test);
        } else if !pending {
            applied.add(FoldOutcome::Answered(record.id));
        }
        Ok(())
    }

    /// Applies a command that is neither a clock command, a ruling nor a refused command.
    fn arrange(
        &mut self,
        id: &BoardId,
        record: &CommandRecord,
        applied: &mut Applied,
    ) -> Result<(), RecordConflict> {
        let hub = applied.hub;
        let actor = &record.actor;
        match &record.kind {
            CommandKind::AddBoard(setup) => {
                if self.boards.contains_key(id) {
                    return Err(RecordConflict::BoardExists(id.clone()));
                }
                let mut board = Board::new(id.clone(), setup.clone());
                board.draw_odds = record.draw_odds;
                board.seat.round = record.round;
                self.boards.insert(id.clone(), board);
                self.follow_rules(id, applied);
                applied.begin_game(id, record.round);
                if record.round.is_some() {
                    applied.add(FoldOutcome::Followed(id.clone()));
                }
            }
            CommandKind::RemoveBoard => self.remove(id, applied)?,
            CommandKind::Assign(agent) => {
                self.assign(id, *agent, applied)?;
                let assigned = told::assigned(*agent, None, actor, hub);
                self.board_mut(id)?.changes.decide(assigned);
            }
            CommandKind::AssignSide(side, agent) => {
                self.assign_side(id, *side, *agent, applied)?;
                let assigned = told::assigned(*agent, Some(*side), actor, hub);
                self.board_mut(id)?.changes.decide(assigned);
            }
            CommandKind::Names(names) => {
                let board = self.board_mut(id)?;
                board.names = names.clone();
                board.changes.push(Change::Label);
                applied.show(id);
                applied.add(FoldOutcome::Named(id.clone()));
            }
            CommandKind::DrawOdds(side) => {
                let board = self.board_mut(id)?;
                board.draw_odds = *side;
                let text = draw_odds(*side, actor);
                let given = told::told(Some(hub), actor, ChangeKind::DrawOdds, text);
                board.changes.decide(given);
                applied.show(id);
                applied.add(FoldOutcome::Named(id.clone()));
            }
            CommandKind::Moves(entered) => self.moves(id, entered, applied)?,
            CommandKind::Rules(rules) => self.choose_rules(id, rules, actor, applied)?,
            CommandKind::Player(..) | CommandKind::PressRule(_) => {
                self.time_chess_command(id, record, applied)?;
            }
            // The caller handles these kinds.
            CommandKind::Board(_)
            | CommandKind::Ruling(_)
            | CommandKind::Refused(_)
            | CommandKind::ZeroTest => (),
        }
        Ok(())
    }

    pub(super) fn board_command(
        &mut self,
        id: &BoardId,
        record: &Arc<CommandRecord>,
        command: &Command,
        applied: &mut Applied,
    ) -> Result<Outcome, RecordConflict> {
        let hub = applied.hub;
        let board = self.board_mut(id)?;
        match route(board, command) {
            Route::NoAgent => Err(RecordConflict::NoClock(id.clone())),
            Route::Wait => {
                board.wait_with(record, command, hub);
                applied.show(id);
                Ok(Outcome::Pending)
            }
            Route::Order => {
                board.wait_with(record, command, hub);
                applied.show(id);
                let agent = board
                    .agent
                    .ok_or_else(|| RecordConflict::NoClock(id.clone()))?;
                let order = OrderKind::Command {
                    board: id.clone(),
                    record: record.clone(),
                };
                if let Some(agent) = self.agents.get_mut(&agent) {
                    agent.order(order, hub);
                }
                applied.add(FoldOutcome::Ordered(agent));
                Ok(Outcome::Pending)
            }
            Route::AtOnce => {
                board.seat.ask(record);
                let at = board.short_of_flag(Instant::from_micros(hub.as_micros()));
                let outcome = self.apply_at(id, record, &record.actor, at, applied);
                self.queue_adoption(id, applied);
                self.run_pair(id, applied);
                Ok(outcome)
            }
        }
    }

    /// Follows up a command for a board's clock: records a new game's draw odds and round, and the turn that the
    /// command began.
    pub(super) fn carried_out(
        &mut self,
        id: &BoardId,
        record: &CommandRecord,
        outcome: &Outcome,
        applied: &mut Applied,
    ) {
        let done = *outcome == Outcome::Done;
        if done
            && record.prepares().is_some()
            && let Some(board) = self.boards.get_mut(id)
        {
            board.draw_odds = record.draw_odds;
            applied.add(FoldOutcome::Named(id.clone()));
        }
        self.seat_game(id, record, done, applied);
        if done {
            self.begin_turn(id, record);
        }
    }

    pub(super) fn answer(&mut self, id: &CommandId, outcome: Outcome, applied: &mut Applied) {
        self.answers.settle(id, outcome);
        applied.add(FoldOutcome::Answered(*id));
    }

    /// Answers a pending command with a refusal, and adds the refusal to the record's changes.
    pub(super) fn refuse(&mut self, id: &CommandId, why: Why, applied: &mut Applied) {
        let why = Refusal::from(why);
        applied.changed.commands.push(id.0.to_vec());
        applied.changed.refused = why.to_string();
        applied.changed.refusal = Some(Box::new(why.without_text()));
        self.answer(id, Outcome::Refused(why), applied);
    }

    pub(super) fn apply_at(
        &mut self,
        id: &BoardId,
        record: &CommandRecord,
        actor: &str,
        at: Instant<BoardTime>,
        applied: &mut Applied,
    ) -> Outcome {
        let (Some(board), Some(command)) = (self.boards.get_mut(id), record.clock_command()) else {
            return Outcome::Refused(Why::NoBoard(id.clone()).into());
        };
        let step = GameStep {
            event: None,
            command: Some(record.id),
            hub: applied.hub,
            step: ClockStep::command(at, command.clone()),
        };
        let stepped = board.step(step, Some(actor));
        let outcome = match applied.stepped(id, stepped) {
            Ok(()) => Outcome::Done,
            Err(rule) => Outcome::Refused(rule),
        };
        self.carried_out(id, record, &outcome, applied);
        outcome
    }

    fn remove(&mut self, id: &BoardId, applied: &mut Applied) -> Result<(), RecordConflict> {
        self.assign(id, None, applied)?;
        self.boards.remove(id);
        self.anomalies.forget_board(id);
        applied.boards.retain(|shown| shown != id);
        applied.add(FoldOutcome::Removed(id.clone()));
        Ok(())
    }

    /// Carries out a pending command without waiting for its clock. A clock that serves the whole board then adopts the
    /// result.
    pub(super) fn force(
        &mut self,
        command: &CommandId,
        actor: &str,
        at: Instant<BoardTime>,
        applied: &mut Applied,
    ) -> Result<(), RecordConflict> {
        let (id, record) = self.take_pending(command)?;
        let forced = format!("{}, forced by {actor}", record.actor);
        let outcome = self.apply_at(&id, &record, &forced, at, applied);
        let board = self.board_mut(&id)?;
        if let Keeper::Agent(_) = board.keeper {
            let now = board.clock().now();
            board.take_over(now, applied.hub);
        }
        self.queue_adoption(&id, applied);
        self.run_pair(&id, applied);
        self.answer(command, outcome, applied);
        Ok(())
    }

    /// Withdraws a pending command. If its clock turns out to have carried it out already, the command still counts.
    pub(super) fn withdraw(
        &mut self,
        command: &CommandId,
        actor: &str,
        applied: &mut Applied,
    ) -> Result<(), RecordConflict> {
        let id = self
            .pending_board(command)
            .map_err(|why| RecordConflict::Refused(why.into()))?;
        let board = self.board_mut(&id)?;
        let agent = board.agent;
        if let Some(pending) = board.take_pending(command) {
            let text = format!("{} withdrawn", pending.record.text());
            let withdrawn = told::told(Some(applied.hub), actor, ChangeKind::Withdrawn, text);
            board.changes.decide(withdrawn);
        }
        if let Some(agent) = agent.and_then(|agent| self.agents.get_mut(&agent)) {
            for order in &mut agent.orders {
                if order.carries(command) {
                    order.withdrawn = true;
                }
            }
        }
        applied.show(&id);
        self.answer(command, Outcome::Withdrawn, applied);
        Ok(())
    }

    pub(crate) fn pending_board(&self, command: &CommandId) -> Result<BoardId, Why> {
        let kept = self.answers.get(command);
        let pending = kept.filter(|kept| kept.outcome == Outcome::Pending);
        let board = pending.and_then(|kept| kept.board.clone());
        board.ok_or(Why::CommandNotWaiting(*command))
    }

    fn take_pending(
        &mut self,
        command: &CommandId,
    ) -> Result<(BoardId, Arc<CommandRecord>), RecordConflict> {
        let id = self
            .pending_board(command)
            .map_err(|why| RecordConflict::Refused(why.into()))?;
        let board = self.board_mut(&id)?;
        let pending = board
            .take_pending(command)
            .ok_or(RecordConflict::NotPending)?;
        if let Some(agent) = board.agent.and_then(|agent| self.agents.get_mut(&agent)) {
            agent.orders.retain(|order| !order.carries(command));
        }
        Ok((id, pending.record))
    }
}
