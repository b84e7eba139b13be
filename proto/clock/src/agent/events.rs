//! Making events of the chain: presses, stops, orders taken, jumps of board time. Owns the stamp an event may bear.

use alloc::vec;
use alloc::vec::Vec;
use proto::ids::EventSeq;
use proto::wire::{EventBody, Order, OrderTaken, Rebase, event_body, order::What};
use timing::{Board, Command, Duration, Fact, Instant};

use super::chain::RESERVE;
use super::correction::Correcting;
use super::entry::{Entry, Kind, Need};
use super::{AgentCore, Batch, Journal, Link, Output, changed, facts};
use crate::buttons::ButtonEvent;
use crate::tracing;

/// What waits until no press of before can still be in the pipeline of the buttons.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub(super) at: Instant<Board>,
    pub(super) what: Awaited,
}

/// See [`Waiting`].
#[derive(Clone, Debug)]
pub(super) enum Awaited {
    Order(Order),
    Correction(Correcting),
}

impl AgentCore {
    pub(super) fn on_button(&mut self, event: ButtonEvent, out: &mut Vec<Output>) {
        if self.stop_when_full(out) {
            return;
        }
        let at = self.stamp(event.at);
        self.chain_event(at, facts::to_wire(event.fact), None, Vec::new(), out);
    }

    /// With the queue full, the clocks are stopped (once) and presses count no more: nobody loses time, and the face says
    /// what to do. Says whether that is so.
    pub(super) fn stop_when_full(&mut self, out: &mut Vec<Output>) -> bool {
        let full = self.chain.queue.len() >= self.bounds.kept - RESERVE;
        if full && !self.full {
            self.full = true;
            tracing::error!(
                events = self.chain.queue.len(),
                "the hub has been away for too long: no room for another press, the clocks stop"
            );
            let at = self.stamp(self.now);
            self.chain_event(at, facts::to_wire(Fact::Stopped), None, Vec::new(), out);
        }
        self.full
    }

    /// The stamp an event may bear: not in the future, not before the last event of the chain (the hub would refuse a
    /// chain that runs backwards), not before a watermark the hub was promised.
    pub(super) fn stamp(&self, at: Instant<Board>) -> Instant<Board> {
        let at = match self.jumped {
            // Pressed before board time jumped, delivered after it.
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
                "a stamp from before what the chain and the last watermark already say: taken as the earliest that is left"
            );
        }
        at.min(self.now).max(floor)
    }

    /// Makes an event, lets it act on the clock, and sends it on every way it goes. `ordered` is the content of the order
    /// that it answers; `before` are journal entries that the event needs when it is read again.
    pub(super) fn chain_event(
        &mut self,
        at: Instant<Board>,
        fact: event_body::Fact,
        ordered: Option<&What>,
        before: Vec<Entry>,
        out: &mut Vec<Output>,
    ) {
        if self.rebooted() && !self.connected() && !matches!(fact, event_body::Fact::Rebase(_)) {
            self.tell_reboot(out);
        }
        self.seat.apply(at, &fact, ordered);
        let body = EventBody {
            seq: 0,
            prev_hash: Vec::new(),
            at_us: at.as_micros(),
            boot: self.boot.clone(),
            newest_probe: self.newest_probe,
            fact: Some(fact),
        };
        let digest = self.seat.digest();
        let made = self.chain.append(body, &self.signer);
        made.digest = digest;
        let mut entries = before;
        entries.push(Kind::Event(made.event.clone()).into());
        out.push(Output::Chained {
            seq: EventSeq(self.chain.seq),
            at,
        });
        out.push(Output::FaceChanged);
        self.send_queue(out);
        self.persist(entries, Need::Synced, out);
        self.pulse.event_chained();
    }

    pub(super) fn persist(&mut self, entries: Vec<Entry>, need: Need, out: &mut Vec<Output>) {
        if let Journal::Failed { .. } = self.journal {
            // It is written whole when it can be written again.
            return;
        }
        self.pulse.entries_written(entries.len());
        out.push(Output::Persist(Batch {
            entries,
            need,
            seq: self.chain.seq,
        }));
    }

    /// Sends what the hub has not been sent on this link, as far as the window goes.
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

    /// Board time jumps: the machine stood still. The event bears the instant after the jump, so that what was skipped is
    /// charged there and then; or, if something that happened before the jump is still to be chained, the place of the
    /// `first` of it.
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

    /// The machine was restarted, and something is to be chained before a hub could say for how long it was off: nothing is
    /// charged for that, and the chain says so.
    fn tell_reboot(&mut self, out: &mut Vec<Output>) {
        tracing::warn!(
            "this machine was restarted without a hub: the time it was off is charged to nobody"
        );
        let at = self.chain.last_at.max(self.pulse.promised());
        let timeline = Kind::Timeline(self.timeline()).into();
        let fact = event_body::Fact::Rebase(Rebase {
            jump_us: 0,
            uncertainty_us: 0,
            uncharged: true,
        });
        self.chain_event(at, fact, None, vec![timeline], out);
    }

    /// The clock that counts sleep is read at another moment than ours and may itself be set when the machine wakes:
    /// a second of what it says is left to the player.
    pub(super) fn on_slept(&mut self, gap: Duration, out: &mut Vec<Output>) {
        const UNCERTAINTY: Duration = Duration::from_secs(1);
        let jump = (gap - UNCERTAINTY).or_zero();
        // A short sleep is charged to nobody, but what the hub knew of this timeline does not hold any more.
        if gap.is_positive() {
            tracing::warn!(
                jump_us = jump.as_micros(),
                "the machine was asleep: board time catches up"
            );
            self.rebase(jump, UNCERTAINTY, None, out);
        }
    }

    pub(super) fn take_order(&mut self, at: Instant<Board>, order: Order, out: &mut Vec<Output>) {
        if order.number <= self.seat.orders_taken {
            return;
        }
        if self.chain.queue.len() >= self.bounds.kept {
            tracing::error!(
                order = order.number,
                "no room for an order: left for the next link"
            );
            return;
        }
        if let Some(What::Adopt(_)) = order.what {
            self.diverged = false;
        }
        if let Some(What::Command(text)) = &order.what
            && let Ok(Command::Prepare(_)) = text.parse()
        {
            // What was said to the players of the game before is not for the next.
            changed(&mut self.shown, None, out);
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
