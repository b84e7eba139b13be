//! The clocks' side: cores, links and reboots.

use clock_agent::core::{AgentCore, Input as AgentInput, Output};
use hall::{Action, Input, LinkId};
use proto::frame;
use proto::wire::{AgentFrame, HubFrame, agent_frame, hub_frame};

use super::{Faults, ORIGIN, SimEvent, World, config};
use crate::corrections::correction;

impl World {
    pub(super) fn agent_input(&mut self, number: usize, input: AgentInput) {
        if self.clocks[number].off {
            return;
        }
        let now = self.clocks[number].board(self.now);
        let outputs = self.clocks[number].core.step(now, input);
        for output in outputs {
            match output {
                Output::Send(frame) => self.send_to_hub(number, &frame, true),
                Output::Datagram(frame) => self.send_to_hub(number, &frame, false),
                Output::Persist(batch) => {
                    let journal = self.clocks[number].journal;
                    let late = 500 + i64::try_from(self.random(3_000)).unwrap();
                    self.after(late, SimEvent::Synced(number, journal, batch.seq));
                }
                Output::Jump(span) => self.clocks[number].offset += span.as_micros(),
                Output::Close(_) => {
                    self.cut(number);
                    self.reconnect(number, 300_000);
                }
                Output::FaceChanged
                | Output::Chained { .. }
                | Output::Acknowledged { .. }
                | Output::OtherLog { .. }
                | Output::KeepCheckpoint(_)
                | Output::Contradiction { .. } => (),
            }
        }
        let clock = &self.clocks[number];
        if let Some(wake) = clock.core.next_wake() {
            let wait = (wake - clock.board(self.now)).as_micros().max(1);
            // The crystal may be slower than the hub's. Waking slightly late is better than waking slightly early many times.
            self.after(wait + wait / 20_000 + 1, SimEvent::AgentWake(number));
        }
    }

    pub(super) fn send_to_hub(&mut self, number: usize, frame: &AgentFrame, stream: bool) {
        if let Some(agent_frame::Frame::Diverged(_)) = frame.frame {
            self.clocks[number].diverged += 1;
        }
        let Some(link) = self.clocks[number].link else {
            return;
        };
        let bytes = frame::encode(frame).unwrap();
        for _ in 0..self.copies(stream) {
            let mut at = self.now + self.delay();
            if stream {
                at = at.max(self.clocks[number].to_hub);
                self.clocks[number].to_hub = at;
            }
            self.at(at, SimEvent::ToHub(link, bytes.clone()));
        }
    }

    pub(super) fn send_to_agent(&mut self, link: LinkId, frame: &HubFrame) {
        let Some(number) = self.on_link(link) else {
            return;
        };
        let stream = !matches!(frame.frame, Some(hub_frame::Frame::TimeProbe(_)));
        let bytes = frame::encode(frame).unwrap();
        for _ in 0..self.copies(stream) {
            let mut at = self.now + self.delay();
            if stream {
                at = at.max(self.clocks[number].to_agent);
                self.clocks[number].to_agent = at;
            }
            self.at(at, SimEvent::ToAgent(number, link, bytes.clone()));
        }
    }

    pub(super) fn copies(&mut self, stream: bool) -> u32 {
        if stream {
            return 1;
        }
        let drawn = self.random(100);
        if drawn < self.faults.lost {
            0
        } else if drawn < self.faults.lost + self.faults.repeated {
            2
        } else {
            1
        }
    }

    pub(super) fn delay(&mut self) -> i64 {
        let usual = 100 + self.random(200);
        let unusual = match self.random(4) {
            0 => self.random(self.faults.delay),
            _ => 0,
        };
        i64::try_from(usual + unusual).unwrap()
    }

    pub(super) fn reconnect(&mut self, number: usize, us: i64) {
        if !self.clocks[number].connecting {
            self.clocks[number].connecting = true;
            let us = us + i64::try_from(self.random(100_000)).unwrap();
            self.after(us, SimEvent::Connect(number));
        }
    }

