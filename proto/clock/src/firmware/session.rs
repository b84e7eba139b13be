//! The session over the radio: frames in both directions, batches for the flash, and an enrolment's request and response. Owns no state.

use alloc::string::ToString;
use alloc::vec::Vec;

use prost::Message;
use proto::ble::{ChannelError, Received};
use proto::frame::{decode, encode};
use proto::wire::{AgentFrame, EnrolAnswer, HubFrame};

use super::identity::Enrolment;
use super::platform::Platform;
use super::radio_link::RadioLink;
use super::{BankError, Banks, Firmware, RadioEvent, Stage};
use crate::agent::entry::{Batch, Entry, WriteMode};
use crate::agent::{Close, Input, Output, Recovered, Retry};
use crate::enrolment::{exchange_key, over_ble, request};
use crate::tracing;

impl<P: Platform> Firmware<P> {
    pub(super) fn on_radio(&mut self, event: RadioEvent) {
        match event {
            RadioEvent::Subscribed { mtu } => {
                if let RadioLink::Linked(_) = self.link {
                    self.end_link();
                }
                self.on_subscribed(mtu);
            }
            RadioEvent::Value(value) => {
                let now = self.platform.now_us();
                let received = self.link.take(&value, now);
                match received {
                    Ok(received) => self.on_received(received),
                    Err(error) => self.give_up(&error),
                }
            }
            // Nothing to do here: each turn passes the waiting values to the radio after its event.
            RadioEvent::RoomAvailable => {}
            RadioEvent::Disconnected => self.end_link(),
        }
    }

    fn on_received(&mut self, received: Received) {
        let enrols = matches!(&self.link, RadioLink::Linked(linked) if linked.enrols);
        match received {
            // Only a hub receives session requests.
            Received::Nothing | Received::SessionRequest { .. } => {}
            Received::Opened { binding, peer } if enrols => self.ask(&binding, peer),
            Received::Opened { .. } => self.step(Input::LinkUp),
            Received::Frame(bytes) if enrols => self.on_answer(&bytes),
            Received::Frame(bytes) => match decode::<HubFrame>(&bytes) {
                Ok(frame) => self.step(Input::Frame(frame)),
                Err(error) => {
                    tracing::error!(%error, "cannot decode a frame from the hub");
                    self.end_link();
                }
            },
        }
    }

    /// Sends the enrolment request to the hub that holds the key `peer`. A hub without the code cannot decrypt it.
    fn ask(&mut self, binding: &[u8; 16], peer: [u8; 32]) {
        let own = exchange_key(&self.keys.exchange);
        let name = &self.settings.name;
        let request = request(&self.keys.signing, &own, binding, name);
        // Remember the hub's key, because the response must come from the same hub.
        if let Stage::New { asked, .. } = &mut self.stage {
            *asked = Some(peer);
        }
        // Encoding cannot fail: the name is bounded, and the rest of the request has a fixed size.
        if let Ok(bytes) = encode(&request) {
            self.send(&bytes);
        }
    }

    fn on_answer(&mut self, bytes: &[u8]) {
        let Stage::New {
            asked: Some(peer), ..
        } = &self.stage
        else {
            return self.end_link();
        };
        let answer = decode::<EnrolAnswer>(bytes).map_err(|error| error.to_string());
        let enrolled =
            answer.and_then(|answer| over_ble(answer, peer).map_err(|error| error.to_string()));
        let enrolment = match enrolled {
            Ok(enrolled) => Enrolment::from(enrolled),
            Err(why) => {
                self.note = Some(why);
                self.changed = true;
                return self.end_link();
            }
        };
        let mut identity = self.identity.clone();
        identity.enrolment = Some(enrolment);
        // Write before disconnecting, because the hub waits for the disconnection.
        let written = self
            .identity_banks
            .replace(&mut self.platform, [identity.encode_to_vec()]);
        if written.is_err() {
            self.note = Some("cannot write the enrolment to flash".to_string());
            return self.end_link();
        }
        self.identity = identity;
        self.note = None;
        self.changed = true;
        self.start_agent();
        self.end_link();
    }

