//! How long after its stamp each press was heard: a single delay beyond what the link explains, and a small one that comes back press
//! after press for the same side. Owns the limits and the notes; a note is for the arbiter, and changes no time.
//!
//! Nothing here is logged but the notes: a hub that starts again begins to measure again.

use std::collections::VecDeque;

use proto::ids::AgentId;
use proto::watermark;
use timing::{BoardState, BySide, Duration, Fact, Hub, Instant, Side};

use super::board::{Board, Keeper};
use super::effect::Step;
use super::input::{BoardId, EventFact, SignedEvent};
use super::{Hall, note};

/// Round trips from which a link is known: about a minute.
const TRIPS: usize = 64;
/// Without a time exchange, a link is taken to be one that answers within this.
const UNKNOWN_LINK: Duration = Duration::from_millis(300);
/// A quicker link than this is taken to be this quick: a press crosses two programs.
const QUICKEST: Duration = Duration::from_millis(5);
const CALM: Duration = Duration::from_micros(watermark::CALM_US);
const HURRIED: Duration = Duration::from_micros(watermark::HURRIED_US);
const SHORT_OF_TIME: Duration = Duration::from_micros(watermark::SHORT_OF_TIME_US);
/// Presses of one side over which small delays add up.
const PRESSES: usize = 10;
/// So many allowances in [`PRESSES`] presses are no accident.
const ALARM: i64 = 8;

/// What is known of an agent's reports in this run.
#[derive(Debug, Default)]
pub(crate) struct Reports {
    /// The newest round trips.
    trips: VecDeque<Duration>,
    /// A run of late reports has been noted, and is not over.
    late: Option<Late>,
    sums: BySide<Drift>,
}

/// A run of presses that came late.
#[derive(Clone, Copy, Debug)]
struct Late {
    /// When the clock was last known to have told everything.
    since: Instant<Hub>,
    presses: u32,
}

/// The presses of one side: what each was late beyond the allowance, cut to one allowance either way, and their sum.
#[derive(Debug, Default)]
struct Drift {
    sum: Duration,
    newest: VecDeque<Duration>,
    noted: bool,
}

impl Reports {
    /// An answer to a probe came after this round trip.
    pub(crate) fn exchanged(&mut self, trip: Duration) {
        if self.trips.len() >= TRIPS {
            self.trips.pop_front();
        }
        self.trips.push_back(trip);
    }

    /// What nearly every round trip of the link stays within: of the newest 64, all but at most one.
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
    /// One-sided CUSUM: takes in what a press was late beyond the allowance. Says whether the sum has just passed the alarm while the
    /// `other` side's has not come near it: both buttons sit on one clock and one link, so what the link does it does to both.
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

/// How late a press was heard.
struct Delay {
    /// At least, whatever the offset.
    least: Duration,
    /// Best guess.
    likely: Duration,
}

impl Hall {
    /// How long after its stamp a press of this agent may be heard without a note: twice the period of its watermarks and what the
    /// link is known to take.
    pub fn report_limit(&self, agent: &AgentId, short_of_time: bool) -> Duration {
        let period = if short_of_time { HURRIED } else { CALM };
        let link = self.live.sessions.get(agent);
        period + period + link.map_or(UNKNOWN_LINK, |session| session.reports.link())
    }

    /// The board whose time this agent keeps.
    pub fn keeps(&self, agent: &AgentId) -> Option<BoardId> {
        let board = self.board_of(*agent)?;
        let kept = self.fold.boards.get(&board)?.keeper == Keeper::Agent(*agent);
        kept.then_some(board)
    }

    /// Looks at how late a press is, before it is applied.
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
        // Where a side has its own clock, the place of a press rests on the offset, and its note says how far that may be off; what
        // comes for a board that was taken over comes up for review.
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
        // No exchange in this run yet: the log knows the least offset it has seen.
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

    /// A press came in time again: the run of late ones is over.
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

/// Whether the side on move has so little time that its clock speaks ten times a second; `None` if no clock runs.
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
        // A slow link is slow for both.
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
