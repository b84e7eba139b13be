//! An agent of the hall according to the log: the state of its chain and its unanswered orders. Part of the fold;
//! links, health and time exchanges belong to [`super::session`].

use std::collections::VecDeque;
use std::sync::Arc;

use proto::chain::ChainHash;
use proto::ids::{AgentId, CommandId, EventSeq};
use timing::{Board, Duration, Hub, Instant, Side};

use super::agent_frame::{EventFact, SignedEvent};
use super::board_id::BoardId;
use super::command_record::CommandRecord;

/// Maximum number of orders that can be lost with the end of a log. A clock that names a later order is not believed.
const MAX_LOST_ORDERS: u64 = 1_024;
/// A sound crystal (within 100 ppm) drifts by at most the elapsed time divided by this number.
const DRIFT_DIVISOR: i64 = 10_000;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Agent {
    pub(crate) id: AgentId,
    pub(crate) name: String,
    pub(crate) exchange_key: Vec<u8>,
    pub(crate) certificate_serial: Vec<u8>,
    pub(crate) revoked: bool,
    pub(crate) board: Option<BoardId>,
    pub(crate) seq: EventSeq,
    /// Chain hash of the newest event; before the first event, the chain's genesis hash.
    pub(crate) head: ChainHash,
    /// The latest stamp in the agent's chain.
    pub(crate) at: Option<Instant<Board>>,
    /// Hub instant at which the agent's newest event arrived.
    pub(crate) heard: Option<Instant<Hub>>,
    /// Upper bound of hub time minus board time when `heard`, in microseconds: the least observed difference, plus the
    /// drift that a sound crystal may have had since then.
    pub(crate) offset_us: Option<i64>,
    /// Board time of the newest correction at this clock, in microseconds. Ensures that each correction counts only
    /// once.
    pub(crate) corrected: Option<i64>,
    /// The board that the agent served before its release. The agent's events belong to that board until it has carried
    /// out the release.
    pub(crate) left: Option<BoardId>,
    /// Sequence number of the newest logged event at the time when the chief arbiter confirmed that later events are
    /// lost.
    pub(crate) loss_confirmed: Option<EventSeq>,
    pub(crate) next_order: u64,
    /// Unanswered orders, oldest first.
    pub(crate) orders: VecDeque<Order>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Order {
    /// The order's number. Numbers increase, and may skip values.
    pub(crate) number: u64,
    /// Hub instant at which the order was numbered. The agent cannot have carried it out earlier.
    pub(crate) issued: Instant<Hub>,
    pub(crate) what: OrderKind,
    /// True if the order was withdrawn. It is no longer sent, but it counts if the agent already has it.
    pub(crate) withdrawn: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum OrderKind {
    Command {
        board: BoardId,
        record: Arc<CommandRecord>,
    },
    Adopt {
        board: BoardId,
        snapshot: Vec<u8>,
    },
    ServeSide {
        board: BoardId,
        side: Side,
        snapshot: Vec<u8>,
    },
    Release,
}

impl Order {
    pub(crate) fn board(&self) -> Option<&BoardId> {
        match &self.what {
            OrderKind::Command { board, .. }
            | OrderKind::Adopt { board, .. }
            | OrderKind::ServeSide { board, .. } => Some(board),
            OrderKind::Release => None,
        }
    }

    pub(crate) fn carries(&self, command: &CommandId) -> bool {
        matches!(&self.what, OrderKind::Command { record, .. } if record.id == *command)
    }
}

impl Agent {
    pub(crate) fn expects(&self, event: &SignedEvent) -> bool {
        event.seq == self.seq.next() && event.prev_hash == self.head
    }

    pub(crate) fn follow(&mut self, event: &SignedEvent, hub: Instant<Hub>) {
        let least = self.offset_at(hub);
        self.seq = event.seq;
        self.head = event.hash;
        self.heard = Some(hub);
        let at = self.at.map_or(event.at, |at| at.max(event.at));
        self.at = Some(at);
        let seen = hub.as_micros().saturating_sub(at.as_micros());
        // A jump begins a new timeline, so offsets from the old one do not apply.
        let jumped = matches!(event.fact, EventFact::Rebase { .. });
        self.offset_us = match least {
            Some(least) if !jumped => Some(least.min(seen)),
            Some(_) | None => Some(seen),
        };
    }

    /// Returns an upper bound on hub time minus board time at `hub`: `offset_us`, plus the possible drift of a
    /// sound crystal since the newest event.
    fn offset_at(&self, hub: Instant<Hub>) -> Option<i64> {
        let since = hub - self.heard?;
        Some(
            self.offset_us?
                .saturating_add(since.or_zero().as_micros() / DRIFT_DIVISOR),
        )
    }

    /// Returns a lower bound on the board's time at `hub`: no event can arrive before its stamp.
    pub(crate) fn board_time_at_least(&self, hub: Instant<Hub>) -> Option<Instant<Board>> {
        let offset = self.offset_at(hub)?;
        Some(Instant::from_micros(hub.as_micros().saturating_sub(offset)))
    }

    /// Returns a lower bound on the board's time at a past hub instant. The agent's timeline must not have changed
    /// since that instant.
    pub(crate) fn board_time_from(&self, hub: Instant<Hub>) -> Option<Instant<Board>> {
        let age = self.heard? - hub;
        let drift = age.or_zero().as_micros() / DRIFT_DIVISOR;
        let at = self.board_time_at_least(hub)?;
        Some(at - Duration::from_micros(drift))
    }

    /// Returns an upper bound on the hub time that corresponds to a board instant.
    pub(crate) fn hub_time(&self, at: Instant<Board>) -> Option<Instant<Hub>> {
        let offset = self.offset_us?;
        Some(Instant::from_micros(at.as_micros().saturating_add(offset)))
    }

    /// Returns an upper bound on the hub time that corresponds to a board instant, given that the event at that instant
    /// arrived by `hub`. Allows for the drift of a sound crystal since the least offset was observed.
    pub(crate) fn hub_time_at_most(
        &self,
        at: Instant<Board>,
        hub: Instant<Hub>,
    ) -> Option<Instant<Hub>> {
        let offset = self.offset_at(hub)?;
        Some(Instant::from_micros(at.as_micros().saturating_add(offset)).min(hub))
    }

    pub(crate) fn order(&mut self, what: OrderKind, issued: Instant<Hub>) -> u64 {
        let number = self.next_order;
        self.next_order = number.saturating_add(1);
        self.orders.push_back(Order {
            number,
            issued,
            what,
            withdrawn: false,
        });
        number
    }

    /// Removes order `number` and all earlier ones. Returns the earlier orders, which the clock skipped, and order
    /// `number` if it was queued.
    pub(crate) fn taken(&mut self, number: u64) -> (Vec<Order>, Option<Order>) {
        // A number that this log has not issued dates from before the log was set back. The next order needs a higher number,
        // because a clock ignores a second order with the same number.
        if (self.next_order..self.next_order.saturating_add(MAX_LOST_ORDERS)).contains(&number) {
            self.next_order = number + 1;
        }
        let mut skipped = Vec::new();
        while let Some(order) = self.orders.pop_front_if(|order| order.number <= number) {
            if order.number == number {
                return (skipped, Some(order));
            }
            skipped.push(order);
        }
        (skipped, None)
    }

    pub(crate) fn order_of(&self, command: &CommandId) -> Option<u64> {
        self.orders
            .iter()
            .find(|order| order.carries(command))
            .map(|order| order.number)
    }

    pub(crate) fn take_orders_of(&mut self, board: &BoardId) -> VecDeque<Order> {
        let (of_board, others) = std::mem::take(&mut self.orders)
            .into_iter()
            .partition(|order| order.board() == Some(board));
        self.orders = others;
        of_board
    }
}
