//! Agents as they are connected now: greetings, links, silence, time exchanges. Nothing here is logged or survives a restart;
//! who an agent is and where its chain stands is the fold's.

use std::collections::VecDeque;

use proto::chain::ChainHash;
use proto::ids::{AgentId, EventSeq};
use proto::wire::GoodbyeReason;
use timing::sync::OffsetEstimate;
use timing::{Board, Duration, Hub, Instant};

use super::Hall;
use super::agent::OrderWhat;
use super::effect::{HubEffect, Step};
use super::entry::{Entry, LinkChange};
use super::evidence::{Floor, Pieces};
use super::input::{Health, Hello, LinkId, Process, SignedEvent};
use super::placing::Placing;
use super::suspicion::Reports;
use super::wakes::Due;
use crate::to_proto;

/// An agent that has not been heard for this long is offline.
pub(crate) const SILENCE: Duration = Duration::from_millis(3_500);
/// Probes in quick succession after a link comes up.
pub(crate) const BURST: u8 = 8;
/// Events whose hashes are remembered, to tell a repetition from a contradiction.
const RECENT: usize = 64;

/// What is known of an agent in this run.
#[derive(Debug, Default)]
pub(crate) struct Session {
    pub(crate) link: Option<Open>,
    pub(crate) online: bool,
    pub(crate) firmware: String,
    /// Minor version of the frame protocol that it speaks.
    pub(crate) minor: u32,
    /// When its links came up in this run, the newest of them.
    pub(crate) links: VecDeque<Instant<Hub>>,
    pub(crate) boot: Vec<u8>,
    pub(crate) health: Option<Health>,
    pub(crate) last_heard: Option<Instant<Hub>>,
    pub(crate) estimate: OffsetEstimate,
    pub(crate) greeted: Option<Greeted>,
    pub(crate) round_trip: Option<Duration>,
    pub(crate) probes: VecDeque<(u64, Instant<Hub>)>,
    pub(crate) burst: u8,
    /// When the next probe is due.
    pub(crate) probe_due: Option<Instant<Hub>>,
    /// When the next look is due whether it has fallen silent.
    silence_due: Option<Instant<Hub>>,
    /// What contradicts the hub's time, and since when: a jump would explain it, and may be on its way.
    pub(crate) contradiction: Option<(Instant<Hub>, Contradiction)>,
    /// A promise that waits for events that have not come yet.
    pub(crate) mark: Option<(Instant<Board>, EventSeq)>,
    /// The newest promise, and when it came.
    pub(crate) promised: Option<Promise>,
    /// The highest order number put on a link in this run.
    pub(crate) delivered: u64,
    /// Of an agent that serves one side of a board.
    pub(crate) placing: Placing,
    /// The scheduled start as the agent was last told it.
    pub(crate) told_start: Option<Instant<Board>>,
    recent: VecDeque<(EventSeq, ChainHash)>,
    /// The newest events of its chain.
    pub(crate) pieces: Pieces,
    /// How late its presses are heard.
    pub(crate) reports: Reports,
    /// What its watermarks say.
    pub(crate) floor: Floor,
    /// Its journal is another log's: what it says of its past is no contradiction here.
    pub(crate) foreign: bool,
    /// The run of its program on the newest link.
    pub(crate) process: Option<Process>,
}

/// A link that said hello.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Open {
    pub(crate) link: LinkId,
    /// The highest order number put on this link.
    pub(crate) sent: u64,
}

/// Something about an agent's time that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contradiction {
    /// Its crystal runs too fast or too slow, or its time was set.
    Crystal,
    /// It promised something about a moment that lay so many microseconds ahead.
    Promise {
        /// How far ahead.
        by_us: i64,
    },
}

/// A watermark.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Promise {
    pub(crate) at: Instant<Board>,
    pub(crate) seq: EventSeq,
    pub(crate) heard: Instant<Hub>,
}

/// A clock that has only greeted may run ahead by one part in so many: a crystal that is out of order must not cost a press its place.
const GREETED_DRIFT: i64 = 1_000;

/// What an agent's clock showed when it greeted, by its own word: a bound on its time until an exchange tells more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Greeted {
    /// It showed this, or less, when the link was opened; jumps since then are added.
    pub(crate) shown: Instant<Board>,
    pub(crate) opened: Instant<Hub>,
    /// Events from here on were made after the greeting.
    pub(crate) next: EventSeq,
    /// How far the welcome makes it jump, until the chain has told that.
    pub(crate) jump: Duration,
}

