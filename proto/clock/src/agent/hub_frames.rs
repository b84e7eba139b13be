//! The conversation with the hub: greeting, acknowledgements, orders. Owns what each frame of the hub does to the agent.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use proto::ids::EventSeq;
use proto::wire::{
    Ack, Diverged, EventBody, Goodbye, GoodbyeReason, Hello, HubFrame, Labels, Order, Process,
    Shared, TimeProbe, TimeReply, Welcome, event_body, hub_frame,
};
use timing::{Duration, Instant};

use super::chain::{HubEnd, decode_body};
use super::entry::{Kind, Need};
use super::events::{Awaited, Waiting};
use super::{AgentCore, Close, Link, Output, Retry, changed, facts, shared};
use crate::buttons::ButtonEvent;
use crate::tracing;

/// How long a face makes itself known.
const IDENTIFY: Duration = Duration::from_secs(10);

/// The hub refuses a second link of one clock until the first has been silent for a few seconds.
const PASSING: Duration = Duration::from_secs(10);

/// Orders that may wait for the buttons to settle; the hub has one or two under way.
const MAX_WAITING: usize = 64;

impl AgentCore {
    pub(super) fn on_link_up(&mut self, out: &mut Vec<Output>) {
        let away_since = match self.link {
            Link::Away { since } | Link::Greeting { away_since: since } => since,
            Link::Connected { .. } => self.now,
        };
        self.link = Link::Greeting { away_since };
        self.links = self.links.saturating_add(1);
        self.said_rebooted = self.rebooted();
        out.push(Output::Send(self.hello().into()));
    }

    pub(super) fn hello(&self) -> Hello {
        Hello {
            major: proto::MAJOR,
            minor: proto::MINOR,
            firmware: self.firmware.clone(),
            log_origin: match self.chain.seq {
                0 => String::new(),
                _ => self.chain.origin.clone(),
            },
            next_seq: self.chain.seq + 1,
            head: match self.chain.seq {
                0 => Vec::new(),
                _ => self.chain.head.to_vec(),
            },
            boot: self.boot.clone(),
            now_us: self.now.as_micros(),
            orders_taken: self.seat.orders_taken,
            rebooted: self.rebooted(),
            foreign: self.foreign.clone(),
            process: Some(Process {
                token: self.token,
                follows: self.follows,
                links: self.links,
            }),
        }
    }

    pub(super) fn rebooted(&self) -> bool {
        self.chain.seq > 0 && self.chain.last_boot != self.boot
    }

    pub(super) fn on_link_down(&mut self, out: &mut Vec<Output>) {
        if let Link::Connected { .. } = self.link {
            // A link is given up some seconds after the hub fell silent.
            self.link = Link::Away { since: self.heard };
            out.push(Output::FaceChanged);
        } else if let Link::Greeting { away_since } = self.link {
            self.link = Link::Away { since: away_since };
        }
    }

    pub(super) fn on_frame(&mut self, frame: HubFrame, out: &mut Vec<Output>) {
        use hub_frame::Frame;
        self.heard = self.now;
        match (frame.frame, &self.link) {
            (Some(Frame::Welcome(welcome)), Link::Greeting { .. }) => {
                self.on_welcome(&welcome, out)
            }
            (Some(Frame::Goodbye(goodbye)), _) => self.on_goodbye(&goodbye, out),
            (Some(Frame::TimeProbe(probe)), _) => self.on_probe(probe, out),
            (Some(Frame::Ack(ack)), Link::Connected { .. }) => self.on_ack(&ack, out),
            (Some(Frame::Order(order)), Link::Connected { .. }) => self.on_order(order),
            (Some(Frame::Show(show)), _) => {
                let text = Some(show.text).filter(|text| !text.is_empty());
                changed(&mut self.shown, text, out);
            }
            (Some(Frame::Identify(_)), _) => {
                self.identify_until = Some(self.now + IDENTIFY);
                out.push(Output::FaceChanged);
            }
            (Some(Frame::Arbiters(arbiters)), _) => self.on_arbiters(arbiters, out),
            (Some(Frame::Labels(labels)), _) => self.on_labels(labels, out),
            (Some(Frame::Shared(shared)), _) => self.on_shared(shared, out),
            (Some(Frame::ZeroTest(test)), _) => self.on_zero_test(test.nonce, out),
            (
                Some(Frame::Welcome(_) | Frame::Ack(_) | Frame::Order(_)),
                Link::Away { .. } | Link::Greeting { .. } | Link::Connected { .. },
            ) => {
                // Only a hub out of step says this; a new link begins from the beginning.
                self.goodbye(
                    GoodbyeReason::BadFrame,
                    "a frame that has no place here in the session",
                    Retry::Soon,
                    out,
                );
            }
            (None, _) => {}
        }
    }

