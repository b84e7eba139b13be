//! The twin of a firmware clock: the agent's core on a lossless link, driven as the agent program drives it. Owns the twin's journal,
//! in which every write succeeds immediately.

use clock_agent::buttons::{ButtonEvent, Edge, TwoButtons};
use clock_agent::core::entry::{Entry, WriteMode};
use clock_agent::core::signer::Signer;
use clock_agent::core::{AgentCore, CoreConfig, Input, Output, Recovered, recover};
use ed25519_dalek::SigningKey;
use hall::LinkId;
use proto::ids::AgentId;
use proto::wire::AgentFrame;
use timing::{Button, Instant};

use super::hub::{ClockEnd, ORIGIN};
use super::{Event, World};
use crate::Ns;
use crate::delay::LinkKind;

pub(super) struct Twin {
    key: SigningKey,
    pub(super) core: AgentCore,
    buttons: TwoButtons,
    journal: Vec<Entry>,
    pub(super) base_us: i64,
    boot: u8,
    pub(super) link: Option<LinkId>,
    pub(super) wake: Option<Ns>,
    /// The arrival times of the link's newest frames: at the hub, and at the twin.
    stream: [Ns; 2],
}

impl Twin {
    pub(super) fn new(number: usize) -> Self {
        let key = SigningKey::from_bytes(&[number as u8 + 100; 32]);
        let agent = AgentId(key.verifying_key().to_bytes());
        let core = core(&key, 1, 0, Recovered::fresh(ORIGIN, &agent));
        Self {
            journal: core.whole_journal().entries,
            core,
            key,
            buttons: TwoButtons::default(),
            base_us: 0,
            boot: 1,
            link: None,
            wake: None,
            stream: [0; 2],
        }
    }

    /// Powers up: the twin's count restarts, and its board time continues from the end of its journal.
    pub(super) fn power_up(&mut self) {
        let agent = self.core.agent();
        let (recovered, _) = recover(self.journal.clone(), ORIGIN, &agent);
        self.boot += 1;
        self.base_us = recovered.reached_us();
        self.core = core(&self.key, self.boot, self.base_us, recovered);
        self.journal = self.core.whole_journal().entries;
        self.buttons = TwoButtons::default();
    }
}

fn core(key: &SigningKey, boot: u8, base_us: i64, recovered: Recovered) -> AgentCore {
    let config = CoreConfig {
        signer: Signer::Ed25519(Box::new(key.clone())),
        firmware: "twin".to_owned(),
        boot: vec![boot; 16],
        base_us,
        token: u64::from(boot),
    };
    AgentCore::new(config, recovered, Instant::from_micros(base_us))
}

impl World {
    pub(super) fn enrol_twin(&mut self, number: usize) {
        let agent = self.pairs[number].twin.core.agent();
        self.enrol_at(agent, Vec::new(), super::PAIRS + number + 1);
    }

    pub(super) fn link_twin(&mut self, number: usize) {
        if self.pairs[number].twin.link.is_some() {
            return;
        }
        let link = self.hub.link(ClockEnd::Twin(number));
        let twin = &mut self.pairs[number].twin;
        twin.link = Some(link);
        twin.stream = [self.now; 2];
        self.step_twin(number, Input::LinkUp);
    }

    pub(super) fn unlink_twin(&mut self, number: usize) {
        if let Some(link) = self.pairs[number].twin.link.take() {
            self.hub.links.remove(&link);
            let why = "the power is gone".to_owned();
            self.tell_hub(hall::Input::AgentGone { link, why });
        }
    }

    pub(super) fn touch_twin(&mut self, number: usize, button: Button, edge: Edge, at_us: i64) {
        let twin = &mut self.pairs[number].twin;
        let at = Instant::from_micros(at_us + twin.base_us);
        for event in twin.buttons.on_edge(button, edge, at) {
            self.press_twin(number, event);
        }
    }

    fn press_twin(&mut self, number: usize, event: ButtonEvent) {
        self.step_twin(number, Input::Button(event));
    }

    pub(super) fn step_twin(&mut self, number: usize, input: Input) {
        let raw_us = self.raw_us(number);
        let twin = &mut self.pairs[number].twin;
        let now = Instant::from_micros(raw_us + twin.base_us);
        let outputs = twin.core.step(now, input);
        let mut written = None;
        for output in outputs {
            match output {
                Output::Send(frame) | Output::Datagram(frame) => self.twin_sends(number, frame),
                Output::Persist(batch) => {
                    let journal = &mut self.pairs[number].twin.journal;
                    if batch.mode == WriteMode::Replace {
                        journal.clear();
                    }
                    journal.extend(batch.entries);
                    written = Some(batch.seq);
                }
                Output::Jump(jump) => self.pairs[number].twin.base_us += jump.as_micros(),
                Output::Close(close) => self.fail(format!("twin {number}: {}", close.reason)),
                Output::OtherLog { origin } => self.fail(format!("another log: {origin}")),
                Output::Chained { .. }
                | Output::FaceChanged
                | Output::Acknowledged { .. }
                | Output::KeepCheckpoint(_)
                | Output::Contradiction { .. } => {}
            }
        }
        if let Some(seq) = written {
            self.step_twin(number, Input::JournalSynced { seq });
        }
        self.wake_twin(number, now);
    }

    fn wake_twin(&mut self, number: usize, now: Instant<timing::Board>) {
        let twin = &mut self.pairs[number].twin;
        for event in twin.buttons.on_time(now) {
            self.press_twin(number, event);
        }
        let twin = &self.pairs[number].twin;
        let wakes = [twin.core.next_wake(), twin.buttons.next_deadline()];
        let Some(wake) = wakes.into_iter().flatten().min() else {
            return;
        };
        let at = self.when(number, wake.as_micros() - twin.base_us);
        let at = at.max(self.now + 1_000);
        self.pairs[number].twin.wake = Some(at);
        self.queue.push(at, Event::TwinWake(number, at));
    }

    fn twin_sends(&mut self, number: usize, frame: AgentFrame) {
        let at = self.twin_arrival(number, 0);
        self.queue
            .push(at, Event::FromTwin(number, Box::new(frame)));
    }

    pub(super) fn twin_arrival(&mut self, number: usize, way: usize) -> Ns {
        let at = self.now + LinkKind::Lan.delay(&mut self.random);
        let stream = &mut self.pairs[number].twin.stream[way];
        *stream = (*stream).max(at);
        *stream
    }

    pub(super) fn twin_says(&mut self, number: usize, frame: AgentFrame) {
        let twin = &self.pairs[number].twin;
        if let Some(link) = twin.link {
            let (agent, opened) = (twin.core.agent(), self.hub_now());
            self.agent_says(agent, link, opened, frame);
        }
    }
}
