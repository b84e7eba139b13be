//! The hub's side: its core, its disk and its crashes.

use std::sync::Arc;

use hall::view::EventView;
use hall::{
    Action, Actor, BoardDetail, Certificate, Hall, HubEffect, Immediate, Input, LinkId, Outcome,
    ReplyId, Request, RequestDigest, Role, StartUp, Step,
};
use prost::Message;
use proto::frame;
use proto::ids::CommandId;
use proto::log::Record;
use proto::wire::{AgentFrame, agent_frame};
use rand_xoshiro::rand_core::RngCore as _;
use timing::{Hub, Instant};

use super::{COMMIT, ORIGIN, SimEvent, World};
use crate::corrections::arbiters;

impl World {
    pub(super) fn start_up(&mut self) {
        let start = StartUp {
            origin: ORIGIN.to_owned(),
            event: EventView::default(),
            boot: vec![1; 16],
            wall_us: self.now,
            timeline: "same boot".to_owned(),
            bound_us: 0,
            authority_der: Vec::new(),
            voucher_der: Vec::new(),
            nonce_seed: self.random.clone().next_u64(),
            scheduled: None,
        };
        if let Some(hall) = &mut self.hall {
            hall.set_arbiters(arbiters());
        }
        self.hub_input(Input::StartUp(Box::new(start)));
    }

    pub(super) fn hub_input(&mut self, input: Input) {
        let now = Instant::<Hub>::from_micros(self.now);
        let Some(hall) = &mut self.hall else { return };
        let Step {
            records,
            effects,
            immediate,
        } = hall.on_input(now, input);
        let wake = hall.next_wake().map(|at| at.as_micros().max(self.now + 1));
        self.log.extend(records);
        let step = self.number();
        self.waiting.insert(step, (self.log.len(), effects));
        self.after(COMMIT, SimEvent::Durable(step));
        for effect in immediate {
            if let Immediate::Probe { link, probe } = effect {
                self.send_to_agent(link, &probe.into());
            }
        }
        if let Some(at) = wake
            && self.hub_wake.is_none_or(|planned| at < planned)
        {
            self.hub_wake = Some(at);
            self.at(at, SimEvent::HubWake);
        }
    }

    pub(super) fn carry_out(&mut self, effects: Vec<HubEffect>) {
        for effect in effects {
            self.carried.push((self.now, effect.clone()));
            match effect {
                HubEffect::ToAgent { link, frame } => self.send_to_agent(link, &frame),
                HubEffect::CloseLink { link, .. } => {
                    if let Some(number) = self.on_link(link) {
                        self.cut(number);
                    }
                }
                HubEffect::Reply { .. }
                | HubEffect::Floor(_)
                | HubEffect::Held(_)
                | HubEffect::Tournament { .. }
                | HubEffect::NoTournament { .. }
                | HubEffect::Publish { .. }
                | HubEffect::PublishEvent { .. }
                | HubEffect::BoardRemoved { .. }
                | HubEffect::Notice(_)
                | HubEffect::Count(_) => (),
            }
        }
    }

    pub(super) fn on_link(&self, link: LinkId) -> Option<usize> {
        self.clocks
            .iter()
            .position(|clock| clock.link == Some(link))
    }

    pub(super) fn arrive_at_hub(&mut self, link: LinkId, bytes: &[u8]) {
        let Some(number) = self.on_link(link) else {
            return;
        };
        let frame = frame::decode::<AgentFrame>(bytes).unwrap();
        if let Some(agent_frame::Frame::Hello(hello)) = frame.frame {
            let hello = Box::new(hall::from_proto::hello(hello).unwrap());
            let (agent, opened) = (self.clocks[number].id, self.clocks[number].opened);
            let opened = Instant::from_micros(opened);
            return self.hub_input(Input::AgentConnected {
                agent,
                link,
                opened,
                hello,
            });
        }
        let frame = hall::from_proto::agent_frame(frame).unwrap();
        let received = Instant::from_micros(self.now);
        self.hub_input(Input::AgentFrame {
            link,
            received,
            frame,
        });
    }

    /// Kills the hub. Records that were not yet durable are lost, but no effect that depends on them was sent.
    pub(crate) fn kill_hub(&mut self) {
        self.hall = None;
        self.log.truncate(self.durable);
        self.waiting.clear();
        self.hub_wake = None;
        for number in 0..self.clocks.len() {
            self.cut(number);
        }
    }

