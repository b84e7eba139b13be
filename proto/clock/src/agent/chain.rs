//! The agent's own chain: sequence numbers, hashes, and the bounded queue of unacknowledged events. Never interprets an event's effect on a clock.

use alloc::borrow::ToOwned;
use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::vec::Vec;

use proto::chain::{ChainHash, chain_hash, genesis};
use proto::ids::AgentId;
use proto::wire::{Event, EventBody};
use timing::{Board, Instant};

use super::seat::ClockDigest;
use super::signer::Signer;

/// Maximum number of unacknowledged events: enough for a hundred long games.
pub const MAX_UNACKNOWLEDGED: usize = 20_000;

/// Number of places in the queue that presses, players' stops and clock tests cannot take. They are reserved for the stop when the queue is full,
/// and for jumps of board time, orders and corrections.
pub(crate) const RESERVE: usize = 64;

/// Maximum number of events sent beyond the hub's last acknowledgement, which bounds a link's buffer. This many sealed presses fit into the queue of
/// a Bluetooth LE link.
pub const IN_FLIGHT: u64 = 128;

/// Maximum number of acknowledged events that an agent keeps in case the hub's log is set back: enough for a long game. They are dropped when
/// unacknowledged events need the space.
pub(crate) const MAX_KEPT: usize = 512;

/// Limits on an agent's use of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Maximum number of unacknowledged events. Once all but 64 of these places are taken, the next press stops the clocks instead of counting.
    pub max_events: usize,
    /// Maximum number of events sent beyond the hub's last acknowledgement.
    pub in_flight: u64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            max_events: MAX_UNACKNOWLEDGED,
            in_flight: IN_FLIGHT,
        }
    }
}

/// An event of the chain, with its chain hash and the digest of the clock's state after the event.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ChainedEvent {
    pub(crate) event: Event,
    pub(crate) hash: ChainHash,
    pub(crate) digest: Option<ClockDigest>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chain {
    pub(crate) origin: String,
    pub(crate) seq: u64,
    pub(crate) head: ChainHash,
    pub(crate) last_at: Instant<Board>,
    pub(crate) last_boot: Vec<u8>,
    pub(crate) acked: u64,
    pub(crate) acked_head: ChainHash,
    /// Events `acked + 1 ..= seq`.
    pub(crate) queue: VecDeque<ChainedEvent>,
    /// The newest acknowledged events, up to `acked`.
    pub(crate) kept: VecDeque<ChainedEvent>,
    /// Sequence number and chain hash of the last event before those in `kept`.
    pub(crate) kept_after: (u64, ChainHash),
    /// Sequence number of the last event read from the journal or, after [`Chain::restart_after`], of the hub's last event. This run of the program
    /// created the later events.
    pub(crate) recovered: u64,
}

/// The position of the hub's last event relative to this chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HubEnd {
    /// On this chain, not before the last acknowledged event: the session continues after the hub's last event.
    Here,
    /// Past the end of this chain, or on a different branch: this clock's journal was lost or restored from an older copy.
    Elsewhere,
    /// On this chain, before the last acknowledged event: the hub's log was set back, and this clock has every event since.
    SetBack,
    /// Before the last acknowledged event, but on a different branch, or so far back that this clock no longer has the events since.
    Behind,
}

impl Chain {
    pub(crate) fn new(origin: &str, agent: &AgentId) -> Self {
        let head = genesis(origin, agent);
        Self {
            origin: origin.to_owned(),
            seq: 0,
            head,
            last_at: Instant::MIN,
            last_boot: Vec::new(),
            acked: 0,
            acked_head: head,
            queue: VecDeque::new(),
            kept: VecDeque::new(),
            kept_after: (0, head),
            recovered: 0,
        }
    }

    /// Fills in the sequence number and previous hash of `body`, then signs and appends the event.
    pub(crate) fn append(&mut self, mut body: EventBody, signer: &Signer) -> &mut ChainedEvent {
        body.seq = self.seq + 1;
        body.prev_hash = self.head.to_vec();
        let event = signer.sign(&body);
        self.take(body, event, None)
    }

    pub(crate) fn push_back(&mut self, body: EventBody, event: Event) -> bool {
        let fits = body.seq == self.seq + 1
            && body.prev_hash == self.head
            && body.at_us >= self.last_at.as_micros();
        if fits {
            self.take(body, event, None);
        }
        fits
    }

