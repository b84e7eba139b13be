//! Many clocks in one process: real agents (with the core, session and QUIC link of a real clock) and simulated players, for demonstrations,
//! benchmarks and tests that kill the hub. Owns starting, observing and stopping the agents; an agent cannot tell that it is in a swarm.

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

/// The configuration of a swarm.
#[derive(Debug)]
pub struct SwarmConfig {
    /// Address of the hub: `host:port`.
    pub hub: String,
    /// The agents' identities, one for each agent.
    pub identities: Vec<Identity>,
    /// The players' behaviour.
    pub players: Players,
    /// Seed of the players' behaviour. The behaviour also depends on the timing of their turns, so it cannot be reproduced exactly.
    pub seed: u64,
    /// The storage of presses until the hub has acknowledged them.
    pub journals: Journals,
    /// True to record every event with its latency, for [`Swarm::take_samples`] and [`AgentReport::events`].
    pub record: bool,
    /// Number of shared UDP sockets; 1 is enough for a thousand boards.
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
    /// The players do nothing.
    Still,
}

/// One scripted press or stop.
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
    /// Number of agents.
    pub agents: usize,
    /// Number of agents that the hub has welcomed on their current link.
    pub connected: usize,
    /// Number of chained events.
    pub events: u64,
    /// Number of acknowledged events.
    pub acknowledged: u64,
    /// Number of events not acknowledged yet.
    pub unacknowledged: u64,
}

/// A report on one agent: its board, its chain of events and its clock.
#[derive(Clone, Debug)]
pub struct AgentReport {
    /// The agent's id.
    pub agent: AgentId,
    /// The agent's board; empty without a board.
    pub board: String,
    /// Sequence number of the agent's newest event.
    pub seq: u64,
    /// Sequence number of the newest event that is durable in the hub's log.
    pub acked: u64,
    /// Chain hash of the newest event.
    pub head: [u8; 32],
    /// The agent's clock, for comparison with the hub's.
    pub clock: Option<BoardClock>,
    /// Every event since the start of the swarm, oldest first; empty unless [`SwarmConfig::record`] is true.
    pub events: Vec<Event>,
}

/// The reason why a swarm cannot start.
#[derive(Debug, thiserror::Error)]
pub enum SwarmError {
    /// The hub's address is invalid.
    #[error("hub: {0}")]
    Address(#[from] AddressError),
    /// No socket is available.
    #[error("cannot open a socket: {0}")]
    Socket(std::io::Error),
    /// The boot id or a thread is unavailable.
    #[error("cannot start: {0}")]
    System(std::io::Error),
    /// A certificate or key is unusable.
    #[error("agent {agent}: {error}")]
    Tls {
        /// The id of the agent whose certificate or key is unusable.
        agent: AgentId,
        /// The error from TLS.
        error: rustls::Error,
    },
    /// A state directory is unusable.
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
        Self::start_over(config, |identity, dialer, hub| {
            let hub = HubLocation::At(hub.clone());
            QuicConnector::new(identity, dialer, hub, Box::new(|_| ()))
        })
        .await
    }

    /// Starts like [`Swarm::start`], except that `way` creates each agent's connector from its identity, the sockets to use and the hub's address.
    ///
    /// # Errors
    /// Returns a [`SwarmError`] if the swarm cannot start; no agent is then running.
    pub async fn start_over<C: Connector + 'static>(
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

    /// Stops the players from pressing.
    pub fn hold(&self) {
        self.gate.send_replace(false);
    }

    /// Lets the players press again.
    pub fn release(&self) {
        self.gate.send_replace(true);
    }

    /// Returns the progress of the swarm.
    pub fn counts(&self) -> Counts {
        self.shared.counts()
    }

    /// Returns the events acknowledged since the last call, with the time from press to acknowledgement.
    pub fn take_samples(&self) -> Vec<Sample> {
        self.shared.take_samples()
    }

    /// Lets scripts play to their end, or otherwise stops the players. Then waits until every event is acknowledged.
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

    /// Runs a query on every agent and returns the answers. Agents that have ended are left out.
    async fn ask_all<T: Send + 'static>(
        &self,
        question: impl Fn(usize, &AgentCore) -> T + Clone + Send + 'static,
    ) -> Vec<T> {
        let mut answers = Vec::with_capacity(self.agents.len());
        for (index, member) in self.agents.iter().enumerate() {
            let (answer, coming) = oneshot::channel();
            let question = question.clone();
            let query: Query = Box::new(move |core, _now| {
                // The receiver may be gone.
                let _ = answer.send(question(index, core));
            });
            if member.queries.send(query).await.is_ok() {
                answers.push(coming);
            }
        }
        let mut given = Vec::with_capacity(answers.len());
        for answer in answers {
            if let Ok(answer) = answer.await {
                given.push(answer);
            }
        }
        given
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
