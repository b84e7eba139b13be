//! The delay between each press's stamp and its arrival. Detects a single delay beyond what the link explains, and a
//! small delay that recurs for presses of the same side. Defines the limits and the notes; a note informs the arbiter
//! and changes no time.
//!
//! Only the notes are logged: a hub that starts again starts to measure again.

use std::collections::VecDeque;

use proto::ids::AgentId;
use proto::watermark;
use timing::{BoardState, BySide, Duration, Fact, Hub, Instant, Side};

use super::board::{Board, Keeper};
use super::effect::Step;
use super::input::{BoardId, EventFact, SignedEvent};
use super::{Hall, note};

/// Number of round trips that characterise a link: about a minute.
const TRIPS: usize = 64;
/// Assumed longest round trip of a link without a time exchange.
const UNKNOWN_LINK: Duration = Duration::from_millis(300);
/// Lower bound for a link's round trip: a press crosses two programs.
const QUICKEST: Duration = Duration::from_millis(5);
const CALM: Duration = Duration::from_micros(watermark::CALM_US);
const HURRIED: Duration = Duration::from_micros(watermark::HURRIED_US);
const SHORT_OF_TIME: Duration = Duration::from_micros(watermark::SHORT_OF_TIME_US);
/// Number of presses of one side over which small delays add up.
const PRESSES: usize = 10;
/// The alarm threshold for [`PRESSES`] presses, in allowances.
const ALARM: i64 = 8;

/// Statistics of an agent's reports in this run.
#[derive(Debug, Default)]
pub(crate) struct Reports {
    trips: VecDeque<Duration>,
    /// The run of late reports that has a note and has not ended.
    late: Option<Late>,
    sums: BySide<Drift>,
}

#[derive(Clone, Copy, Debug)]
struct Late {
    /// Instant at which the clock was last known to have reported everything.
    since: Instant<Hub>,
    presses: u32,
}

/// The delays of one side's presses beyond the allowance, each limited to one allowance in either direction, and their
/// sum.
#[derive(Debug, Default)]
struct Drift {
    sum: Duration,
    newest: VecDeque<Duration>,
    noted: bool,
}

impl Reports {
    pub(crate) fn exchanged(&mut self, trip: Duration) {
        if self.trips.len() >= TRIPS {
            self.trips.pop_front();
        }
        self.trips.push_back(trip);
    }

    /// Returns an upper bound of the link's round trips; of the newest 64, at most one may exceed it.
    fn link(&self) -> Duration {
        let mut trips: Vec<Duration> = self.trips.iter().copied().collect();
        trips.sort_unstable();
        let last = trips.len().saturating_sub(1);
        let kept = last.saturating_sub(usize::from(trips.len() >= TRIPS));
        trips
            .get(kept)
            .copied()
            .unwrap_or(UNKNOWN_LINK)
            .max(QUICKEST)
    }
}

impl Drift {
    /// Adds a press's delay beyond the allowance to a one-sided CUSUM.
    ///
    /// Returns true if the sum has just passed the alarm threshold and the `other` side's sum is far below it. Both
    /// buttons share one clock and one link, so a slow link affects both sides.
    fn add(&mut self, over: Duration, allowance: Duration, other: Duration) -> bool {
        let step = over.min(allowance).max(-allowance);
        if self.newest.len() >= PRESSES
            && let Some(old) = self.newest.pop_front()
        {
            self.sum -= old;
        }
        self.newest.push_back(step);
        self.sum += step;
        if !self.sum.is_positive() {
            self.sum = Duration::ZERO;
            self.newest.clear();
            self.noted = false;
        }
        let alarm = self.sum.as_micros() >= allowance.as_micros().saturating_mul(ALARM)
            && self.newest.len() >= PRESSES;
        let alone = other.as_micros().saturating_mul(4) < self.sum.as_micros();
        alarm && alone && !std::mem::replace(&mut self.noted, true)
    }
}

struct Delay {
    /// Lower bound, for any possible offset.
    least: Duration,
    likely: Duration,
}

impl Hall {
    /// Returns the longest delay of this agent's presses that gets no note: twice the period of its watermarks plus the
    /// link's round trip.
    pub fn report_limit(&self, agent: &AgentId, short_of_time: bool) -> Duration {
        let period = if short_of_time { HURRIED } else { CALM };
        let link = self.live.sessions.get(agent);
        period + period + link.map_or(UNKNOWN_LINK, |session| session.reports.link())
    }

    /// Returns the board whose time this agent keeps.
    pub fn keeps(&self, agent: &AgentId) -> Option<BoardId> {
        let board = self.board_of(*agent)?;
        let kept = self.fold.boards.get(&board)?.keeper == Keeper::Agent(*agent);
        kept.then_some(board)
    }

