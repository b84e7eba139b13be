//! Checks a clock's signed statements against its later ones. A clock gains nothing from a stamp that is earlier
//! than its own promise, or later than the event's arrival. Two signed statements that cannot both be true are logged
//! together, which proves the contradiction to anyone.
//!
//! Must never refuse a fact, alter its bytes, or penalise anyone.

mod bounds;
mod check;

use std::collections::{BTreeMap, VecDeque};
use std::fmt;

use proto::chain::chain_hash;
use proto::ids::{AgentId, EventSeq};
use timing::{Board as BoardTime, Hub, Instant};

use super::agent_frame::{SignedEvent, SignedPromise};
use super::recent::push_recent;

/// Maximum number of stored promises about events that have not arrived.
const MAX_AHEAD: usize = 64;

/// A check of a promise's signature. The hub uses [`proto::chain::verify_watermark`]; simulations use a different
/// check.
pub type PromiseCheck = fn(&AgentId, &SignedPromise) -> bool;

/// Checks the signature with the agent's key, as a real hub does.
pub(crate) fn ed25519(agent: &AgentId, promise: &SignedPromise) -> bool {
    let SignedPromise { at, seq, signature } = promise;
    proto::chain::verify_watermark(at.as_micros(), seq.0, signature, agent).is_ok()
}

/// Two signed statements of one clock that cannot both be true.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Equivocation {
    pub(crate) agent: AgentId,
    /// The contradicting event: body and signature.
    pub(crate) event: (Vec<u8>, Vec<u8>),
    pub(crate) against: Against,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Against {
    /// Body and signature of a different event with the same sequence number, or of the previous event, which the
    /// contradicting event does not continue.
    Event(Vec<u8>, Vec<u8>),
    Promise(SignedPromise),
}

impl fmt::Display for Equivocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clock = self.agent.short();
        let event = crate::from_proto::signed_event(self.event.0.clone(), self.event.1.clone());
        let seq = event.as_ref().map_or(0, |event| event.seq.0);
        match &self.against {
            Against::Promise(word) => write!(
                f,
                "proof: clock {clock} promised that no event after event {} would be stamped before {} us, but signed event {seq} \
                 with the stamp {} us",
                word.seq.0,
                word.at.as_micros(),
                event.map_or(0, |event| event.at.as_micros())
            ),
            Against::Event(..) => write!(
                f,
                "proof: clock {clock} signed two different events, of which at most one can be its event {seq}"
            ),
        }
    }
}

/// An agent's newest signed events: sequence number, body and signature, as received.
#[derive(Debug, Default)]
pub(crate) struct RecentEvents(VecDeque<(EventSeq, Vec<u8>, Vec<u8>)>);

impl RecentEvents {
    /// Number of events kept; older ones are in the log.
    const MAX_KEPT: usize = 8;

    pub(crate) fn keep(&mut self, event: &SignedEvent) {
        let piece = (event.seq, event.body.clone(), event.signature.clone());
        push_recent(&mut self.0, Self::MAX_KEPT, piece);
    }

    /// Returns the statement that `event` contradicts: a different event with the same number, or the previous event if
    /// `event` does not follow it.
    pub(crate) fn against(&self, event: &SignedEvent) -> Option<Against> {
        self.0.iter().find_map(|(seq, body, signature)| {
            let hash = chain_hash(body);
            let in_its_place = *seq == event.seq && hash != event.hash;
            let before_it = seq.next() == event.seq && hash != event.prev_hash;
            let contradicts = in_its_place || before_it;
            contradicts.then(|| Against::Event(body.clone(), signature.clone()))
        })
    }
}

/// The lower bound on an agent's future stamps, derived from its promises.
#[derive(Debug, Default)]
pub(crate) struct StampLowerBound {
    /// Promised lower bound on the next event's stamp.
    at: Option<Instant<BoardTime>>,
    /// Hub instant at which the promise for `at` arrived.
    heard: Option<Instant<Hub>>,
    /// The newest promise that binds the clock. A jump of the timeline releases an honest clock from its promise.
    binding_promise: Option<SignedPromise>,
    /// True while the clock's time may be earlier than its promises, because its machine restarted.
    set_back: bool,
    /// Promises that cover events that have not arrived yet.
    ahead: BTreeMap<EventSeq, (SignedPromise, Instant<Hub>)>,
    recorded: u32,
}

impl StampLowerBound {
    #[cfg(test)]
    fn at(&self) -> Option<Instant<BoardTime>> {
        self.at
    }

