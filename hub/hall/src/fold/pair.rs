//! Boards with two clocks in the fold: the clocks' seats, and the progress of the board according to both clocks.

use proto::ids::{AgentId, EventSeq};
use timing::{ClockStep, Command, Duration, Effect, Effects, Fact, Hub, Instant, Side};

use super::{Applied, Fold, FoldOutcome, RecordConflict};
use crate::agent::OrderKind;
use crate::agent_frame::{EventFact, SignedEvent};
use crate::board::{Board, Keeper};
use crate::board_id::BoardId;
use crate::command_record::CommandRecord;
use crate::pair::{
    AmbiguousPress, ErrorBounds, Held, MAX_WAITING_PRESSES, Next, Pair, Placed, Seat, Serving,
};
use crate::play::GameStep;
use crate::refusal::Why;
use crate::time_chess::PressRule;
use crate::words::capital;

impl Fold {
    pub(crate) fn served_by(&self, agent: AgentId) -> Option<&Board> {
        self.boards.get(self.agents.get(&agent)?.board.as_ref()?)
    }

    pub(crate) fn kept_by(&self, agent: AgentId) -> Option<&Board> {
        let served = self.served_by(agent);
        served.filter(|board| board.keeper == Keeper::Agent(agent))
    }

    /// Returns the board and the side that an agent serves, on a board with two clocks.
    pub(crate) fn side_of(&self, agent: AgentId) -> Option<(&Board, Side)> {
        let board = self.served_by(agent)?;
        let side = board.pair.as_ref()?.side_of(agent)?;
        Some((board, side))
    }

    /// Assigns one side of a board to an agent, or to none. From then on the hub keeps the board's time; a running
    /// clock keeps running. An agent that serves the whole board is released, unless it is the side's new agent.
    pub(super) fn assign_side(
        &mut self,
        board_id: &BoardId,
        side: Side,
        new: Option<AgentId>,
        applied: &mut Applied,
    ) -> Result<(), RecordConflict> {
        self.may_serve(new)?;
        self.board(board_id)?;
        if let Some(new) = new {
            self.check_one_side(board_id, side, new)?;
        }
        self.begin_pair(board_id, new, applied);
        applied.show(board_id);
        let old = self.seat(board_id, side).map(|seat| seat.agent);
        if let Some(old) = old.filter(|old| Some(*old) != new) {
            self.release(old, board_id, applied);
            if let Some(pair) = self.pair_mut(board_id) {
                pair.seats[side] = None;
            }
        }
        if let Some(new) = new {
            self.board_mut(board_id)?.press_rule = PressRule::Clock;
            self.leave_other_board(new, board_id, applied);
            self.seat_agent(board_id, side, new, applied);
        } else if let Some(board) = self.boards.get_mut(board_id) {
            board.pair.take_if(|pair| pair.agents().next().is_none());
        }
        self.run_pair(board_id, applied);
        Ok(())
    }

    pub(super) fn check_one_side(
        &self,
        board: &BoardId,
        side: Side,
        agent: AgentId,
    ) -> Result<(), RecordConflict> {
        let pair = self.board(board)?.pair.as_ref();
        match pair.and_then(|pair| pair.side_of(agent)) {
            Some(served) if served != side => Err(RecordConflict::BothSides),
            Some(_) | None => Ok(()),
        }
    }

    /// Changes a board to two clocks; the agent of the whole board stops serving it.
    fn begin_pair(&mut self, board_id: &BoardId, new: Option<AgentId>, applied: &mut Applied) {
        let board = self.boards.get(board_id);
        let Some(board) = board.filter(|board| board.pair.is_none()) else {
            return;
        };
        let single = board.agent;
        self.take_over(board_id, applied.hub);
        self.refuse_pending(board_id, Why::GivenTwoClocks, applied);
        match single {
            Some(single) if Some(single) == new => {
                if let Some(agent) = self.agents.get_mut(&single) {
                    agent.take_orders_of(board_id);
                }
            }
            Some(single) => self.release(single, board_id, applied),
            None => (),
        }
        if let Some(board) = self.boards.get_mut(board_id) {
            board.agent = None;
            board.pair = Some(Pair::default());
        }
    }

