//! The agent's own chain: places, hashes, what the hub does not hold yet. Owns the queue of unacknowledged events and its
//! bound; never knows what an event means to a clock.

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

/// Events an agent keeps for the hub. A hundred long games; a hub that is away for longer finds the board stopped.
pub const MAX_UNACKNOWLEDGED: usize = 20_000;

/// Room kept free for a stop, a rebase and orders when presses have filled the rest.
pub(crate) const RESERVE: usize = 64;

/// Events under way to the hub beyond its last acknowledgement: bounds what a link has to buffer. So many presses, sealed, are less than
/// what may wait in a link over Bluetooth LE.
pub const IN_FLIGHT: u64 = 128;

/// How much an agent keeps: for a machine with little memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Events kept for the hub, at most; presses stop counting when all but 64 of these places are taken.
    pub kept: usize,
    /// Events under way to the hub beyond its last acknowledgement.
    pub in_flight: u64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            kept: MAX_UNACKNOWLEDGED,
            in_flight: IN_FLIGHT,
        }
    }
}

/// An event the hub does not hold yet.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Unacknowledged {
    pub(crate) event: Event,
    pub(crate) hash: ChainHash,
    pub(crate) digest: Option<ClockDigest>,
}

/// A chain and the end of it that the hub has not acknowledged.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chain {
    pub(crate) origin: String,
    /// Sequence number of the last event, 0 before the first.
    pub(crate) seq: u64,
    pub(crate) head: ChainHash,
    /// Stamp of the last event.
    pub(crate) last_at: Instant<Board>,
    /// Boot of the last event; empty before the first.
    pub(crate) last_boot: Vec<u8>,
    /// The hub holds everything up to here.
    pub(crate) acked: u64,
    pub(crate) acked_head: ChainHash,
    /// Events `acked + 1 ..= seq`.
    pub(crate) queue: VecDeque<Unacknowledged>,
    /// Events up to here were read from the journal; later ones were made by this program since it started.
    pub(crate) recovered: u64,
}

/// Where the hub's end of the chain lies, seen from here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HubEnd {
    /// On this chain: go on after it.
    Here,
    /// Past the end of this chain, or beside it: this journal was lost or set back.
    Elsewhere,
    /// Before what the hub has already acknowledged: the hub's log was set back.
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
            recovered: 0,
        }
    }

    /// Makes, signs and appends the next event. `body` comes without place and hash.
    pub(crate) fn append(&mut self, mut body: EventBody, signer: &Signer) -> &mut Unacknowledged {
        body.seq = self.seq + 1;
        body.prev_hash = self.head.to_vec();
        let event = signer.sign(&body);
        self.take(body, event, None)
    }

    /// Appends an event that was made earlier; it must fit.
    pub(crate) fn push_back(&mut self, body: EventBody, event: Event) -> bool {
        let fits = body.seq == self.seq + 1
            && body.prev_hash == self.head
            && body.at_us >= self.last_at.as_micros();
        if fits {
            self.take(body, event, None);
        }
        fits
    }

    /// Gives the newest event the digest of the clock after it.
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
    ) -> &mut Unacknowledged {
        self.seq = body.seq;
        self.head = chain_hash(&event.body);
        self.last_at = Instant::from_micros(body.at_us);
        self.last_boot = body.boot;
        let at = self.queue.len();
        self.queue.push_back(Unacknowledged {
            event,
            hash: self.head,
            digest,
        });
        // Pushed just now.
        &mut self.queue[at]
    }

    /// Forgets what the hub holds; gives the digest after the last of it. `None` when there is nothing new in it.
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
        }
        Some(digest)
    }

    /// Event `seq`, if the hub does not hold it yet.
    pub(crate) fn unacknowledged(&self, seq: u64) -> Option<&Unacknowledged> {
        let at = seq.checked_sub(self.acked + 1)?;
        self.queue.get(usize::try_from(at).ok()?)
    }

    /// Compares the hub's newest event of this agent with this chain.
    pub(crate) fn locate(&self, seq: u64, head: &[u8]) -> HubEnd {
        if seq < self.acked {
            return HubEnd::Behind;
        }
        let ours = if seq == self.acked {
            Some(self.acked_head)
        } else {
            self.unacknowledged(seq).map(|entry| entry.hash)
        };
        // Before the first event the hub may leave the hash out.
        match ours {
            Some(_) if seq == 0 => HubEnd::Here,
            Some(ours) if ours == head => HubEnd::Here,
            Some(_) | None => HubEnd::Elsewhere,
        }
    }

    /// Goes on after the hub's end; gives what happened since this program started, oldest first, for it to be chained
    /// again. What was read from the journal is not among it: the hub has had those events from an earlier life of this
    /// agent (it numbers them lower than its own end), and a press must not count twice.
    pub(crate) fn restart_after(&mut self, seq: u64, head: ChainHash) -> Vec<EventBody> {
        let recovered = self.recovered;
        let alone = self
            .queue
            .drain(..)
            .filter_map(|entry| decode_body(&entry.event))
            .filter(|body| body.seq > recovered)
            .collect();
        self.recovered = seq;
        // What happened alone keeps its stamps: it lies after everything an earlier life of this agent can have said.
        self.last_at = Instant::MIN;
        self.seq = seq;
        self.head = head;
        self.acked = seq;
        self.acked_head = head;
        alone
    }
}

/// The body of an event, if it is one.
pub(crate) fn decode_body(event: &Event) -> Option<EventBody> {
    prost::Message::decode(event.body.as_slice()).ok()
}
