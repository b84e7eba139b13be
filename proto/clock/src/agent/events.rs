//! Creates, writes and sends the events of the chain: presses, stops, orders taken and jumps of board time. Owns the rule for an event's stamp.

use alloc::vec;
use alloc::vec::Vec;
use proto::ids::EventSeq;
use proto::wire::{EventBody, Order, OrderTaken, Rebase, event_body, order};
use timing::{Board, Command, Duration, Fact, Instant};

use super::chain::RESERVE;
use super::correction::CorrectionRequest;
use super::entry::{Entry, Kind, WriteMode};
use super::{AgentCore, Batch, Journal, Link, Output, changed, facts};
use crate::buttons::ButtonEvent;
use crate::tracing;

/// An input that waits for earlier presses.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub(super) at: Instant<Board>,
    pub(super) what: Awaited,
}

#[derive(Clone, Debug)]
pub(super) enum Awaited {
    Order(Order),
    Correction(CorrectionRequest),
}

impl AgentCore {
    pub(super) fn on_button(&mut self, event: ButtonEvent, out: &mut Vec<Output>) {
        if self.stop_when_full(out) {
            return;
        }
        let at = self.stamp(event.at);
        self.chain_event(at, facts::to_wire(event.fact), None, Vec::new(), out);
    }

    /// Stops the clocks once the queue is full, so that no player loses time; the face then asks for an arbiter. Returns true from then until the hub
    /// has acknowledged every event; the caller must then ignore its input.
    pub(super) fn stop_when_full(&mut self, out: &mut Vec<Output>) -> bool {
        let full = self.chain.queue.len() >= self.bounds.max_events - RESERVE;
        if full && !self.full {
            self.full = true;
            tracing::error!(
                events = self.chain.queue.len(),
                "the queue is full because the hub was away for too long: clocks stopped"
            );
            let at = self.stamp(self.now);
            self.chain_event(at, facts::to_wire(Fact::Stopped), None, Vec::new(), out);
        }
        self.full
    }

    /// Returns the stamp for an event at `at`, moved if necessary. A stamp must not be in the future, or before an instant promised by a watermark.
    /// Nor may it be before the chain's last event, because the hub refuses a chain that runs backwards.
    pub(super) fn stamp(&self, at: Instant<Board>) -> Instant<Board> {
        let at = match self.jumped {
            // The input was stamped before a jump of board time, but is handled after it.
            Some((before, jump)) if at <= before => at + jump,
            Some(_) | None => at,
        };
        self.lifted(at)
    }

    fn lifted(&self, at: Instant<Board>) -> Instant<Board> {
        let floor = self.chain.last_at.max(self.pulse.promised());
        if at < floor {
            tracing::warn!(
                stamped_us = at.as_micros(),
                taken_us = floor.as_micros(),
                "stamp is older than the chain or the last watermark: raised to the earliest permitted instant"
            );
        }
        at.min(self.now).max(floor)
    }

    /// Creates an event, applies it to the clock, sends it and writes it. For an `OrderTaken` event, `ordered` is the content of the order. `before`
    /// holds the journal entries that recovery must read before the event.
    pub(super) fn chain_event(
        &mut self,
        at: Instant<Board>,
        fact: event_body::Fact,
        ordered: Option<&order::What>,
        before: Vec<Entry>,
        out: &mut Vec<Output>,
    ) {
        if self.rebooted() && !self.connected() && !matches!(fact, event_body::Fact::Rebase(_)) {
            self.chain_reboot(out);
        }
        self.seat.apply(at, &fact, ordered);
        let body = EventBody {
            seq: 0,
            prev_hash: Vec::new(),
            at_us: at.as_micros(),
            boot: self.boot.clone(),
            newest_probe: self.newest_probe_at(at),
            fact: Some(fact),
        };
        let digest = self.seat.digest();
        let made = self.chain.append(body, &self.signer);
        made.digest = digest;
        let mut entries = before;
        entries.push(Kind::Event(made.event.clone()).into());
        self.make_room();
        out.push(Output::Chained {
            seq: EventSeq(self.chain.seq),
            at,
        });
        out.push(Output::FaceChanged);
        self.send_queue(out);
        self.persist(entries, WriteMode::Synced, out);
        self.pulse.event_chained();
    }

    /// Drops acknowledged events, oldest first, until they and the queue take at most half of the places for presses. If the queue alone takes more,
    /// drops them all.
    pub(super) fn make_room(&mut self) {
        let half = (self.bounds.max_events - RESERVE) / 2;
        self.chain
            .keep_at_most(half.saturating_sub(self.chain.queue.len()));
    }