    /// Ends the two-clock mode of a board and releases both clocks, except that of the agent `keep`.
    pub(super) fn end_pair(
        &mut self,
        board_id: &BoardId,
        keep: Option<AgentId>,
        applied: &mut Applied,
    ) {
        let board = self.boards.get_mut(board_id);
        let Some(pair) = board.and_then(|board| board.pair.take()) else {
            return;
        };
        for agent in pair.agents() {
            if Some(agent) == keep {
                if let Some(agent) = self.agents.get_mut(&agent) {
                    agent.take_orders_of(board_id);
                }
            } else {
                self.release(agent, board_id, applied);
            }
        }
        self.refuse_pending(board_id, Why::ClocksReplaced, applied);
    }

    pub(super) fn leave_other_board(&mut self, id: AgentId, to: &BoardId, applied: &mut Applied) {
        let Some(agent) = self.agents.get_mut(&id) else {
            return;
        };
        let Some(other) = agent.board.clone().filter(|other| other != to) else {
            return;
        };
        agent.take_orders_of(&other);
        let board = self.boards.get(&other);
        let seat = board.and_then(|board| board.pair.as_ref()?.side_of(id));
        match seat {
            Some(side) => {
                if let Some(pair) = self.pair_mut(&other) {
                    pair.seats[side] = None;
                }
                if let Some(board) = self.boards.get_mut(&other)
                    && board.agents().next().is_none()
                {
                    board.pair = None;
                }
                self.run_pair(&other, applied);
            }
            None => {
                self.take_over(&other, applied.hub);
                self.refuse_pending(&other, Why::ClockMoved, applied);
                if let Some(board) = self.boards.get_mut(&other) {
                    board.agent = None;
                }
            }
        }
        applied.show(&other);
    }

    /// Orders an agent to serve a side. The agent begins to serve when it carries out the order, so its earlier facts
    /// do not count.
    fn seat_agent(&mut self, board_id: &BoardId, side: Side, new: AgentId, applied: &mut Applied) {
        let Some(board) = self.boards.get_mut(board_id) else {
            return;
        };
        let snapshot = board.clock().snapshot().to_bytes();
        let (Some(pair), Some(agent)) = (&mut board.pair, self.agents.get_mut(&new)) else {
            return;
        };
        agent.take_orders_of(board_id);
        agent.board = Some(board_id.clone());
        let number = agent.order(
            OrderKind::ServeSide {
                board: board_id.clone(),
                side,
                snapshot,
            },
            applied.hub,
        );
        match &mut pair.seats[side] {
            // The agent gets the order again and keeps serving the side.
            Some(seat) if seat.agent == new => (),
            empty => {
                *empty = Some(Seat {
                    agent: new,
                    serving: Serving::Ordered(number),
                    passed: applied.hub,
                    held: Default::default(),
                });
            }
        }
        applied.add(FoldOutcome::Ordered(new));
    }

    pub(super) fn side_taken(
        &mut self,
        id: AgentId,
        number: u64,
        board_id: &BoardId,
        applied: &mut Applied,
    ) {
        let Some(pair) = self.pair_mut(board_id) else {
            return;
        };
        for side in Side::BOTH {
            if let Some(seat) = &mut pair.seats[side]
                && seat.agent == id
                && seat.serving == Serving::Ordered(number)
            {
                seat.serving = Serving::Taken;
            }
        }
        applied.show(board_id);
        applied.add(FoldOutcome::Named(board_id.clone()));
        applied.add(FoldOutcome::Followed(board_id.clone()));
    }

