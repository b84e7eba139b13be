//! Many clocks in one process: real agents (with the core and the session of a real clock) and simulated players. They serve demonstrations,
//! benchmarks and tests that kill the hub. Owns starting, observing and stopping the agents.

mod agent;
mod enrol;
mod manual;
mod players;
mod record;
mod script;

use std::path::PathBuf;
use std::sync::Arc;

use proto::ids::AgentId;
use proto::wire::Event;
use timing::BoardClock;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::buttons::ButtonEvent;
use crate::core::AgentCore;
use crate::identity::Identity;
use crate::journal::{JournalThread, StoreError};
use crate::links::quic::{Dialer, HubLocation, QuicConnector};
use crate::links::{AddressError, Connector, HubAddress};
use crate::session::Query;
use record::Shared;

pub use enrol::{SwarmEnrolError, enrol_with};
pub use manual::PressHandle;
pub use players::{Pace, Situation};
pub use record::Sample;

#[derive(Debug)]
pub struct SwarmConfig {
    /// Address of the hub: `host:port`.
    pub hub: String,
    /// One identity for each agent.
    pub identities: Vec<Identity>,
    pub players: Players,
    /// Seed of the players' behaviour. The behaviour also depends on the timing of their turns, so it cannot be reproduced exactly.
    pub seed: u64,
    pub journals: Journals,
    /// True to record every event with its latency, for [`Swarm::take_samples`] and [`AgentReport::events`].
    pub record: bool,
    /// Number of [`Dialer`]s that the agents share; 0 counts as 1.
    pub endpoints: usize,
}

/// The behaviour of a swarm's players.
#[derive(Clone, Debug)]
pub enum Players {
    /// The players think and press at this pace, sometimes lose on time, and stop the clocks at the end of the game.
    Pace(Pace),
    /// Like [`Players::Pace`], except that games end only with a flag fall, for a steady load.
    Endless(Pace),
    /// The players follow this script. Stamps must increase on each board.
    Script(Vec<ScriptedPress>),
    /// The caller makes the presses, with one handle for each agent.
    Manual(Vec<PressHandle>),
    Still,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScriptedPress {
    /// Index of the agent in [`SwarmConfig::identities`].
    pub board: usize,
    /// The press or stop, stamped in that agent's board time. The agent receives it at that instant or shortly afterwards.
    pub event: ButtonEvent,
}

/// The storage of presses until the hub has acknowledged them.
#[derive(Clone, Debug)]
pub enum Journals {
    /// In memory only, so presses are lost if the swarm dies.
    Memory,
    /// In this directory, with one state directory per agent and one writing thread.
    Files(PathBuf),
}

/// The progress of a swarm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub agents: usize,
    /// Number of agents that the hub has welcomed on their current link.
    pub connected: usize,
    /// Number of chained events.
    pub events: u64,
    pub acknowledged: u64,
    pub unacknowledged: u64,
}

#[derive(Clone, Debug)]
pub struct AgentReport {
    pub agent: AgentId,
    /// The agent's board; empty without a board.
    pub board: String,
    /// Sequence number of the agent's newest event.
    pub seq: u64,
    /// Sequence number of the newest event that is durable in the hub's log.
    pub acked: u64,
    /// Chain hash of the newest event.
    pub head: [u8; 32],
    pub clock: Option<BoardClock>,
    /// Every event since the start of the swarm, oldest first; empty unless [`SwarmConfig::record`] is true.
    pub events: Vec<Event>,
}