    pub(crate) fn set_digest(&mut self, digest: Option<ClockDigest>) {
        if let Some(last) = self.queue.back_mut() {
            last.digest = digest;
        }
    }

    fn take(
        &mut self,
        body: EventBody,
        event: Event,
        digest: Option<ClockDigest>,
    ) -> &mut ChainedEvent {
        self.seq = body.seq;
        self.head = chain_hash(&event.body);
        self.last_at = Instant::from_micros(body.at_us);
        self.last_boot = body.boot;
        let at = self.queue.len();
        self.queue.push_back(ChainedEvent {
            event,
            hash: self.head,
            digest,
        });
        &mut self.queue[at]
    }

    /// Moves events up to `seq` from the queue to the kept events. Returns the digest after event `seq`; `None` if nothing new was acknowledged.
    pub(crate) fn acknowledge(&mut self, seq: u64) -> Option<Option<ClockDigest>> {
        if seq <= self.acked || seq > self.seq {
            return None;
        }
        let mut digest = None;
        while self.acked < seq {
            let Some(entry) = self.queue.pop_front() else {
                break;
            };
            self.acked += 1;
            self.acked_head = entry.hash;
            digest = entry.digest;
            self.kept.push_back(entry);
        }
        self.keep_at_most(MAX_KEPT);
        Some(digest)
    }

    pub(crate) fn keep_at_most(&mut self, max: usize) {
        while self.kept.len() > max {
            if let Some(dropped) = self.kept.pop_front() {
                self.kept_after = (self.kept_after.0 + 1, dropped.hash);
            }
        }
    }

    /// Moves the acknowledged events after `seq` back into the queue, to resend them to a hub whose log was set back.
    pub(crate) fn take_back(&mut self, seq: u64) {
        while self.acked > seq {
            let Some(entry) = self.kept.pop_back() else {
                break;
            };
            self.queue.push_front(entry);
            self.acked -= 1;
        }
        let last = self.kept.back().map(|entry| entry.hash);
        self.acked_head = last.unwrap_or(self.kept_after.1);
    }

    pub(crate) fn unacknowledged(&self, seq: u64) -> Option<&ChainedEvent> {
        let at = seq.checked_sub(self.acked + 1)?;
        self.queue.get(usize::try_from(at).ok()?)
    }

    pub(crate) fn locate(&self, seq: u64, head: &[u8]) -> HubEnd {
        if seq < self.acked {
            return match self.kept_hash(seq) {
                Some(_) if seq == 0 => HubEnd::SetBack,
                Some(ours) if ours == head => HubEnd::SetBack,
                Some(_) | None => HubEnd::Behind,
            };
        }
        let ours = if seq == self.acked {
            Some(self.acked_head)
        } else {
            self.unacknowledged(seq).map(|entry| entry.hash)
        };
        // If the hub has no event yet, it may omit the hash.
        match ours {
            Some(_) if seq == 0 => HubEnd::Here,
            Some(ours) if ours == head => HubEnd::Here,
            Some(_) | None => HubEnd::Elsewhere,
        }
    }

    /// Returns the hash of event `seq`, or `None` if the chain no longer has every later event. `seq` must be before the last acknowledged event.
    fn kept_hash(&self, seq: u64) -> Option<ChainHash> {
        let (before, hash) = self.kept_after;
        match seq.checked_sub(before)? {
            0 => Some(hash),
            at => {
                let at = usize::try_from(at - 1).ok()?;
                self.kept.get(at).map(|entry| entry.hash)
            }
        }
    }

    /// Continues after the hub's last event. Returns this run's unacknowledged events, oldest first, so that the caller can chain them again.
    /// Events from the journal are dropped: an earlier run may have sent them to the hub, and a press must not count twice.
    pub(crate) fn restart_after(&mut self, seq: u64, head: ChainHash) -> Vec<EventBody> {
        let recovered = self.recovered;
        let alone = self
            .queue
            .drain(..)
            .filter_map(|entry| decode_body(&entry.event))
            .filter(|body| body.seq > recovered)
            .collect();
        self.recovered = seq;
        self.kept.clear();
        self.kept_after = (seq, head);
        // No lower bound is needed: after the jump that the hub requests, the returned events are later than any from an earlier run.
        self.last_at = Instant::MIN;
        self.seq = seq;
        self.head = head;
        self.acked = seq;
        self.acked_head = head;
        alone
    }
}

pub(crate) fn decode_body(event: &Event) -> Option<EventBody> {
    prost::Message::decode(event.body.as_slice()).ok()
}
