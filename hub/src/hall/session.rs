//! Agents as they are connected now: greetings, links, silence, time exchanges. Nothing here is logged or survives a restart;
//! who an agent is and where its chain stands is the fold's.

use std::collections::VecDeque;

use proto::MAJOR;
use proto::chain::ChainHash;
use proto::ids::{AgentId, EventSeq};
use proto::wire::{GoodbyeReason, Welcome};
use timing::sync::OffsetEstimate;
use timing::{Board, Duration, Hub, Instant};

use super::agent::OrderWhat;
use super::board::Keeper;
use super::effect::{HubEffect, Step};
use super::input::{Health, Hello, LinkId};
use super::wakes::Due;
use super::{Hall, note};
use crate::to_proto;

/// An agent that has not been heard for this long is offline.
pub(crate) const SILENCE: Duration = Duration::from_millis(3_500);
/// Probes in quick succession after a link comes up.
const BURST: u8 = 8;
/// Between two of them.
const BURST_GAP: Duration = Duration::from_millis(25);
/// Between two probes after that.
const PROBE_GAP: Duration = Duration::from_secs(1);
/// How long a contradiction waits for the jump that explains it: a word on the stream may be slower than a datagram.
const EXPLANATION: Duration = Duration::from_secs(2);
/// Probes whose answers are awaited.
const OUTSTANDING: usize = 16;
/// Events whose hashes are remembered, to tell a repetition from a contradiction.
const RECENT: usize = 64;

/// What is known of an agent in this run.
#[derive(Debug, Default)]
pub(crate) struct Session {
    pub(crate) link: Option<Open>,
    pub(crate) online: bool,
    pub(crate) firmware: String,
    pub(crate) boot: Vec<u8>,
    pub(crate) health: Option<Health>,
    pub(crate) last_heard: Option<Instant<Hub>>,
    pub(crate) estimate: OffsetEstimate,
    pub(crate) round_trip: Option<Duration>,
    probes: VecDeque<(u64, Instant<Hub>)>,
    burst: u8,
    /// Since when a contradiction of the clocks has no explanation: a jump explains it, and may be on its way.
    contradiction: Option<Instant<Hub>>,
    /// A promise that waits for events that have not come yet.
    pub(crate) mark: Option<(Instant<Board>, EventSeq)>,
    /// The newest promise, and when it came.
    pub(crate) promised: Option<Promise>,
    /// The highest order number put on a link in this run.
    pub(crate) delivered: u64,
    recent: VecDeque<(EventSeq, ChainHash)>,
}

/// A link that said hello.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Open {
    pub(crate) link: LinkId,
    /// The highest order number put on this link.
    pub(crate) sent: u64,
}

/// A watermark.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Promise {
    pub(crate) at: Instant<Board>,
    pub(crate) seq: EventSeq,
    pub(crate) heard: Instant<Hub>,
}

