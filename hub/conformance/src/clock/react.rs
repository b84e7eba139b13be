//! A scripted clock's reactions to the hub's frames.

use proto::wire::{
    Ack, Button, Diverged, GoodbyeReason, Health, Hello, HubFrame, Order, OrderTaken, Process,
    Rebase, TimeProbe, TimeReply, Welcome, ZeroTested, event_body::Fact, hub_frame::Frame, order,
};

use super::body::{ClockBody, StatedEvent};
use super::wire::Wire;
use super::{Closed, Fault, Seen};
use crate::incoming::Incoming;

impl ClockBody {
    pub(super) fn on_link(&mut self, wire: Wire) {
        self.wire = Some(wire);
        self.process.links += 1;
        self.note(|seen| seen.links += 1);
        if self.has(Fault::NoHello) {
            return self.send_anyway(Health::default().into());
        }
        self.send_anyway(self.hello().into());
    }

    fn hello(&self) -> Hello {
        let mut hello = Hello {
            major: proto::MAJOR,
            minor: proto::MINOR,
            firmware: "scripted-clock 1".to_owned(),
            next_seq: self.chain.seq + 1,
            boot: self.boot.clone(),
            now_us: self.now_us(),
            orders_taken: self.orders_taken,
            rebooted: self.rebooted(),
            process: Some(self.process),
            ..Hello::default()
        };
        if self.chain.seq > 0 {
            hello.log_origin = self.identity.enrolled.log_origin.clone();
            hello.head = self.chain.head.to_vec();
        }
        if self.has(Fault::HelloVersion) {
            hello.major = 0;
        }
        if self.has(Fault::HelloNoBoot) {
            hello.boot.clear();
        }
        if self.has(Fault::HelloLate) {
            hello.now_us -= 60_000_000;
        }
        if self.has(Fault::HelloLinks) {
            hello.process = Some(Process {
                links: 1,
                ..self.process
            });
        }
        if self.has(Fault::HelloNextSeq) {
            hello.next_seq += 1;
        }
        hello
    }

    fn rebooted(&self) -> bool {
        self.chain.seq > 0 && self.chain.last_boot != self.boot
    }

    pub(super) fn on_incoming(&mut self, incoming: Incoming<HubFrame>) {
        match incoming {
            Incoming::Frame(frame) => self.on_frame(frame),
            Incoming::Bad(error) => self.say_goodbye(GoodbyeReason::BadFrame, &error.to_string()),
            Incoming::Closed { code, text } => {
                self.wire = None;
                self.closed(None, code, text);
            }
        }
    }

    fn on_frame(&mut self, frame: HubFrame) {
        match frame.frame {
            Some(Frame::Welcome(welcome)) => self.on_welcome(&welcome),
            Some(Frame::Ack(ack)) => self.on_ack(&ack),
            Some(Frame::Order(order)) => self.on_order(order),
            Some(Frame::TimeProbe(probe)) => self.on_probe(probe),
            Some(Frame::Goodbye(goodbye)) => {
                if self.has(Fault::GoodbyeIgnored) {
                    return;
                }
                if let Some(wire) = self.wire.take() {
                    wire.close(0, "goodbye");
                }
                self.closed(Some(goodbye.reason()), None, goodbye.text);
            }
            Some(Frame::Labels(labels)) => {
                self.note(|seen| seen.labels = Some(labels));
                if self.has(Fault::LabelsCount) {
                    self.press(Button::Left);
                }
            }
            Some(Frame::ZeroTest(test)) => self.on_zero_test(test.nonce),
            Some(Frame::Arbiters(arbiters)) => {
                self.arbiters = arbiters.clone();
                self.note(|seen| seen.arbiters = Some(arbiters));
            }
            Some(Frame::SharedBoard(_)) => {
                if !self.has(Fault::SharedSilent) {
                    let (at_us, seq) = (self.now_us().max(self.promised_us), self.seq());
                    self.watermark(at_us, seq);
                }
            }
            Some(
                Frame::Show(_)
                | Frame::Identify(_)
                | Frame::Certificate(_)
                | Frame::LogCheckpoint(_),
            )
            | None => {}
        }
    }

    fn on_welcome(&mut self, welcome: &Welcome) {
        if welcome.major != proto::MAJOR && !self.has(Fault::VersionAccepted) {
            let text = format!("this clock speaks version {} only", proto::MAJOR);
            return self.say_goodbye(GoodbyeReason::Version, &text);
        }
        self.chain.acknowledge(welcome.acked_seq);
        let told = welcome.clone();
        self.note(|seen| {
            seen.acked = seen.acked.max(told.acked_seq);
            seen.welcome = Some(told);
            seen.connected = true;
        });
        self.resend();
        if !self.has(Fault::HealthNone) {
            let health = Health {
                journal_ok: true,
                unacknowledged: self.chain.waiting.len() as u64,
                ..Health::default()
            };
            self.send(health.into());
        }
        let mut jump_us = welcome.rebase_us;
        let asked = self.rebooted() || jump_us > 0;
        if self.has(Fault::RebaseOther) {
            jump_us += 1;
        }
        if self.has(Fault::RebaseUnasked) && self.chain.seq > 0 {
            self.jump(600_000_000, 0);
        } else if asked && !self.has(Fault::RebaseMissing) {
            self.jump(jump_us, welcome.rebase_uncertainty_us);
        }
    }

