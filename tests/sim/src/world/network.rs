//! The network between clocks and hub: datagrams that are lost, duplicated and overtaken, a stream on which losses cause delays, cuts, congestion,
//! and links that die silently. Frames travel as real bytes.

use clock_agent::core::signer::verify_hash;
use clock_agent::core::{AgentCore, Input as AgentInput, Retry};
use hall::{AgentFrame, Input, LinkId};
use proto::wire::{self, Goodbye, GoodbyeReason, HubFrame, agent_frame, hub_frame};
use timing::{Hub, Instant};

use super::{Event, World, name_of};
use crate::random::seconds;
use crate::{Ns, SECOND};

const IDLE: Ns = 5 * SECOND;

pub(super) const UP: usize = 0;
pub(super) const DOWN: usize = 1;

/// A link between an agent and the hub. It exists as soon as the agent's dial arrives at the hub, before it is up at the agent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) agent: usize,
    pub(super) opened: Instant<Hub>,
    pub(super) agent_open: bool,
    pub(super) hub_open: bool,
    /// True if the link belongs to a second machine with the agent's identity.
    pub(super) clone: bool,
    greeted: bool,
    /// The time at which the hub received the newest frame.
    pub(super) heard: Ns,
    /// The arrival time of the stream's newest frame in each direction: to the hub, and from the hub.
    arrives: [Ns; 2],
}

impl World {
    pub(super) fn on_dial(&mut self, agent: usize, life: u64) {
        let machine = &self.agents[agent];
        if machine.life != life || machine.core.is_none() || machine.link.is_some() {
            return;
        }
        let cut = machine.cut[UP].max(machine.cut[DOWN]);
        if self.hub.hall.is_none() || cut > self.now {
            return self.dial_later(agent, Retry::Soon);
        }
        let way = self.way(agent, UP);
        self.plan(way, Event::Accept { agent, life });
    }

    pub(super) fn on_accept(&mut self, agent: usize, life: u64) {
        if self.agents[agent].life != life {
            return;
        }
        if self.hub.hall.is_none() {
            return self.dial_later(agent, Retry::Soon);
        }
        let link = self.add_link(agent, false);
        // By the time the agent's link is up, both ends have exchanged a few packets.
        let way = self.way(agent, DOWN);
        self.links[link].arrives = [self.now, self.now + way];
        self.plan(way, Event::LinkUp { link });
    }

    pub(super) fn add_link(&mut self, agent: usize, clone: bool) -> usize {
        let opened = self.hub.now(self.now);
        self.links.push(Link {
            agent,
            opened,
            agent_open: false,
            hub_open: true,
            clone,
            greeted: false,
            heard: self.now,
            arrives: [self.now; 2],
        });
        self.links.len() - 1
    }

    pub(super) fn on_link_up(&mut self, link: usize) {
        let agent = self.links[link].agent;
        let machine = &mut self.agents[agent];
        if machine.core.is_none() || machine.link.is_some() {
            let way = self.way(agent, UP);
            return self.plan(way, Event::HubLoses { link });
        }
        machine.link = Some(link);
        machine.smooth_since = self.now;
        self.links[link].agent_open = true;
        self.mark(3, &[agent as u64, link as u64]);
        self.say(|| format!("agent {agent} has link {link}"));
        if !self.links[link].hub_open {
            // The hub dropped the link while its handshake response was in transit, so this link stays silent.
            let wait = self.net.span(0.01, 5.0);
            self.plan(wait, Event::AgentLoses { link });
        }
        self.tell_agent(agent, AgentInput::LinkUp);
    }

    pub(super) fn send_to_hub(&mut self, agent: usize, frame: wire::AgentFrame, reliably: bool) {
        let machine = &mut self.agents[agent];
        let Some(link) = machine.link.filter(|link| self.links[*link].agent_open) else {
            return;
        };
        let frames = match &mut machine.liar {
            Some(liar) => liar.speak(frame, &mut self.tally),
            None => vec![frame],
        };
        for frame in frames {
            match proto::frame::encode(&frame) {
                Ok(bytes) => self.send(link, UP, bytes, reliably),
                Err(error) => self.fail(format!("agent {agent} makes a bad frame: {error}")),
            }
        }
    }

