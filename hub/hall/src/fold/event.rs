//! Agents' events in the fold: presses, stops, orders carried out, jumps of a clock's timeline, corrections, and the
//! scripted presses of clock tests.

use proto::ids::{AgentId, CommandId};
use timing::{Board as BoardTime, BoardClock, ClockStep, Instant, Snapshot};

use super::{Applied, Fold, FoldOutcome, RecordConflict};
use crate::agent::{Order, OrderKind};
use crate::agent_frame::{EventFact, SignedEvent};
use crate::board::Keeper;
use crate::board_id::BoardId;
use crate::command_record::CommandRecord;
use crate::entry::AcceptedTime;
use crate::outcome::Outcome;
use crate::pair::Placed;
use crate::play::GameStep;
use crate::refusal::{Refusal, Why};

#[derive(Clone, Copy)]
pub(super) struct Sender<'a> {
    pub(super) actor: &'a str,
    /// The command; `None` for a correction at the clock itself.
    pub(super) command: Option<CommandId>,
}

/// Returns true if, on a board with two clocks, the fact needs an instant on the hub's timeline.
pub(crate) fn is_placed(fact: EventFact) -> bool {
    match fact {
        EventFact::Players(_) => true,
        EventFact::OrderTaken(_)
        | EventFact::Rebase { .. }
        | EventFact::ZeroTested(_)
        | EventFact::Correction => false,
    }
}

impl Fold {
    pub(super) fn event(
        &mut self,
        id: AgentId,
        event: &SignedEvent,
        placed: Option<Placed>,
        accepted: AcceptedTime,
        applied: &mut Applied,
    ) -> Result<(), RecordConflict> {
        let agent = self
            .agents
            .get_mut(&id)
            .ok_or(RecordConflict::UnknownAgent)?;
        if !agent.expects(event) {
            return Err(RecordConflict::BrokenChain {
                event: event.seq,
                reached: agent.seq,
            });
        }
        let missing = placed.is_none() && self.side_of(id).is_some();
        if missing && is_placed(event.fact) {
            return Err(RecordConflict::Unplaced);
        }
        let agent = self
            .agents
            .get_mut(&id)
            .ok_or(RecordConflict::UnknownAgent)?;
        agent.follow(event, applied.hub);
        let (served, left) = (agent.board.clone(), agent.left.clone());
        if let Some(placed) = placed
            && self.pair_event(id, event, placed, applied)
        {
            return Ok(());
        }
        // The chain continues from the event as signed; the clock uses the instant at which the event counts.
        let moved = accepted.at.map(|at| SignedEvent {
            at,
            ..event.clone()
        });
        let event = moved.as_ref().unwrap_or(event);
        let kept = self.kept_by(id).map(|board| board.id.clone());
        match event.fact {
            // The event has its place in the chain, but board clocks ignore it.
            EventFact::ZeroTested(_) => return Ok(()),
            EventFact::Correction => self.correction(id, kept.as_ref(), event, applied),
            EventFact::OrderTaken(number) => self.order_taken(id, number, event, applied),
            EventFact::Players(_) | EventFact::Rebase { .. } => match kept {
                Some(board) => self.kept_event(&board, event, accepted, applied),
                None => applied.add(FoldOutcome::Late(served.or(left), event.fact, event.seq)),
            },
        }
        Ok(())
    }

    /// Applies a fact or a jump of the agent that keeps the board's time. Neither is ever refused.
    fn kept_event(
        &mut self,
        board: &BoardId,
        event: &SignedEvent,
        accepted: AcceptedTime,
        applied: &mut Applied,
    ) {
        let step = match event.fact {
            EventFact::Players(fact) => ClockStep::Fact {
                at: event.at,
                fact,
                rules: applied.rules,
            },
            EventFact::Rebase { .. }
            | EventFact::OrderTaken(_)
            | EventFact::ZeroTested(_)
            | EventFact::Correction => {
                ClockStep::TimePassed(accepted.charged_to.unwrap_or(event.at))
            }
        };
        let _ = self.step_event(board, event, step, None, applied);
        if accepted.charged_to.is_some() {
            let uncharged = ClockStep::Moved(event.at);
            let _ = self.step_event(board, event, uncharged, None, applied);
        }
    }

    pub(super) fn step_event(
        &mut self,
        board_id: &BoardId,
        event: &SignedEvent,
        step: ClockStep,
        by: Option<Sender<'_>>,
        applied: &mut Applied,
    ) -> Result<(), Refusal> {
        let hub = self.hub_time(board_id, event.at, applied.hub);
        let step = GameStep {
            event: Some(event.seq),
            command: by.and_then(|by| by.command),
            hub,
            step,
        };
        let Some(board) = self.boards.get_mut(board_id) else {
            return Err(Why::NoBoard(board_id.clone()).into());
        };
        let stepped = board.step(step, by.map(|by| by.actor));
        applied.stepped(board_id, stepped)
    }

