//! Recovers an agent from the entries of its journal, with the same fold that live operation uses. Has no side effects, and never repairs a journal
//! silently.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec;

use proto::checkpoint::KeptCheckpoint;
use proto::ids::AgentId;
use proto::wire::{Event, EventBody, ForeignJournal, SharedBoard, event_body, order};
use timing::Instant;

use super::chain::{Chain, decode_body};
use super::correction::Pins;
use super::entry::{Batch, Entry, Kind, Opened, State, Timeline, WriteMode};
use super::seat::{Seat, restored};
use super::shared::{self, ServedSide};

/// An agent recovered from its journal.
#[derive(Clone, Debug, PartialEq)]
pub struct Recovered {
    pub(crate) chain: Chain,
    pub(crate) seat: Seat,
    pub(crate) pins: Pins,
    pub(crate) timeline: Option<Timeline>,
    pub(crate) token: u64,
    /// A journal of this agent for a different log, with events that the log's hub has not acknowledged; `None` if there is no such journal.
    pub foreign: Option<ForeignJournal>,
    /// True if the journal was damaged and only its readable part is recovered; set by the caller of [`recover`].
    pub damaged: bool,
    /// The newest checkpoint of the log, which the clock keeps alongside its journal.
    pub kept: Option<KeptCheckpoint>,
}

/// The reason why recovery stopped partway through a journal. Entries before that point are used; later entries are not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum RecoverError {
    #[error("the journal does not start with its origin")]
    NotOpened,
    #[error("the journal belongs to a different agent or a different log ({0})")]
    NotOurs(String),
    #[error("event {0} does not follow the previous event")]
    BrokenChain(u64),
    /// An entry has a kind that this version does not know, or an `Opened` is not the first entry.
    #[error("entry {0} has an unknown kind: it may come from a newer version")]
    Unknown(usize),
}

impl Recovered {
    /// Returns a new agent for the log `origin`, with no events yet.
    pub fn fresh(origin: &str, agent: &AgentId) -> Self {
        Self {
            chain: Chain::new(origin, agent),
            seat: Seat::default(),
            pins: Pins::default(),
            timeline: None,
            token: 0,
            foreign: None,
            damaged: false,
            kept: None,
        }
    }

    /// Returns the first batch of a new journal.
    pub fn opening(origin: &str, agent: &AgentId) -> Batch {
        let opened = Opened {
            log_origin: origin.to_owned(),
            agent: agent.0.to_vec(),
        };
        Batch {
            entries: vec![Kind::Opened(opened).into()],
            mode: WriteMode::Replace,
            seq: 0,
        }
    }

    /// Returns the origin of the hub's log to which the journal belongs.
    pub fn log_origin(&self) -> &str {
        &self.chain.origin
    }

    /// Returns the number of unacknowledged events.
    pub fn unacknowledged(&self) -> u64 {
        self.chain.seq - self.chain.acked
    }

    /// Returns the timeline of the boot that last wrote to the journal.
    pub fn timeline(&self) -> Option<&Timeline> {
        self.timeline.as_ref()
    }

    /// Returns the latest board time in the journal, in microseconds, from which a new boot continues; 0 for a new journal.
    pub fn reached_us(&self) -> i64 {
        let written = self.timeline.as_ref().map_or(0, |timeline| timeline.at_us);
        written.max(self.chain.last_at.as_micros()).max(0)
    }
}

/// Folds the entries of a journal. Returns the recovered agent, and the error at which recovery stopped, if any.
pub fn recover(
    entries: impl IntoIterator<Item = Entry>,
    origin: &str,
    agent: &AgentId,
) -> (Recovered, Option<RecoverError>) {
    let mut fold = Fold {
        to: Recovered::fresh(origin, agent),
        folded: 0,
        orders: BTreeMap::new(),
    };
    for (at, entry) in entries.into_iter().enumerate() {
        let step = match entry.kind {
            None => Err(RecoverError::Unknown(at)),
            Some(Kind::Opened(opened)) => fold.opened(at, &opened, origin, agent),
            Some(_) if at == 0 => Err(RecoverError::NotOpened),
            Some(kind) => fold.entry(kind),
        };
        if let Err(error) = step {
            return (fold.finish(), Some(error));
        }
    }
    (fold.finish(), None)
}

struct Fold {
    to: Recovered,
    /// Sequence number of the last event whose effect on the clock a `State` entry already includes.
    folded: u64,
    /// Orders whose `OrderTaken` event has not been read yet.
    orders: BTreeMap<u64, order::What>,
}

