//! The records of a running swarm: counts, latencies, events. Owns the data shared between the agents and the swarm's handle.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use proto::ids::EventSeq;
use proto::wire::Event;
use timing::{Board, Instant};
use tokio::sync::Notify;

use super::Counts;
use crate::core::AgentCore;
use crate::session::AgentObserver;

/// The latency of one acknowledged event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    pub agent: usize,
    pub seq: u64,
    /// The event's stamp, in microseconds of the agent's board time.
    pub at_us: i64,
    /// Time from the stamp until the agent received the acknowledgement, in microseconds.
    pub latency_us: i64,
    /// True if the link was lost or down in between, so that the latency includes an outage.
    pub resent: bool,
}

#[derive(Debug)]
pub(super) struct Shared {
    agents: Vec<Agent>,
    record: bool,
    samples: Mutex<Vec<Sample>>,
    scripts: Arc<AtomicUsize>,
    moved: Arc<Notify>,
}

#[derive(Debug, Default)]
struct Agent {
    connected: AtomicBool,
    seq: AtomicU64,
    acked: AtomicU64,
    events: Mutex<Vec<Event>>,
}

/// A guard held by an unfinished script.
#[derive(Debug)]
pub(super) struct ScriptEnd {
    scripts: Arc<AtomicUsize>,
    moved: Arc<Notify>,
}

impl Drop for ScriptEnd {
    fn drop(&mut self) {
        self.scripts.fetch_sub(1, Ordering::AcqRel);
        self.moved.notify_waiters();
    }
}

impl Shared {
    pub(super) fn new(agents: usize, record: bool) -> Self {
        Self {
            agents: (0..agents).map(|_| Agent::default()).collect(),
            record,
            samples: Mutex::default(),
            scripts: Arc::default(),
            moved: Arc::default(),
        }
    }

    /// Registers a script. It counts as unfinished until the returned guard is dropped.
    pub(super) fn script(&self) -> ScriptEnd {
        self.scripts.fetch_add(1, Ordering::AcqRel);
        ScriptEnd {
            scripts: self.scripts.clone(),
            moved: self.moved.clone(),
        }
    }

    pub(super) fn counts(&self) -> Counts {
        let mut counts = Counts {
            agents: self.agents.len(),
            ..Counts::default()
        };
        for agent in &self.agents {
            let acked = agent.acked.load(Ordering::Acquire);
            let seq = agent.seq.load(Ordering::Acquire).max(acked);
            counts.connected += usize::from(agent.connected.load(Ordering::Acquire));
            counts.events += seq;
            counts.acknowledged += acked;
            counts.unacknowledged += seq - acked;
        }
        counts
    }

    pub(super) async fn until(&self, reached: impl Fn(&Counts) -> bool) {
        self.wait_for(|shared| reached(&shared.counts())).await;
    }

    pub(super) async fn until_scripts_end(&self) {
        self.wait_for(|shared| shared.scripts.load(Ordering::Acquire) == 0)
            .await;
    }

    async fn wait_for(&self, reached: impl Fn(&Self) -> bool) {
        loop {
            let moved = self.moved.notified();
            tokio::pin!(moved);
            // Register before the check, so that no notification between check and wait is missed.
            moved.as_mut().enable();
            if reached(self) {
                return;
            }
            moved.await;
        }
    }

    pub(super) fn take_samples(&self) -> Vec<Sample> {
        std::mem::take(&mut *lock(&self.samples))
    }

    pub(super) fn events(&self, agent: usize) -> Vec<Event> {
        self.agents
            .get(agent)
            .map(|agent| lock(&agent.events).clone())
            .unwrap_or_default()
    }
}

/// Locks `mutex`, ignoring poisoning: every change is a single call, so the data is consistent.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Debug)]
pub(super) struct Recorder {
    shared: Arc<Shared>,
    index: usize,
    /// Unacknowledged events: sequence number, stamp, and the link during which they were chained.
    pending: VecDeque<(u64, Instant<Board>, u32)>,
    links: u32,
    connected: bool,
}

impl Recorder {
    pub(super) fn new(shared: Arc<Shared>, index: usize) -> Self {
        Self {
            shared,
            index,
            pending: VecDeque::new(),
            links: 0,
            connected: false,
        }
    }

    fn agent(&self) -> &Agent {
        // `Shared` has a slot for every agent of the swarm.
        &self.shared.agents[self.index]
    }
}

impl AgentObserver for Recorder {
    fn chained(&mut self, core: &AgentCore, seq: EventSeq, at: Instant<Board>) {
        self.agent().seq.store(seq.0, Ordering::Release);
        if !self.shared.record {
            return;
        }
        // Events chained while the hub is away count as resent.
        let link = if self.connected { self.links } else { u32::MAX };
        self.pending.push_back((seq.0, at, link));
        if let Some(event) = core.unacknowledged_event(seq) {
            lock(&self.agent().events).push(event.clone());
        }
    }

    fn acknowledged(&mut self, seq: EventSeq, now: Instant<Board>) {
        let mut samples = Vec::new();
        while let Some((place, at, link)) = self.pending.pop_front_if(|(place, ..)| *place <= seq.0)
        {
            samples.push(Sample {
                agent: self.index,
                seq: place,
                at_us: at.as_micros(),
                latency_us: (now - at).as_micros(),
                resent: link != self.links,
            });
        }
        if !samples.is_empty() {
            lock(&self.shared.samples).append(&mut samples);
        }
        // Store this last, so that every event that counts as acknowledged has its sample.
        self.agent().acked.store(seq.0, Ordering::Release);
        if self.agent().seq.load(Ordering::Acquire) <= seq.0 {
            self.shared.moved.notify_waiters();
        }
    }

    fn changed(&mut self, core: &AgentCore, _now: Instant<Board>) {
        // A recovered journal contains events from an earlier run.
        self.agent().seq.store(core.seq().0, Ordering::Release);
        let acked = core.acknowledged().0;
        self.agent().acked.store(acked, Ordering::Release);
        let connected = core.connected();
        if connected != self.connected {
            self.connected = connected;
            self.links += u32::from(connected);
            self.agent().connected.store(connected, Ordering::Release);
            self.shared.moved.notify_waiters();
        }
    }
}