    fn on_welcome(&mut self, welcome: &Welcome, out: &mut Vec<Output>) {
        if welcome.major != proto::MAJOR {
            let text = format!(
                "the hub speaks version {}.{} of the protocol, this clock {}.{}: update the older one",
                welcome.major,
                welcome.minor,
                proto::MAJOR,
                proto::MINOR
            );
            return self.goodbye(GoodbyeReason::Version, &text, Retry::Rarely, out);
        }
        if welcome.log_origin != self.chain.origin {
            tracing::warn!(
                ours = self.chain.origin,
                hub = welcome.log_origin,
                "the hub keeps another log than this journal belongs to"
            );
            out.push(Output::OtherLog {
                origin: welcome.log_origin.clone(),
            });
            return out.push(Output::Close(Close {
                reason: "this clock begins a journal for the hub's log".to_owned(),
                retry: Retry::Now,
            }));
        }
        match self.chain.locate(welcome.acked_seq, &welcome.acked_head) {
            HubEnd::Here => {
                self.acknowledged_up_to(welcome.acked_seq, out);
                self.link = Link::Connected {
                    sent: welcome.acked_seq,
                };
                if self.diverged {
                    // The word that said so may have been lost with its link, or with the hub; one that came is answered already.
                    out.push(Self::ask_for_the_board(welcome.acked_seq, None));
                }
                self.catch_up(welcome, out);
            }
            HubEnd::Elsewhere => self.go_on_elsewhere(welcome, out),
            HubEnd::Behind => {
                let text = format!(
                    "the hub's log ends at event {} of this clock, but it had acknowledged {}: it was set back; \
                     the chief arbiter opens a new epoch, or enrols this clock again",
                    welcome.acked_seq, self.chain.acked
                );
                return self.goodbye(GoodbyeReason::BadChain, &text, Retry::Rarely, out);
            }
        }
        self.link_note = None;
        self.twice_since = None;
        self.pulse.link_came_up();
        self.send_queue(out);
        out.push(Output::FaceChanged);
    }

    /// After a reboot board time stood still until now: the hub says how far it has to jump.
    fn catch_up(&mut self, welcome: &Welcome, out: &mut Vec<Output>) {
        let jump = Duration::from_micros(welcome.rebase_us).or_zero();
        if !self.rebooted() && !jump.is_positive() {
            return;
        }
        if self.said_rebooted && !self.rebooted() {
            // Something was pressed since the greeting: the chain says already that the time off is charged to nobody, and to
            // charge it now would charge it to the other side.
            return;
        }
        let uncertainty = Duration::from_micros(welcome.rebase_uncertainty_us).or_zero();
        tracing::warn!(
            jump_us = jump.as_micros(),
            uncertainty_us = uncertainty.as_micros(),
            "this machine was restarted, or its journal was lost: board time catches up"
        );
        self.rebase(jump, uncertainty, None, out);
    }