#[derive(Debug, thiserror::Error)]
pub enum SwarmError {
    #[error("hub: {0}")]
    Address(#[from] AddressError),
    #[error("cannot open a socket: {0}")]
    Socket(std::io::Error),
    /// The boot id could not be read, or the journal's thread could not be started.
    #[error("cannot start: {0}")]
    System(std::io::Error),
    #[error("agent {agent}: {error}")]
    Tls {
        agent: AgentId,
        error: rustls::Error,
    },
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A running swarm. Dropping it abandons the agents; [`Swarm::stop`] shuts them down cleanly.
#[derive(Debug)]
pub struct Swarm {
    agents: Vec<Member>,
    shared: Arc<Shared>,
    gate: watch::Sender<bool>,
    scripted: bool,
    stop: CancellationToken,
}

#[derive(Debug)]
struct Member {
    queries: mpsc::Sender<Query>,
    task: JoinHandle<AgentCore>,
}

impl Swarm {
    /// Starts the agents, which connect in the background. Must be called within a tokio runtime.
    ///
    /// # Errors
    /// Returns a [`SwarmError`] if the swarm cannot start; no agent is then running.
    pub async fn start(config: SwarmConfig) -> Result<Self, SwarmError> {
        Self::start_with(config, |identity, dialer, hub| {
            let hub = HubLocation::At(hub.clone());
            QuicConnector::new(identity, dialer, hub, Box::new(|_| ()))
        })
        .await
    }

    /// Starts like [`Swarm::start`], except that `way` creates each agent's connector from its identity, the sockets to use and the hub's address.
    pub async fn start_with<C: Connector + 'static>(
        config: SwarmConfig,
        way: impl Fn(&Identity, Dialer, &HubAddress) -> Result<C, rustls::Error>,
    ) -> Result<Self, SwarmError> {
        let hub: HubAddress = config.hub.parse()?;
        let dialers: Vec<Dialer> = (0..config.endpoints.max(1))
            .map(|_| Dialer::open())
            .collect::<Result<_, _>>()
            .map_err(SwarmError::Socket)?;
        let thread = match &config.journals {
            Journals::Memory => None,
            Journals::Files(_) => Some(JournalThread::start().map_err(SwarmError::System)?),
        };
        let shared = Arc::new(Shared::new(config.identities.len(), config.record));
        let (gate, open) = watch::channel(true);
        let stop = CancellationToken::new();
        let boot = crate::time_source::boot_id().map_err(SwarmError::System)?;
        let mut made = Vec::with_capacity(config.identities.len());
        for (index, identity) in config.identities.iter().enumerate() {
            let dialer = dialers[index % dialers.len()].clone();
            let connector = way(identity, dialer, &hub).map_err(|error| SwarmError::Tls {
                agent: identity.keys.agent_id(),
                error,
            })?;
            let making = agent::AgentParts {
                index,
                identity,
                config: &config,
                thread: thread.as_ref(),
                boot: &boot,
                shared: &shared,
                open: open.clone(),
                stop: stop.child_token(),
            };
            made.push(agent::make(making, connector)?);
        }
        // Start the first agent only now, so that a failure above leaves no agent running.
        let agents = made.into_iter().map(agent::ReadyAgent::spawn).collect();
        Ok(Self {
            agents,
            shared,
            gate,
            scripted: matches!(config.players, Players::Script(_)),
            stop,
        })
    }

    /// Waits until the hub has welcomed every agent.
    pub async fn connected(&self) {
        self.shared
            .until(|counts| counts.connected == counts.agents)
            .await;
    }

    /// Stops simulated players from pressing. Scripts and manual presses continue.
    pub fn hold(&self) {
        self.gate.send_replace(false);
    }

    pub fn release(&self) {
        self.gate.send_replace(true);
    }

    pub fn counts(&self) -> Counts {
        self.shared.counts()
    }

    /// Returns the latencies of the events acknowledged since the last call; empty unless [`SwarmConfig::record`] is true.
    pub fn take_samples(&self) -> Vec<Sample> {
        self.shared.take_samples()
    }

    /// Lets scripts play to their end, or otherwise holds simulated players. Then waits until every event is acknowledged.
    pub async fn drain(&self) {
        if self.scripted {
            self.shared.until_scripts_end().await;
        } else {
            self.hold();
        }
        // An agent checks the gate before it answers, so no held player presses after this.
        self.ask_all(|_, _| ()).await;
        self.shared.until(|counts| counts.unacknowledged == 0).await;
    }

    /// Returns the state of every running agent, in the order of the identities.
    pub async fn reports(&self) -> Vec<AgentReport> {
        let shared = self.shared.clone();
        self.ask_all(move |index, core| report(core, shared.events(index)))
            .await
    }

    /// Shuts down every agent cleanly. Returns their final states.
    pub async fn stop(self) -> Vec<AgentReport> {
        self.stop.cancel();
        let mut reports = Vec::with_capacity(self.agents.len());
        for (index, member) in self.agents.into_iter().enumerate() {
            // An agent that panicked is left out; the runtime has already reported the panic.
            if let Ok(core) = member.task.await {
                reports.push(report(&core, self.shared.events(index)));
            }
        }
        reports
    }

    /// Asks each agent a question. Leaves out agents that have ended.
    async fn ask_all<T: Send + 'static>(
        &self,
        question: impl Fn(usize, &AgentCore) -> T + Clone + Send + 'static,
    ) -> Vec<T> {
        let mut receivers = Vec::with_capacity(self.agents.len());
        for (index, member) in self.agents.iter().enumerate() {
            let (sender, receiver) = oneshot::channel();
            let question = question.clone();
            let query: Query = Box::new(move |core, _now| {
                // The receiver may be gone.
                let _ = sender.send(question(index, core));
            });
            if member.queries.send(query).await.is_ok() {
                receivers.push(receiver);
            }
        }
        let mut answers = Vec::with_capacity(receivers.len());
        for receiver in receivers {
            if let Ok(answer) = receiver.await {
                answers.push(answer);
            }
        }
        answers
    }
}

fn report(core: &AgentCore, events: Vec<Event>) -> AgentReport {
    AgentReport {
        agent: core.agent(),
        board: core.board().to_owned(),
        seq: core.seq().0,
        acked: core.acknowledged().0,
        head: core.head(),
        clock: core.clock().cloned(),
        events,
    }
}