    /// Moves board time by a jump and records it. Returns the event's number.
    pub fn jump(&mut self, jump_us: i64, uncertainty_us: i64) -> u64 {
        self.move_time(jump_us);
        self.send_event(StatedEvent::of(Fact::Rebase(Rebase {
            jump_us,
            uncertainty_us,
            uncharged: false,
        })))
    }

    fn resend(&mut self) {
        if self.has(Fault::ResendAltered) {
            self.chain.alter_waiting();
        }
        let mut events = Vec::new();
        if self.has(Fault::ResendAcked) {
            events.extend(self.chain.done.iter().cloned());
        }
        if !self.has(Fault::NoResend) {
            let waiting = self.chain.waiting.iter();
            events.extend(waiting.map(|waiting| waiting.event.clone()));
        }
        for event in events {
            self.send(event.into());
        }
    }

    fn on_ack(&mut self, ack: &Ack) {
        let Some(ours) = self.chain.acknowledge(ack.seq) else {
            return;
        };
        let differs =
            !ack.board_digest.is_empty() && ours.is_some_and(|ours| ours != *ack.board_digest);
        let seq = ack.seq;
        let tells = differs && !self.show.borrow().diverged && !self.has(Fault::DivergedSilent);
        self.note(|seen| {
            seen.acked = seen.acked.max(seq);
            seen.differed |= differs;
            seen.diverged |= tells;
        });
        if tells {
            let board_digest = ours.map(Vec::from).unwrap_or_default();
            self.send(Diverged { seq, board_digest }.into());
        }
    }

    fn on_order(&mut self, order: Order) {
        let received = order.clone();
        self.note(|seen| seen.orders.push(received));
        let again = order.number <= self.orders_taken && !self.has(Fault::OrderTwice);
        if again || self.has(Fault::OrderIgnored) {
            return;
        }
        let paused = matches!(&order.what, Some(order::What::Command(text)) if text == "pause");
        let adopt = matches!(&order.what, Some(order::What::Adopt(_)));
        let mut what = order.what.as_ref();
        if paused && self.has(Fault::PauseIgnored)
            || adopt && self.clock.is_some() && self.has(Fault::AdoptIgnored)
        {
            what = None;
        }
        self.note(|seen| seen.diverged &= !adopt);
        match &order.what {
            Some(order::What::Adopt(adopt)) => self.board.clone_from(&adopt.board),
            Some(order::What::ServeSide(serve)) => self.board.clone_from(&serve.board),
            Some(order::What::Command(_)) | None => (),
        }
        self.orders_taken = self.orders_taken.max(order.number);
        let number = order.number + u64::from(self.has(Fault::OrderNumber));
        let mut shift_us = self.order_shift_us;
        if self.has(Fault::OrderBackDated) {
            shift_us = -20_000_000;
        }
        let mut stated = StatedEvent::of(Fact::OrderTaken(OrderTaken { order: number }));
        if shift_us != 0 {
            let at_us = self.now_us() + shift_us;
            stated = stated.at(at_us.max(self.chain.last_us));
        }
        self.send_event_for(stated, what);
        self.note(|seen| seen.taken.push(order.number));
    }

    fn on_probe(&mut self, probe: TimeProbe) {
        self.probes = [self.probes[1], (probe.nonce, self.now_us())];
        self.first_probe.get_or_insert(probe.nonce);
        self.note(|seen| seen.probes += 1);
        if self.has(Fault::ProbeSilent) {
            return;
        }
        let now_us = self.now_us();
        let reply = TimeReply {
            nonce: probe.nonce ^ u64::from(self.has(Fault::ProbeNonce)),
            received_us: now_us + 1_000 * i64::from(self.has(Fault::ProbeOrder)),
            sent_us: now_us,
        };
        self.datagram(&reply.into());
    }

    fn on_zero_test(&mut self, nonce: u64) {
        self.note(|seen| seen.zero_tests.push(nonce));
        if self.has(Fault::ZeroIgnored) {
            return;
        }
        if self.has(Fault::ZeroPress) {
            self.send_event(StatedEvent::press(Button::Left));
            return;
        }
        let nonce = nonce ^ u64::from(self.has(Fault::ZeroNonce));
        self.send_event(StatedEvent::of(Fact::ZeroTested(ZeroTested { nonce })));
    }

    pub(super) fn closed(
        &mut self,
        goodbye: Option<GoodbyeReason>,
        code: Option<u64>,
        text: String,
    ) {
        self.note(|seen| {
            seen.connected = false;
            seen.closed.push(Closed {
                goodbye,
                text,
                code,
            });
        });
    }

    fn note(&self, change: impl FnOnce(&mut Seen)) {
        self.show.send_modify(change);
    }
}
