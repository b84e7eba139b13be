//! A test bench: one agent, its hub, its journal, and the players' buttons.

use proto::checkpoint::KeptCheckpoint;
use proto::ids::AgentId;
use proto::wire::{AgentFrame, Event, EventBody, Hello, HubFrame, Watermark, agent_frame};
use timing::{Board, Button, Instant};

use super::hub::{Hub, ORIGIN};
use crate::agent::entry::{Batch, Entry, WriteMode};
use crate::agent::signer::Signer;
use crate::agent::{AgentCore, Bounds, Close, CoreConfig, Input, Output, Recovered, recover};
use crate::buttons::ButtonEvent;

pub(super) const AGENT: AgentId = AgentId([7; 32]);

pub(super) struct Bench {
    pub(super) core: AgentCore,
    pub(super) hub: Hub,
    pub(super) now_us: i64,
    pub(super) journal: Vec<Entry>,
    pub(super) frames: Vec<AgentFrame>,
    pub(super) closed: Option<Close>,
    pub(super) jumped_us: i64,
    /// True while frames do not reach the hub.
    pub(super) deaf: bool,
    pub(super) kept: Option<KeptCheckpoint>,
    /// The sizes of the kept and the sent checkpoint of each contradiction.
    pub(super) contradictions: Vec<(u64, u64)>,
}

impl Bench {
    pub(super) fn new() -> Self {
        Self::started(Recovered::fresh(ORIGIN, &AGENT), [1; 16], 0)
    }

    pub(super) fn started(recovered: Recovered, boot: [u8; 16], now_us: i64) -> Self {
        let config = CoreConfig {
            signer: Signer::Hash(AGENT),
            firmware: "test".to_owned(),
            boot: boot.to_vec(),
            base_us: 0,
            token: 1,
        };
        let core = AgentCore::new(config, recovered, at(now_us));
        Self {
            journal: core.whole_journal().entries,
            core,
            hub: Hub::new(AGENT),
            now_us,
            frames: Vec::new(),
            closed: None,
            jumped_us: 0,
            deaf: false,
            kept: None,
            contradictions: Vec::new(),
        }
    }

    pub(super) fn bounded(mut self, bounds: Bounds) -> Self {
        self.core = self.core.with_bounds(bounds);
        self
    }

    /// Returns a connected bench with a started board under `control`, White on the left.
    pub(super) fn playing(control: &str) -> Self {
        let mut bench = Self::new();
        bench.connect();
        let adopt = bench.hub.adopt(control);
        bench.hear(adopt);
        let start = bench.hub.command("start");
        bench.hear(start);
        bench
    }

    pub(super) fn restarted(self, boot: [u8; 16]) -> Self {
        let (recovered, fault) = recover(self.journal, ORIGIN, &AGENT);
        assert_eq!(fault, None);
        let mut next = Self::started(recovered, boot, self.now_us);
        next.hub = self.hub;
        next
    }

    pub(super) fn connect(&mut self) -> Hello {
        self.input(Input::LinkUp);
        let hello = self
            .frames
            .drain(..)
            .find_map(|frame| match frame.frame {
                Some(agent_frame::Frame::Hello(hello)) => Some(hello),
                _ => None,
            })
            .expect("a hello");
        let welcome = self.hub.welcome();
        self.hear(welcome);
        for order in self.hub.unanswered(&hello) {
            self.hear(order);
        }
        hello
    }

    pub(super) fn disconnect(&mut self) {
        self.input(Input::LinkDown);
    }

    pub(super) fn press(&mut self, button: Button) {
        let at = at(self.now_us);
        self.input(Input::Button(ButtonEvent::press(button, at)));
    }

    pub(super) fn hear(&mut self, frame: impl Into<HubFrame>) {
        self.input(Input::Frame(frame.into()));
    }

