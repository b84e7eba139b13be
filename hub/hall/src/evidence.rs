//! What a clock has said with its signature, held against what it says later: no event gains by a stamp from before its own promise or
//! from after it was heard, and two signed words that cannot both be true become a record that proves it to anybody.
//!
//! Owns the bound on a stamp and the record of a contradiction. Must never refuse a fact, alter its bytes, or punish anybody.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;

use proto::chain::chain_hash;
use proto::ids::{AgentId, EventSeq};
use timing::{Board as BoardTime, Duration, Hub, Instant};

use super::board::Keeper;
use super::effect::Step;
use super::entry::Entry;
use super::input::{EventFact, SignedEvent};
use super::{Hall, note};

/// Promises about events that have not come yet, kept at a time.
const AHEAD: usize = 64;
/// Contradictions of one agent that are recorded in a run: more would prove nothing more.
const RECORDED: u32 = 1_000;
/// Of so many signed promises, one is checked as it comes; every other one when it is needed as a proof.
const CHECKED_OF: u64 = 64;

/// A watermark as it came, with its signature, which is empty if the clock signs none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedPromise {
    /// Every event stamped before this …
    pub at: Instant<BoardTime>,
    /// … has at most this place.
    pub seq: EventSeq,
    /// Ed25519 over both ([`proto::chain::verify_watermark`]).
    pub signature: Vec<u8>,
}

/// Checks the signature of a promise. The real one is [`proto::chain::verify_watermark`]; simulations have another.
pub type PromiseCheck = fn(&AgentId, &SignedPromise) -> bool;

/// The check of a hub at work.
pub(crate) fn ed25519(agent: &AgentId, promise: &SignedPromise) -> bool {
    let SignedPromise { at, seq, signature } = promise;
    proto::chain::verify_watermark(at.as_micros(), seq.0, signature, agent).is_ok()
}

/// Two signed words of one clock that cannot both be true.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Equivocation {
    pub(crate) agent: AgentId,
    /// The event that contradicts: its body and its signature.
    pub(crate) event: (Vec<u8>, Vec<u8>),
    pub(crate) against: Against,
}

/// What an event contradicts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Against {
    /// The event of the chain in its place, or the one that it should have followed: body and signature.
    Event(Vec<u8>, Vec<u8>),
    /// A promise.
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
                "proof: clock {clock} promised that no event after event {} would be stamped before {} us, and signed event {seq} \
                 with the stamp {} us",
                word.seq.0,
                word.at.as_micros(),
                event.map_or(0, |event| event.at.as_micros())
            ),
            Against::Event(..) => write!(
                f,
                "proof: clock {clock} signed two events of which at most one can be its event {seq}"
            ),
        }
    }
}

/// The newest signed events of an agent, to the byte.
#[derive(Debug, Default)]
pub(crate) struct Pieces(VecDeque<(EventSeq, Vec<u8>, Vec<u8>)>);

impl Pieces {
    /// So many are at hand; older ones are in the log.
    const KEPT: usize = 8;

    pub(crate) fn keep(&mut self, event: &SignedEvent) {
        if self.0.len() >= Self::KEPT {
            self.0.pop_front();
        }
        let piece = (event.seq, event.body.clone(), event.signature.clone());
        self.0.push_back(piece);
    }

    /// The one that `event` contradicts: another in its place, or one before it that it does not follow.
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

/// What an agent's promises say about the events that are still to come.
#[derive(Debug, Default)]
pub(crate) struct Floor {
    /// The next event is stamped no earlier than this, by the agent's own word.
    at: Option<Instant<BoardTime>>,
    /// When that word was heard.
    heard: Option<Instant<Hub>>,
    /// The word itself, while it binds: a jump of its timeline frees an honest clock from it.
    word: Option<SignedPromise>,
    /// The clock's machine was restarted, and its time may have begun before what it had promised.
    set_back: bool,
    /// Promises that speak of events which have not come yet.
    ahead: BTreeMap<EventSeq, (SignedPromise, Instant<Hub>)>,
    recorded: u32,
}

impl Floor {
    /// The earliest stamp that the next event may bear.
    #[cfg(test)]
    fn at(&self) -> Option<Instant<BoardTime>> {
        self.at
    }

