//! Adds up the charged time of both sides and compares the sum with the time that passed at the hub.

use proto::ids::AgentId;
use timing::{Duration, Effect, Effects, Side};

use super::{Span, Sum};
use crate::board::{Board, Keeper};
use crate::board_id::BoardId;
use crate::effect::OpenStep;
use crate::{Hall, note};

/// Divisor of an elapsed time that gives the largest accepted drift: 100 ppm.
const DRIFT_DIVISOR: i64 = 10_000;

/// Maximum uncertainty accepted for a jump, even if its clock states more.
const MAX_JUMP_UNCERTAINTY: Duration = Duration::from_secs(5);

/// Maximum rounding error of a span. Both ends are rounded, on the clock and on the hub.
const ROUNDING: Duration = Duration::from_micros(10);

impl Hall {
    /// Updates a board's sum after `effects` on its clock. A board has a sum only while one agent keeps its time.
    pub(crate) fn sum_up(&mut self, id: &BoardId, effects: &Effects, step: &mut OpenStep) {
        let Some(board) = self.fold.boards.get(id) else {
            return;
        };
        // After a new game or a restore, a new sum begins, because turns that were taken back are no longer charged.
        let another = |effect: &_| matches!(effect, Effect::Prepared | Effect::Restored);
        if effects.iter().any(another) {
            self.live.accounts.remove(id);
            self.live.sums.remove(id);
        }
        // A ruling that stops the clocks and restarts them immediately interrupts a turn. No move will include that
        // turn's time.
        let stopped = effects.iter().any(|effect| *effect == Effect::Paused);
        let runs = board.clock().state().running().is_some();
        if stopped && runs {
            self.live.sums.remove(id);
        }
        let Keeper::Agent(agent) = board.keeper else {
            self.live.sums.remove(id);
            return;
        };
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
        self.place_sum(id, step);
    }

    /// Places an ended span on the hub's timeline once the offset is known, and compares the sums.
    fn place_sum(&mut self, id: &BoardId, step: &mut OpenStep) {
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
            self.note(step, notice);
        }
    }

    /// Retries placing the ended span of an agent's board after a time exchange.
    pub(crate) fn place_sums_of(&mut self, agent: AgentId, step: &mut OpenStep) {
        if let Some(board) = self.board_of(agent) {
            self.place_sum(&board, step);
        }
    }

    /// Records a jump of an agent's time. A span that ended before the jump can no longer be placed.
    pub(crate) fn sum_jumped(&mut self, agent: AgentId, uncertainty_us: i64) {
        let board = self.board_of(agent);
        let Some(sum) = board.and_then(|board| self.live.sums.get_mut(&board)) else {
            return;
        };
        if sum.ended.is_some() {
            *sum = Sum::default();
        }
        let told = Duration::from_micros(uncertainty_us).or_zero();
        sum.jumps += told.min(MAX_JUMP_UNCERTAINTY);
    }
}

fn last_move(board: &Board, effects: &Effects) -> Option<(Side, Duration)> {
    effects.iter().find_map(|effect| {
        if let Effect::MoveCompleted { side, .. } = *effect {
            let line = board.play.lines.back()?;
            return Some((side, Duration::from_micros(line.used_us)));
        }
        None
    })
}

fn starts(effects: &Effects) -> bool {
    effects
        .iter()
        .any(|effect| matches!(effect, Effect::Started { .. } | Effect::Resumed { .. }))
}
