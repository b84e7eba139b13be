//! What comes over the air and what the agent wants done: frames to and fro, batches into the flash, an enrolment's two words. Owns no state.

use alloc::string::ToString;
use alloc::vec::Vec;

use prost::Message;
use proto::ble::{Came, ChannelError};
use proto::frame::{decode, encode};
use proto::wire::{AgentFrame, EnrolAnswer, HubFrame};

use super::air::Air;
use super::kept::Home;
use super::platform::Platform;
use super::{BankError, Banks, Firmware, Life, RadioEvent};
use crate::agent::entry::{Batch, Entry, Need};
use crate::agent::{Close, Input, Output, Recovered, Retry};
use crate::enrolment::{exchange_key, over_ble, request};
use crate::tracing;

impl<P: Platform> Firmware<P> {
    pub(super) fn on_radio(&mut self, event: RadioEvent) {
        match event {
            RadioEvent::Subscribed { mtu } => {
                if let Air::Linked(_) = self.air {
                    self.end_link();
                }
                self.on_subscribed(mtu);
            }
            RadioEvent::Value(value) => {
                let now = self.platform.now_us();
                let came = self.air.take(&value, now);
                match came {
                    Ok(came) => self.on_came(came),
                    Err(error) => self.give_up(&error),
                }
            }
            // What waits goes at the end of every turn.
            RadioEvent::Room => {}
            RadioEvent::Gone => self.end_link(),
        }
    }

    fn on_came(&mut self, came: Came) {
        let enrols = matches!(&self.air, Air::Linked(linked) if linked.enrols);
        match came {
            // Nobody knocks at a clock.
            Came::Nothing | Came::Knock { .. } => {}
            Came::Open { binding, peer } if enrols => self.ask(&binding, peer),
            Came::Open { .. } => self.step(Input::LinkUp),
            Came::Frame(bytes) if enrols => self.on_answer(&bytes),
            Came::Frame(bytes) => match decode::<HubFrame>(&bytes) {
                Ok(frame) => self.step(Input::Frame(frame)),
                Err(error) => {
                    tracing::error!(%error, "the hub is not understood");
                    self.end_link();
                }
            },
        }
    }

    /// The holder of the key `peer` knows the digits that are shown here.
    fn ask(&mut self, binding: &[u8; 16], peer: [u8; 32]) {
        let own = exchange_key(&self.keys.exchange);
        let name = &self.settings.name;
        let request = request(&self.keys.signing, &own, binding, name);
        // Its answer has to come from the same.
        if let Life::New { asked, .. } = &mut self.life {
            *asked = Some(peer);
        }
        // Its name is bounded, and nothing else in it grows.
        if let Ok(bytes) = encode(&request) {
            self.send(&bytes);
        }
    }

    fn on_answer(&mut self, bytes: &[u8]) {
        let Life::New {
            asked: Some(peer), ..
        } = &self.life
        else {
            return self.end_link();
        };
        let answer = decode::<EnrolAnswer>(bytes).map_err(|error| error.to_string());
        let enrolled =
            answer.and_then(|answer| over_ble(answer, peer).map_err(|error| error.to_string()));
        let home = match enrolled {
            Ok(enrolled) => Home::from(enrolled),
            Err(why) => {
                self.note = Some(why);
                self.changed = true;
                return self.end_link();
            }
        };
        let mut kept = self.kept.clone();
        kept.home = Some(home);
        let written = self
            .home
            .replace(&mut self.platform, [kept.encode_to_vec()]);
        // Hung up only now: the hub takes that for a sign that the clock has its answer.
        if written.is_err() {
            self.note = Some("the enrolment cannot be written".to_string());
            return self.end_link();
        }
        self.kept = kept;
        self.note = None;
        self.changed = true;
        self.begin_life();
        self.end_link();
    }

    /// Nothing that comes after this would have a meaning.
    fn give_up(&mut self, error: &ChannelError) {
        tracing::warn!(%error, "the link is given up");
        self.end_link();
    }

