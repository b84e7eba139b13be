//! Opens and closes the sessions' links, detects silent clocks, and sends clocks their orders.

use proto::ids::AgentId;
use proto::wire::GoodbyeReason;
use timing::sync::OffsetEstimate;
use timing::{Hub, Instant};

use super::{Open, SILENCE};
use crate::agent::OrderKind;
use crate::agent_frame::{Hello, LinkId};
use crate::effect::{HubEffect, OpenStep};
use crate::entry::{Entry, LinkChange};
use crate::wakes::WakeReason;
use crate::{Hall, to_proto};

impl Hall {
    /// Returns this run's estimate of the offset between an agent's time and the hub's.
    pub fn offset_estimate(&self, agent: &AgentId) -> Option<&OffsetEstimate> {
        Some(&self.live.sessions.get(agent)?.estimate)
    }

    pub(crate) fn open_session(
        &mut self,
        now: Instant<Hub>,
        agent: AgentId,
        link: LinkId,
        opened: Instant<Hub>,
        hello: &Hello,
    ) {
        self.live.links.insert(link, agent);
        let known = self.fold.agents.get(&agent);
        let logged = known.and_then(|known| known.board_time_from(opened));
        let session = self.live.sessions.entry(agent).or_default();
        if session.boot != hello.boot {
            session.boot = hello.boot.clone();
            if hello.rebooted {
                session.timeline_changed();
            }
            session.forget_timeline();
            session.promised = None;
            session.floor.rebooted();
            session.lost_jump = false;
        } else if session.is_another_run(hello) && session.is_ahead_of(hello, opened, logged) {
            session.forget_timeline();
            session.jump_told();
            session.floor.jumped(true);
            session.lost_jump = true;
        }
        session.process = hello.process;
        session.foreign =
            !hello.log_origin.is_empty() && self.fold.origin.as_deref() != Some(&*hello.log_origin);
        session.link = Some(Open {
            link,
            sent: hello.orders_taken,
        });
        session.mark = None;
        // The clock sends the moves of its electronic board again. After a restart it cannot know, and so cannot
        // report, that the pieces have been set back.
        session.board_moves.shown.clear();
        session.forget_waiting();
        // The contradiction may be due to a jump that was lost with the previous link.
        session.contradiction = None;
        session.firmware.clone_from(&hello.firmware);
        session.minor = hello.minor;
        session.no_corrections = hello.no_corrections;
        session.linked(now);
        session.heartbeats.begin();
        session.last_heard = Some(now);
        session.online = true;
        self.live.relinked.insert(agent);
        self.begin_probes(now, agent);
        self.watch_for_silence(now + SILENCE, agent);
    }

    fn watch_for_silence(&mut self, at: Instant<Hub>, agent: AgentId) {
        let Some(session) = self.live.sessions.get_mut(&agent) else {
            return;
        };
        if let Some(due) = session.silence_due.replace(at) {
            self.live.wakes.remove(due, WakeReason::Silence(agent));
        }
        self.live.wakes.add(at, WakeReason::Silence(agent));
    }

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
            self.touch_board_of(agent);
        }
    }

    pub(crate) fn close_link(
        &mut self,
        link: LinkId,
        reason: GoodbyeReason,
        text: String,
        step: &mut OpenStep,
    ) {
        step.effect(HubEffect::CloseLink { link, reason, text });
        self.on_gone(link);
    }

    pub(crate) fn heard(&mut self, agent: AgentId, at: Instant<Hub>) {
        let Some(session) = self.live.sessions.get_mut(&agent) else {
            return;
        };
        session.last_heard = Some(session.last_heard.map_or(at, |last| last.max(at)));
        if !session.online {
            session.online = true;
            session.heartbeats.begin();
            self.live.relinked.insert(agent);
            self.watch_for_silence(at + SILENCE, agent);
            self.touch_board_of(agent);
        }
    }

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
        self.touch_board_of(agent);
    }

    /// Logs the clocks that went online or offline in this step. A clock that lost and regained its link within the
    /// step is not logged.
    pub(crate) fn log_links(&mut self, step: &mut OpenStep) {
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
            // The entry changes nothing, so the fold always accepts it.
            let _ = self.log(self.board_of(agent), entry, step);
        }
    }

    pub(crate) fn send_orders(&mut self, agent: AgentId, step: &mut OpenStep) {
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
                OrderKind::Command { record, .. } => {
                    let command = record.clock_command().map(ToString::to_string);
                    to_proto::command_order(order.number, &command.unwrap_or_default())
                }
                OrderKind::Adopt { board, snapshot } => {
                    to_proto::adopt_order(order.number, Some(board), snapshot)
                }
                OrderKind::ServeSide {
                    board,
                    side,
                    snapshot,
                } => to_proto::side_order(order.number, board, *side, snapshot),
                OrderKind::Release => to_proto::adopt_order(order.number, None, &[]),
            };
            step.send(open.link, frame);
        }
    }
}
