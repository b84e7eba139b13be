//! Places the facts of a board's two clocks on the hub's timeline: bounds from the time exchanges, narrowed by
//! causality. Holds the state of this run only. The record contains the result, and the fold uses nothing else.

use proto::ids::AgentId;
use timing::sync::OffsetEstimate;
use timing::{Board as BoardTime, BySide, Duration, Hub, Instant, Side};

use super::Hall;
use super::effect::{HubEffect, SideClock, Step};
use super::entry::Entry;
use super::input::{AgentFrame, BoardId, LinkId, SignedEvent};
use super::pair::Placed;
use super::session::Session;
use crate::to_proto;

/// This number of exchanges places an event as well as the burst after a link comes up.
const ENOUGH: u32 = 8;
/// Number of remembered probes: an event that echoes a probe is not older than it.
const PROBES: usize = 64;
/// Maximum number of events that wait for the first time exchange; an agent has fewer under way.
const WAITING: usize = 512;
/// A face is updated only if its place in the agent's time is off by at least this much.
const NOTICEABLE: Duration = Duration::from_millis(10);

/// The timing state, in this run, of an agent that serves one side.
#[derive(Debug, Default)]
pub(crate) struct Placing {
    exchanges: u32,
    /// The estimate from before a jump that the chain has not reported yet.
    before: Option<OffsetEstimate>,
    /// The exchanges contradict `before`. Until the chain reports the jump, its events were made before it.
    jumps: bool,
    /// The newest probes and their instants.
    probes: std::collections::VecDeque<(u64, Instant<Hub>)>,
    /// The clock has reported everything before this instant.
    passed: Option<Instant<Hub>>,
    /// Events that came before the offset was known.
    waiting: std::collections::VecDeque<(Box<SignedEvent>, Instant<Hub>)>,
    /// The last message to its face.
    told: Option<Told>,
}

/// A message that tells a face the state of its board.
#[derive(Debug, PartialEq, Eq)]
struct Told {
    link: LinkId,
    snapshot: Vec<u8>,
    seq: u64,
    other_heard: bool,
    at: Instant<BoardTime>,
}

impl Session {
    /// Returns the estimate that places an event of the agent's chain; `None` if no exchange of its time remains.
    fn estimate_for(&self, event: &SignedEvent) -> Option<&OffsetEstimate> {
        match &self.placing.before {
            Some(before) if self.of_another_boot(event) || self.placing.jumps => Some(before),
            None if self.of_another_boot(event) => None,
            Some(_) | None => Some(&self.estimate),
        }
    }

    /// Returns true if an event precedes the last restart of the agent's machine.
    fn of_another_boot(&self, event: &SignedEvent) -> bool {
        !event.boot.is_empty() && event.boot != self.boot
    }

    pub(crate) fn probe_sent(&mut self, nonce: u64, at: Instant<Hub>) {
        let probes = &mut self.placing.probes;
        if probes.len() >= PROBES {
            probes.pop_front();
        }
        probes.push_back((nonce, at));
    }

    /// Counts an exchange; `before` is the previous estimate if the exchange contradicted it.
    pub(crate) fn exchanged(&mut self, before: Option<OffsetEstimate>) {
        match before {
            Some(before) if self.estimate != before => {
                self.placing.before.get_or_insert(before);
                self.placing.jumps = true;
                self.placing.exchanges = 1;
            }
            Some(_) => (),
            None => self.placing.exchanges = self.placing.exchanges.saturating_add(1),
        }
    }

    /// Sets the estimate aside: the agent has a new timeline, and its chain has yet to report the jump.
    pub(crate) fn timeline_changed(&mut self) {
        let before = std::mem::take(&mut self.estimate);
        // After two restarts with unreported jumps, it is unknown which events belong to which estimate.
        self.placing.before = match self.placing.before.take() {
            None => Some(before),
            Some(_) => None,
        };
        self.placing.exchanges = 0;
    }

    /// Forgets the old estimate: the chain has reported the jump, or the contradiction can no longer be explained.
    pub(crate) fn jump_told(&mut self) {
        self.placing.before = None;
        self.placing.jumps = false;
    }

    /// Resets the count of exchanges for a new estimate.
    pub(crate) fn nothing_exchanged(&mut self) {
        self.placing.exchanges = 0;
    }

    /// Forgets waiting events on a new link, because the agent sends them again.
    pub(crate) fn forget_waiting(&mut self) {
        self.placing.waiting.clear();
        self.placing.told = None;
    }

    /// Returns true if an event can be placed as well as it ever will be.
    fn can_place(&self) -> bool {
        let placing = &self.placing;
        placing.jumps || placing.exchanges >= ENOUGH || (placing.exchanges > 0 && self.burst == 0)
    }