impl Fold {
    fn opened(
        &mut self,
        at: usize,
        opened: &Opened,
        origin: &str,
        agent: &AgentId,
    ) -> Result<(), RecoverError> {
        if at != 0 {
            return Err(RecoverError::Unknown(at));
        }
        if opened.log_origin != origin || opened.agent != agent.0 {
            return Err(RecoverError::NotOurs(opened.log_origin.clone()));
        }
        Ok(())
    }

    fn entry(&mut self, kind: Kind) -> Result<(), RecoverError> {
        match kind {
            Kind::Opened(_) => {}
            Kind::Event(event) => self.event(event)?,
            Kind::Order(order) => {
                if let Some(what) = order.what {
                    self.orders.insert(order.number, what);
                }
            }
            Kind::State(state) => self.state(state)?,
            Kind::Timeline(timeline) => self.to.timeline = Some(timeline),
            Kind::Token(token) => self.to.token = token,
            Kind::Acked(seq) => {
                self.to.chain.acknowledge(seq);
            }
            Kind::Labels(labels) => self.to.seat.labels = labels,
            Kind::Shared(shared) => self.shared(&shared),
            Kind::Arbiters(arbiters) => self.to.pins.arbiters = arbiters,
            Kind::Pins(attempts) => self.to.pins.attempts = attempts,
        }
        Ok(())
    }

    fn event(&mut self, event: Event) -> Result<(), RecoverError> {
        let next = self.to.chain.seq + 1;
        let body = decode_body(&event).ok_or(RecoverError::BrokenChain(next))?;
        if !self.to.chain.push_back(body.clone(), event) {
            return Err(RecoverError::BrokenChain(next));
        }
        if body.seq > self.folded {
            self.apply(&body);
            let digest = self.to.seat.digest();
            self.to.chain.set_digest(digest);
        }
        Ok(())
    }

    fn apply(&mut self, body: &EventBody) {
        let at = Instant::from_micros(body.at_us);
        let Some(fact) = &body.fact else {
            return;
        };
        let ordered = match fact {
            event_body::Fact::OrderTaken(taken) => self.orders.remove(&taken.order),
            event_body::Fact::Press(_)
            | event_body::Fact::Stop(_)
            | event_body::Fact::Rebase(_)
            | event_body::Fact::ZeroTested(_)
            | event_body::Fact::Correction(_) => None,
        };
        self.to.seat.apply(at, fact, ordered.as_ref());
    }

    /// Restores a `State`. The events after the entry follow event `acked`, so the chain restarts there.
    fn state(&mut self, state: State) -> Result<(), RecoverError> {
        let served = state.side();
        let broken = RecoverError::BrokenChain(state.seq);
        let acked_head = state.acked_head.try_into().map_err(|_| broken.clone())?;
        let chain = &mut self.to.chain;
        chain.acked = state.acked;
        chain.acked_head = acked_head;
        chain.seq = state.acked;
        chain.head = acked_head;
        chain.last_at = Instant::MIN;
        if state.acked == state.seq {
            chain.last_at = Instant::from_micros(state.at_us);
            chain.last_boot = state.boot;
        }
        chain.queue.clear();
        chain.kept.clear();
        chain.kept_after = (state.acked, acked_head);
        self.folded = state.seq;
        let seat = &mut self.to.seat;
        seat.orders_taken = state.orders_taken;
        seat.corrected_us = state.corrected_us;
        self.to.pins = Pins {
            arbiters: state.arbiters.unwrap_or_default(),
            attempts: state.pins.unwrap_or_default(),
        };
        let seat = &mut self.to.seat;
        seat.labels = state.labels.unwrap_or_default();
        seat.ours = shared::side(served).map(|side| ServedSide {
            side,
            other_heard: false,
        });
        seat.clock = match state.snapshot.as_slice() {
            [] => None,
            bytes => Some(restored(bytes, None).map_err(|_| broken)?),
        };
        Ok(())
    }

    fn shared(&mut self, shared: &SharedBoard) {
        let own = self.to.chain.queue.iter();
        let own = own.filter_map(|entry| decode_body(&entry.event));
        let seat = &mut self.to.seat;
        if let Some(ours) = &seat.ours
            && let Some(clock) = shared::shown(shared, ours.side, own)
        {
            seat.clock = Some(clock);
        }
    }

    fn finish(mut self) -> Recovered {
        self.to.chain.recovered = self.to.chain.seq;
        self.to
    }
}