    pub(super) fn pass(&mut self, us: i64) {
        let until = self.now_us + us;
        while let Some(wake) = self.core.next_wake()
            && wake.as_micros() <= until
        {
            assert!(wake.as_micros() > self.now_us, "a wake in the past");
            self.now_us = wake.as_micros();
            self.input(Input::Wake);
        }
        self.now_us = until;
        self.input(Input::Wake);
    }

    pub(super) fn input(&mut self, input: Input) {
        let outputs = self.core.step(at(self.now_us), input);
        self.carry_out(outputs);
    }

    pub(super) fn carry_out(&mut self, outputs: Vec<Output>) {
        let mut acks = Vec::new();
        for output in outputs {
            match output {
                Output::Send(frame) | Output::Datagram(frame) => {
                    // Encoding fails if a frame exceeds the protocol's size limit.
                    proto::frame::encode(&frame).expect("within its bound");
                    acks.extend(self.deliver(&frame));
                    self.frames.push(frame);
                }
                Output::Persist(batch) => self.write(batch),
                Output::Close(close) => self.closed = Some(close),
                Output::Jump(jump) => {
                    self.jumped_us += jump.as_micros();
                    self.now_us += jump.as_micros();
                }
                Output::KeepCheckpoint(kept) => self.kept = Some(*kept),
                Output::Contradiction { kept, sent } => self
                    .contradictions
                    .push((kept.checkpoint.size, sent.checkpoint.size)),
                Output::OtherLog { .. }
                | Output::FaceChanged
                | Output::Chained { .. }
                | Output::Acknowledged { .. } => {}
            }
        }
        for ack in acks {
            self.hear(ack);
        }
    }

    fn deliver(&mut self, frame: &AgentFrame) -> Option<HubFrame> {
        if self.deaf {
            return None;
        }
        match frame.frame.as_ref()? {
            agent_frame::Frame::Event(event) => Some(self.hub.event(event)?.into()),
            agent_frame::Frame::Watermark(watermark) => {
                self.hub.watermark(watermark.clone());
                None
            }
            agent_frame::Frame::Hello(_)
            | agent_frame::Frame::TimeReply(_)
            | agent_frame::Frame::Health(_)
            | agent_frame::Frame::Goodbye(_)
            | agent_frame::Frame::Diverged(_)
            | agent_frame::Frame::LogContradiction(_)
            | agent_frame::Frame::BoardMoves(_) => None,
        }
    }

    fn write(&mut self, batch: Batch) {
        if batch.mode == WriteMode::Replace {
            self.journal.clear();
        }
        self.journal.extend(batch.entries);
    }

    pub(super) fn take_frames(&mut self) -> Vec<AgentFrame> {
        core::mem::take(&mut self.frames)
    }

    pub(super) fn take_events(&mut self) -> Vec<EventBody> {
        events(&self.take_frames())
    }

    pub(super) fn take_watermarks(&mut self) -> Vec<Watermark> {
        self.take_frames()
            .into_iter()
            .filter_map(|frame| match frame.frame {
                Some(agent_frame::Frame::Watermark(watermark)) => Some(watermark),
                _ => None,
            })
            .collect()
    }

    #[track_caller]
    pub(super) fn agrees_with_hub(&self) {
        assert_eq!(self.core.seq().0, self.hub.seq);
        assert_eq!(self.core.head(), self.hub.head);
        let ours = self.core.clock().map(super::hub::digest);
        assert_eq!(ours, self.hub.clock.as_ref().map(super::hub::digest));
    }
}

pub(super) fn events(frames: &[AgentFrame]) -> Vec<EventBody> {
    frames
        .iter()
        .filter_map(crate::agent::event_of)
        .map(decode)
        .collect()
}

pub(super) fn decode(event: &Event) -> EventBody {
    prost::Message::decode(event.body.as_slice()).unwrap()
}

pub(super) fn at(us: i64) -> Instant<Board> {
    Instant::from_micros(us)
}
