//! Arbiters' commands in the fold: which take effect at once, which wait for the board's agent, and how a waiting one is forced or
//! withdrawn.

use proto::ids::CommandId;
use proto::refusal::ChangeKind;
use timing::{Board as BoardTime, BoardState, ClockStep, Command, Hub, Instant, Side};

use super::{Applied, Fold, Happened};
use crate::hall::agent::OrderWhat;
use crate::hall::answers::Kept;
use crate::hall::board::{Board, Keeper, Names, Pending, spoken};
use crate::hall::changes::{Change, capital};
use crate::hall::effect::Outcome;
use crate::hall::entry::{CommandEntry, What};
use crate::hall::input::BoardId;
use crate::hall::play::GameStep;
use crate::hall::refusal::Why;
use crate::hall::told;

/// How a command reaches its board's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Route {
    /// The hub keeps the clock and applies it.
    AtOnce,
    /// The board's agent is ordered to carry it out.
    Order,
    /// It waits, in the hub's time, until the clocks of both sides have spoken for what came before it.
    Wait,
    /// It starts a clock, and no agent is there to run it.
    NoAgent,
}

/// How `command` would reach the clock of `board`.
pub(crate) fn route(board: &Board, command: &Command) -> Route {
    let starts = matches!(command, Command::Start(_) | Command::Resume(_));
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
        (Keeper::Hub { .. }, None) if starts => Route::NoAgent,
        (Keeper::Hub { .. }, None) => Route::AtOnce,
        (Keeper::Hub { .. }, Some(_)) => {
            let running = matches!(board.clock().state(), BoardState::Running { .. });
            if starts || running || !board.pending.is_empty() {
                Route::Order
            } else {
                Route::AtOnce
            }
        }
    }
}

impl Board {
    /// A command waits for the board's clock, or for both.
    fn wait_with(&mut self, entry: &CommandEntry, command: &Command, hub: Instant<Hub>) {
        self.pending.push(Pending {
            id: entry.id,
            command: command.clone(),
            actor: entry.actor.clone(),
            since: hub,
            draw_odds: entry.draw_odds,
        });
        self.seat.ask(entry);
        let whom = match self.pair {
            Some(_) => "waits for the clocks' word",
            None => "is on its way to the clock",
        };
        let text = format!("{} by {} {whom}", spoken(command), entry.actor);
        self.changes
            .decide(told::waiting(command, &entry.actor, hub, text));
    }
}

impl Fold {
    pub(super) fn command(
        &mut self,
        board: Option<&BoardId>,
        entry: &CommandEntry,
        hub: Instant<Hub>,
        applied: &mut Applied,
    ) -> Result<(), String> {
        let outcome = match (&entry.what, board) {
            (What::Refused(why), _) => Outcome::Refused(why.clone()),
            (_, None) => return Err("no board is named".to_owned()),
            (What::Board(command), Some(id)) => {
                self.board_command(id, entry, command, hub, applied)?
            }
            (what, Some(id)) => {
                self.arrange(id, entry, what, hub, applied)?;
                Outcome::Done
            }
        };
        let pending = outcome == Outcome::Pending;
        if let (Outcome::Done | Outcome::Pending, Some(offence), Some(board)) = (
            &outcome,
            entry.offence,
            board.and_then(|id| self.boards.get_mut(id)),
        ) {
            board.offences.enter(entry.id, offence);
        }
        let kept = Kept {
            outcome,
            board: board.cloned(),
            version: None,
            digest: entry.digest,
        };
        self.answers.remember(entry.id, kept);
        if let (What::ZeroTest, Some(id)) = (&entry.what, board) {
            // It has its answer once the test has ended.
            let test = Happened::ZeroTest(id.clone(), entry.id);
            applied.happened.push(test);
        } else if !pending {
            applied.happened.push(Happened::Answered(entry.id));
        }
        Ok(())
    }

