//! An agent of the hall as the log has it: its place in its chain, and the orders it has not answered. Part of the fold: links,
//! health and time exchanges are [`super::session`]'s.

use std::collections::VecDeque;
use std::sync::Arc;

use proto::chain::ChainHash;
use proto::ids::{AgentId, CommandId, EventSeq};
use timing::{Board, Hub, Instant, Side};

use super::command_record::CommandRecord;
use super::input::{BoardId, EventFact, SignedEvent};

/// Crystals within 100 ppm drift by a ten-thousandth of the time that passes.
const DRIFT_DIVISOR: i64 = 10_000;

/// An enrolled agent.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Agent {
    pub(crate) id: AgentId,
    pub(crate) name: String,
    pub(crate) exchange_key: Vec<u8>,
    pub(crate) certificate_serial: Vec<u8>,
    pub(crate) revoked: bool,
    /// The board it serves.
    pub(crate) board: Option<BoardId>,
    /// Its newest event in the log.
    pub(crate) seq: EventSeq,
    /// Chain hash of that event; of the chain's beginning before the first.
    pub(crate) head: ChainHash,
    /// The latest stamp in its chain.
    pub(crate) at: Option<Instant<Board>>,
    /// When the hub had that event.
    pub(crate) heard: Option<Instant<Hub>>,
    /// The least (hub − board) seen, microseconds: the true offset is at most this.
    pub(crate) offset_us: Option<i64>,
    /// When the newest correction at it was made, board time, microseconds: each counts once.
    pub(crate) corrected: Option<i64>,
    /// The board it served before it was released, until it knows that it was: what it reports was meant for that one.
    pub(crate) left: Option<BoardId>,
    /// The number of its next order.
    pub(crate) next_order: u64,
    /// Orders it has not answered, oldest first.
    pub(crate) orders: VecDeque<Order>,
}

/// What the hub wants of an agent.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Order {
    /// Grows from order to order; may skip.
    pub(crate) number: u64,
    /// What.
    pub(crate) what: OrderWhat,
    /// Taken back: no longer sent, but should the agent have it already, it counts.
    pub(crate) withdrawn: bool,
}

/// What an order asks for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum OrderWhat {
    /// An arbiter's command on the board.
    Command {
        /// On which board it was given.
        board: BoardId,
        /// The command.
        record: Arc<CommandRecord>,
    },
    /// Serve this board, which stands so.
    Adopt {
        /// The board.
        board: BoardId,
        /// Bytes of its snapshot.
        snapshot: Vec<u8>,
    },
    /// Serve one side of this board, which stands so.
    ServeSide {
        /// The board.
        board: BoardId,
        /// Which side.
        side: Side,
        /// Bytes of its snapshot.
        snapshot: Vec<u8>,
    },
    /// Serve no board.
    Release,
}

impl Order {
    /// The board it concerns.
    pub(crate) fn board(&self) -> Option<&BoardId> {
        match &self.what {
            OrderWhat::Command { board, .. }
            | OrderWhat::Adopt { board, .. }
            | OrderWhat::ServeSide { board, .. } => Some(board),
            OrderWhat::Release => None,
        }
    }

    /// Whether it asks for this command.
    pub(crate) fn carries(&self, command: &CommandId) -> bool {
        matches!(&self.what, OrderWhat::Command { record, .. } if record.id == *command)
    }
}

impl Agent {
    /// Whether `event` is the next link of the chain.
    pub(crate) fn expects(&self, event: &SignedEvent) -> bool {
        event.seq == self.seq.next() && event.prev_hash == self.head
    }

    /// Takes the next link of the chain.
    pub(crate) fn follow(&mut self, event: &SignedEvent, hub: Instant<Hub>) {
        let least = self.offset_at(hub);
        self.seq = event.seq;
        self.head = event.hash;
        self.heard = Some(hub);
        let at = self.at.map_or(event.at, |at| at.max(event.at));
        self.at = Some(at);
        let seen = hub.as_micros().saturating_sub(at.as_micros());
        // A jump makes it another timeline: what was seen on the old one says nothing.
        let jumped = matches!(event.fact, EventFact::Rebase { .. });
        self.offset_us = match least {
            Some(least) if !jumped => Some(least.min(seen)),
            Some(_) | None => Some(seen),
        };
    }

    /// What (hub − board) is at most at `hub`: the least seen, and the drift of a sound crystal since.
    fn offset_at(&self, hub: Instant<Hub>) -> Option<i64> {
        let since = hub - self.heard?;
        Some(
            self.offset_us?
                .saturating_add(since.or_zero().as_micros() / DRIFT_DIVISOR),
        )
    }

    /// The board's time at `hub`, at least: no event can have been heard before it was stamped.
    pub(crate) fn board_time_at_least(&self, hub: Instant<Hub>) -> Option<Instant<Board>> {
        let offset = self.offset_at(hub)?;
        Some(Instant::from_micros(hub.as_micros().saturating_sub(offset)))
    }

    /// The hub's time of a board instant, at most.
    pub(crate) fn hub_time(&self, at: Instant<Board>) -> Option<Instant<Hub>> {
        let offset = self.offset_us?;
        Some(Instant::from_micros(at.as_micros().saturating_add(offset)))
    }

    /// The hub's time of a board instant that was heard of by `hub`, at most; allows for the drift of a sound crystal since the
    /// least offset was seen.
    pub(crate) fn hub_time_at_most(
        &self,
        at: Instant<Board>,
        hub: Instant<Hub>,
    ) -> Option<Instant<Hub>> {
        let offset = self.offset_at(hub)?;
        Some(Instant::from_micros(at.as_micros().saturating_add(offset)).min(hub))
    }

    /// Queues an order and says its number.
    pub(crate) fn order(&mut self, what: OrderWhat) -> u64 {
        let number = self.next_order;
        self.next_order = number.saturating_add(1);
        self.orders.push_back(Order {
            number,
            what,
            withdrawn: false,
        });
        number
    }

    /// Takes order `number` and everything before it off the list: what was skipped, and the order itself if it was there.
    pub(crate) fn taken(&mut self, number: u64) -> (Vec<Order>, Option<Order>) {
        let mut skipped = Vec::new();
        while let Some(order) = self.orders.pop_front_if(|order| order.number <= number) {
            if order.number == number {
                return (skipped, Some(order));
            }
            skipped.push(order);
        }
        (skipped, None)
    }

    /// The number of the order that carries a command.
    pub(crate) fn order_of(&self, command: &CommandId) -> Option<u64> {
        self.orders
            .iter()
            .find(|order| order.carries(command))
            .map(|order| order.number)
    }

    /// Takes every order about `board` off the list.
    pub(crate) fn take_orders_of(&mut self, board: &BoardId) -> VecDeque<Order> {
        let (of_board, others) = std::mem::take(&mut self.orders)
            .into_iter()
            .partition(|order| order.board() == Some(board));
        self.orders = others;
        of_board
    }
}
