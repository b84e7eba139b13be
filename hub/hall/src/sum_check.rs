//! The sum of a game: what both sides were charged while a clock ran, against the time that passed for the hub. Whatever a clock does
//! with its stamps, it cannot make time: if the two figures differ by more than is unknown, the arbiter is told both.
//!
//! Owns the sums of this run: a game that a restart of the hub or a change of clocks interrupts is summed from the next turn on. Must
//! never change a time.

use timing::{Board as BoardTime, BySide, Duration, Effect, Effects, Hub, Instant, Side};

use proto::ids::AgentId;

use super::board::{Board, Keeper};
use super::effect::Step;
use super::input::BoardId;
use super::{Hall, note};

/// Crystals within 100 ppm drift by a ten-thousandth of the time that passes.
const DRIFT_DIVISOR: i64 = 10_000;
/// A jump is not allowed to be off by more, whatever its clock says.
const MOST_TOLD: Duration = Duration::from_secs(5);
/// Both ends of a span are rounded, at both ends of the wire.
const ROUNDING: Duration = Duration::from_micros(10);

/// The sums of one board's game, as far as this run has seen it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sum {
    /// The span that is running.
    running: Option<Span>,
    /// A span that has ended, and waits to be placed in the hub's time.
    ended: Option<(Span, Instant<BoardTime>)>,
    charged: BySide<Duration>,
    /// What passed for the hub, at least and at most.
    least: Duration,
    most: Duration,
    /// By how much jumps of the clock's time may be off, as they say themselves.
    jumps: Duration,
    noted: bool,
}

/// A time during which a clock runs.
#[derive(Clone, Copy, Debug)]
struct Span {
    agent: AgentId,
    mover: Side,
    /// Where it began, on the hub's timeline.
    lo: Instant<Hub>,
    hi: Instant<Hub>,
    /// Of the turn that was under way when it began, so much had been used.
    carried: Duration,
}

impl Hall {
    /// The clock of a board that one agent keeps has done this.
    pub(crate) fn sum_up(
        &mut self,
        now: Instant<Hub>,
        id: &BoardId,
        effects: &Effects,
        step: &mut Step,
    ) {
        let Some(board) = self.fold.boards.get(id) else {
            return;
        };
        let Keeper::Agent(agent) = board.keeper else {
            self.live.sums.remove(id);
            return;
        };
        // Turns that are taken back took their time, but it is charged to nobody any more: another sum begins.
        let another = |effect: &_| matches!(effect, Effect::Prepared | Effect::Restored);
        if effects.iter().any(another) {
            self.live.sums.remove(id);
        }
        let at = board.clock().now();
        let used = board.play.turn.until(at);
        let mover = board.clock().state().running();
        let moved = last_move(board, effects);
        let sum = self.live.sums.entry(id.clone()).or_default();
        if sum.running.is_some_and(|span| span.agent != agent) {
            *sum = Sum::default();
        }
        if let Some(span) = &mut sum.running {
            if let Some((side, used)) = moved {
                sum.charged[side] += used - span.carried;
                span.carried = Duration::ZERO;
            }
            match mover {
                Some(mover) => span.mover = mover,
                None => {
                    let rest = if moved.is_some() {
                        Duration::ZERO
                    } else {
                        used - span.carried
                    };
                    sum.charged[span.mover] += rest;
                    sum.ended = sum.running.take().map(|span| (span, at));
                }
            }
        } else if let Some(mover) = mover {
            let began = moved.is_some() || starts(effects);
            let mapped = self
                .live
                .sessions
                .get(&agent)
                .and_then(|session| session.estimate.to_hub(at));
            sum.running = mapped
                .filter(|_| began && sum.ended.is_none())
                .map(|mapped| Span {
                    agent,
                    mover,
                    lo: mapped.lo,
                    hi: mapped.hi,
                    carried: used,
                });
        }
        self.place_sum(now, id, step);
    }

    /// A span that has ended is placed in the hub's time, as soon as the offset is known, and the sums are compared.
    fn place_sum(&mut self, now: Instant<Hub>, id: &BoardId, step: &mut Step) {
        let Some(sum) = self.live.sums.get_mut(id) else {
            return;
        };
        let Some((span, at)) = sum.ended else {
            return;
        };
        let session = self.live.sessions.get(&span.agent);
        let Some(mapped) = session.and_then(|session| session.estimate.to_hub(at)) else {
            return;
        };
        sum.ended = None;
        sum.least += (mapped.lo - span.hi).or_zero();
        sum.most += (mapped.hi - span.lo).or_zero();
        let charged = sum.charged[Side::White] + sum.charged[Side::Black];
        let drift =
            Duration::from_micros(sum.most.as_micros() / DRIFT_DIVISOR) + ROUNDING + sum.jumps;
        let right = sum.least - drift <= charged && charged <= sum.most + drift;
        if !right && !std::mem::replace(&mut sum.noted, true) {
            let half = Duration::from_micros((sum.most - sum.least).as_micros() / 2);
            let figures = (sum.least + half, half + drift);
            let notice = note::sum_check(id, sum.charged, figures);
            self.note(now, step, notice);
        }
    }

    /// The offset of an agent is known better: what waited for it is placed.
    pub(crate) fn place_sums_of(&mut self, now: Instant<Hub>, agent: AgentId, step: &mut Step) {
        if let Some(board) = self.board_of(agent) {
            self.place_sum(now, &board, step);
        }
    }

    /// A jump of an agent's time, and how far it may be off by its own word: what lay before it cannot be placed any more.
    pub(crate) fn sum_jumped(&mut self, agent: AgentId, uncertainty_us: i64) {
        let board = self.board_of(agent);
        let Some(sum) = board.and_then(|board| self.live.sums.get_mut(&board)) else {
            return;
        };
        if sum.ended.is_some() {
            *sum = Sum::default();
        }
        // A clock's word for how much it does not know is taken for a little only.
        let told = Duration::from_micros(uncertainty_us).or_zero();
        sum.jumps += told.min(MOST_TOLD);
    }
}

/// The move that has just been completed, and what it used.
fn last_move(board: &Board, effects: &Effects) -> Option<(Side, Duration)> {
    effects.iter().find_map(|effect| {
        if let Effect::MoveCompleted { side, .. } = *effect {
            let line = board.play.lines.back()?;
            return Some((side, Duration::from_micros(line.used_us)));
        }
        None
    })
}

/// Whether a clock has just been set going.
fn starts(effects: &Effects) -> bool {
    effects
        .iter()
        .any(|effect| matches!(effect, Effect::Started { .. } | Effect::Resumed { .. }))
}