    /// What an arbiter changes about a board beside its clock.
    fn arrange(
        &mut self,
        id: &BoardId,
        entry: &CommandEntry,
        what: &What,
        hub: Instant<Hub>,
        applied: &mut Applied,
    ) -> Result<(), String> {
        let actor = &entry.actor;
        match what {
            What::AddBoard(setup) => {
                if self.boards.contains_key(id) {
                    return Err(format!("there is a board {id} already"));
                }
                let mut board = Board::new(id.clone(), setup.clone());
                board.draw_odds = entry.draw_odds;
                board.seat.round = entry.of_round;
                self.boards.insert(id.clone(), board);
                applied.begin_game(id, entry.of_round);
                if entry.of_round.is_some() {
                    applied.happened.push(Happened::Followed(id.clone()));
                }
            }
            What::RemoveBoard => self.remove(id, hub, applied)?,
            What::Assign(agent) => {
                self.assign(id, *agent, hub, applied)?;
                let assigned = told::assigned(*agent, None, actor, hub);
                self.board_mut(id)?.changes.decide(assigned);
            }
            What::AssignSide(side, agent) => {
                self.assign_side(id, *side, *agent, hub, applied)?;
                let assigned = told::assigned(*agent, Some(*side), actor, hub);
                self.board_mut(id)?.changes.decide(assigned);
            }
            What::Names {
                white,
                black,
                round,
            } => {
                let board = self.board_mut(id)?;
                board.names = Names {
                    white: white.clone(),
                    black: black.clone(),
                    round: round.clone(),
                };
                board.changes.push(Change::Label);
                applied.show(id);
                applied.happened.push(Happened::Named(id.clone()));
            }
            What::DrawOdds(side) => {
                let board = self.board_mut(id)?;
                board.draw_odds = *side;
                let whom = side.map_or("nobody", capital);
                let text = format!("draw odds given to {whom} by {actor}");
                let given = told::told(Some(hub), actor, ChangeKind::DrawOdds, text);
                board.changes.decide(given);
                applied.show(id);
                applied.happened.push(Happened::Named(id.clone()));
            }
            // The clock's own commands and refusals are dealt with by the caller.
            What::Board(_) | What::Refused(_) | What::ZeroTest => (),
        }
        Ok(())
    }

    fn board_command(
        &mut self,
        id: &BoardId,
        entry: &CommandEntry,
        command: &Command,
        hub: Instant<Hub>,
        applied: &mut Applied,
    ) -> Result<Outcome, String> {
        let board = self.board_mut(id)?;
        match route(board, command) {
            Route::NoAgent => Err(format!("no clock serves board {id}")),
            Route::Wait => {
                board.wait_with(entry, command, hub);
                applied.show(id);
                Ok(Outcome::Pending)
            }
            Route::Order => {
                board.wait_with(entry, command, hub);
                applied.show(id);
                let agent = board.agent.ok_or("no clock serves the board")?;
                let order = OrderWhat::Command {
                    id: entry.id,
                    board: id.clone(),
                    command: command.clone(),
                    actor: entry.actor.clone(),
                    draw_odds: entry.draw_odds,
                };
                if let Some(agent) = self.agents.get_mut(&agent) {
                    agent.order(order);
                }
                applied.happened.push(Happened::Ordered(agent));
                Ok(Outcome::Pending)
            }
            Route::AtOnce => {
                let at = board.short_of_flag(Instant::from_micros(hub.as_micros()));
                let outcome = self.apply_at(id, command, &entry.actor, at, hub, applied);
                self.give_odds(id, command, &outcome, entry.draw_odds, applied);
                self.board_mut(id)?.seat.ask(entry);
                self.seat_game(id, &entry.id, command, &outcome, applied);
                self.after_command(id, command, &outcome);
                self.queue_adoption(id, applied);
                self.run_pair(id, hub, applied);
                Ok(outcome)
            }
        }
    }

    /// A game that has been set has the draw odds that were asked for with it.
    pub(super) fn give_odds(
        &mut self,
        id: &BoardId,
        command: &Command,
        outcome: &Outcome,
        draw_odds: Option<Side>,
        applied: &mut Applied,
    ) {
        if let (Command::Prepare(_), Outcome::Done) = (command, outcome)
            && let Some(board) = self.boards.get_mut(id)
        {
            board.draw_odds = draw_odds;
            applied.happened.push(Happened::Named(id.clone()));
        }
    }