    pub(super) fn send_to_agent(&mut self, link: usize, frame: &HubFrame) {
        if !self.links[link].hub_open {
            return;
        }
        let reliably = !matches!(frame.frame, Some(hub_frame::Frame::TimeProbe(_)));
        match proto::frame::encode(frame) {
            Ok(bytes) => self.send(link, DOWN, bytes, reliably),
            Err(error) => self.fail(format!("the hub makes a bad frame: {error}")),
        }
    }

    fn send(&mut self, link: usize, direction: usize, bytes: Vec<u8>, reliably: bool) {
        let agent = self.links[link].agent;
        if reliably {
            let way = self.stream_way(agent, direction);
            let arrives = (self.now + way).max(self.links[link].arrives[direction] + 1);
            self.links[link].arrives[direction] = arrives;
            return self.queue.push(arrives, arrival(link, direction, bytes));
        }
        if self.agents[agent].cut[direction] > self.now || self.net.chance(self.mix.loss) {
            return self.tally.fault("datagram lost");
        }
        if self.net.chance(self.mix.duplication) {
            self.tally.fault("datagram doubled");
            let way = self.way(agent, direction) + self.net.span(0.0, 0.05);
            self.plan(way, arrival(link, direction, bytes.clone()));
        }
        let mut way = self.way(agent, direction);
        if self.net.chance(self.mix.reordering) {
            self.tally.fault("datagram overtaken");
            way += self.net.span(0.0, 1.5);
        }
        self.plan(way, arrival(link, direction, bytes));
    }

    /// Draws the travel time of a packet that is not lost.
    pub(super) fn way(&mut self, agent: usize, direction: usize) -> Ns {
        let machine = &self.agents[agent];
        let held = (machine.clogged[direction] - self.now).max(0);
        held + machine.kind.delay(&mut self.net)
    }

    /// Draws the travel time of stream data, including retransmissions.
    fn stream_way(&mut self, agent: usize, direction: usize) -> Ns {
        let held = (self.agents[agent].cut[direction] - self.now).max(0);
        let mut way = held + self.way(agent, direction);
        let mut again = 0.03;
        while self.net.chance(self.mix.loss) {
            way += seconds(again) + self.agents[agent].kind.delay(&mut self.net);
            again = (again * 2.0_f64).min(1.0);
        }
        way
    }

    pub(super) fn on_frame_at_agent(&mut self, link: usize, bytes: &[u8]) {
        let Link {
            agent,
            agent_open,
            clone,
            ..
        } = self.links[link];
        let mut frame = match proto::frame::decode::<HubFrame>(bytes) {
            Ok(frame) => frame,
            Err(error) => return self.fail(format!("agent {agent} cannot read a frame: {error}")),
        };
        if clone {
            return self.check_clone(agent, frame.frame.as_ref());
        }
        if !agent_open || self.agents[agent].link != Some(link) {
            return;
        }
        self.mark(4, &[agent as u64, name_of(bytes)]);
        let machine = &mut self.agents[agent];
        if let (Some(liar), Some(core)) = (&mut machine.liar, &machine.core) {
            frame = liar.hear(frame, core);
        }
        if let Some(hub_frame::Frame::Welcome(welcome)) = &frame.frame {
            let index = usize::try_from(welcome.acked_seq).unwrap_or(usize::MAX);
            let machine = &self.agents[agent];
            let made = machine.chain.get(index.wrapping_sub(1)).copied().flatten();
            let differs = made.is_some_and(|made| made.hash.as_slice() != welcome.acked_head);
            let elsewhere = (index > machine.chain.len() || differs) && machine.liar.is_none();
            if elsewhere {
                self.forget_other_past(agent);
            }
        }
        self.tell_agent(agent, AgentInput::Frame(frame));
        let connected = self.agents[agent]
            .core
            .as_ref()
            .is_some_and(AgentCore::connected);
        if connected {
            self.forget_backoff(agent);
        }
    }

