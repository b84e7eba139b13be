//! The hub in these games: the real hall, a log that becomes durable a moment later, and enrolment by the code that a clock shows. Like the hub's
//! links, it verifies the signature of every event and of every enrolment of a firmware clock.

use std::collections::{BTreeMap, VecDeque};

use hall::{Action, BoardId, Enrolment, Hall, HubEffect, Input, LinkId, ReplyId, Step};
use prost::Message as _;
use proto::chain::{verify, verify_enrolment};
use proto::frame::{decode, encode};
use proto::ids::AgentId;
use proto::log::record;
use proto::wire::{
    AgentFrame, EnrolAnswer, EnrolRequest, Enrolled, Event as Chained, EventBody, HubFrame,
    agent_frame, enrol_answer, event_body,
};
use timing::{Command, Hub, Instant};

use super::{Event, PAIRS, World};
use crate::Ns;
use crate::shell::{Outward, START_US, asked, outward, probes, received, start_up};

pub(super) const ORIGIN: &str = "flagfall.example/ble";
/// The hub's X25519 secret.
pub(super) const SECRET: [u8; 32] = [0x22; 32];
const COMMIT: Ns = 1_200_000;

#[derive(Clone, Copy, Debug)]
pub(super) enum ClockEnd {
    Firmware(usize),
    Twin(usize),
}

pub(super) struct HubEnd {
    pub(super) hall: Option<Hall>,
    seed: u64,
    waiting: VecDeque<Vec<HubEffect>>,
    pub(super) links: BTreeMap<LinkId, ClockEnd>,
    next: u64,
    wake: Option<Ns>,
    /// The X25519 keys of the clocks enrolled over Bluetooth LE.
    pub(super) known: BTreeMap<AgentId, [u8; 32]>,
    presses: BTreeMap<Vec<u8>, u64>,
}

impl HubEnd {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            hall: None,
            seed,
            waiting: VecDeque::new(),
            links: BTreeMap::new(),
            next: 1,
            wake: None,
            known: BTreeMap::new(),
            presses: BTreeMap::new(),
        }
    }

    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    pub(super) fn link(&mut self, end: ClockEnd) -> LinkId {
        let link = LinkId(self.number());
        self.links.insert(link, end);
        link
    }

    pub(super) fn presses_of(&self, agent: &AgentId) -> u64 {
        self.presses.get(&agent.0[..]).copied().unwrap_or(0)
    }
}

pub(super) fn is_press(event: &Chained) -> bool {
    EventBody::decode(event.body.as_slice())
        .is_ok_and(|body| matches!(body.fact, Some(event_body::Fact::Press(_))))
}

impl World {
    pub(super) fn hub_now(&self) -> Instant<Hub> {
        Instant::from_micros(START_US + self.now.div_euclid(1_000))
    }

    /// Starts the hub. Boards 1 to 4 belong to the firmware clocks, 5 to 8 to the twins; Black's press starts each game.
    pub(super) fn start_hub(&mut self) {
        self.hub.hall = Some(Hall::new());
        self.tell_hub(start_up(ORIGIN, START_US, self.hub.seed));
        for board in 1..=2 * PAIRS {
            match "prepare left black-press 3m+2s".parse() {
                Ok(Command::Prepare(setup)) => self.ask(board, Action::AddBoard(setup, None)),
                Ok(_) | Err(_) => self.fail("no game can be prepared".to_owned()),
            }
        }
    }

    fn board(number: usize) -> Option<BoardId> {
        number.to_string().parse().ok()
    }

    fn ask(&mut self, board: usize, action: Action) {
        let number = self.hub.number();
        let reply = ReplyId(self.hub.number());
        self.tell_hub(asked(number, Self::board(board), 0, action, reply));
    }

    pub(super) fn enrol_at(&mut self, agent: AgentId, exchange_key: Vec<u8>, board: usize) {
        let reply = ReplyId(self.hub.number());
        let enrolment = Enrolment {
            side: None,
            admitted_by: String::new(),
            agent,
            exchange_key,
            name: format!("clock {board}"),
            certificate_serial: Vec::new(),
            certificate: Vec::new(),
            board: Self::board(board),
        };
        self.tell_hub(Input::asked(enrolment, reply));
    }

    pub(super) fn tell_hub(&mut self, input: Input) {
        let now = self.hub_now();
        let Some(hall) = &mut self.hub.hall else {
            return;
        };
        let Step {
            records,
            effects,
            immediate,
        } = hall.on_input(now, input);
        let wake = hall.next_wake();
        for record in &records {
            if let Some(record::Input::AgentEvent(event)) = &record.input {
                let chained = Chained {
                    body: event.body.clone(),
                    signature: event.signature.clone(),
                };
                let of_agent = self.hub.presses.entry(event.agent.clone()).or_default();
                *of_agent += u64::from(is_press(&chained));
            }
        }
        self.hub.waiting.push_back(effects);
        self.queue.push(self.now + COMMIT, Event::Durable);
        for (link, probe) in probes(immediate) {
            self.tell_agent(link, probe);
        }
        if let Some(wake) = wake {
            let at = (wake.as_micros() - START_US).saturating_mul(1_000);
            let at = at.max(self.now + 1_000);
            if self.hub.wake.is_none_or(|planned| at < planned) {
                self.hub.wake = Some(at);
                self.queue.push(at, Event::HubWake(at));
            }
        }
    }