    pub(super) fn connect(&mut self, number: usize) {
        self.clocks[number].connecting = false;
        let clock = &self.clocks[number];
        if self.hall.is_none() || clock.link.is_some() || clock.off {
            return;
        }
        let link = LinkId(self.number());
        let clock = &mut self.clocks[number];
        clock.link = Some(link);
        clock.opened = self.now;
        (clock.to_hub, clock.to_agent) = (self.now, self.now);
        self.agent_input(number, AgentInput::LinkUp);
    }

    /// Breaks a link. Frames in transit are lost, and both ends detect the break.
    pub(crate) fn cut(&mut self, number: usize) {
        let Some(link) = self.clocks[number].link.take() else {
            return;
        };
        let why = "cut".to_owned();
        self.hub_input(Input::AgentGone { link, why });
        self.agent_input(number, AgentInput::LinkDown);
    }

    /// Switches a clock's machine off for `seconds`. Its board time stops, and its journal survives in full.
    pub(crate) fn reboot(&mut self, number: usize, seconds: f64) {
        self.cut(number);
        let journal = self.clocks[number].core.whole_journal();
        self.clocks[number].off = true;
        self.let_pass(seconds);
        let clock = &mut self.clocks[number];
        clock.off = false;
        clock.offset -= (seconds * 1e6) as i64;
        clock.boot += 1;
        clock.journal += 1;
        let (recovered, error) = clock_agent::core::recover(journal.entries, ORIGIN, &clock.id);
        assert!(error.is_none(), "{error:?}");
        let now = clock.board(self.now);
        clock.core = AgentCore::new(config(clock.id, clock.boot), recovered, now);
        self.reconnect(number, 100_000);
    }

    pub(crate) fn correct(&mut self, number: usize, commands: &[&str]) {
        let now = self.clocks[number].board(self.now);
        self.agent_input(number, correction(commands, now));
    }

    pub(crate) fn correct_somewhere(&mut self) {
        let number = usize::try_from(self.random(self.clocks.len() as u64)).unwrap();
        let commands: &[&str] = match self.random(4) {
            0 => &["pause", "set white 2m", "set black 90s", "resume"],
            1 => &["add black 5s"],
            // A resumption is refused while the clock runs.
            2 => &["resume"],
            _ => &["moves white 9", "moves black 8"],
        };
        self.correct(number, commands);
    }

    pub(crate) fn agent_key(&self, number: usize) -> String {
        self.clocks[number].id.to_string()
    }

    pub(crate) fn disturb(&mut self) {
        let number = usize::try_from(self.random(self.clocks.len() as u64)).unwrap();
        let board = (number + 1).to_string();
        match self.random(8) {
            0 | 1 => {
                self.kill_hub();
                let away = self.random(8_000) as f64 / 1e3;
                self.play(away);
                self.start_hub();
            }
            2 | 3 => {
                self.cut(number);
                let us = i64::try_from(self.random(6_000_000)).unwrap();
                self.reconnect(number, us);
            }
            4 => {
                let seconds = self.random(20) as f64;
                self.reboot(number, seconds);
            }
            drawn => {
                let text = match drawn {
                    5 => "pause",
                    6 => "resume",
                    _ => "add white 5s",
                };
                let id = self.command(&board, Action::Board(text.parse().unwrap()));
                if self.random(3) == 0 {
                    self.command(&board, Action::Force(id));
                }
            }
        }
    }

    /// Ends the network's faults, and starts the hub if it is down.
    pub(crate) fn calm(&mut self) {
        self.faults = Faults::NONE;
        if self.hall.is_none() {
            self.start_hub();
        }
    }

    /// Connects every clock and waits until everything in transit has arrived.
    pub(crate) fn settle(&mut self) {
        for _ in 0..8 {
            for number in 0..self.clocks.len() {
                if self.clocks[number].link.is_none() {
                    self.reconnect(number, 10_000);
                }
            }
            self.let_pass(4.0);
        }
        for clock in &self.clocks {
            assert!(
                clock.core.connected(),
                "clock {} is not connected",
                clock.id
            );
        }
    }

    pub(crate) fn start_all(&mut self) {
        for number in 0..self.clocks.len() {
            let board = (number + 1).to_string();
            self.command(&board, Action::Board("start".parse().unwrap()));
        }
        self.let_pass(1.0);
    }
}
