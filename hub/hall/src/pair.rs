//! A board whose two sides have a clock each, in two places: what the hub knows of either on its own timeline, and in which order it
//! counts. Part of the fold: instants come placed (`super::placing`), so that no estimate is needed to read the log again.
//!
//! The order is the hub's time, with the alternation of moves as causality: a press counts once its side is on move; one that came
//! while the other side was on move waits until that side's press is known, or its clock has said that there was none. Nothing is
//! settled that the clock of the side on move has not spoken for: a press under way can still save a flag.

use std::collections::VecDeque;

use proto::ids::AgentId;
use timing::{Board as BoardTime, BoardState, BySide, Duration, Fact, Hub, Instant, Side};

use super::board::Board;

/// Presses of one side that may wait for the other's; a player who hammers the button gains nothing by more.
pub(crate) const MAX_HELD: usize = 64;

/// An instant of an agent on the hub's timeline: the true one lies in `lo..=hi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    pub(crate) lo: Instant<Hub>,
    pub(crate) est: Instant<Hub>,
    pub(crate) hi: Instant<Hub>,
}

/// The two clocks of a board.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Pair {
    /// Who serves each side.
    pub(crate) seats: BySide<Option<Seat>>,
    /// How far the beginning of the turn may be off.
    pub(crate) turn: Doubt,
    /// Numbers the events of both clocks on this board: what a restore names.
    pub(crate) events: u64,
    /// The last press of this game that could have been in time or not, in words.
    pub(crate) straddle: Option<String>,
}

/// One side's clock.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Seat {
    pub(crate) agent: AgentId,
    pub(crate) serving: Serving,
    /// Nothing of it that is not known lies before this.
    pub(crate) passed: Instant<Hub>,
    /// What waits for its turn, in the order of the agent's chain.
    pub(crate) held: VecDeque<Held>,
}

/// Whether an agent knows that it serves the side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Serving {
    /// The order of this number says so, and is under way: what it reports until then was meant for another board.
    Ordered(u64),
    /// It does.
    Taken,
}

/// A fact that has come and does not count yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Held {
    /// Its number on this board.
    pub(crate) number: u64,
    pub(crate) fact: Fact,
    pub(crate) placed: Placed,
}

/// How far an instant may lie from where it was taken to lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Doubt {
    /// Earlier, at most.
    pub(crate) before: Duration,
    /// Later, at most.
    pub(crate) after: Duration,
}

/// What comes next on the board, of what is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// The oldest waiting command takes effect at this instant.
    Command(Instant<BoardTime>),
    /// Time alone changes something at this instant, whatever may still be under way.
    Deadline(Instant<BoardTime>),
    /// The first fact that waits at this side's clock counts, at this instant.
    Counts(Side, Instant<BoardTime>, Option<Straddle>),
    /// The first fact that waits at this side's clock means nothing: the other side was on move.
    MeansNothing(Side),
}

/// A press so near a deadline that it could have come before or after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Straddle {
    /// How long after the deadline it came by the best guess; negative: before.
    pub(crate) margin: Duration,
    /// How far that may be off.
    pub(crate) doubt: Duration,
}

/// A hub instant on a board that is read on the hub's timeline.
pub(crate) fn on_board(at: Instant<Hub>) -> Instant<BoardTime> {
    Instant::from_micros(at.as_micros())
}

impl Pair {
    /// The side that an agent serves.
    pub(crate) fn side_of(&self, agent: AgentId) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| {
            self.seats[*side]
                .as_ref()
                .is_some_and(|seat| seat.agent == agent)
        })
    }

    /// The agents that serve the board.
    pub(crate) fn agents(&self) -> impl Iterator<Item = AgentId> + '_ {
        Side::BOTH
            .into_iter()
            .filter_map(|side| self.seats[side].as_ref().map(|seat| seat.agent))
    }

    /// Whether each side has a clock that knows it serves the board.
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
    /// The agents that serve the board: one, one for each side, or none.
    pub(crate) fn agents(&self) -> impl Iterator<Item = AgentId> + '_ {
        let of_pair = self.pair.iter().flat_map(Pair::agents);
        self.agent.into_iter().chain(of_pair)
    }

    /// Whether a clock can be started: somebody is there to run it.
    pub(crate) fn is_served(&self) -> bool {
        match &self.pair {
            Some(pair) => pair.is_complete(),
            None => self.agent.is_some(),
        }
    }

    /// What comes next on a board of two clocks when each side's clock has spoken for everything before `passed`.
    pub(crate) fn next(&self, passed: BySide<Instant<Hub>>) -> Option<Next> {
        let pair = self.pair.as_ref()?;
        if self.fault.is_some() {
            // Refused, each with the fault.
            let command = self.pending.first();
            let refused = command.map(|command| Next::Command(on_board(command.since)));
            let waiting = Side::BOTH
                .into_iter()
                .find(|side| pair.front(*side).is_some());
            return refused.or(waiting.map(Next::MeansNothing));
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

    /// No clock runs: nothing that comes later could change what is known.
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
            return Some(Next::MeansNothing(side));
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
            // It would have completed a move: the engine says that it is late, and the arbiter is told.
            (true, true) => Some(Next::Counts(side, est, None)),
            (true, false) => Some(Next::MeansNothing(side)),
        }
    }

    /// A clock runs: only the clock of the side on move can change what happens, until it has spoken.
    fn next_running(&self, pair: &Pair, mover: Side, passed: BySide<Instant<Hub>>) -> Option<Next> {
        let own = pair.front(mover);
        if let Some(held) = own.filter(|held| !self.is_own(mover, held)) {
            debug_assert!(matches!(held.fact, Fact::Pressed(_)));
            return Some(Next::MeansNothing(mover));
        }
        let served = pair.seats[mover].is_some();
        // The mover's clock has spoken up to here, for certain and by the best guess. What it said of later waits behind the press
        // that counts next: that one begins the other side's turn, and may do so before a deadline that has passed by now.
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
            return Some(Next::MeansNothing(mover.other()));
        }
        own.map(|held| self.press_counts(pair, mover, held))
    }

    /// Where a waiting command takes its place: not past a deadline that a press could still have come before.
    fn command_instant(&self, since: Instant<Hub>) -> Instant<BoardTime> {
        let wanted = on_board(since);
        let wanted = match self.clock().next_deadline() {
            Some(deadline) if deadline <= wanted => deadline - Duration::MICROSECOND,
            Some(_) | None => wanted,
        };
        self.short_of_flag(wanted)
    }

    /// When a fact of the side on move counts. A press that may or may not have come before a deadline came before it.
    fn press_counts(&self, pair: &Pair, mover: Side, held: &Held) -> Next {
        let clock = self.clock();
        let now = clock.now();
        let placed = held.placed;
        if on_board(placed.hi) + pair.turn.before < now {
            // Certainly from before the turn began: the engine says that it is late, and the arbiter is told.
            return Next::Counts(mover, on_board(placed.est), None);
        }
        let at = on_board(placed.est).max(now);
        let Some(deadline) = clock.next_deadline() else {
            return Next::Counts(mover, at, None);
        };
        let straddle = || {
            let (early, late) = (placed.est - placed.lo, placed.hi - placed.est);
            Straddle {
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

    /// A press counts for the side whose clock it is; the other button of that clock means nothing.
    fn is_own(&self, side: Side, held: &Held) -> bool {
        match held.fact {
            Fact::Pressed(button) => self.clock().side_of(button) == side,
            Fact::Stopped => true,
        }
    }
}