    /// Returns the nonce of the newest time probe that had arrived by `at`; 0 if neither of the newest two had. The nonce proves to the hub that an
    /// event is later than the probe.
    fn newest_probe_at(&self, at: Instant<Board>) -> u64 {
        let newest = self.probes.iter().find(|(_, arrived)| *arrived <= at);
        newest.map_or(0, |(nonce, _)| *nonce)
    }

    pub(super) fn persist(&mut self, entries: Vec<Entry>, mode: WriteMode, out: &mut Vec<Output>) {
        if let Journal::Failed { .. } = self.journal {
            // The next rewrite covers these entries.
            return;
        }
        self.pulse.entries_written(entries.len());
        out.push(Output::Persist(Batch {
            entries,
            mode,
            seq: self.chain.seq,
        }));
    }

    pub(super) fn send_queue(&mut self, out: &mut Vec<Output>) {
        let Link::Connected { sent } = &mut self.link else {
            return;
        };
        while *sent < self.chain.seq && *sent < self.chain.acked + self.bounds.in_flight {
            let Some(entry) = self.chain.unacknowledged(*sent + 1) else {
                return;
            };
            out.push(Output::Send(entry.event.clone().into()));
            *sent += 1;
        }
    }

    /// Moves board time forward by `jump`. The rebase event is stamped after the jump, so that the gap is charged
    /// immediately. If earlier events have yet to be chained, `first` is the instant of the first one, and the rebase is stamped at `first` plus the
    /// jump.
    pub(super) fn rebase(
        &mut self,
        jump: Duration,
        uncertainty: Duration,
        first: Option<Instant<Board>>,
        out: &mut Vec<Output>,
    ) {
        let before = self.now;
        self.now = self.now + jump;
        self.base_us = self.base_us.saturating_add(jump.as_micros());
        self.jumped = Some((before, jump));
        self.quiet_before = self.quiet_before.map(|quiet| quiet + jump);
        out.push(Output::Jump(jump));
        let timeline = Kind::Timeline(self.timeline()).into();
        let at = self.lifted(first.unwrap_or(before).min(before) + jump);
        let fact = event_body::Fact::Rebase(Rebase {
            jump_us: jump.as_micros(),
            uncertainty_us: uncertainty.as_micros(),
            uncharged: false,
        });
        self.chain_event(at, fact, None, vec![timeline], out);
    }

    /// Records a restart whose length no hub has measured, so that the chain states that no time was charged for the gap.
    fn chain_reboot(&mut self, out: &mut Vec<Output>) {
        tracing::warn!("the machine restarted without a hub: no time is charged for the gap");
        let at = self.chain.last_at.max(self.pulse.promised());
        let timeline = Kind::Timeline(self.timeline()).into();
        let fact = event_body::Fact::Rebase(Rebase {
            jump_us: 0,
            uncertainty_us: 0,
            uncharged: true,
        });
        self.chain_event(at, fact, None, vec![timeline], out);
    }

    /// Handles a sleep of the machine. One second is not charged: the clock that runs during sleep is read at a slightly different instant, and may
    /// be set at wake-up.
    pub(super) fn on_slept(&mut self, gap: Duration, out: &mut Vec<Output>) {
        const UNCERTAINTY: Duration = Duration::from_secs(1);
        let jump = (gap - UNCERTAINTY).or_zero();
        // A short sleep is not charged, but it invalidates the hub's estimate of this timeline.
        if gap.is_positive() {
            tracing::warn!(
                jump_us = jump.as_micros(),
                "the machine was asleep: board time jumps forward"
            );
            self.rebase(jump, UNCERTAINTY, None, out);
        }
    }

    pub(super) fn take_order(&mut self, at: Instant<Board>, order: Order, out: &mut Vec<Output>) {
        if order.number <= self.seat.orders_taken {
            return;
        }
        if self.chain.queue.len() >= self.bounds.max_events {
            tracing::error!(
                order = order.number,
                "no room for an order: the hub will resend it on the next link"
            );
            return;
        }
        if let Some(order::What::Adopt(_)) = order.what {
            self.diverged = false;
        }
        if let Some(order::What::Command(text)) = &order.what
            && let Ok(Command::Prepare(_)) = text.parse()
        {
            // Messages for the previous game's players do not concern the next players.
            changed(&mut self.shown, None, out);
            changed(&mut self.keeping.text, None, out);
        }
        let at = self.stamp(at);
        let fact = event_body::Fact::OrderTaken(OrderTaken {
            order: order.number,
        });
        let what = order.what.clone();
        let before = vec![Kind::Order(order).into()];
        self.chain_event(at, fact, what.as_ref(), before, out);
    }
}