    /// Queues a fact from one of a board's two clocks and applies everything that is certain. A fact beyond
    /// [`MAX_WAITING_PRESSES`] is dropped. Returns false if the agent does not yet serve a side, or the event is not a
    /// player's action.
    pub(super) fn pair_event(
        &mut self,
        id: AgentId,
        event: &SignedEvent,
        placed: Placed,
        applied: &mut Applied,
    ) -> bool {
        let Some((board, side)) = self.side_of(id) else {
            return false;
        };
        let board_id = board.id.clone();
        let fact = match event.fact {
            EventFact::Players(fact) => fact,
            // The offset estimate handles jumps of the clock's timeline.
            EventFact::Rebase { .. }
            | EventFact::OrderTaken(_)
            | EventFact::ZeroTested(_)
            | EventFact::Correction => return false,
        };
        let Some(pair) = self.pair_mut(&board_id) else {
            return false;
        };
        let Some(seat) = &mut pair.seats[side] else {
            return false;
        };
        if seat.serving != Serving::Taken {
            return false;
        }
        pair.events += 1;
        let number = pair.events;
        seat.passed = seat.passed.max(placed.lo);
        if seat.held.len() < MAX_WAITING_PRESSES {
            seat.held.push_back(Held {
                number,
                fact,
                placed,
            });
        }
        applied.show(&board_id);
        self.run_pair(&board_id, applied);
        true
    }

    pub(super) fn passed(
        &mut self,
        board_id: Option<&BoardId>,
        side: Side,
        at: Instant<Hub>,
        applied: &mut Applied,
    ) -> Result<(), RecordConflict> {
        let board_id = board_id.ok_or(RecordConflict::PassedNowhere)?;
        let seat = self
            .pair_mut(board_id)
            .and_then(|pair| pair.seats[side].as_mut())
            .ok_or(RecordConflict::ForeignSide)?;
        seat.passed = seat.passed.max(at);
        self.run_pair(board_id, applied);
        Ok(())
    }

    /// Applies everything that is certain by now to a board with two clocks, in the order of [`Board::next`].
    pub(super) fn run_pair(&mut self, board_id: &BoardId, applied: &mut Applied) {
        while let Some(next) = self.next_of_pair(board_id) {
            match next {
                Next::Command(at) => self.pair_command(board_id, at, applied),
                Next::Deadline(at) => {
                    self.pair_step(board_id, None, ClockStep::TimePassed(at), applied);
                }
                Next::Counts(side, at, straddle) => {
                    let Some(held) = self.take_held(board_id, side) else {
                        return;
                    };
                    let step = ClockStep::Fact {
                        at,
                        fact: held.fact,
                        rules: applied.rules,
                    };
                    let event = Some(EventSeq(held.number));
                    let moved = self.pair_step(board_id, event, step, applied);
                    self.after_fact(board_id, side, moved, held.placed, straddle, applied);
                }
                Next::Ignored(side) => {
                    let Some(held) = self.take_held(board_id, side) else {
                        return;
                    };
                    let board = self.boards.get_mut(board_id);
                    if held.fact == Fact::Stopped
                        && board.is_some_and(|board| {
                            board.call_arbiter(held.placed.est.min(applied.hub))
                        })
                    {
                        applied.changed.arbiter_called = true;
                        applied.show(board_id);
                    } else {
                        applied.add(FoldOutcome::FactIgnored);
                    }
                }
            }
        }
    }

    fn next_of_pair(&self, board_id: &BoardId) -> Option<Next> {
        let board = self.boards.get(board_id)?;
        let pair = board.pair.as_ref()?;
        board.next(timing::BySide::from_fn(|side| {
            pair.seats[side]
                .as_ref()
                .map_or(Instant::MIN, |seat| seat.passed)
        }))
    }

