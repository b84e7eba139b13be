//! Time exchanges with agents: a burst of probes after a link comes up, then one probe a second.

use proto::ids::AgentId;
use proto::wire::TimeProbe;
use rand_xoshiro::rand_core::RngCore as _;
use timing::{Board, Duration, Hub, Instant};

use super::effect::{Immediate, OpenStep};
use super::recent::push_recent;
use super::session::{BURST, Contradiction};
use super::wakes::WakeReason;
use super::{Hall, note};

const BURST_GAP: Duration = Duration::from_millis(25);
const PROBE_GAP: Duration = Duration::from_secs(1);
/// Time within which the report of a jump must arrive to explain a contradiction. The stream that carries the report
/// may be slower than a datagram.
const EXPLANATION_TIMEOUT: Duration = Duration::from_secs(2);
const OUTSTANDING: usize = 16;

impl Hall {
    pub(crate) fn begin_probes(&mut self, now: Instant<Hub>, agent: AgentId) {
        let Some(session) = self.live.sessions.get_mut(&agent) else {
            return;
        };
        session.burst = BURST;
        session.probes.clear();
        if let Some(due) = session.probe_due.replace(now) {
            self.live.wakes.remove(due, WakeReason::Probe(agent));
        }
        self.live.wakes.add(now, WakeReason::Probe(agent));
    }

    pub(crate) fn on_probe_due(&mut self, agent: AgentId, step: &mut OpenStep) {
        let now = step.now;
        let Some(session) = self.live.sessions.get_mut(&agent) else {
            return;
        };
        session.probe_due = None;
        let Some(open) = session.link else {
            return;
        };
        let nonce = self.live.nonces.next_u64();
        push_recent(&mut session.probes, OUTSTANDING, (nonce, now));
        session.probe_sent(nonce, now);
        session.burst = session.burst.saturating_sub(1);
        let gap = if session.burst > 0 {
            BURST_GAP
        } else {
            PROBE_GAP
        };
        session.probe_due = Some(now + gap);
        self.live.wakes.add(now + gap, WakeReason::Probe(agent));
        step.step.immediate.push(Immediate::Probe {
            link: open.link,
            probe: TimeProbe {
                nonce,
                hub_us: now.as_micros(),
            },
        });
        self.take_waiting(agent, step);
        self.check_heartbeats(agent, step);
    }

    pub(crate) fn on_time_reply(
        &mut self,
        agent: AgentId,
        reply: (u64, Instant<Board>, Instant<Board>),
        received: Instant<Hub>,
        step: &mut OpenStep,
    ) {
        let now = step.now;
        let (nonce, board_received, board_sent) = reply;
        let Some(session) = self.live.sessions.get_mut(&agent) else {
            return;
        };
        let Some(index) = session.probes.iter().position(|(sent, _)| *sent == nonce) else {
            return;
        };
        let Some((_, sent)) = session.probes.remove(index) else {
            return;
        };
        let first = session.estimate.to_board(now).is_none();
        let known = session.estimate.clone();
        let fault = session
            .estimate
            .on_exchange(sent, board_received, board_sent, received)
            .is_err();
        session.exchanged(fault.then_some(known));
        let round_trip = (received - sent - (board_sent - board_received)).or_zero();
        session.round_trip = Some(round_trip);
        session.reports.exchanged(round_trip);
        if fault {
            session
                .contradiction
                .get_or_insert((now, Contradiction::Crystal));
        }
        if let Some((since, what)) = session.contradiction
            && now - since >= EXPLANATION_TIMEOUT
        {
            session.contradiction = None;
            session.jump_told();
            let notice = match what {
                Contradiction::Crystal => note::clock_fault(agent),
                Contradiction::Promise { by_us } => note::promise_from_the_future(agent, by_us),
            };
            self.note(step, notice);
        }
        self.count_reply(agent);
        self.charge_handover(agent, step);
        self.place_sums_of(agent, step);
        self.keep_start_told(agent, step);
        self.take_waiting(agent, step);
        self.keep_face_told(agent);
        if (first || fault)
            && let Some(board) = self.board_of(agent)
        {
            self.touch_moved(&board);
        }
    }
}