    pub(crate) fn heard(&self) -> Option<Instant<Hub>> {
        self.heard
    }

    /// Records a promise; events up to `applied` have already been applied.
    pub(crate) fn promised(&mut self, word: SignedPromise, heard: Instant<Hub>, applied: EventSeq) {
        if word.seq <= applied {
            return self.raise(word, heard);
        }
        let newer = self
            .ahead
            .get(&word.seq)
            .is_none_or(|(known, _)| known.at < word.at);
        if newer && (self.ahead.len() < MAX_AHEAD || self.ahead.contains_key(&word.seq)) {
            self.ahead.insert(word.seq, (word, heard));
        }
    }

    /// Records that event `seq` was applied. This activates the promises that waited for events up to `seq`.
    pub(crate) fn event_applied(&mut self, seq: EventSeq, at: Instant<BoardTime>) {
        if self.at.is_none_or(|floor| floor <= at) {
            self.set_back = false;
        }
        while let Some(entry) = self.ahead.first_entry() {
            if *entry.key() > seq {
                return;
            }
            let (word, heard) = entry.remove();
            self.raise(word, heard);
        }
    }

    /// Records a jump or a change in the agent's timeline. The agent's promise is no longer proof, but remains a bound.
    pub(crate) fn jumped(&mut self, set_back: bool) {
        self.binding_promise = None;
        self.set_back |= set_back;
    }

    /// Records a restart of the agent's machine. Different events may now have the sequence numbers that earlier
    /// promises covered.
    pub(crate) fn rebooted(&mut self) {
        self.jumped(true);
        self.ahead.clear();
    }

    fn raise(&mut self, word: SignedPromise, heard: Instant<Hub>) {
        if self.at.is_none_or(|at| at < word.at) {
            self.at = Some(word.at);
            self.heard = Some(heard);
        }
        // A clock whose time was set back must keep its new promise, though the old one remains a bound.
        if self
            .binding_promise
            .as_ref()
            .is_none_or(|kept| kept.at < word.at)
        {
            self.binding_promise = Some(word);
        }
    }

    fn broken_by(&self, at: Instant<BoardTime>) -> Option<&SignedPromise> {
        self.binding_promise.as_ref().filter(|word| at < word.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(at: i64, seq: u64) -> SignedPromise {
        SignedPromise {
            at: Instant::from_micros(at),
            seq: EventSeq(seq),
            signature: Vec::new(),
        }
    }

    #[test]
    fn a_promise_binds_events_after_those_that_it_covers() {
        let heard = Instant::from_micros(0);
        let at = |at| Some(Instant::from_micros(at));
        let mut floor = StampLowerBound::default();
        floor.promised(word(100, 3), heard, EventSeq(3));
        assert_eq!(floor.at(), at(100));
        // Two datagrams overtook event 4. The newer promise was made after that event, so only the older promise covers
        // event 4.
        floor.promised(word(200, 3), heard, EventSeq(3));
        floor.promised(word(300, 4), heard, EventSeq(3));
        assert_eq!(floor.at(), at(200));
        assert!(floor.broken_by(Instant::from_micros(199)).is_some());
        assert!(floor.broken_by(Instant::from_micros(200)).is_none());
        floor.event_applied(EventSeq(4), Instant::from_micros(250));
        assert_eq!(floor.at(), at(300));
        floor.promised(word(250, 4), heard, EventSeq(4));
        assert_eq!(floor.at(), at(300));
        // After a jump the promise proves nothing, but remains a bound.
        floor.jumped(false);
        assert!(floor.broken_by(Instant::from_micros(1)).is_none());
        assert_eq!(floor.at(), at(300));
        // A promise made after the jump is proof again, even if it is earlier than the old one.
        floor.jumped(true);
        floor.promised(word(120, 4), heard, EventSeq(4));
        assert!(floor.broken_by(Instant::from_micros(119)).is_some());
        assert!(floor.broken_by(Instant::from_micros(120)).is_none());
        assert_eq!(floor.at(), at(300));
    }

    #[test]
    fn promises_about_missing_events_do_not_accumulate() {
        let mut floor = StampLowerBound::default();
        for seq in 1..10_000 {
            floor.promised(
                word(seq, seq.unsigned_abs()),
                Instant::from_micros(0),
                EventSeq(0),
            );
        }
        assert_eq!(floor.ahead.len(), MAX_AHEAD);
    }
}