    pub(super) fn on_frame_at_hub(&mut self, link: usize, bytes: &[u8]) {
        let Link {
            agent,
            hub_open,
            greeted,
            opened,
            ..
        } = self.links[link];
        if !hub_open || self.hub.hall.is_none() {
            return;
        }
        let frame = match proto::frame::decode::<wire::AgentFrame>(bytes) {
            Ok(frame) => frame,
            Err(error) => return self.fail(format!("the hub cannot read a frame: {error}")),
        };
        self.links[link].heard = self.now;
        let id = self.agents[agent].id;
        let name = LinkId(link as u64);
        if !greeted {
            // A frame that overtakes the hello finds no session, and is dropped.
            let Some(agent_frame::Frame::Hello(hello)) = frame.frame else {
                return;
            };
            self.links[link].greeted = true;
            let taken = self.hub.taken[agent];
            self.watermarks[agent].retain(|seq, _| *seq <= taken);
            match hall::from_proto::hello(hello) {
                Ok(hello) => self.tell_hub(Input::AgentConnected {
                    agent: id,
                    link: name,
                    opened,
                    hello: Box::new(hello),
                }),
                Err(error) => self.fail(format!("the hub cannot read a greeting: {error}")),
            }
            return;
        }
        if let Some(agent_frame::Frame::Event(event)) = &frame.frame
            && !verify_hash(event, &id)
        {
            return self.fail(format!("an event of agent {agent} is not signed by it"));
        }
        let received = self.hub.now(self.now);
        match hall::from_proto::agent_frame(frame) {
            Ok(frame) => self.tell_hub_of_frame(agent, name, received, frame),
            Err(error) => self.fail(format!("the hub cannot read a frame: {error}")),
        }
    }

    fn tell_hub_of_frame(
        &mut self,
        agent: usize,
        link: LinkId,
        received: Instant<Hub>,
        frame: AgentFrame,
    ) {
        let current = self.agents[agent].link == Some(link.0 as usize);
        let event = match &frame {
            AgentFrame::Event(event) => Some(event.clone()),
            AgentFrame::Watermark { .. }
            | AgentFrame::Promise(_)
            | AgentFrame::TimeReply { .. }
            | AgentFrame::Health(_)
            | AgentFrame::Diverged { .. }
            | AgentFrame::LogContradiction(_)
            | AgentFrame::BoardMoves(_)
            | AgentFrame::BadSignature
            | AgentFrame::Goodbye { .. } => None,
        };
        if let Some(event) = event.as_ref().filter(|_| current) {
            self.check_mapping(agent, event);
        }
        let exchange = matches!(frame, AgentFrame::TimeReply { .. });
        let mark = if let AgentFrame::Watermark { at, seq } = frame {
            Some((at, seq.0))
        } else if let AgentFrame::Promise(promise) = &frame {
            Some((promise.at, promise.seq.0))
        } else {
            None
        };
        let lie = event
            .as_ref()
            .and_then(|event| self.lie_that_shows(agent, event, received));
        let twice = event
            .as_ref()
            .is_some_and(|event| self.tells_twice(agent, event));
        self.contradicting = (twice || lie == Some("broken_promise")).then_some(agent);
        self.reporting = event
            .as_ref()
            .filter(|_| current)
            .and_then(|event| self.reported(agent, event, received));
        let heard = mark.filter(|(at, _)| !self.lies_ahead(agent, *at, received));
        self.tell_hub(Input::AgentFrame {
            link,
            received,
            frame,
        });
        if exchange && current {
            self.check_interval(agent);
        }
        if let (Some(kind), Some(event)) = (lie, &event)
            && self.hub.taken[agent] == event.seq.0
        {
            self.check_noted(kind, agent);
        }
        self.remember_promise(agent, mark, event.as_deref());
        self.record_watermark(agent, heard);
    }

