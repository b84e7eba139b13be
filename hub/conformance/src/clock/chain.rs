//! A scripted clock's chain: numbers, hashes, signatures, and the events that the hub has not acknowledged. Signs any
//! event that it is given.

use std::collections::VecDeque;

use ed25519_dalek::{Signer as _, SigningKey};
use proto::chain::{ChainHash, chain_hash, genesis, sign};
use proto::ids::AgentId;
use proto::wire::{Event, EventBody};

use super::Fault;

/// First eight bytes of the SHA-256 of a board's snapshot.
pub(super) type Digest = [u8; 8];

#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub(super) seq: u64,
    pub(super) body: EventBody,
    pub(super) event: Event,
    /// The board's digest after the event; `None` without a board.
    pub(super) digest: Option<Digest>,
}

#[derive(Clone, Debug)]
pub(super) struct Chain {
    key: SigningKey,
    pub(super) seq: u64,
    pub(super) head: ChainHash,
    pub(super) last_us: i64,
    pub(super) last_boot: Vec<u8>,
    pub(super) acked: u64,
    pub(super) waiting: VecDeque<Waiting>,
    /// Acknowledged events, for a clock that resends them.
    pub(super) done: Vec<Event>,
}

impl Chain {
    pub(super) fn new(key: SigningKey, origin: &str) -> Self {
        let agent = AgentId(key.verifying_key().to_bytes());
        Self {
            head: genesis(origin, &agent),
            key,
            seq: 0,
            last_us: 0,
            last_boot: Vec::new(),
            acked: 0,
            waiting: VecDeque::new(),
            done: Vec::new(),
        }
    }

    /// Appends `body` with the next number and the previous hash, and returns the signed event.
    pub(super) fn append(&mut self, mut body: EventBody, faults: &[Fault]) -> Event {
        let has = |fault: Fault| faults.contains(&fault);
        self.seq += if has(Fault::SkipSeq) && self.seq == 1 {
            2
        } else {
            1
        };
        body.seq = self.seq;
        body.prev_hash = self.head.to_vec();
        if has(Fault::PrevHash) && self.seq > 1 || has(Fault::Genesis) && self.seq == 1 {
            body.prev_hash = vec![0; 32];
        }
        let mut event = sign(&body, &self.key);
        if has(Fault::EventSignature) {
            event.signature = self.key.sign(&event.body).to_bytes().to_vec();
        }
        self.head = chain_hash(&event.body);
        self.last_us = self.last_us.max(body.at_us);
        self.last_boot.clone_from(&body.boot);
        self.waiting.push_back(Waiting {
            seq: self.seq,
            body,
            event: event.clone(),
            digest: None,
        });
        event
    }

    /// Re-signs the waiting events with stamps a microsecond later. Each except the first contains the hash of the
    /// altered event before it, so the chain is valid. Only a peer that has the original events can tell the
    /// difference.
    pub(super) fn alter_waiting(&mut self) {
        let mut altered = None;
        for waiting in &mut self.waiting {
            waiting.body.at_us += 1;
            if let Some(previous) = altered {
                waiting.body.prev_hash = Vec::from(previous);
            }
            waiting.event = sign(&waiting.body, &self.key);
            self.head = chain_hash(&waiting.event.body);
            self.last_us = self.last_us.max(waiting.body.at_us);
            altered = Some(self.head);
        }
    }

    /// Moves the events up to `seq` to `done`, and returns the digest after event `seq` if it was waiting.
    pub(super) fn acknowledge(&mut self, seq: u64) -> Option<Option<Digest>> {
        let mut digest = None;
        while let Some(first) = self.waiting.front()
            && first.seq <= seq
        {
            digest = Some(first.digest).filter(|_| first.seq == seq);
            self.done.extend(self.waiting.pop_front().map(|w| w.event));
        }
        self.acked = self.acked.max(seq);
        digest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn altered_events_still_form_a_chain() {
        let mut chain = Chain::new(SigningKey::from_bytes(&[7; 32]), "trial");
        let sent: Vec<_> = (0..3)
            .map(|_| chain.append(EventBody::default(), &[]))
            .collect();
        let first = chain.waiting[0].body.prev_hash.clone();
        chain.alter_waiting();
        assert_eq!(chain.waiting[0].body.prev_hash, first);
        let mut previous = first;
        for (waiting, sent) in chain.waiting.iter().zip(sent) {
            assert_ne!(waiting.event, sent);
            assert_eq!(waiting.body.prev_hash, previous);
            previous = chain_hash(&waiting.event.body).to_vec();
        }
        let next = chain.append(EventBody::default(), &[]);
        assert_eq!(chain.waiting[3].body.prev_hash, previous);
        assert_eq!(next, chain.waiting[3].event);
    }
}
