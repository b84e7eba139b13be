//! A board with a separate clock for each side, in different places. Holds each clock's state on the hub's timeline,
//! and the order in which their facts count. Part of the fold: instants arrive already placed (`super::placing`), so
//! that reading the log again needs no estimate.
//!
//! Facts count in the order of hub time, but moves must alternate: a press counts once its side is to move. A press
//! that arrives while the other side is to move waits. It waits until the other side's press arrives, or that side's
//! clock reports that there was none. Nothing is settled before the clock of the side to move has reported, because a
//! press in transit can still prevent a flag fall.

use std::collections::VecDeque;

use proto::ids::AgentId;
use timing::sync::Mapped;
use timing::{Board as BoardTime, BoardState, BySide, Duration, Fact, Hub, Instant, Side};

use super::board::Board;

/// Maximum number of waiting presses and stops of one side. Further ones have no effect.
pub(crate) const MAX_WAITING_PRESSES: usize = 64;

/// An instant of an agent's timeline, placed on the hub's timeline. The true instant lies in `lo..=hi`.
pub(crate) type Placed = Mapped<Hub>;

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Pair {
    pub(crate) seats: BySide<Option<Seat>>,
    /// Error bounds of the instant at which the current turn began.
    pub(crate) turn: ErrorBounds,
    /// Number of presses and stops that the two clocks together have reported on this board. Also the number of the
    /// newest of them; a restore refers to a press or stop by its number.
    pub(crate) events: u64,
    /// The text about the latest press in this game that may or may not have been in time.
    pub(crate) straddle: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Seat {
    pub(crate) agent: AgentId,
    pub(crate) serving: Serving,
    /// Hub instant before which every fact of this clock is known.
    pub(crate) passed: Instant<Hub>,
    /// Facts that wait to be counted, in the order of the agent's chain.
    pub(crate) held: VecDeque<Held>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Serving {
    /// The agent has not yet carried out the order with this number, so its events do not count on this board.
    Ordered(u64),
    Taken,
}

/// A fact that has arrived but does not count yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Held {
    /// The fact's number among the presses and stops on this board.
    pub(crate) number: u64,
    pub(crate) fact: Fact,
    pub(crate) placed: Placed,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ErrorBounds {
    /// The largest amount by which the true instant may be earlier.
    pub(crate) before: Duration,
    /// The largest amount by which the true instant may be later.
    pub(crate) after: Duration,
}

/// The next step of a board, as far as the known facts determine it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// The oldest pending command takes effect at this instant.
    Command(Instant<BoardTime>),
    /// Time alone changes the state at this instant, regardless of facts in transit.
    Deadline(Instant<BoardTime>),
    /// The first held fact of this side counts, at this instant.
    Counts(Side, Instant<BoardTime>, Option<AmbiguousPress>),
    /// The first held fact of this side has no effect.
    Ignored(Side),
}

/// A press so close to a deadline that it may have been made before or after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AmbiguousPress {
    /// Estimated time from the deadline to the press; negative if the press was earlier.
    pub(crate) margin: Duration,
    /// Error bound of the margin.
    pub(crate) doubt: Duration,
}

/// Converts a hub instant to board time, for a board that uses the hub's timeline.
pub(crate) fn on_board(at: Instant<Hub>) -> Instant<BoardTime> {
    Instant::from_micros(at.as_micros())
}

impl Pair {
    pub(crate) fn side_of(&self, agent: AgentId) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| {
            self.seats[*side]
                .as_ref()
                .is_some_and(|seat| seat.agent == agent)
        })
    }

    pub(crate) fn agents(&self) -> impl Iterator<Item = AgentId> + '_ {
        Side::BOTH
            .into_iter()
            .filter_map(|side| self.seats[side].as_ref().map(|seat| seat.agent))
    }

    /// Returns true if each side has a clock that has carried out its order to serve.
    pub(crate) fn is_complete(&self) -> bool {
        Side::BOTH.into_iter().all(|side| {
            self.seats[side]
                .as_ref()
                .is_some_and(|seat| seat.serving == Serving::Taken)
        })
    }

    fn front(&self, side: Side) -> Option<&Held> {
        self.seats[side].as_ref()?.held.front()
    }
}

