//! The session with the hub: hello, welcome, acknowledgements, orders, goodbyes. Owns the choice of frames that are valid at each point of the
//! session.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use proto::ids::EventSeq;
use proto::wire::{
    Ack, Diverged, EventBody, Goodbye, GoodbyeReason, Hello, HubFrame, Labels, Order, Process,
    SharedBoard, TimeProbe, TimeReply, Welcome, event_body, hub_frame,
};
use timing::{Duration, Instant};

use super::chain::{HubEnd, decode_body};
use super::entry::{Kind, WriteMode};
use super::events::{Awaited, Waiting};
use super::{AgentCore, Close, Corrections, Link, Output, Retry, changed, facts, shared};
use crate::buttons::ButtonEvent;
use crate::tracing;

const IDENTIFY: Duration = Duration::from_secs(10);

/// Time for which the face does not mention that this clock is connected twice. After a link is lost, the hub refuses a new link until the old link
/// has been silent for a few seconds.
const SECOND_LINK_GRACE: Duration = Duration::from_secs(10);

/// Number of waiting inputs at which further orders are dropped. The hub resends them on the next link.
const MAX_WAITING: usize = 64;

impl AgentCore {
    pub(super) fn on_link_up(&mut self, out: &mut Vec<Output>) {
        let away_since = match self.link {
            Link::Away { since } | Link::Greeting { away_since: since } => since,
            Link::Connected { .. } => self.now,
        };
        self.link = Link::Greeting { away_since };
        self.links = self.links.saturating_add(1);
        self.reported_reboot = self.rebooted();
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
            journal_damaged: self.journal_damaged,
            process: Some(Process {
                token: self.token,
                follows: self.follows,
                links: self.links,
            }),
            no_corrections: self.corrections == Corrections::AtHub,
            renews: self.renews,
            kept: self.keeping.head(),
        }
    }

    pub(super) fn rebooted(&self) -> bool {
        self.chain.seq > 0 && self.chain.last_boot != self.boot
    }

    pub(super) fn on_link_down(&mut self, out: &mut Vec<Output>) {
        if let Link::Connected { .. } = self.link {
            // The hub may have been silent for some seconds before the link ended, so the instant of the hub's last frame counts as the loss.
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
            (Some(Frame::SharedBoard(shared)), _) => self.on_shared(shared, out),
            (Some(Frame::LogCheckpoint(sent)), _) => self.on_log_checkpoint(&sent, out),
            (Some(Frame::ZeroTest(test)), _) => self.on_zero_test(test.nonce, out),
            // The code that owns the keys stores the certificate.
            (Some(Frame::Certificate(_)), _) => {}
            (
                Some(Frame::Welcome(_) | Frame::Ack(_) | Frame::Order(_)),
                Link::Away { .. } | Link::Greeting { .. } | Link::Connected { .. },
            ) => {
                // The hub and this clock disagree about the state of the session. A new link restarts the session.
                self.goodbye(
                    GoodbyeReason::BadFrame,
                    "unexpected frame at this point of the session",
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
            return self.goodbye(GoodbyeReason::Version, &text, Retry::AfterLongDelay, out);
        }
        if welcome.log_origin != self.chain.origin {
            tracing::warn!(
                ours = self.chain.origin,
                hub = welcome.log_origin,
                "this journal belongs to a different log than the hub's"
            );
            out.push(Output::OtherLog {
                origin: welcome.log_origin.clone(),
            });
            return out.push(Output::Close(Close {
                code: GoodbyeReason::Unspecified,
                reason: "this clock starts a journal for the hub's log".to_owned(),
                retry: Retry::Now,
            }));
        }
        self.hub_takes_moves = welcome.takes_moves;
        self.pulse.moves_changed();
        match self.chain.locate(welcome.acked_seq, &welcome.acked_head) {
            HubEnd::Here => self.continue_here(welcome, out),
            HubEnd::SetBack => {
                tracing::error!(
                    hub = welcome.acked_seq,
                    acknowledged = self.chain.acked,
                    "the hub's log was set back: resending the later events"
                );
                self.chain.take_back(welcome.acked_seq);
                self.write_whole(out);
                self.continue_here(welcome, out);
            }
            HubEnd::Elsewhere => self.continue_at_hubs_end(welcome, out),
            HubEnd::Behind if welcome.loss_confirmed => {
                tracing::error!(
                    hub = welcome.acked_seq,
                    acknowledged = self.chain.acked,
                    "the chief arbiter has confirmed that the hub's log lost the later events"
                );
                self.continue_at_hubs_end(welcome, out);
            }
            HubEnd::Behind => {
                let why = format!(
                    "the hub's log ends at event {} of this clock, but the hub had acknowledged {}, and this clock no longer has the events \
                     in between: an older copy of the log was restored; restore a newer backup, or let the chief arbiter confirm the loss",
                    welcome.acked_seq, self.chain.acked
                );
                return self.goodbye(GoodbyeReason::BadChain, &why, Retry::AfterLongDelay, out);
            }
        }
        self.link_note = None;
        self.duplicate_since = None;
        // The welcome shows that the hub has read the hello, which reported the damage.
        self.journal_damaged = false;
        self.pulse.link_came_up();
        self.begin_keeping(out);
        self.send_queue(out);
        out.push(Output::FaceChanged);
    }

    fn continue_here(&mut self, welcome: &Welcome, out: &mut Vec<Output>) {
        self.acknowledged_up_to(welcome.acked_seq, out);
        self.link = Link::Connected {
            sent: welcome.acked_seq,
        };
        if self.diverged {
            // Repeat the report: an earlier report may have been lost with its link or with the hub's log. Otherwise, the hub ignores the repetition.
            out.push(Self::request_board(welcome.acked_seq, None));
        }
        self.catch_up(welcome, out);
    }

    /// Moves board time forward by the gap that the hub measured, after a reboot or the loss of the journal.
    fn catch_up(&mut self, welcome: &Welcome, out: &mut Vec<Output>) {
        let jump = Duration::from_micros(welcome.rebase_us).or_zero();
        if !self.rebooted() && !jump.is_positive() {
            return;
        }
        if self.reported_reboot && !self.rebooted() {
            // An event was chained after the hello, preceded by the record that the gap was not charged. Charging the gap now could charge the wrong
            // side.
            return;
        }
        let uncertainty = Duration::from_micros(welcome.rebase_uncertainty_us).or_zero();
        tracing::warn!(
            jump_us = jump.as_micros(),
            uncertainty_us = uncertainty.as_micros(),
            "the machine restarted or its journal was lost: board time jumps forward"
        );
        self.rebase(jump, uncertainty, None, out);
    }

    /// Continues the chain after the hub's last event, because the journal does not match the hub's log. This run's unacknowledged
    /// presses, stops and corrections are chained again, and the hub sends its board.
    fn continue_at_hubs_end(&mut self, welcome: &Welcome, out: &mut Vec<Output>) {
        tracing::error!(
            ours = self.chain.seq,
            hub = welcome.acked_seq,
            "this clock's journal does not match the hub's log: it was lost or restored from an older copy; continuing after the hub's last event"
        );
        let rebooted = self.rebooted() || self.chain.seq == 0;
        let Ok(head) = welcome.acked_head.as_slice().try_into() else {
            return self.goodbye(
                GoodbyeReason::BadFrame,
                "a welcome without a valid chain hash",
                Retry::AfterLongDelay,
                out,
            );
        };
        let beside = welcome.acked_seq <= self.chain.seq;
        let alone = self.chain.restart_after(welcome.acked_seq, head);
        self.link = Link::Connected {
            sent: welcome.acked_seq,
        };
        // A hub that is ahead learns from the hello that it must send its board; a hub on a different branch needs a report.
        self.diverged = true;
        if beside {
            out.push(Self::request_board(welcome.acked_seq, None));
        }
        self.write_whole(out);
        if rebooted || welcome.rebase_us > 0 {
            let jump = Duration::from_micros(welcome.rebase_us).or_zero();
            let uncertainty = Duration::from_micros(welcome.rebase_uncertainty_us).or_zero();
            let first = alone.first().map(|body| Instant::from_micros(body.at_us));
            self.rebase(jump, uncertainty, first, out);
        }
        // The board's state already includes these facts.
        let clock = self.seat.clock.clone();
        for body in alone {
            self.rechain(&body, out);
        }
        self.seat.clock = clock;
        self.send_queue(out);
    }

    fn rechain(&mut self, body: &EventBody, out: &mut Vec<Output>) {
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
            // The hub resends its orders and its board, so these events are not needed.
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
                "this clock's state differs from the hub's: asking for the hub's state"
            );
            self.diverged = true;
            out.push(Self::request_board(ack.seq, ours));
        }
        self.send_queue(out);
    }

    /// Returns the report that this clock's state differs from the hub's after event `seq`; the hub answers with its board.
    fn request_board(seq: u64, ours: Option<super::ClockDigest>) -> Output {
        let board_digest = ours.map(Vec::from).unwrap_or_default();
        Output::Send(Diverged { seq, board_digest }.into())
    }

    fn acknowledged_up_to(
        &mut self,
        seq: u64,
        out: &mut Vec<Output>,
    ) -> Option<Option<super::ClockDigest>> {
        let was_unsaved = self.unsaved();
        let digest = self.chain.acknowledge(seq)?;
        self.make_room();
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
        self.probes = [(probe.nonce, self.now), self.probes[0]];
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

    fn on_shared(&mut self, shared: SharedBoard, out: &mut Vec<Output>) {
        // The hub expects a watermark in reply.
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
            self.persist(vec![Kind::Shared(shared).into()], WriteMode::Lazy, out);
        }
        out.push(Output::FaceChanged);
    }

    fn on_labels(&mut self, mut labels: Labels, out: &mut Vec<Output>) {
        // The hub refuses names with hidden characters, but an older log may still contain some.
        for text in [&mut labels.round, &mut labels.white, &mut labels.black] {
            *text = timing::text::without_hidden(text);
        }
        if labels != self.seat.labels {
            if labels.board != self.seat.labels.board {
                // Messages for one board do not concern a different board.
                changed(&mut self.shown, None, out);
                changed(&mut self.keeping.text, None, out);
            }
            self.seat.labels = labels.clone();
            out.push(Output::FaceChanged);
            self.persist(vec![Kind::Labels(labels).into()], WriteMode::Lazy, out);
        }
    }

    fn on_goodbye(&mut self, goodbye: &Goodbye, out: &mut Vec<Output>) {
        let (words, retry) = match goodbye.reason() {
            GoodbyeReason::Unspecified => ("The hub closed the link", Retry::Soon),
            GoodbyeReason::Version => (
                "The hub has a different protocol version",
                Retry::AfterLongDelay,
            ),
            GoodbyeReason::BadFrame => ("The hub could not read a message", Retry::Soon),
            GoodbyeReason::BadChain => (
                "The hub refuses this clock's journal",
                Retry::AfterLongDelay,
            ),
            GoodbyeReason::NotEnrolled => ("Not enrolled with this hub", Retry::AfterLongDelay),
            GoodbyeReason::AlreadyConnected => ("This clock is connected twice", Retry::Soon),
            GoodbyeReason::ShuttingDown => ("The hub is shutting down", Retry::Soon),
            GoodbyeReason::LogStopped => ("The hub cannot write its log", Retry::Soon),
            GoodbyeReason::Revoked => ("This clock's access was revoked", Retry::AfterLongDelay),
        };
        let reason = match goodbye.text.as_str() {
            "" => words.to_owned(),
            text => format!("{words}: {text}"),
        };
        if self.worth_showing(goodbye.reason()) {
            tracing::warn!(reason, "the hub closes the link");
            changed(&mut self.link_note, Some(reason.clone()), out);
        } else {
            tracing::debug!(reason, "the hub closes the link");
        }
        let code = GoodbyeReason::Unspecified;
        out.push(Output::Close(Close {
            code,
            reason,
            retry,
        }));
    }

    /// Returns true if the face should show a goodbye. A hub that has not noticed the end of the last link refuses this clock as a second connection.
    /// The face shows that only if it persists.
    fn worth_showing(&mut self, reason: GoodbyeReason) -> bool {
        if reason != GoodbyeReason::AlreadyConnected {
            return true;
        }
        let since = *self.duplicate_since.get_or_insert(self.now);
        self.now - since > SECOND_LINK_GRACE
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
            code: reason,
            reason: text.to_owned(),
            retry,
        }));
    }
}
