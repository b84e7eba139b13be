//! Places the events of a board's two clocks, advances the board and updates the clocks' faces.

use proto::ids::AgentId;
use timing::{Board as BoardTime, BySide, Hub, Instant, Side};

use super::{FaceUpdate, MAX_WAITING_EVENTS, differ};
use crate::agent_frame::{AgentFrame, SignedEvent};
use crate::arbiter_view::SideClock;
use crate::board_id::BoardId;
use crate::effect::OpenStep;
use crate::entry::Entry;
use crate::pair::Placed;
use crate::{Hall, to_proto};

impl Hall {
    /// Returns an event's instant on the hub's timeline, for a board with two clocks.
    ///
    /// The instant is never after the event's arrival, and never before the hub sent the newest probe that the event
    /// echoes. It is never before an instant up to which the event's clock has already reported everything.
    pub(crate) fn placed(
        &self,
        agent: AgentId,
        event: &SignedEvent,
        received: Instant<Hub>,
    ) -> Option<Placed> {
        if !crate::fold::event::is_placed(event.fact) {
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
        let Placed { lo, est, hi } = match estimate.and_then(|estimate| estimate.to_hub(event.at)) {
            Some(mapped) => mapped,
            // No exchange from the event's time remains, for example because both the clock and the hub have restarted
            // since.
            None => Placed {
                lo: floor,
                est: self
                    .fold
                    .agents
                    .get(&agent)?
                    .hub_time(event.at)
                    .unwrap_or(received),
                hi: received,
            },
        };
        let (lo, hi) = (lo.clamp(floor, received), hi.clamp(floor, received));
        let est = est.clamp(lo, hi);
        Some(Placed { lo, est, hi })
    }

    /// Keeps an event that cannot be placed yet, without acknowledging it. Returns true if the event was kept.
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
        let keep = continues && waiting.len() < MAX_WAITING_EVENTS;
        if keep {
            waiting.push_back((Box::new(event.clone()), received));
        }
        keep
    }

    pub(crate) fn take_waiting(&mut self, agent: AgentId, step: &mut OpenStep) {
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
            // The other waiting events must not affect how this event is processed.
            let rest = std::mem::take(&mut session.placing.waiting);
            let frame = AgentFrame::Event(event);
            self.on_frame(open.link, received, frame, step);
            match self.live.sessions.get_mut(&agent) {
                Some(session) if session.link.is_some_and(|after| after.link == open.link) => {
                    session.placing.waiting = rest;
                }
                Some(_) | None => return,
            }
        }
    }

    /// Records that a clock has reported everything before `at`. Returns true if the clock serves one side of a board.
    pub(crate) fn pass_up_to(
        &mut self,
        agent: AgentId,
        at: Instant<BoardTime>,
        step: &mut OpenStep,
    ) -> bool {
        let Some(board) = self.fold.side_of(agent).map(|(board, _)| board.id.clone()) else {
            return false;
        };
        if let Some(session) = self.live.sessions.get_mut(&agent)
            && !session.placing.jumps
            && let Some(mapped) = session.estimate.to_hub(at)
        {
            let passed = mapped.lo.min(step.now);
            let known = &mut session.placing.passed;
            *known = Some(known.map_or(passed, |known| known.max(passed)));
        }
        self.advance_pair(&board, step);
        true
    }

    pub(crate) fn advance_pair_of(&mut self, agent: AgentId, step: &mut OpenStep) {
        if let Some(id) = self.fold.side_of(agent).map(|(board, _)| board.id.clone()) {
            self.advance_pair(&id, step);
        }
    }

    /// Logs the instants up to which a board's two clocks have reported, if that lets the board advance.
    pub(crate) fn advance_pair(&mut self, id: &BoardId, step: &mut OpenStep) {
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
            if self.log(Some(id.clone()), entry, step).is_err() {
                // Unreachable: the seat was found above.
                return;
            }
        }
    }

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

    /// Sends the board's state to the faces of its two clocks, if they do not show it yet.
    pub(crate) fn tell_faces(&mut self, id: &BoardId, step: &mut OpenStep) {
        let Some(board) = self.fold.boards.get(id) else {
            return;
        };
        let Some(pair) = &board.pair else { return };
        let clock = board.clock();
        let snapshot = clock.snapshot().to_bytes();
        let present = match clock.now() {
            Instant::MIN => step.now,
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
            let known = self.fold.agents.get(&seat.agent);
            let seq = known.map_or(0, |known| known.seq.0);
            let Some(session) = self.live.sessions.get_mut(&seat.agent) else {
                continue;
            };
            let (Some(open), Some(at)) = (session.link, session.to_board(present)) else {
                continue;
            };
            let news = FaceUpdate {
                link: open.link,
                snapshot: snapshot.clone(),
                seq,
                other_heard,
                at,
            };
            let told = session.placing.told.as_ref();
            if told.is_some_and(|told| told.already_shows(&news)) {
                continue;
            }
            let frame = to_proto::shared(id, &news.snapshot, at, seq, other_heard);
            step.send(open.link, frame);
            session.placing.told = Some(news);
        }
    }

    /// Marks the board for an update if the agent's face has not been sent its state on this link. Does the same if a
    /// clock runs and the instants on the face are noticeably wrong.
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
            self.touch_moved(&id);
        }
    }
}