    pub(crate) fn start_hub(&mut self) {
        let mut hall = Hall::new();
        for record in &self.log {
            let bytes = record.encode_to_vec();
            hall.apply(Record::decode(bytes.as_slice()).unwrap())
                .unwrap();
        }
        self.hall = Some(hall);
        self.start_up();
        for number in 0..self.clocks.len() {
            self.reconnect(number, 200_000);
        }
    }

    pub(crate) fn command(&mut self, board: &str, action: Action) -> CommandId {
        let mut id = [0; 16];
        id[..8].copy_from_slice(&self.number().to_be_bytes());
        let id = CommandId(id);
        let seen_seq = self
            .hall
            .as_ref()
            .and_then(|hall| hall.detail(&board.parse().unwrap(), Instant::from_micros(self.now)))
            .map_or(0, |detail| detail.view.seq);
        let request = Request {
            digest: RequestDigest::OWN,
            id,
            actor: Actor {
                name: "chief".to_owned(),
                role: Role::Chief,
            },
            board: Some(board.parse().unwrap()),
            seen_seq,
            offence: None,
            reason: String::new(),
            action,
        };
        let reply = ReplyId(self.number());
        self.hub_input(Input::asked(request, reply));
        id
    }

    /// Gives the hub an event that claims to come from this clock but has an invalid signature.
    pub(crate) fn forge_event(&mut self, number: usize) {
        let Some(link) = self.clocks[number].link else {
            return;
        };
        self.hub_input(Input::AgentFrame {
            link,
            received: Instant::from_micros(self.now),
            frame: hall::AgentFrame::BadSignature,
        });
    }

    pub(crate) fn acknowledge_notes(&mut self, board: &str) {
        let notes = self.view(board).notes.clone().into_iter();
        let notes = notes.map(|note| (note.kind, note.agent, note.count));
        let seen = hall::NotesSeen {
            actor: "chief".to_owned(),
            reason: String::new(),
            board: Some(board.parse().unwrap()),
            notes: notes.collect(),
        };
        let reply = ReplyId(self.number());
        self.hub_input(Input::asked(seen, reply));
    }

    pub(crate) fn outcome(&self, id: CommandId) -> Option<Outcome> {
        let now = Instant::from_micros(self.now);
        self.hall
            .as_ref()?
            .outcome(&id, now)
            .map(|answer| answer.outcome)
    }

    pub(crate) fn certificate(&self, id: CommandId) -> Option<Arc<Certificate>> {
        let now = Instant::from_micros(self.now);
        let answer = self.hall.as_ref()?.outcome(&id, now)?;
        answer.certificates.first().cloned()
    }

    /// Returns true if the clock made the stamp between these two hub times, according to the simulated clock itself.
    pub(crate) fn was_between(
        &self,
        board: &str,
        stamp: Instant<timing::Board>,
        lo: Instant<Hub>,
        hi: Instant<Hub>,
    ) -> bool {
        let clock = &self.clocks[board.parse::<usize>().unwrap() - 1];
        clock.board(lo.as_micros()) <= stamp && stamp <= clock.board(hi.as_micros())
    }

    pub(crate) fn clock_bytes_of(&self, board: &str) -> Vec<u8> {
        self.hall.as_ref().unwrap().clock_bytes(board).unwrap()
    }

    pub(crate) fn message(&self, number: usize) -> Option<String> {
        let messages = self.clocks[number].core.face().messages;
        messages.first().map(|message| message.text.clone())
    }

    pub(crate) fn view(&self, board: &str) -> Arc<BoardDetail> {
        let hall = self.hall.as_ref().unwrap();
        hall.detail(&board.parse().unwrap(), Instant::from_micros(self.now))
            .unwrap()
    }

    pub(crate) fn times(&self, board: &str) -> (i64, i64) {
        let view = self.view(board).view.clone().at(self.now);
        (view.white.us, view.black.us)
    }

    pub(crate) fn notes(&self, kind: &str) -> usize {
        self.log
            .iter()
            .filter(|record| {
                matches!(&record.input, Some(proto::log::record::Input::Note(note)) if note.kind == kind)
            })
            .count()
    }
}