    /// When the hub last had the agent's word.
    pub(crate) fn heard(&self) -> Option<Instant<Hub>> {
        self.heard
    }

    /// The agent has given its word; events up to `applied` have been taken.
    pub(crate) fn promised(&mut self, word: SignedPromise, heard: Instant<Hub>, applied: EventSeq) {
        if word.seq <= applied {
            return self.raise(word, heard);
        }
        let newer = self
            .ahead
            .get(&word.seq)
            .is_none_or(|(known, _)| known.at < word.at);
        if newer && (self.ahead.len() < AHEAD || self.ahead.contains_key(&word.seq)) {
            self.ahead.insert(word.seq, (word, heard));
        }
    }

    /// Event `seq` has been taken: what was promised about the ones after it counts from now on.
    pub(crate) fn took(&mut self, seq: EventSeq, at: Instant<BoardTime>) {
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

    /// The agent's timeline has jumped, or is another one: its word is no proof against it any more, but still a bound.
    pub(crate) fn jumped(&mut self, set_back: bool) {
        self.word = None;
        self.set_back |= set_back;
    }

    /// Another boot of the agent's machine: what it said of events that never came says nothing of others in their places.
    pub(crate) fn rebooted(&mut self) {
        self.jumped(true);
        self.ahead.clear();
    }

    fn raise(&mut self, word: SignedPromise, heard: Instant<Hub>) {
        if self.at.is_none_or(|at| at < word.at) {
            self.at = Some(word.at);
            self.heard = Some(heard);
        }
        // A clock whose time was set back is held to its new word, though the old one still bounds.
        if self.word.as_ref().is_none_or(|kept| kept.at < word.at) {
            self.word = Some(word);
        }
    }

    /// The promise that an event with this stamp breaks.
    fn broken_by(&self, at: Instant<BoardTime>) -> Option<&SignedPromise> {
        self.word.as_ref().filter(|word| at < word.at)
    }
}

impl Hall {
    /// Has the signatures of promises checked by another rule than Ed25519: for simulations.
    pub fn check_promises_by(&mut self, check: PromiseCheck) {
        self.live.check = check;
    }

    /// A promise came: it is kept as the bound on what is still to come, and one of many has its signature checked at once.
    pub(crate) fn keep_promise(
        &mut self,
        now: Instant<Hub>,
        agent: AgentId,
        word: SignedPromise,
        received: Instant<Hub>,
        step: &mut Step,
    ) {
        let look = self.live.nonces.next().is_multiple_of(CHECKED_OF);
        let forged = look && !word.signature.is_empty() && !(self.live.check)(&agent, &word);
        let applied = self.fold.agents.get(&agent).map(|known| known.seq);
        if let Some(session) = self.live.sessions.get_mut(&agent) {
            session
                .floor
                .promised(word, received, applied.unwrap_or_default());
        }
        if forged {
            self.note(now, step, note::forged_promise(agent));
        }
    }

    /// The board time at which an event counts, where that is not its stamp: never before what its clock had promised, never after
    /// it was heard. An honest clock meets neither bound, but for one whose time was set back by a power cut.
    pub(crate) fn counts_at(
        &self,
        agent: AgentId,
        event: &SignedEvent,
        received: Instant<Hub>,
    ) -> Option<Instant<BoardTime>> {
        let jump = match event.fact {
            EventFact::Players(_) | EventFact::OrderTaken(_) | EventFact::Correction => None,
            EventFact::Rebase { jump_us, .. } => Some(Duration::from_micros(jump_us).or_zero()),
            EventFact::ZeroTested(_) => return None,
        };
        let board = self.board_of(agent)?;
        let board = self.fold.boards.get(&board)?;
        if board.keeper != Keeper::Agent(agent) {
            return None;
        }
        let session = self.live.sessions.get(&agent)?;
        let settled = board.clock().now();
        if event.at < settled && !session.floor.set_back {
            // The engine keeps it out, and it comes up for review.
            return None;
        }
        let (promised, most) = match jump {
            None => (
                session.floor.at.unwrap_or(settled),
                session.latest(received),
            ),
            // What was known before a jump is no bound on what comes after it.
            Some(jump) => {
                let after = session.after_jump(event.seq, jump, received);
                let most = after.map_or(Instant::MAX, |after| after.latest(received));
                (settled, most)
            }
        };
        // The promise of a clock whose time was set back may lie ahead of what it is there now: nobody is charged time that has not passed.
        let at = event.at.max(promised).min(most).max(settled);
        (at != event.at).then_some(at)
    }