    /// The journal was lost or set back: the chain goes on where the hub has it, with what happened since this program
    /// started chained anew, and the hub is asked for the board as it has it.
    fn go_on_elsewhere(&mut self, welcome: &Welcome, out: &mut Vec<Output>) {
        tracing::error!(
            ours = self.chain.seq,
            hub = welcome.acked_seq,
            "this clock's journal does not end where the hub's log does: it was lost or set back; going on after the hub"
        );
        let rebooted = self.rebooted() || self.chain.seq == 0;
        let Ok(head) = welcome.acked_head.as_slice().try_into() else {
            return self.goodbye(
                GoodbyeReason::BadFrame,
                "a welcome without the chain hash it names",
                Retry::Rarely,
                out,
            );
        };
        let beside = welcome.acked_seq <= self.chain.seq;
        let alone = self.chain.restart_after(welcome.acked_seq, head);
        self.link = Link::Connected {
            sent: welcome.acked_seq,
        };
        // A hub that is ahead sees from the greeting that it has to hand its board over; one beside has to be told.
        self.diverged = true;
        if beside {
            out.push(Self::ask_for_the_board(welcome.acked_seq, None));
        }
        self.write_whole(out);
        if rebooted || welcome.rebase_us > 0 {
            let jump = Duration::from_micros(welcome.rebase_us).or_zero();
            let uncertainty = Duration::from_micros(welcome.rebase_uncertainty_us).or_zero();
            let first = alone.first().map(|body| Instant::from_micros(body.at_us));
            self.rebase(jump, uncertainty, first, out);
        }
        // The board already stands as these facts left it.
        let clock = self.seat.clock.clone();
        for body in alone {
            self.chain_again(&body, out);
        }
        self.seat.clock = clock;
        self.send_queue(out);
    }

    /// A fact that the hub has not seen takes a new place in the chain.
    fn chain_again(&mut self, body: &EventBody, out: &mut Vec<Output>) {
        let at = Instant::from_micros(body.at_us);
        match &body.fact {
            Some(fact @ (event_body::Fact::Press(_) | event_body::Fact::Stop(_))) => {
                if let Some(fact) = facts::of_wire(fact) {
                    self.on_button(ButtonEvent { fact, at }, out);
                }
            }
            Some(event_body::Fact::Correction(correction)) => {
                let at = self.stamp(at);
                self.chain_correction(at, correction.clone(), out);
            }
            // The hub sends its orders again, and its board.
            Some(
                event_body::Fact::OrderTaken(_)
                | event_body::Fact::Rebase(_)
                | event_body::Fact::ZeroTested(_),
            )
            | None => {}
        }
    }

    fn on_ack(&mut self, ack: &Ack, out: &mut Vec<Output>) {
        if ack.seq > self.chain.seq {
            let text = format!(
                "event {} is acknowledged, but the newest is {}",
                ack.seq, self.chain.seq
            );
            return self.goodbye(GoodbyeReason::BadChain, &text, Retry::Soon, out);
        }
        let Some(ours) = self.acknowledged_up_to(ack.seq, out) else {
            return;
        };
        let differs =
            !ack.board_digest.is_empty() && ours.is_some_and(|ours| ours != *ack.board_digest);
        if differs && !self.diverged {
            tracing::error!(
                seq = ack.seq,
                "this clock and the hub's differ: asking for the hub's"
            );
            self.diverged = true;
            out.push(Self::ask_for_the_board(ack.seq, ours));
        }
        self.send_queue(out);
    }

    /// This clock came to something else than the hub after that event, and is to take the hub's board over.
    fn ask_for_the_board(seq: u64, ours: Option<super::ClockDigest>) -> Output {
        let board_digest = ours.map(Vec::from).unwrap_or_default();
        Output::Send(Diverged { seq, board_digest }.into())
    }

    /// Forgets what the hub holds; gives the clock's digest after the last of it.
    fn acknowledged_up_to(
        &mut self,
        seq: u64,
        out: &mut Vec<Output>,
    ) -> Option<Option<super::ClockDigest>> {
        let was_unsaved = self.unsaved();
        let digest = self.chain.acknowledge(seq)?;
        if self.full && self.chain.queue.is_empty() {
            self.full = false;
        }
        if was_unsaved > 0 && self.unsaved() == 0 {
            out.push(Output::FaceChanged);
        }
        out.push(Output::Acknowledged { seq: EventSeq(seq) });
        Some(digest)
    }

    fn on_order(&mut self, order: Order) {
        if order.number <= self.seat.orders_taken || self.waiting.len() >= MAX_WAITING {
            return;
        }
        self.waiting.push_back(Waiting {
            at: self.now,
            what: Awaited::Order(order),
        });
    }