impl Greeted {
    /// The latest that the board's time can be when something is received.
    pub(crate) fn latest(&self, received: Instant<Hub>) -> Instant<Board> {
        let since = (received - self.opened).or_zero();
        let drift = Duration::from_micros(since.as_micros() / GREETED_DRIFT + 1);
        self.shown + since + drift
    }
}

impl Session {
    /// The latest that the board's time can be when something is received: as time exchanges prove it; before the first of them, and
    /// while exchanges may be of a time after a jump that the chain has yet to tell, as its clock said in its greeting.
    pub(crate) fn latest(&self, received: Instant<Hub>) -> Instant<Board> {
        let proven = self.estimate.to_board(received).map(|mapped| mapped.hi);
        let greeted = self.greeted.map(|greeted| greeted.latest(received));
        let told = self
            .greeted
            .is_none_or(|greeted| !greeted.jump.is_positive());
        match (proven, greeted) {
            (Some(proven), _) if told => proven,
            (Some(proven), Some(greeted)) => proven.min(greeted),
            (one, other) => one.or(other).unwrap_or(Instant::MAX),
        }
    }

    /// What is known of its time once the jump that this event tells has been made. A jump of before the greeting is in it already; the
    /// welcome's may take the place of an event of before, where a chain goes on elsewhere. Exchanges tell no less than the greeting,
    /// whichever side of the jump they are of, for no jump is longer than the machine stood still.
    pub(crate) fn after_jump(
        &self,
        seq: EventSeq,
        jump: Duration,
        received: Instant<Hub>,
    ) -> Option<Greeted> {
        let greeted = self.greeted?;
        let asked = jump == greeted.jump;
        let new = asked || seq >= greeted.next;
        let told = greeted.latest(received) + if new { jump } else { Duration::ZERO };
        let proven = self.estimate.to_board(received);
        Some(Greeted {
            shown: proven.map_or(told, |proven| told.min(proven.hi + jump)),
            opened: received,
            next: greeted.next,
            jump: if asked { Duration::ZERO } else { greeted.jump },
        })
    }

    /// Remembers an event that was taken.
    pub(crate) fn remember(&mut self, event: &SignedEvent) {
        let (seq, hash) = (event.seq, event.hash);
        self.pieces.keep(event);
        if self.recent.len() >= RECENT {
            self.recent.pop_front();
        }
        self.recent.push_back((seq, hash));
    }

    /// Whether this very event was taken of late.
    pub(crate) fn remembers(&self, seq: EventSeq, hash: &ChainHash) -> bool {
        self.recent
            .iter()
            .any(|(taken, as_hash)| *taken == seq && as_hash == hash)
    }

    /// The board's timeline is another one from now on.
    pub(crate) fn forget_timeline(&mut self) {
        self.estimate = OffsetEstimate::default();
        self.nothing_exchanged();
        self.round_trip = None;
        self.probes.clear();
        self.burst = BURST;
        self.contradiction = None;
    }

    /// Where a hub instant lies on the board's timeline, best guess.
    pub(crate) fn to_board(&self, at: Instant<Hub>) -> Option<Instant<Board>> {
        self.estimate.to_board(at).map(|mapped| mapped.est)
    }
}

impl Hall {
    /// What is known of the offset between an agent's time and the hub's, in this run.
    pub fn offset_estimate(&self, agent: &AgentId) -> Option<&OffsetEstimate> {
        Some(&self.live.sessions.get(agent)?.estimate)
    }

    pub(crate) fn open_session(
        &mut self,
        now: Instant<Hub>,
        agent: AgentId,
        link: LinkId,
        hello: &Hello,
    ) {
        self.live.links.insert(link, agent);
        let session = self.live.sessions.entry(agent).or_default();
        if session.boot != hello.boot {
            session.boot = hello.boot.clone();
            if hello.rebooted {
                session.timeline_changed();
            }
            session.forget_timeline();
            session.promised = None;
            session.floor.rebooted();
        }
        session.process = hello.process;
        session.foreign =
            !hello.log_origin.is_empty() && self.fold.origin.as_ref() != Some(&hello.log_origin);
        session.link = Some(Open {
            link,
            sent: hello.orders_taken,
        });
        session.mark = None;
        session.forget_waiting();
        // A jump that explains it may have been on its way on the link before.
        session.contradiction = None;
        session.firmware.clone_from(&hello.firmware);
        session.minor = hello.minor;
        session.linked(now);
        session.last_heard = Some(now);
        session.online = true;
        self.live.relinked.insert(agent);
        self.begin_probes(now, agent);
        self.watch_for_silence(now + SILENCE, agent);
    }