impl Board {
    /// Returns the agents that serve the board: one for the whole board, up to one for each side, or none.
    pub(crate) fn agents(&self) -> impl Iterator<Item = AgentId> + '_ {
        let of_pair = self.pair.iter().flat_map(Pair::agents);
        self.agent.into_iter().chain(of_pair)
    }

    /// Returns true if the board has one clock for both sides, or two clocks that have carried out their orders to serve.
    pub(crate) fn is_served(&self) -> bool {
        match &self.pair {
            Some(pair) => pair.is_complete(),
            None => self.agent.is_some(),
        }
    }

    /// Returns the next step of a board with two clocks, whose clocks have reported everything before `passed`.
    pub(crate) fn next(&self, passed: BySide<Instant<Hub>>) -> Option<Next> {
        let pair = self.pair.as_ref()?;
        if self.fault.is_some() {
            // The faulty board refuses its pending command and its held facts.
            let command = self.pending.first();
            let refused = command.map(|command| Next::Command(on_board(command.since)));
            let waiting = Side::BOTH
                .into_iter()
                .find(|side| pair.front(*side).is_some());
            return refused.or(waiting.map(Next::Ignored));
        }
        match self.clock().state() {
            BoardState::Running { mover } => self.next_running(pair, mover, passed),
            BoardState::Ready
            | BoardState::Paused { .. }
            | BoardState::Stopped { .. }
            | BoardState::Flagged { .. }
            | BoardState::Over => self.next_standing(pair),
        }
    }

    /// Returns the next step while no clock runs.
    fn next_standing(&self, pair: &Pair) -> Option<Next> {
        if let Some(command) = self.pending.first() {
            return Some(Next::Command(self.short_of_flag(on_board(command.since))));
        }
        let first = |side: Side| pair.front(side).map(|held| (held.placed.est, side, held));
        let (_, side, held) = [first(Side::White), first(Side::Black)]
            .into_iter()
            .flatten()
            .min_by_key(|(est, side, _)| (*est, *side == Side::Black))?;
        let now = self.clock().now();
        if !self.is_own(side, held) {
            return Some(Next::Ignored(side));
        }
        let late = on_board(held.placed.hi) < now;
        let awaited = match self.clock().state() {
            BoardState::Paused { next, .. } | BoardState::Stopped { next, .. } => next == side,
            BoardState::Flagged { side: mover } => mover == side,
            BoardState::Ready | BoardState::Running { .. } | BoardState::Over => false,
        };
        let est = on_board(held.placed.est);
        match (late, awaited) {
            (false, _) => Some(Next::Counts(side, est.max(now), None)),
            // In time, this fact would have counted. The engine reports a press as late, which produces a note for the
            // arbiter.
            (true, true) => Some(Next::Counts(side, est, None)),
            (true, false) => Some(Next::Ignored(side)),
        }
    }

    /// Returns the next step while a clock runs. Until the clock of the side to move has reported, only that clock's facts
    /// can determine the step.
    fn next_running(&self, pair: &Pair, mover: Side, passed: BySide<Instant<Hub>>) -> Option<Next> {
        let own = pair.front(mover);
        if let Some(held) = own.filter(|held| !self.is_own(mover, held)) {
            debug_assert!(matches!(held.fact, Fact::Pressed(_)));
            return Some(Next::Ignored(mover));
        }
        let served = pair.seats[mover].is_some();
        // How far the mover's clock has reported: for certain, and by the best estimate. A held press is the limit even if
        // the clock has reported further, because it may end the turn before the deadline.
        let certain = own.map_or(passed[mover], |held| held.placed.lo);
        let known = own.map_or(passed[mover], |held| held.placed.est);
        let command = self.pending.first().map(|command| command.since);
        let deadline = self
            .clock()
            .next_deadline()
            .filter(|at| served && *at + pair.turn.after <= on_board(certain));
        if let Some(at) = deadline
            && command.is_none_or(|command| at < on_board(command))
        {
            return Some(Next::Deadline(at));
        }
        let other = pair.front(mover.other());
        let stop = other.filter(|held| held.fact == Fact::Stopped && held.placed.est <= known);
        if let Some(since) = command
            && (!served || since <= known)
            && stop.is_none_or(|stop| since <= stop.placed.est)
        {
            return Some(Next::Command(self.command_instant(since)));
        }
        if let Some(stop) = stop {
            let at = on_board(stop.placed.est).max(self.clock().now());
            return Some(Next::Counts(mover.other(), at, None));
        }
        if let Some(held) = other
            && held.fact != Fact::Stopped
            && held.placed.hi < certain
        {
            return Some(Next::Ignored(mover.other()));
        }
        own.map(|held| self.press_counts(pair, mover, held))
    }

    /// Returns the instant at which a pending command takes effect. If a press in transit may precede a deadline, the
    /// command takes effect before the deadline.
    fn command_instant(&self, since: Instant<Hub>) -> Instant<BoardTime> {
        let wanted = on_board(since);
        let wanted = match self.clock().next_deadline() {
            Some(deadline) if deadline <= wanted => deadline - Duration::MICROSECOND,
            Some(_) | None => wanted,
        };
        self.short_of_flag(wanted)
    }

    /// Returns the next step for the mover's first held fact. If the fact may precede a deadline, it counts as before
    /// the deadline.
    fn press_counts(&self, pair: &Pair, mover: Side, held: &Held) -> Next {
        let clock = self.clock();
        let now = clock.now();
        let placed = held.placed;
        if on_board(placed.hi) + pair.turn.before < now {
            // The fact certainly precedes the turn. The engine reports a press as late, which produces a note for the
            // arbiter.
            return Next::Counts(mover, on_board(placed.est), None);
        }
        let at = on_board(placed.est).max(now);
        let Some(deadline) = clock.next_deadline() else {
            return Next::Counts(mover, at, None);
        };
        let straddle = || {
            let (early, late) = (placed.est - placed.lo, placed.hi - placed.est);
            AmbiguousPress {
                margin: at - deadline,
                doubt: (early + pair.turn.after).max(late + pair.turn.before),
            }
        };
        if deadline <= at {
            return Next::Counts(mover, deadline - Duration::MICROSECOND, Some(straddle()));
        }
        let near = deadline <= on_board(placed.hi) + pair.turn.before;
        Next::Counts(mover, at, near.then(straddle))
    }

    /// Returns true unless the fact is a press of the other side's button, which has no effect on a clock for one side.
    fn is_own(&self, side: Side, held: &Held) -> bool {
        match held.fact {
            Fact::Pressed(button) => self.clock().side_of(button) == side,
            Fact::Stopped => true,
        }
    }
}