    /// Applies a command to a clock the hub keeps.
    pub(super) fn apply_at(
        &mut self,
        id: &BoardId,
        command: &Command,
        actor: &str,
        at: Instant<BoardTime>,
        hub: Instant<Hub>,
        applied: &mut Applied,
    ) -> Outcome {
        let step = GameStep {
            event: None,
            hub,
            step: ClockStep::command(at, command.clone()),
        };
        let Some(board) = self.boards.get_mut(id) else {
            return Outcome::Refused(Why::NoBoard(id.clone()).into());
        };
        let stepped = board.step(step, Some(actor));
        match applied.stepped(id, stepped) {
            Ok(()) => Outcome::Done,
            Err(rule) => Outcome::Refused(rule),
        }
    }

    fn remove(
        &mut self,
        id: &BoardId,
        hub: Instant<Hub>,
        applied: &mut Applied,
    ) -> Result<(), String> {
        self.assign(id, None, hub, applied)?;
        self.boards.remove(id);
        self.anomalies.forget_board(id);
        applied.boards.retain(|shown| shown != id);
        applied.happened.push(Happened::Removed(id.clone()));
        Ok(())
    }

    /// Carries a waiting command out without its clock, and has the clock adopt what comes of it.
    pub(super) fn force(
        &mut self,
        command: &CommandId,
        actor: &str,
        at: Instant<BoardTime>,
        hub: Instant<Hub>,
        applied: &mut Applied,
    ) -> Result<(), String> {
        let (id, pending) = self.take_pending(command)?;
        let forced = format!("{}, forced by {actor}", pending.actor);
        let outcome = self.apply_at(&id, &pending.command, &forced, at, hub, applied);
        self.give_odds(&id, &pending.command, &outcome, pending.draw_odds, applied);
        self.seat_game(&id, command, &pending.command, &outcome, applied);
        let board = self.board_mut(&id)?;
        if let Keeper::Agent(_) = board.keeper {
            let now = board.clock().now();
            board.take_over(now, hub);
        }
        self.after_command(&id, &pending.command, &outcome);
        self.queue_adoption(&id, applied);
        self.run_pair(&id, hub, applied);
        self.answers.settle(command, outcome);
        applied.happened.push(Happened::Answered(*command));
        Ok(())
    }

    /// Takes a waiting command back. Should the clock have carried it out all the same, it counts.
    pub(super) fn withdraw(
        &mut self,
        command: &CommandId,
        actor: &str,
        hub: Instant<Hub>,
        applied: &mut Applied,
    ) -> Result<(), String> {
        let id = self.pending_board(command).map_err(|why| why.to_string())?;
        let board = self.board_mut(&id)?;
        let index = board
            .pending
            .iter()
            .position(|pending| pending.id == *command);
        let agent = board.agent;
        if let Some(index) = index {
            let pending = board.pending.remove(index);
            let text = format!("{} withdrawn", spoken(&pending.command));
            board
                .changes
                .decide(told::told(Some(hub), actor, ChangeKind::Withdrawn, text));
        }
        if let Some(agent) = agent.and_then(|agent| self.agents.get_mut(&agent)) {
            for order in &mut agent.orders {
                if matches!(&order.what, OrderWhat::Command { id, .. } if id == command) {
                    order.withdrawn = true;
                }
            }
        }
        applied.show(&id);
        self.answers.settle(command, Outcome::Withdrawn);
        applied.happened.push(Happened::Answered(*command));
        Ok(())
    }

    /// The board on which a command waits.
    pub(crate) fn pending_board(&self, command: &CommandId) -> Result<BoardId, Why> {
        self.answers
            .get(command)
            .filter(|kept| kept.outcome == Outcome::Pending)
            .and_then(|kept| kept.board.clone())
            .ok_or(Why::CommandNotWaiting(*command))
    }

    fn take_pending(&mut self, command: &CommandId) -> Result<(BoardId, Pending), String> {
        let id = self.pending_board(command).map_err(|why| why.to_string())?;
        let board = self.board_mut(&id)?;
        let index = board
            .pending
            .iter()
            .position(|pending| pending.id == *command)
            .ok_or("the command does not wait on its board")?;
        let pending = board.pending.remove(index);
        if let Some(agent) = board.agent.and_then(|agent| self.agents.get_mut(&agent)) {
            agent.orders.retain(
                |order| !matches!(&order.what, OrderWhat::Command { id, .. } if id == command),
            );
        }
        Ok((id, pending))
    }
}