    /// Checks the delay of a press before it is applied.
    pub(crate) fn look_at_delay(
        &mut self,
        now: Instant<Hub>,
        agent: AgentId,
        event: &SignedEvent,
        received: Instant<Hub>,
        step: &mut Step,
    ) {
        let EventFact::Players(Fact::Pressed(button)) = event.fact else {
            return;
        };
        // Where each side has its own clock, a press's place depends on the offset, and its own note states the error
        // bound. An event for a board that was taken over goes to review.
        let Some((board, delay)) = self
            .keeps(&agent)
            .zip(self.delay_of(agent, event, received))
        else {
            return;
        };
        let Some((side, short)) = self.fold.boards.get(&board).and_then(|board| {
            let white = board.clock().white_button();
            let side = if button == white {
                Side::White
            } else {
                Side::Black
            };
            Some((side, short_of_time(board)?))
        }) else {
            return;
        };
        let limit = self.report_limit(&agent, short);
        if delay.least > limit {
            self.on_late_report(
                now,
                agent,
                &board,
                (event, delay.least),
                (received, limit),
                step,
            );
            return;
        }
        self.end_late_reports(now, agent, &board, received, step);
        let Some(session) = self.live.sessions.get_mut(&agent) else {
            return;
        };
        let link = session.reports.link();
        let sums = &mut session.reports.sums;
        let other = sums[side.other()].sum;
        if sums[side].add(delay.likely - link, link, other) {
            let note = note::one_sided(&board, agent, side, delay.likely, link);
            self.note(now, step, note);
        }
    }

    fn delay_of(
        &self,
        agent: AgentId,
        event: &SignedEvent,
        received: Instant<Hub>,
    ) -> Option<Delay> {
        let session = self.live.sessions.get(&agent)?;
        if let Some(mapped) = session.estimate.to_hub(event.at) {
            return Some(Delay {
                least: received - mapped.hi,
                likely: received - mapped.est,
            });
        }
        // Without a time exchange in this run, the log gives the least observed offset.
        let latest = self
            .fold
            .agents
            .get(&agent)?
            .hub_time_at_most(event.at, received)?;
        let least = received - latest;
        Some(Delay {
            least,
            likely: least,
        })
    }

    fn on_late_report(
        &mut self,
        now: Instant<Hub>,
        agent: AgentId,
        board: &BoardId,
        late: (&SignedEvent, Duration),
        heard: (Instant<Hub>, Duration),
        step: &mut Step,
    ) {
        let (event, delay) = late;
        let (received, limit) = heard;
        let Some(session) = self.live.sessions.get_mut(&agent) else {
            return;
        };
        if let Some(run) = &mut session.reports.late {
            run.presses += 1;
            return;
        }
        let since = session.floor.heard().unwrap_or(received - delay);
        session.reports.late = Some(Late { since, presses: 1 });
        let note = note::late_report(board, agent, event.seq.0, (delay, limit), received - since);
        self.note(now, step, note);
    }

    /// Ends a run of late presses after one that came in time.
    fn end_late_reports(
        &mut self,
        now: Instant<Hub>,
        agent: AgentId,
        board: &BoardId,
        received: Instant<Hub>,
        step: &mut Step,
    ) {
        let session = self.live.sessions.get_mut(&agent);
        if let Some(run) = session.and_then(|session| session.reports.late.take())
            && run.presses > 1
        {
            let span = received - run.since;
            self.note(now, step, note::unverified(board, agent, run.presses, span));
        }
    }
}

/// Returns true if the side on move is so short of time that its clock reports ten times a second; `None` if no clock
/// runs.
fn short_of_time(board: &Board) -> Option<bool> {
    match board.clock().state() {
        BoardState::Running { mover } => {
            let clock = board.clock();
            Some(clock.side(mover, clock.now()).time < SHORT_OF_TIME)
        }
        BoardState::Ready
        | BoardState::Paused { .. }
        | BoardState::Stopped { .. }
        | BoardState::Flagged { .. }
        | BoardState::Over => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: i64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn a_link_is_what_all_but_its_slowest_answer_take() {
        let mut reports = Reports::default();
        assert_eq!(reports.link(), UNKNOWN_LINK);
        for trip in 1..=64 {
            reports.exchanged(ms(trip));
        }
        assert_eq!(reports.link(), ms(63));
        for _ in 0..64 {
            reports.exchanged(ms(1));
        }
        assert_eq!(reports.link(), QUICKEST);
    }

    #[test]
    fn ten_presses_that_are_each_a_little_late_raise_one_note() {
        let mut drift = Drift::default();
        let raised = (0..30)
            .filter(|_| drift.add(ms(20), ms(10), ms(15)))
            .count();
        assert_eq!(raised, 1);
        // A slow link delays both sides.
        let mut drift = Drift::default();
        assert!(!(0..30).any(|_| drift.add(ms(20), ms(10), ms(60))));
    }

    #[test]
    fn one_press_that_is_very_late_raises_none() {
        let mut drift = Drift::default();
        for press in 0..100 {
            let over = if press % 5 == 0 { ms(60_000) } else { ms(-4) };
            assert!(!drift.add(over, ms(10), ms(0)));
        }
    }
}