    fn on_probe(&mut self, probe: TimeProbe, out: &mut Vec<Output>) {
        self.newest_probe = probe.nonce;
        let now_us = self.now.as_micros();
        out.push(Output::Datagram(
            TimeReply {
                nonce: probe.nonce,
                received_us: now_us,
                sent_us: now_us,
            }
            .into(),
        ));
    }

    /// How the board stands by the hub's reckoning, where the other side has a clock elsewhere. This clock's own presses that the hub
    /// had not yet taken in count on top.
    fn on_shared(&mut self, shared: Shared, out: &mut Vec<Output>) {
        // The hub wants to know how far this clock has got, whatever it shows.
        self.pulse.watermark_asked();
        let own = self.chain.queue.iter();
        let own = own.filter_map(|entry| decode_body(&entry.event));
        let stale = shared.seq < self.chain.acked;
        let Some(ours) = &mut self.seat.ours else {
            return;
        };
        if stale || shared.board != self.seat.labels.board {
            return;
        }
        ours.other_heard = shared.other_heard;
        if let Some(clock) = shared::shown(&shared, ours.side, own) {
            self.seat.clock = Some(clock);
            self.persist(vec![Kind::Shared(shared).into()], Need::Lazy, out);
        }
        out.push(Output::FaceChanged);
    }

    fn on_labels(&mut self, mut labels: Labels, out: &mut Vec<Output>) {
        // A hub takes no such names; one that has an older log may still have them.
        for text in [&mut labels.round, &mut labels.white, &mut labels.black] {
            *text = timing::text::without_hidden(text);
        }
        if labels != self.seat.labels {
            if labels.board != self.seat.labels.board {
                // What was said at one board is not for another.
                changed(&mut self.shown, None, out);
            }
            self.seat.labels = labels.clone();
            out.push(Output::FaceChanged);
            self.persist(vec![Kind::Labels(labels).into()], Need::Lazy, out);
        }
    }

    fn on_goodbye(&mut self, goodbye: &Goodbye, out: &mut Vec<Output>) {
        let (words, retry) = match goodbye.reason() {
            GoodbyeReason::Unspecified => ("The hub closed the link", Retry::Soon),
            GoodbyeReason::Version => ("The hub speaks another version", Retry::Rarely),
            GoodbyeReason::BadFrame => ("The hub could not read this clock", Retry::Soon),
            GoodbyeReason::BadChain => ("The hub refuses this clock's journal", Retry::Rarely),
            GoodbyeReason::NotEnrolled => ("Not enrolled with this hub", Retry::Rarely),
            GoodbyeReason::AlreadyConnected => ("This clock is connected twice", Retry::Soon),
            GoodbyeReason::ShuttingDown => ("The hub is shutting down", Retry::Soon),
            GoodbyeReason::LogStopped => ("The hub cannot write its log", Retry::Soon),
            GoodbyeReason::Revoked => ("This clock is not admitted any more", Retry::Rarely),
        };
        let reason = match goodbye.text.as_str() {
            "" => words.to_owned(),
            text => format!("{words}: {text}"),
        };
        if self.worth_showing(goodbye.reason()) {
            tracing::warn!(reason, "the hub says goodbye");
            changed(&mut self.link_note, Some(reason.clone()), out);
        } else {
            tracing::debug!(reason, "the hub says goodbye");
        }
        out.push(Output::Close(Close { reason, retry }));
    }

    /// A hub that has not yet noticed the end of the last link takes its own clock for a second one: that passes.
    fn worth_showing(&mut self, reason: GoodbyeReason) -> bool {
        if reason != GoodbyeReason::AlreadyConnected {
            return true;
        }
        let since = *self.twice_since.get_or_insert(self.now);
        self.now - since > PASSING
    }

    fn goodbye(&mut self, reason: GoodbyeReason, text: &str, retry: Retry, out: &mut Vec<Output>) {
        tracing::error!(text, "closing the link");
        changed(&mut self.link_note, Some(text.to_owned()), out);
        let mut short = text.to_owned();
        short.truncate(short.floor_char_boundary(400));
        out.push(Output::Send(
            Goodbye {
                reason: reason.into(),
                text: short,
            }
            .into(),
        ));
        out.push(Output::Close(Close {
            reason: text.to_owned(),
            retry,
        }));
    }
}