    /// The link is over, whoever ended it: the clock can be found again.
    pub(super) fn end_link(&mut self) {
        let now = self.platform.now_us();
        let was_linked = matches!(self.air, Air::Linked(_));
        self.air = self.air.after(now);
        if was_linked {
            self.platform.hang_up();
            if let Life::New { tries, asked, .. } = &mut self.life {
                *tries += 1;
                *asked = None;
            }
            self.step(Input::LinkDown);
        }
        match self.air {
            Air::Shown => self.show_in_air(),
            Air::Hidden { .. } => self.platform.hide(),
            // `after` gives none.
            Air::Linked(_) => {}
        }
    }

    /// Gives the agent an input, now, and carries out what it wants.
    pub(super) fn step(&mut self, input: Input) {
        let mut next = Some(input);
        while let Some(input) = next {
            let now = self.board_now();
            let Life::Enrolled(core) = &mut self.life else {
                return;
            };
            let outputs = core.step(now, input);
            self.rewritten = false;
            for output in outputs {
                self.carry_out(output);
            }
            next = self.reports.pop_front();
        }
    }

    fn carry_out(&mut self, output: Output) {
        match output {
            Output::Send(frame) | Output::Datagram(frame) => self.send_frame(&frame),
            Output::Persist(batch) => self.write(batch),
            Output::FaceChanged => self.changed = true,
            Output::Jump(jump) => self.base_us = self.base_us.saturating_add(jump.as_micros()),
            Output::OtherLog { origin } => self.change_log(&origin),
            Output::Close(Close { retry, .. }) => {
                let now = self.platform.now_us();
                self.air.part(retry == Retry::Rarely, now);
            }
            Output::Chained { .. } | Output::Acknowledged { .. } => {}
        }
    }

    fn send_frame(&mut self, frame: &AgentFrame) {
        // Every frame of the agent is bounded; one that is not would only be refused by the hub.
        match encode(frame) {
            Ok(bytes) => self.send(&bytes),
            Err(error) => tracing::error!(%error, "a frame is too long to be sent: left out"),
        }
    }

    fn send(&mut self, frame: &[u8]) {
        if let Err(error) = self.air.send(frame) {
            tracing::warn!(%error, "the hub does not keep up");
            // Not here: the agent is in the middle of a step. What it says until then goes nowhere.
            let now = self.platform.now_us();
            self.air.part(false, now);
        }
    }

    /// A clock of this kind keeps one journal: what its former hub lacks is told to the new one, and gone.
    fn change_log(&mut self, origin: &str) {
        let agent = self.keys.agent();
        let Life::Enrolled(core) = &mut self.life else {
            return;
        };
        let outputs = core.change_log(Recovered::fresh(origin, &agent));
        for output in outputs {
            self.carry_out(output);
        }
        if let Some(home) = &mut self.kept.home {
            home.log_origin = origin.to_string();
        }
        let bytes = self.kept.encode_to_vec();
        if self.home.replace(&mut self.platform, [bytes]).is_err() {
            tracing::error!("the log's name cannot be written: asked for again at the next start");
        }
    }

    /// Writes at once: what is not in the flash when this returns is told to the agent.
    pub(super) fn write(&mut self, batch: Batch) {
        let (need, seq) = (batch.need, batch.seq);
        let report = match self.written(batch) {
            Ok(()) if need == Need::Lazy => return,
            Ok(()) => Input::JournalSynced { seq },
            Err(_) => Input::JournalFailed,
        };
        self.reports.push_back(report);
    }

    fn written(&mut self, batch: Batch) -> Result<(), BankError> {
        if batch.need == Need::Replace {
            return self.replace(batch.entries);
        }
        if self.rewritten {
            return Ok(());
        }
        let entries = encoded(batch.entries);
        let added = self.journal.append(&mut self.platform, entries);
        match (added, &self.life) {
            (Err(BankError::Full), Life::Enrolled(core)) => {
                // The other bank takes what still matters: this batch, and what the same step has yet to write.
                let everything = core.whole_journal();
                let replaced = self.replace(everything.entries);
                self.rewritten = replaced.is_ok();
                replaced
            }
            (added, _) => added,
        }
    }

    fn replace(&mut self, entries: Vec<Entry>) -> Result<(), BankError> {
        let journal: &mut Banks = &mut self.journal;
        journal.replace(&mut self.platform, encoded(entries))
    }
}

fn encoded(entries: Vec<Entry>) -> impl Iterator<Item = Vec<u8>> {
    entries.into_iter().map(|entry| entry.encode_to_vec())
}