    fn give_up(&mut self, error: &ChannelError) {
        tracing::warn!(%error, "link closed after an invalid value");
        self.end_link();
    }

    /// Ends the current link, if any, then advertises or hides.
    pub(super) fn end_link(&mut self) {
        let now = self.platform.now_us();
        let was_linked = matches!(self.link, RadioLink::Linked(_));
        self.link = self.link.after(now);
        if was_linked {
            self.platform.disconnect();
            if let Stage::New {
                failed_connections,
                asked,
                ..
            } = &mut self.stage
            {
                *failed_connections += 1;
                *asked = None;
            }
            self.step(Input::LinkDown);
        }
        match self.link {
            RadioLink::Advertising => self.advertise(),
            RadioLink::Hidden { .. } => self.platform.hide(),
            RadioLink::Linked(_) => {}
        }
    }

    /// Passes an input to the agent at the current instant and carries out the outputs. Then does the same with the queued results of writes. Has no
    /// effect before enrolment.
    pub(super) fn step(&mut self, input: Input) {
        let mut next = Some(input);
        while let Some(input) = next {
            let now = self.board_now();
            let Stage::Enrolled(core) = &mut self.stage else {
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
                self.link
                    .close_after_sending(retry == Retry::AfterLongDelay, now);
            }
            // The firmware keeps no checkpoints, and needs no notice of chained or acknowledged events.
            Output::KeepCheckpoint(_)
            | Output::Contradiction { .. }
            | Output::Chained { .. }
            | Output::Acknowledged { .. } => {}
        }
    }

    fn send_frame(&mut self, frame: &AgentFrame) {
        // The hub would refuse a frame that exceeds its bound.
        match encode(frame) {
            Ok(bytes) => self.send(&bytes),
            Err(error) => tracing::error!(%error, "frame dropped: too long"),
        }
    }

    fn send(&mut self, frame: &[u8]) {
        if let Err(error) = self.link.send(frame) {
            tracing::warn!(%error, "the hub does not keep up: closing the link");
            // The link ends once the queue is sent, or after a time limit. Until then, frames that do not fit into the queue are dropped.
            let now = self.platform.now_us();
            self.link.close_after_sending(false, now);
        }
    }

    /// Starts a journal for a different log. This clock keeps only one journal, so the unacknowledged events are lost; their number is reported to
    /// the new hub.
    fn change_log(&mut self, origin: &str) {
        let agent = self.keys.agent();
        let Stage::Enrolled(core) = &mut self.stage else {
            return;
        };
        let outputs = core.change_log(Recovered::fresh(origin, &agent));
        for output in outputs {
            self.carry_out(output);
        }
        if let Some(enrolment) = &mut self.identity.enrolment {
            enrolment.log_origin = origin.to_string();
        }
        let bytes = self.identity.encode_to_vec();
        if self
            .identity_banks
            .replace(&mut self.platform, [bytes])
            .is_err()
        {
            tracing::error!(
                "cannot write the new log's origin: the clock will change logs again after its next start"
            );
        }
    }

    /// Writes a batch immediately and queues the result for the agent; a lazy write reports only its failure.
    pub(super) fn write(&mut self, batch: Batch) {
        let (mode, seq) = (batch.mode, batch.seq);
        let report = match self.written(batch) {
            Ok(()) if mode == WriteMode::Lazy => return,
            Ok(()) => Input::JournalSynced { seq },
            Err(_) => Input::JournalFailed,
        };
        self.reports.push_back(report);
    }

    fn written(&mut self, batch: Batch) -> Result<(), BankError> {
        if batch.mode == WriteMode::Replace {
            return self.replace(batch.entries);
        }
        if self.rewritten {
            return Ok(());
        }
        let entries = encoded(batch.entries);
        let added = self.journal.append(&mut self.platform, entries);
        match (added, &self.stage) {
            (Err(BankError::Full), Stage::Enrolled(core)) => {
                // The bank is full: write the data still needed to the other bank, including this batch and the rest of this step.
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