    /// Closes the agent's link explicitly, so that the hub learns of it without waiting for the idle time.
    pub(super) fn agent_closes(&mut self, agent: usize, retry: Retry) {
        if let Some(link) = self.agents[agent].link {
            self.end_at_agent(link);
            let way = self.stream_way(agent, UP);
            let after = (self.now + way).max(self.links[link].arrives[UP] + 1) - self.now;
            self.plan(after, Event::HubLoses { link });
            self.dial_later(agent, retry);
        }
    }

    fn end_at_agent(&mut self, link: usize) {
        let agent = self.links[link].agent;
        self.links[link].agent_open = false;
        if self.agents[agent].link == Some(link) {
            self.agents[agent].link = None;
            if self.agents[agent].core.is_some() {
                self.tell_agent(agent, AgentInput::LinkDown);
            }
        }
    }

    pub(super) fn on_agent_loses(&mut self, link: usize) {
        let agent = self.links[link].agent;
        if !self.links[link].agent_open {
            return;
        }
        self.mark(5, &[agent as u64, link as u64]);
        self.say(|| format!("agent {agent} loses link {link}"));
        self.end_at_agent(link);
        self.dial_later(agent, Retry::Soon);
    }

    pub(super) fn on_hub_loses(&mut self, link: usize) {
        if !std::mem::replace(&mut self.links[link].hub_open, false) {
            return;
        }
        self.say(|| format!("the hub loses link {link}"));
        self.tell_hub(Input::AgentGone {
            link: LinkId(link as u64),
            why: "the link is over".to_owned(),
        });
    }

    pub(super) fn hub_closes(&mut self, link: usize, reason: GoodbyeReason, text: String) {
        if !self.links[link].hub_open {
            return;
        }
        let goodbye = Goodbye {
            reason: reason.into(),
            text: text.chars().take(120).collect(),
        };
        self.send_to_agent(link, &goodbye.into());
        self.links[link].hub_open = false;
        let after = self.links[link].arrives[DOWN] + 1 - self.now;
        self.plan(after, Event::AgentLoses { link });
    }

    /// Drops the link of an agent whose program has ended. The hub notices immediately or after the idle time.
    pub(super) fn drop_agent_link(&mut self, agent: usize) {
        if let Some(link) = self.agents[agent].link.take() {
            self.links[link].agent_open = false;
            let wait = if self.net.chance(0.3) {
                self.way(agent, UP)
            } else {
                IDLE
            };
            self.plan(wait, Event::HubLoses { link });
        }
    }

    /// Drops all links of a hub whose program has ended. Each agent notices after the idle time, or earlier if a restarted hub answers that the
    /// link is unknown.
    pub(super) fn drop_hub_links(&mut self) {
        for link in 0..self.links.len() {
            if !std::mem::replace(&mut self.links[link].hub_open, false) {
                continue;
            }
            if self.links[link].clone {
                self.forget_clone();
            }
            let wait = self.net.span(0.01, 5.0);
            self.plan(wait, Event::AgentLoses { link });
        }
    }

    /// Cuts an agent's link for a while, in one direction or both. A cut longer than the idle time ends the link; each end notices by itself.
    pub(super) fn cut(&mut self, agent: usize, span: Ns, directions: &[usize]) {
        let until = self.now + span;
        self.agents[agent].smooth_since = until;
        for direction in directions {
            let cut = &mut self.agents[agent].cut[*direction];
            *cut = until.max(*cut);
        }
        let Some(link) = self.agents[agent].link.filter(|_| span > IDLE) else {
            return;
        };
        let jitter = self.net.span(0.0, 0.3);
        let (agent_after, hub_after) = match directions {
            [UP] => (2 * IDLE, IDLE),
            [DOWN] => (IDLE, 2 * IDLE),
            _ => (IDLE, IDLE),
        };
        self.plan(agent_after + jitter, Event::AgentLoses { link });
        self.plan(hub_after, Event::HubLoses { link });
    }
}

fn arrival(link: usize, direction: usize, bytes: Vec<u8>) -> Event {
    if direction == UP {
        Event::ToHub { link, bytes }
    } else {
        Event::ToAgent { link, bytes }
    }
}