    fn order_taken(
        &mut self,
        id: AgentId,
        number: u64,
        event: &SignedEvent,
        applied: &mut Applied,
    ) {
        let Some(agent) = self.agents.get_mut(&id) else {
            return;
        };
        let served = agent.board.clone();
        let (skipped, taken) = agent.taken(number);
        for order in skipped {
            self.skip(order, applied);
        }
        match taken.map(|order| (order.withdrawn, order.what)) {
            Some((withdrawn, OrderKind::Command { board, record })) => {
                let Some(known) = self.boards.get_mut(&board) else {
                    return;
                };
                known.take_pending(&record.id);
                applied.show(&board);
                if self.keeps(id, &board) {
                    self.command_taken(&board, &record, withdrawn, event, applied);
                } else if !withdrawn {
                    self.refuse(&record.id, Why::TakenOver, applied);
                }
            }
            Some((_, OrderKind::Adopt { board, snapshot })) => {
                self.adopted(id, number, &board, &snapshot, event.at, applied);
            }
            Some((_, OrderKind::ServeSide { board, .. })) => {
                self.side_taken(id, number, &board, applied);
            }
            Some((_, OrderKind::Release)) => {
                if let Some(agent) = self.agents.get_mut(&id) {
                    agent.left = None;
                }
            }
            None => {
                // The order was superseded in transit, or this log never issued it. The adoption that supersedes an
                // order undoes its effect.
                if let Some(board) = served.filter(|board| self.keeps(id, board)) {
                    let step = ClockStep::TimePassed(event.at);
                    // A step of time alone is never refused.
                    let _ = self.step_event(&board, event, step, None, applied);
                }
            }
        }
    }

    fn keeps(&self, id: AgentId, board: &BoardId) -> bool {
        self.boards
            .get(board)
            .is_some_and(|board| board.keeper == Keeper::Agent(id))
    }

    /// Refuses the command of an order that the agent skipped, because the agent will never carry it out.
    fn skip(&mut self, order: Order, applied: &mut Applied) {
        if let OrderKind::Command { board, record } = order.what
            && !order.withdrawn
        {
            if let Some(known) = self.boards.get_mut(&board) {
                known.take_pending(&record.id);
                applied.show(&board);
            }
            self.refuse(&record.id, Why::PassedOver, applied);
        }
    }

    fn command_taken(
        &mut self,
        board_id: &BoardId,
        record: &CommandRecord,
        withdrawn: bool,
        event: &SignedEvent,
        applied: &mut Applied,
    ) {
        let Some(command) = record.clock_command() else {
            return;
        };
        if withdrawn {
            let taken = FoldOutcome::WithdrawnButCarriedOut(board_id.clone(), record.text());
            applied.add(taken);
        }
        let step = ClockStep::command(event.at, command.clone());
        let by = Sender {
            actor: &record.actor,
            command: Some(record.id),
        };
        let outcome = match self.step_event(board_id, event, step, Some(by), applied) {
            Ok(()) => Outcome::Done,
            Err(rule) => Outcome::Refused(rule),
        };
        self.carried_out(board_id, record, &outcome, applied);
        self.answer(&record.id, outcome, applied);
    }

    /// Makes the agent the keeper of the board's time. The clock continues from the state that was handed over.
    fn adopted(
        &mut self,
        id: AgentId,
        number: u64,
        board_id: &BoardId,
        snapshot: &[u8],
        at: Instant<BoardTime>,
        applied: &mut Applied,
    ) {
        let Some(board) = self.boards.get_mut(board_id) else {
            return;
        };
        let adoption = Some(number);
        if board.agent != Some(id) || board.keeper != (Keeper::Hub { adoption }) {
            return;
        }
        // The agent adopts the state that was sent to it, not the board's current state, so the hub continues from the
        // sent state.
        if let Ok(clock) =
            Snapshot::from_bytes(snapshot).and_then(|snapshot| BoardClock::from_snapshot(&snapshot))
        {
            board.play.clock = clock;
        }
        // Until now the hub has kept the time, so the clock's instant is on the hub's timeline.
        let charged = board
            .runs()
            .then(|| Instant::from_micros(board.clock().now().as_micros()));
        let stepped = board.step(GameStep::new(applied.hub, ClockStep::Moved(at)), None);
        board.keeper = Keeper::Agent(id);
        // A move to a different timeline is never refused.
        let _ = applied.stepped(board_id, stepped);
        applied.add(FoldOutcome::Adopted {
            board: board_id.clone(),
            charged,
        });
    }
}
