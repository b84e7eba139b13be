//! Measures how late events that can change a board's clock arrive, and adds notes about suspicious delays.

use proto::ids::AgentId;
use proto::watermark;
use timing::{Board as BoardTime, BoardState, Button, Duration, Fact, Hub, Instant};

use super::account::Delay;
use super::word::Arrival;
use super::{Late, UNMEASURED_ROUND_TRIP};
use crate::agent_frame::{EventFact, SignedEvent};
use crate::board::Board;
use crate::board_id::BoardId;
use crate::effect::OpenStep;
use crate::{Hall, note};

const CALM_PERIOD: Duration = Duration::from_micros(watermark::WATERMARK_INTERVAL_US);

const HURRIED_PERIOD: Duration = Duration::from_micros(watermark::SHORT_WATERMARK_INTERVAL_US);

const SHORT_OF_TIME: Duration = Duration::from_micros(watermark::SHORT_OF_TIME_US);

/// Lower bound for the report limit, before the link's round trip is added: a stream that loses a few packets in a row
/// is this late.
const MIN_REPORT_LIMIT: Duration = Duration::from_secs(1);

impl Hall {
    /// Returns the delay above which this agent's events count as late: twice the period of its watermarks, or a second
    /// if that is longer, plus the link's longest round trip.
    pub fn report_limit(&self, agent: &AgentId, short_of_time: bool) -> Duration {
        let period = if short_of_time {
            HURRIED_PERIOD
        } else {
            CALM_PERIOD
        };
        let link = self.live.sessions.get(agent);
        let link = link.map_or(UNMEASURED_ROUND_TRIP, |session| {
            session.reports.longest_round_trip()
        });
        (period + period).max(MIN_REPORT_LIMIT) + link
    }

    /// Returns the board whose time this agent keeps.
    pub fn keeps(&self, agent: &AgentId) -> Option<BoardId> {
        let board = self.fold.kept_by(*agent)?;
        Some(board.id.clone())
    }

    /// Measures the delay of an event that can change a clock; `at` is the instant at which the event counts.
    pub(crate) fn check_delay(
        &mut self,
        agent: AgentId,
        (event, at): (&SignedEvent, Instant<BoardTime>),
        received: Instant<Hub>,
        step: &mut OpenStep,
    ) {
        if self.fold.side_of(agent).is_some() {
            return self.check_delay_on_pair(agent, event, received, step);
        }
        // Once the hub has taken over a board, its clock keeps no board's time: the clock's events go to review.
        let Some((board, delay)) = self
            .keeps(&agent)
            .zip(self.delay_of(agent, event.at, received))
        else {
            return;
        };
        let Some(short) = self.fold.boards.get(&board).and_then(short_of_time) else {
            // No clock is running, but the event may start one.
            let arrival = Arrival {
                event,
                at,
                received,
                late: false,
            };
            return self.keep_account(agent, &board, arrival, step);
        };
        let limit = self.report_limit(&agent, short);
        let late = match event.fact {
            EventFact::Players(_) | EventFact::OrderTaken(_) | EventFact::Correction => {
                delay.least > limit
            }
            EventFact::Rebase { .. } | EventFact::ZeroTested(_) => return,
        };
        if late {
            let heard = (received, limit);
            self.on_late_report(agent, &board, (event, delay.least), heard, step);
        }
        let arrival = Arrival {
            event,
            at,
            received,
            late,
        };
        self.keep_account(agent, &board, arrival, step);
        if let EventFact::Players(Fact::Pressed(button)) = event.fact
            && !late
        {
            self.end_late_reports(agent, &board, received, step);
            self.check_drift(agent, &board, (button, delay.likely), step);
        }
    }

    /// Measures the delay of an event on a board where each side has its own clock. The event counts at its estimated
    /// instant. Only the time from that instant to the event's arrival is known from the clock's report alone.
    fn check_delay_on_pair(
        &mut self,
        agent: AgentId,
        event: &SignedEvent,
        received: Instant<Hub>,
        step: &mut OpenStep,
    ) {
        let EventFact::Players(_) = event.fact else {
            return;
        };
        let Some((board, side)) = self.fold.side_of(agent) else {
            return;
        };
        let (Some(short), Some(placed)) =
            (short_of_time(board), self.placed(agent, event, received))
        else {
            return;
        };
        let id = board.id.clone();
        let delay = Delay {
            least: received - placed.hi,
            likely: received - placed.est,
            most: received - placed.est,
        };
        let limit = self.report_limit(&agent, short);
        let late = delay.least > limit;
        if late {
            let heard = (received, limit);
            self.on_late_report(agent, &id, (event, delay.least), heard, step);
        }
        self.add_delay(agent, &id, (side, delay, late), step);
        if !late {
            self.end_late_reports(agent, &id, received, step);
        }
    }

    /// Adds a press's delay beyond the link's longest round trip to the sum of its side. Adds a note if that sum raises
    /// the alarm.
    fn check_drift(
        &mut self,
        agent: AgentId,
        id: &BoardId,
        (button, likely): (Button, Duration),
        step: &mut OpenStep,
    ) {
        let (Some(board), Some(session)) =
            (self.fold.boards.get(id), self.live.sessions.get_mut(&agent))
        else {
            return;
        };
        let side = board.clock().side_of(button);
        let link = session.reports.longest_round_trip();
        let sums = &mut session.reports.sums;
        let other = sums[side.other()].sum;
        if sums[side].add(likely - link, link, other) {
            let note = note::one_sided(id, agent, side, likely, link);
            self.note(step, note);
        }
    }

    pub(super) fn delay_of(
        &self,
        agent: AgentId,
        at: Instant<BoardTime>,
        received: Instant<Hub>,
    ) -> Option<Delay> {
        let session = self.live.sessions.get(&agent)?;
        if let Some(mapped) = session.estimate.to_hub(at) {
            let likely = received - mapped.est;
            let error = (mapped.est - mapped.lo).min(session.reports.offset_error());
            return Some(Delay {
                least: received - mapped.hi,
                likely,
                most: likely + error,
            });
        }
        // Without a time exchange in this run, the log provides the smallest observed offset.
        let known = self.fold.agents.get(&agent)?;
        let least = received - known.hub_time_at_most(at, received)?;
        Some(Delay {
            least,
            likely: least,
            most: least + UNMEASURED_ROUND_TRIP,
        })
    }

    fn on_late_report(
        &mut self,
        agent: AgentId,
        board: &BoardId,
        late: (&SignedEvent, Duration),
        heard: (Instant<Hub>, Duration),
        step: &mut OpenStep,
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
        let heard_until = session.floor.heard().unwrap_or(received - delay);
        session.reports.late = Some(Late {
            heard_until,
            presses: 1,
        });
        let note = note::late_report(
            board,
            agent,
            event.seq.0,
            (delay, limit),
            received - heard_until,
        );
        self.note(step, note);
    }

    /// Ends a run of late reports. Adds a note if the run had more than one.
    fn end_late_reports(
        &mut self,
        agent: AgentId,
        board: &BoardId,
        received: Instant<Hub>,
        step: &mut OpenStep,
    ) {
        let session = self.live.sessions.get_mut(&agent);
        if let Some(run) = session.and_then(|session| session.reports.late.take())
            && run.presses > 1
        {
            let span = received - run.heard_until;
            self.note(step, note::unverified(board, agent, run.presses, span));
        }
    }
}

/// Returns true if the side to move is so short of time that its clock reports more often; `None` if no clock is
/// running.
pub(super) fn short_of_time(board: &Board) -> Option<bool> {
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