impl Session {
    /// Remembers an event that was taken.
    pub(crate) fn remember(&mut self, seq: EventSeq, hash: ChainHash) {
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

    /// An agent greets. Either it is welcomed, with everything it has to know, or its link is closed with the reason.
    pub(crate) fn on_connected(
        &mut self,
        now: Instant<Hub>,
        agent: AgentId,
        link: LinkId,
        opened: Instant<Hub>,
        hello: &Hello,
        step: &mut Step,
    ) {
        if let Err((reason, text)) = self.admit(now, agent, hello, step) {
            step.effects
                .push(HubEffect::CloseLink { link, reason, text });
            return;
        }
        let reached = hello.next_seq.0.saturating_sub(1);
        let (acked_seq, acked_head) = match self.fold.agents.get(&agent) {
            Some(known) => (known.seq, known.head),
            None => return,
        };
        let ours =
            hello.log_origin.is_empty() || self.fold.origin.as_ref() == Some(&hello.log_origin);
        let lost = ours && reached < acked_seq.0;
        let (rebase_us, rebase_uncertainty_us) = self
            .rebase(now, agent, opened, hello, lost)
            .unwrap_or((0, 0));
        self.open_session(now, agent, link, hello);
        let welcome = Welcome {
            major: MAJOR,
            minor: proto::MINOR,
            log_origin: self.fold.origin.clone().unwrap_or_default(),
            acked_seq: acked_seq.0,
            acked_head: if acked_seq.0 == 0 {
                Vec::new()
            } else {
                acked_head.to_vec()
            },
            epoch: self.fold.epoch,
            rebase_us,
            rebase_uncertainty_us,
        };
        step.effects.push(HubEffect::ToAgent {
            link,
            frame: welcome.into(),
        });
        if !ours {
            // It comes back with a journal of this log.
            self.note(now, step, note::other_log(agent, &hello.log_origin));
            return;
        }
        if let Some((origin, count)) = &hello.foreign {
            self.note(now, step, note::foreign_journal(agent, origin, *count));
        }
        if lost {
            self.note(now, step, note::journal_lost(agent, reached, acked_seq.0));
            self.readopt(now, agent, "the clock's journal was lost or set back", step);
        }
        self.send_orders(agent, step);
        self.send_labels(agent, step);
        if let Some(board) = self.board_of(agent) {
            self.touch(&board);
        }
    }

    /// Whether an agent may have a session, or why not.
    fn admit(
        &mut self,
        now: Instant<Hub>,
        agent: AgentId,
        hello: &Hello,
        step: &mut Step,
    ) -> Result<(), (GoodbyeReason, String)> {
        if hello.major != MAJOR {
            self.note(now, step, note::version(agent, hello.major, hello.minor));
            return Err((
                GoodbyeReason::Version,
                format!(
                    "this hub speaks version {MAJOR}.{} of the frame protocol, the clock {}.{}: update the older one",
                    proto::MINOR,
                    hello.major,
                    hello.minor
                ),
            ));
        }
        let Some(known) = self.fold.agents.get(&agent) else {
            let text = format!(
                "clock {} is not enrolled in this event: enrol it with a new code",
                agent.short()
            );
            return Err((GoodbyeReason::NotEnrolled, text));
        };
        if known.revoked {
            let text = format!("clock {} was shut out by the chief arbiter", agent.short());
            return Err((GoodbyeReason::Revoked, text));
        }
        let ours = self.fold.origin.as_ref() == Some(&hello.log_origin);
        let forked = ours
            && known.seq.0 > 0
            && hello.next_seq == known.seq.next()
            && hello.head != Some(known.head);
        if forked {
            self.note(now, step, note::fork(agent, hello.next_seq.0 - 1));
            let text = format!(
                "the log has another event {} of this clock than its journal: one of the two was altered",
                hello.next_seq.0 - 1
            );
            return Err((GoodbyeReason::BadChain, text));
        }
        self.one_link_only(now, agent, step)
    }

    /// A second live link of one identity is refused; a link that has gone quiet gives way.
    fn one_link_only(
        &mut self,
        now: Instant<Hub>,
        agent: AgentId,
        step: &mut Step,
    ) -> Result<(), (GoodbyeReason, String)> {
        let Some(session) = self.live.sessions.get_mut(&agent) else {
            return Ok(());
        };
        let Some(open) = session.link else {
            return Ok(());
        };
        let quiet = session
            .last_heard
            .is_none_or(|heard| now - heard >= SILENCE);
        if quiet {
            session.link = None;
            self.live.links.remove(&open.link);
            step.effects.push(HubEffect::CloseLink {
                link: open.link,
                reason: GoodbyeReason::AlreadyConnected,
                text: "a newer link of this clock took over".to_owned(),
            });
            return Ok(());
        }
        self.note(now, step, note::second_link(agent));
        Err((
            GoodbyeReason::AlreadyConnected,
            "a clock with this identity is connected already: identities cannot be shared"
                .to_owned(),
        ))
    }

    fn open_session(&mut self, now: Instant<Hub>, agent: AgentId, link: LinkId, hello: &Hello) {
        self.live.links.insert(link, agent);
        let session = self.live.sessions.entry(agent).or_default();
        if session.boot != hello.boot {
            session.boot = hello.boot.clone();
            session.forget_timeline();
            session.promised = None;
        }
        session.link = Some(Open {
            link,
            sent: hello.orders_taken,
        });
        session.mark = None;
        session.firmware.clone_from(&hello.firmware);
        session.last_heard = Some(now);
        session.online = true;
        session.burst = BURST;
        session.probes.clear();
        self.live.wakes.add(now, Due::Probe(agent));
        self.live.wakes.add(now + SILENCE, Due::Silence(agent));
    }

    /// How far a restarted agent's timeline has to jump, and how far that may be off: what the hub proves to have passed beyond
    /// what the board's timeline shows, so that a running clock is charged no more than was used; and never back before
    /// anything the hub has heard.
    fn rebase(
        &self,
        now: Instant<Hub>,
        agent: AgentId,
        opened: Instant<Hub>,
        hello: &Hello,
        lost: bool,
    ) -> Option<(i64, i64)> {
        let known = self.fold.agents.get(&agent)?;
        let session = self.live.sessions.get(&agent);
        let promised = session.and_then(|session| session.promised);
        let logged = known.at.zip(known.heard);
        let (at, heard, this_run) = match (promised, logged) {
            (Some(promise), Some((at, _))) if promise.at < at => (at, known.heard?, true),
            (Some(promise), _) => (promise.at, promise.heard, true),
            (None, Some((at, heard))) => (at, heard, heard >= self.live.started),
            (None, None) => return None,
        };
        let board_passed = hello.now - at;
        let back = (-board_passed).or_zero();
        let charged = hello.rebooted && !lost && self.runs_for(agent);
        if !charged {
            return Some((back.as_micros(), 0));
        }
        let doubt = if this_run {
            Duration::ZERO
        } else {
            self.live.bound
        };
        let hub_passed = opened - heard - doubt;
        let missed = (hub_passed - board_passed).or_zero();
        let jump = if missed > back { missed } else { back };
        Some((
            jump.as_micros(),
            (now - opened + doubt + doubt).or_zero().as_micros(),
        ))
    }

    fn runs_for(&self, agent: AgentId) -> bool {
        self.board_of(agent)
            .and_then(|board| self.fold.boards.get(&board))
            .is_some_and(|board| board.keeper == Keeper::Agent(agent) && board.runs())
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
            self.live.wakes.add(at + SILENCE, Due::Silence(agent));
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
        let Some(heard) = session.last_heard.filter(|_| session.online) else {
            return;
        };
        if now - heard < SILENCE {
            self.live.wakes.add(heard + SILENCE, Due::Silence(agent));
            return;
        }
        session.online = false;
        if let Some(board) = self.board_of(agent) {
            self.touch(&board);
        }
    }

    /// Sends the next time probe.
    pub(crate) fn on_probe_due(&mut self, now: Instant<Hub>, agent: AgentId, step: &mut Step) {
        let Some(session) = self.live.sessions.get_mut(&agent) else {
            return;
        };
        let Some(open) = session.link else {
            return;
        };
        let nonce = self.live.nonces.next();
        if session.probes.len() >= OUTSTANDING {
            session.probes.pop_front();
        }
        session.probes.push_back((nonce, now));
        session.burst = session.burst.saturating_sub(1);
        let gap = if session.burst > 0 {
            BURST_GAP
        } else {
            PROBE_GAP
        };
        self.live.wakes.add(now + gap, Due::Probe(agent));
        step.at_once.push(HubEffect::ToAgent {
            link: open.link,
            frame: to_proto::time_probe(nonce, now),
        });
    }

    /// Takes in the answer to a probe.
    pub(crate) fn on_time_reply(
        &mut self,
        now: Instant<Hub>,
        agent: AgentId,
        reply: (u64, Instant<Board>, Instant<Board>),
        received: Instant<Hub>,
        step: &mut Step,
    ) {
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
        let fault = session
            .estimate
            .on_exchange(sent, board_received, board_sent, received)
            .is_err();
        session.round_trip = Some((received - sent - (board_sent - board_received)).or_zero());
        if fault {
            session.contradiction.get_or_insert(now);
        }
        if session
            .contradiction
            .is_some_and(|since| now - since >= EXPLANATION)
        {
            session.contradiction = None;
            self.note(now, step, note::clock_fault(agent));
        }
        self.charge_handover(now, agent, step);
        if (first || fault)
            && let Some(board) = self.board_of(agent)
        {
            self.touch(&board);
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
                OrderWhat::Command { command, .. } => {
                    to_proto::command_order(order.number, &command.to_string())
                }
                OrderWhat::Adopt { board, snapshot } => {
                    to_proto::adopt_order(order.number, Some(board), snapshot)
                }
                OrderWhat::Release => to_proto::adopt_order(order.number, None, &[]),
            };
            step.effects.push(HubEffect::ToAgent {
                link: open.link,
                frame,
            });
        }
    }

    /// Tells the agent what its face shows beside the clock.
    pub(crate) fn send_labels(&mut self, agent: AgentId, step: &mut Step) {
        let link = self
            .live
            .sessions
            .get(&agent)
            .and_then(|session| session.link);
        let board = self
            .board_of(agent)
            .and_then(|board| self.fold.boards.get(&board));
        if let (Some(open), Some(board)) = (link, board) {
            let names = &board.names;
            step.effects.push(HubEffect::ToAgent {
                link: open.link,
                frame: to_proto::labels(&board.id, &names.round, &names.white, &names.black),
            });
        }
    }
}