    /// Returns the instant at which the probe with this nonce was sent.
    fn probe_instant(&self, nonce: u64) -> Option<Instant<Hub>> {
        let mut newest = self.placing.probes.iter().rev();
        newest.find(|(sent, _)| *sent == nonce).map(|(_, at)| *at)
    }
}

impl Hall {
    /// Returns an event's place on the hub's timeline, for a board with two clocks.
    ///
    /// The place is never after the event's arrival, and never before the newest probe that it echoes was sent. It is
    /// never before an instant that its own clock has already reported.
    pub(crate) fn placed(
        &self,
        agent: AgentId,
        event: &SignedEvent,
        received: Instant<Hub>,
    ) -> Option<Placed> {
        if !super::fold::is_placed(event.fact) {
            return None;
        }
        let (board, side) = self.fold.side_of(agent)?;
        let seat = board.pair.as_ref()?.seats[side].as_ref()?;
        let session = self.live.sessions.get(&agent)?;
        let echo = session.probe_instant(event.newest_probe);
        let floor = [session.placing.passed, echo]
            .into_iter()
            .flatten()
            .fold(seat.passed, Instant::max)
            .min(received);
        let estimate = session.estimate_for(event);
        let (lo, est, hi) = match estimate.and_then(|estimate| estimate.to_hub(event.at)) {
            Some(mapped) => (mapped.lo, mapped.est, mapped.hi),
            // The event precedes a restart of both ends: no exchange of that time remains.
            None => {
                let known = self.fold.agents.get(&agent)?.hub_time(event.at);
                let latest = known.unwrap_or(received);
                (floor, latest, received)
            }
        };
        let (lo, hi) = (lo.clamp(floor, received), hi.clamp(floor, received));
        Some(Placed {
            lo,
            est: est.clamp(lo, hi),
            hi,
        })
    }

    /// Keeps an event that cannot be placed yet, and returns true if it was kept. It is not acknowledged, so its clock
    /// keeps it too.
    pub(crate) fn wait_for_offset(
        &mut self,
        agent: AgentId,
        event: &SignedEvent,
        received: Instant<Hub>,
    ) -> bool {
        let serves = self.fold.side_of(agent).is_some();
        let (Some(known), Some(session)) = (
            self.fold.agents.get(&agent),
            self.live.sessions.get_mut(&agent),
        ) else {
            return false;
        };
        let can_place = session.can_place() || session.of_another_boot(event);
        let waiting = &mut session.placing.waiting;
        let continues = match waiting.back() {
            Some((last, _)) => event.seq == last.seq.next() && event.prev_hash == last.hash,
            None => serves && !can_place && known.expects(event),
        };
        let keep = continues && waiting.len() < WAITING;
        if keep {
            waiting.push_back((Box::new(event.clone()), received));
        }
        keep
    }

    /// Processes the events that waited for the offset, once it is known.
    pub(crate) fn take_waiting(&mut self, now: Instant<Hub>, agent: AgentId, step: &mut Step) {
        loop {
            let Some(session) = self.live.sessions.get_mut(&agent) else {
                return;
            };
            let Some(open) = session.link.filter(|_| session.can_place()) else {
                return;
            };
            let Some((event, received)) = session.placing.waiting.pop_front() else {
                return;
            };
            // The other waiting events must not be taken for its successors meanwhile.
            let rest = std::mem::take(&mut session.placing.waiting);
            let frame = AgentFrame::Event(event);
            self.on_frame(now, open.link, received, frame, step);
            match self.live.sessions.get_mut(&agent) {
                Some(session) if session.link.is_some_and(|after| after.link == open.link) => {
                    session.placing.waiting = rest;
                }
                Some(_) | None => return,
            }
        }
    }

    /// Records that a clock has reported everything before `at`, in its own time. Returns true if the clock serves one
    /// side of a board.
    pub(crate) fn pass_up_to(
        &mut self,
        now: Instant<Hub>,
        agent: AgentId,
        at: Instant<BoardTime>,
        step: &mut Step,
    ) -> bool {
        let Some(board) = self.fold.side_of(agent).map(|(board, _)| board.id.clone()) else {
            return false;
        };
        if let Some(session) = self.live.sessions.get_mut(&agent)
            && !session.placing.jumps
            && let Some(mapped) = session.estimate.to_hub(at)
        {
            let passed = mapped.lo.min(now);
            let known = &mut session.placing.passed;
            *known = Some(known.map_or(passed, |known| known.max(passed)));
        }
        self.advance_pair(now, &board, step);
        true
    }

    /// Calls [`Self::advance_pair`] for the board on which an agent serves a side.
    pub(crate) fn advance_pair_of(&mut self, now: Instant<Hub>, agent: AgentId, step: &mut Step) {
        if let Some(id) = self.fold.side_of(agent).map(|(board, _)| board.id.clone()) {
            self.advance_pair(now, &id, step);
        }
    }