    pub(super) fn on_hub_wake(&mut self, at: Ns) {
        if self.hub.wake == Some(at) {
            self.hub.wake = None;
            self.tell_hub(Input::Wake);
        }
    }

    pub(super) fn on_durable(&mut self) {
        if let Some(effects) = self.hub.waiting.pop_front() {
            self.carry_out(effects);
        }
    }

    fn carry_out(&mut self, effects: Vec<HubEffect>) {
        for effect in effects {
            match outward(effect) {
                Some(Outward::Frame(link, frame)) => self.tell_agent(link, frame),
                Some(Outward::Close(link, text)) => {
                    // A firmware clock whose link the hub closes advertises again. A twin's link must stay open.
                    match self.hub.links.get(&link).copied() {
                        Some(ClockEnd::Firmware(number)) => self.disconnect(number, true),
                        Some(ClockEnd::Twin(number)) => self.fail(format!("twin {number}: {text}")),
                        None => {}
                    }
                }
                Some(Outward::Notice(_)) | None => {}
            }
        }
    }

    fn tell_agent(&mut self, link: LinkId, frame: HubFrame) {
        match self.hub.links.get(&link).copied() {
            Some(ClockEnd::Firmware(number)) => {
                let bytes = match encode(&frame) {
                    Ok(bytes) => bytes,
                    Err(error) => return self.fail(format!("the hub's frame: {error}")),
                };
                if let Some(connection) = &mut self.pairs[number].connection
                    && let Err(error) = connection.hub.send(&bytes)
                {
                    self.fail(format!("nothing can be sent to clock {number}: {error}"));
                }
                self.pump(number);
            }
            Some(ClockEnd::Twin(number)) => {
                let at = self.twin_arrival(number, 1);
                self.queue.push(at, Event::ToTwin(number, Box::new(frame)));
            }
            None => {}
        }
    }

    /// Enrols a clock whose code an arbiter has typed: the handshake and the signature prove the clock's identity.
    pub(super) fn enrol(&mut self, number: usize, bytes: &[u8]) {
        let Ok(request) = decode::<EnrolRequest>(bytes) else {
            return self.fail(format!("clock {number} sent a malformed enrolment request"));
        };
        let bound = self.pairs[number]
            .connection
            .as_ref()
            .and_then(|connection| connection.binding);
        let Some((binding, peer)) = bound else {
            return self.fail(format!(
                "clock {number} asked to enrol before the handshake"
            ));
        };
        let agent = AgentId::try_from(request.signing_key.as_slice());
        let Ok(agent) = agent else {
            return self.fail(format!("clock {number} has no key"));
        };
        let signed = verify_enrolment(
            &request.token,
            &request.exchange_key,
            &request.signature,
            &agent,
        );
        if signed.is_err() || request.token != binding || request.exchange_key != peer {
            return self.fail(format!(
                "clock {number} asked to enrol for a different link"
            ));
        }
        self.hub.known.insert(agent, peer);
        self.enrol_at(agent, peer.to_vec(), number + 1);
        let answer = EnrolAnswer {
            answer: Some(enrol_answer::Answer::Enrolled(Enrolled {
                log_origin: ORIGIN.to_owned(),
                name: format!("clock {}", number + 1),
                board: (number + 1).to_string(),
                exchange_key: clock_core::enrolment::exchange_key(&SECRET).to_vec(),
                ..Enrolled::default()
            })),
        };
        let sent = encode(&answer).map_err(|error| error.to_string());
        if let (Ok(bytes), Some(connection)) = (sent, &mut self.pairs[number].connection)
            && connection.hub.send(&bytes).is_err()
        {
            self.fail(format!("clock {number} cannot be sent its enrolment"));
        }
    }

    pub(super) fn clock_says(&mut self, number: usize, bytes: &[u8]) {
        let frame = match decode::<AgentFrame>(bytes) {
            Ok(frame) => frame,
            Err(error) => return self.fail(format!("clock {number}: {error}")),
        };
        let Some(connection) = &mut self.pairs[number].connection else {
            return;
        };
        let Some(agent) = connection.agent else {
            return self.fail(format!(
                "clock {number} sent a frame before its link was open"
            ));
        };
        let opened = connection.opened;
        let link = match connection.link {
            Some(link) => link,
            None => *connection
                .link
                .insert(self.hub.link(ClockEnd::Firmware(number))),
        };
        self.agent_says(agent, link, opened, frame);
    }

    pub(super) fn agent_says(
        &mut self,
        agent: AgentId,
        link: LinkId,
        opened: Instant<Hub>,
        frame: AgentFrame,
    ) {
        match &frame.frame {
            Some(agent_frame::Frame::Event(event)) if verify(event, &agent).is_err() => {
                return self.fail(format!("{agent:?} did not sign its event"));
            }
            Some(agent_frame::Frame::Diverged(_)) => {
                return self.fail(format!("{agent:?} came to another clock than the hub"));
            }
            Some(agent_frame::Frame::Goodbye(goodbye)) => {
                return self.fail(format!("{agent:?} says goodbye: {}", goodbye.text));
            }
            Some(_) | None => {}
        }
        match received(agent, link, opened, self.hub_now(), frame) {
            Ok(input) => self.tell_hub(input),
            Err(error) => self.fail(error),
        }
    }
}