    /// Plans a look whether an agent has fallen silent; one look at a time is planned.
    fn watch_for_silence(&mut self, at: Instant<Hub>, agent: AgentId) {
        let Some(session) = self.live.sessions.get_mut(&agent) else {
            return;
        };
        if let Some(due) = session.silence_due.replace(at) {
            self.live.wakes.remove(due, Due::Silence(agent));
        }
        self.live.wakes.add(at, Due::Silence(agent));
    }

    /// A link is over.
    pub(crate) fn on_gone(&mut self, link: LinkId) {
        let Some(agent) = self.live.links.remove(&link) else {
            return;
        };
        let Some(session) = self.live.sessions.get_mut(&agent) else {
            return;
        };
        if session.link.is_some_and(|open| open.link == link) {
            session.link = None;
            session.online = false;
            self.live.relinked.insert(agent);
            if let Some(board) = self.board_of(agent) {
                self.touch(&board);
            }
        }
    }

    /// Closes an agent's link for what came over it.
    pub(crate) fn close_link(
        &mut self,
        link: LinkId,
        reason: GoodbyeReason,
        text: String,
        step: &mut Step,
    ) {
        step.effects
            .push(HubEffect::CloseLink { link, reason, text });
        self.on_gone(link);
    }

    /// An agent was heard.
    pub(crate) fn heard(&mut self, agent: AgentId, at: Instant<Hub>) {
        let Some(session) = self.live.sessions.get_mut(&agent) else {
            return;
        };
        session.last_heard = Some(session.last_heard.map_or(at, |last| last.max(at)));
        if !session.online {
            session.online = true;
            self.live.relinked.insert(agent);
            self.watch_for_silence(at + SILENCE, agent);
            if let Some(board) = self.board_of(agent) {
                self.touch(&board);
            }
        }
    }

    /// Looks whether an agent has fallen silent.
    pub(crate) fn on_silence_due(&mut self, now: Instant<Hub>, agent: AgentId) {
        let Some(session) = self.live.sessions.get_mut(&agent) else {
            return;
        };
        session.silence_due = None;
        let Some(heard) = session.last_heard.filter(|_| session.online) else {
            return;
        };
        if now - heard < SILENCE {
            self.watch_for_silence(heard + SILENCE, agent);
            return;
        }
        session.online = false;
        self.live.relinked.insert(agent);
        if let Some(board) = self.board_of(agent) {
            self.touch(&board);
        }
    }

    /// Writes down which clocks were lost or found in this step: a link that was lost and found within it is no news.
    pub(crate) fn log_links(&mut self, now: Instant<Hub>, step: &mut Step) {
        for agent in std::mem::take(&mut self.live.relinked) {
            let Some(session) = self.live.sessions.get(&agent) else {
                continue;
            };
            let (online, heard) = (session.online, session.last_heard);
            let known = match online {
                true => self.live.logged_online.insert(agent),
                false => self.live.logged_online.remove(&agent),
            };
            if !known {
                continue;
            }
            let entry = Entry::LinkChanged(LinkChange {
                agent,
                online,
                heard: heard.filter(|_| !online),
            });
            // It changes nothing, so it always fits.
            let _ = self.log(now, self.board_of(agent), entry, step);
        }
    }

    /// Puts every order on the agent's link that is not on it yet.
    pub(crate) fn send_orders(&mut self, agent: AgentId, step: &mut Step) {
        let Some(session) = self.live.sessions.get_mut(&agent) else {
            return;
        };
        let (Some(open), Some(known)) = (&mut session.link, self.fold.agents.get(&agent)) else {
            return;
        };
        for order in &known.orders {
            if order.number <= open.sent || order.withdrawn {
                continue;
            }
            open.sent = order.number;
            session.delivered = session.delivered.max(order.number);
            let frame = match &order.what {
                OrderWhat::Command { record, .. } => {
                    let command = record.clock_command().map(ToString::to_string);
                    to_proto::command_order(order.number, &command.unwrap_or_default())
                }
                OrderWhat::Adopt { board, snapshot } => {
                    to_proto::adopt_order(order.number, Some(board), snapshot)
                }
                OrderWhat::ServeSide {
                    board,
                    side,
                    snapshot,
                } => to_proto::side_order(order.number, board, *side, snapshot),
                OrderWhat::Release => to_proto::adopt_order(order.number, None, &[]),
            };
            step.effects.push(HubEffect::ToAgent {
                link: open.link,
                frame,
            });
        }
    }
}