    /// Applies a step to the board's clock. Returns true if it completed a move or started the clocks.
    fn pair_step(
        &mut self,
        board_id: &BoardId,
        event: Option<EventSeq>,
        step: ClockStep,
        applied: &mut Applied,
    ) -> bool {
        let hub = applied.hub;
        let Some(board) = self.boards.get_mut(board_id) else {
            return false;
        };
        let at = step
            .at()
            .map_or(hub, |at| Instant::from_micros(at.as_micros()).min(hub));
        let stepped = board.step(
            GameStep {
                event,
                command: None,
                hub: at,
                step,
            },
            None,
        );
        let moved =
            matches!(&stepped, crate::board::Stepped::Applied(effects, _) if completes(effects));
        // Facts and time are never refused; the step has stored any fault.
        let _ = applied.stepped(board_id, stepped);
        moved
    }

    fn take_held(&mut self, board_id: &BoardId, side: Side) -> Option<Held> {
        let seat = self.pair_mut(board_id)?.seats[side].as_mut()?;
        seat.held.pop_front()
    }

    /// Does nothing unless the fact completed a move or started the clocks. Sets the error bounds of the instant at
    /// which the turn began, and reports a press close to a deadline.
    fn after_fact(
        &mut self,
        board_id: &BoardId,
        side: Side,
        moved: bool,
        placed: Placed,
        straddle: Option<AmbiguousPress>,
        applied: &mut Applied,
    ) {
        let Some(board) = self.boards.get_mut(board_id).filter(|_| moved) else {
            return;
        };
        let began = Instant::<Hub>::from_micros(board.clock().now().as_micros());
        let Some(pair) = &mut board.pair else {
            return;
        };
        pair.turn = ErrorBounds {
            before: (began - placed.lo).or_zero(),
            after: (placed.hi - began).or_zero(),
        };
        if let Some(straddle) = straddle {
            let text = straddle_text(side, straddle);
            pair.straddle = Some(text.clone());
            applied.add(FoldOutcome::Straddled(board_id.clone(), text));
        }
    }

    fn pair_command(
        &mut self,
        board_id: &BoardId,
        at: Instant<timing::Board>,
        applied: &mut Applied,
    ) {
        let board = self.boards.get_mut(board_id);
        let Some(board) = board.filter(|board| !board.pending.is_empty()) else {
            return;
        };
        let record = board.pending.remove(0).record;
        let outcome = self.apply_at(board_id, &record, &record.actor, at, applied);
        self.answer(&record.id, outcome, applied);
    }

    /// If a command begins a turn, resets the error bounds of that turn, because the instant of a command is known
    /// exactly. Also removes the text about an ambiguous press.
    pub(super) fn begin_turn(&mut self, board_id: &BoardId, record: &CommandRecord) {
        let begins = matches!(
            record.clock_command(),
            Some(Command::Start(_) | Command::Prepare(_) | Command::Restore(_))
        );
        if let Some(pair) = self.pair_mut(board_id)
            && begins
        {
            pair.turn = ErrorBounds::default();
            pair.straddle = None;
        }
    }

    fn seat(&self, board_id: &BoardId, side: Side) -> Option<&Seat> {
        self.boards.get(board_id)?.pair.as_ref()?.seats[side].as_ref()
    }

    fn pair_mut(&mut self, board_id: &BoardId) -> Option<&mut Pair> {
        self.boards.get_mut(board_id)?.pair.as_mut()
    }
}

fn completes(effects: &Effects) -> bool {
    effects.iter().any(|effect| {
        matches!(
            effect,
            Effect::MoveCompleted { .. } | Effect::Started { .. }
        )
    })
}

/// Describes a press close to a deadline and its margin, for the arbiter. The player got the benefit of the doubt.
fn straddle_text(side: Side, straddle: AmbiguousPress) -> String {
    let ms = |span: Duration| {
        let us = span.as_micros();
        format!("{}.{:03} ms", us / 1_000, us % 1_000)
    };
    let where_ = if straddle.margin >= Duration::ZERO {
        format!("{} after", ms(straddle.margin))
    } else {
        format!("{} before", ms(-straddle.margin))
    };
    format!(
        "{}'s press came {where_} the time was used up, give or take {}: decided in favour of the player to move",
        capital(side),
        ms(straddle.doubt)
    )
}