    /// Logs the instants up to which a board's two clocks have reported, where they change something.
    pub(crate) fn advance_pair(&mut self, now: Instant<Hub>, id: &BoardId, step: &mut Step) {
        loop {
            let Some(board) = self.fold.boards.get(id) else {
                return;
            };
            let Some(pair) = &board.pair else { return };
            let known = BySide::from_fn(|side| {
                pair.seats[side].as_ref().map_or(Instant::MIN, |seat| {
                    let live = self.live.sessions.get(&seat.agent);
                    let live = live.and_then(|session| session.placing.passed);
                    live.map_or(seat.passed, |live| live.max(seat.passed))
                })
            });
            let logged = |side: Side| pair.seats[side].as_ref().map(|seat| seat.passed);
            let news = Side::BOTH.into_iter().find(|side| {
                logged(*side).is_some_and(|logged| logged < known[*side])
                    && board
                        .next(BySide::from_fn(|of| {
                            let logged = logged(of).unwrap_or(Instant::MIN);
                            if of == *side { known[of] } else { logged }
                        }))
                        .is_some()
            });
            let Some(side) = news else { return };
            let entry = Entry::Passed {
                side,
                at: known[side],
            };
            if self.log(now, Some(id.clone()), entry, step).is_err() {
                // Unreachable: the seat was found above.
                return;
            }
        }
    }

    /// Returns the clocks of a board where each side has its own.
    pub(crate) fn side_clocks(&self, id: &BoardId) -> Option<BySide<SideClock>> {
        let pair = self.fold.boards.get(id)?.pair.as_ref()?;
        Some(BySide::from_fn(|side| {
            let Some(seat) = &pair.seats[side] else {
                return SideClock::default();
            };
            let session = self.live.sessions.get(&seat.agent);
            let at = self.fold.agents.get(&seat.agent).and_then(|agent| agent.at);
            SideClock {
                agent: Some(seat.agent),
                online: session.is_some_and(|session| session.online),
                uncertainty: session
                    .zip(at)
                    .and_then(|(session, at)| session.estimate.uncertainty(at)),
            }
        }))
    }

    /// Sends the board's state to the faces of its two clocks, if they do not have it.
    pub(crate) fn tell_faces(&mut self, now: Instant<Hub>, id: &BoardId, step: &mut Step) {
        let Some(board) = self.fold.boards.get(id) else {
            return;
        };
        let Some(pair) = &board.pair else { return };
        let clock = board.clock();
        let snapshot = clock.snapshot().to_bytes();
        let present = match clock.now() {
            Instant::MIN => now,
            settled => Instant::from_micros(settled.as_micros()),
        };
        for side in Side::BOTH {
            let Some(seat) = &pair.seats[side] else {
                continue;
            };
            let other = pair.seats[side.other()].as_ref();
            let other_heard = other
                .and_then(|other| self.live.sessions.get(&other.agent))
                .is_some_and(|session| session.online);
            let seq = self
                .fold
                .agents
                .get(&seat.agent)
                .map_or(0, |agent| agent.seq.0);
            let Some(session) = self.live.sessions.get_mut(&seat.agent) else {
                continue;
            };
            let (Some(open), Some(at)) = (session.link, session.to_board(present)) else {
                continue;
            };
            let news = Told {
                link: open.link,
                snapshot: snapshot.clone(),
                seq,
                other_heard,
                at,
            };
            if session
                .placing
                .told
                .as_ref()
                .is_some_and(|told| told.says(&news))
            {
                continue;
            }
            step.effects.push(HubEffect::ToAgent {
                link: open.link,
                frame: to_proto::shared(id, &news.snapshot, at, seq, other_heard),
            });
            session.placing.told = Some(news);
        }
    }

    /// Marks the board for an update if the state's place in the agent's time has moved noticeably.
    pub(crate) fn keep_face_told(&mut self, agent: AgentId) {
        let Some((board, _)) = self.fold.side_of(agent) else {
            return;
        };
        let id = board.id.clone();
        let present = Instant::from_micros(board.clock().now().as_micros());
        let session = self.live.sessions.get(&agent);
        let moved = session.is_some_and(|session| {
            let told = session.placing.told.as_ref().map(|told| told.at);
            match (told, session.to_board(present)) {
                (Some(told), Some(at)) => board.runs() && differ(told, at),
                (None, Some(_)) => true,
                (Some(_) | None, None) => false,
            }
        });
        if moved {
            self.touch(&id);
        }
    }
}

impl Told {
    /// Returns true if a face with this message already shows `news`.
    fn says(&self, news: &Self) -> bool {
        self.link == news.link
            && self.snapshot == news.snapshot
            && self.seq == news.seq
            && self.other_heard == news.other_heard
            && !differ(self.at, news.at)
    }
}

fn differ(a: Instant<BoardTime>, b: Instant<BoardTime>) -> bool {
    a - b >= NOTICEABLE || b - a >= NOTICEABLE
}