    /// An event has been taken that breaks a promise of its clock: if both are signed, that is recorded as a proof.
    pub(crate) fn record_broken_promise(
        &mut self,
        now: Instant<Hub>,
        agent: AgentId,
        event: &SignedEvent,
        step: &mut Step,
    ) {
        let session = self.live.sessions.get(&agent);
        let Some(word) = session
            .and_then(|session| session.floor.broken_by(event.at))
            .cloned()
        else {
            return;
        };
        let by_us = (word.at - event.at).as_micros();
        self.note(now, step, note::broken_promise(agent, event.seq.0, by_us));
        if !word.signature.is_empty() && (self.live.check)(&agent, &word) {
            self.record_equivocation(now, agent, event, Against::Promise(word), step);
        }
    }

    /// Puts a contradiction into the log, with both signed words.
    pub(crate) fn record_equivocation(
        &mut self,
        now: Instant<Hub>,
        agent: AgentId,
        event: &SignedEvent,
        against: Against,
        step: &mut Step,
    ) {
        let Some(session) = self.live.sessions.get_mut(&agent) else {
            return;
        };
        if session.floor.recorded >= RECORDED {
            return;
        }
        session.floor.recorded += 1;
        let entry = Entry::Equivocation(Box::new(Equivocation {
            agent,
            event: (event.body.clone(), event.signature.clone()),
            against,
        }));
        let board = self.board_of(agent);
        // It changes nothing, so it always fits.
        let _ = self.log(now, board, entry, step);
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
    fn a_promise_binds_what_comes_after_the_events_it_speaks_of() {
        let heard = Instant::from_micros(0);
        let at = |at| Some(Instant::from_micros(at));
        let mut floor = Floor::default();
        floor.promised(word(100, 3), heard, EventSeq(3));
        assert_eq!(floor.at(), at(100));
        // Two datagrams overtook event 4, the newer of them made after it: only the older speaks of event 4.
        floor.promised(word(200, 3), heard, EventSeq(3));
        floor.promised(word(300, 4), heard, EventSeq(3));
        assert_eq!(floor.at(), at(200));
        assert!(floor.broken_by(Instant::from_micros(199)).is_some());
        assert!(floor.broken_by(Instant::from_micros(200)).is_none());
        floor.took(EventSeq(4), Instant::from_micros(250));
        assert_eq!(floor.at(), at(300));
        // An older promise says nothing new.
        floor.promised(word(250, 4), heard, EventSeq(4));
        assert_eq!(floor.at(), at(300));
        // After a jump the word proves nothing, and still bounds.
        floor.jumped(false);
        assert!(floor.broken_by(Instant::from_micros(1)).is_none());
        assert_eq!(floor.at(), at(300));
        // Its word of after the jump proves again, also while it lies behind the old one.
        floor.jumped(true);
        floor.promised(word(120, 4), heard, EventSeq(4));
        assert!(floor.broken_by(Instant::from_micros(119)).is_some());
        assert!(floor.broken_by(Instant::from_micros(120)).is_none());
        assert_eq!(floor.at(), at(300));
    }

    #[test]
    fn promises_about_what_never_comes_do_not_pile_up() {
        let mut floor = Floor::default();
        for seq in 1..10_000 {
            floor.promised(
                word(seq, seq.unsigned_abs()),
                Instant::from_micros(0),
                EventSeq(0),
            );
        }
        assert_eq!(floor.ahead.len(), AHEAD);
    }
}
