//! Many clocks in one process: real agents (the core, the session, the QUIC link of a clock on a board) with simulated
//! players. For demonstrations, benches and tests that kill the hub. Owns starting, watching and stopping them; an agent
//! cannot tell that it is in a swarm.

mod agent;
mod enrol;
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
use crate::session::Ask;
use record::Shared;

pub use enrol::{SwarmEnrolError, enrol_with};
pub use players::{Pace, Situation};
pub use record::Sample;

/// What a swarm is made of.
#[derive(Debug)]
pub struct SwarmConfig {
    /// Where the hub is: `host:port`.
    pub hub: String,
    /// One agent for each.
    pub identities: Vec<Identity>,
    /// Who sits at the boards.
    pub players: Players,
    /// What the players do follows from it (and from when they are asked to do it).
    pub seed: u64,
    /// Where presses are kept until the hub has them.
    pub journals: Journals,
    /// Keep every event and its latency, for [`Swarm::take_samples`] and [`AgentReport::events`].
    pub record: bool,
    /// UDP sockets to share; 1 is enough for a thousand boards.
    pub endpoints: usize,
}

/// Who sits at the boards.
#[derive(Clone, Debug)]
pub enum Players {
    /// They think and press at this pace, lose on time now and then, and stop the clocks when the game is over.
    Pace(Pace),
    /// The same, but no game is over before a flag falls: for steady load.
    Endless(Pace),
    /// They do exactly this. Stamps grow within a board.
    Script(Vec<ScriptedPress>),
    /// They sit still.
    Still,
}

/// One act of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScriptedPress {
    /// Index of the agent in [`SwarmConfig::identities`].
    pub board: usize,
    /// The press or the stop, with the stamp it bears in that agent's board time. It is delivered then or shortly after.
    pub event: ButtonEvent,
}

/// Where presses are kept until the hub has them.
#[derive(Clone, Debug)]
pub enum Journals {
    /// Nowhere: a swarm that dies takes them along.
    Memory,
    /// In this directory, one state directory for each agent, written by one thread.
    Files(PathBuf),
}

/// How a swarm is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Agents in all.
    pub agents: usize,
    /// Agents the hub has welcomed and that have not lost it since.
    pub connected: usize,
    /// Events chained.
    pub events: u64,
    /// Events the hub is known to hold.
    pub acknowledged: u64,
    /// The difference.
    pub unacknowledged: u64,
}

/// An agent at one moment.
#[derive(Clone, Debug)]
pub struct AgentReport {
    /// Whose.
    pub agent: AgentId,
    /// The board it serves; empty for none.
    pub board: String,
    /// Sequence number of its newest event.
    pub seq: u64,
    /// Everything up to here is durable in the hub's log.
    pub acked: u64,
    /// Chain hash of the newest event.
    pub head: [u8; 32],
    /// Its clock, as an uninterrupted run has it.
    pub clock: Option<BoardClock>,
    /// Every event since the swarm began, oldest first; empty unless recorded.
    pub events: Vec<Event>,
}

/// Why a swarm does not start.
#[derive(Debug, thiserror::Error)]
pub enum SwarmError {
    /// The hub's address is none.
    #[error("hub: {0}")]
    Address(#[from] AddressError),
    /// No sockets.
    #[error("cannot open a socket: {0}")]
    Socket(std::io::Error),
    /// The boot id or a thread is not to be had.
    #[error("cannot start: {0}")]
    System(std::io::Error),
    /// A certificate or key is not usable.
    #[error("agent {agent}: {error}")]
    Tls {
        /// Whose.
        agent: AgentId,
        /// What TLS says.
        error: rustls::Error,
    },
    /// A state directory is not usable.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A running swarm. Dropping it abandons the agents where they stand; [`Swarm::stop`] ends them in order.
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
    asks: mpsc::Sender<Ask>,
    task: JoinHandle<AgentCore>,
}

impl Swarm {
    /// Starts the agents; they connect in the background. Has to be called within a tokio runtime.
    ///
    /// # Errors
    /// [`SwarmError`]; nothing runs then.
    pub async fn start(config: SwarmConfig) -> Result<Self, SwarmError> {
        Self::start_over(config, |identity, dialer, hub| {
            let hub = HubLocation::At(hub.clone());
            QuicConnector::new(identity, dialer, hub, Box::new(|_| ()))
        })
        .await
    }

    /// As [`Swarm::start`], but each agent reaches the hub the way that `way` makes of its identity, sockets to use, and the hub's address.
    ///
    /// # Errors
    /// [`SwarmError`]; nothing runs then.
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
            let making = agent::Making {
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
        // Only when all of them could be made does the first one run.
        let agents = made.into_iter().map(agent::Made::spawn).collect();
        Ok(Self {
            agents,
            shared,
            gate,
            scripted: matches!(config.players, Players::Script(_)),
            stop,
        })
    }

    /// Waits until every agent has been welcomed by the hub.
    pub async fn connected(&self) {
        self.shared
            .until(|counts| counts.connected == counts.agents)
            .await;
    }

    /// The players sit still from now on.
    pub fn hold(&self) {
        self.gate.send_replace(false);
    }

    /// The players may press again.
    pub fn release(&self) {
        self.gate.send_replace(true);
    }

    /// How the swarm is doing.
    pub fn counts(&self) -> Counts {
        self.shared.counts()
    }

    /// Every event that has been acknowledged since the last call, with the time from press to acknowledgement.
    pub fn take_samples(&self) -> Vec<Sample> {
        self.shared.take_samples()
    }

    /// Has the players sit still (scripts are played to their end), and waits until every event is acknowledged.
    pub async fn drain(&self) {
        if self.scripted {
            self.shared.until_scripts_end().await;
        } else {
            self.hold();
        }
        // Every agent has looked at the gate once more when it answers.
        self.ask_all(|_, _| ()).await;
        self.shared.until(|counts| counts.unacknowledged == 0).await;
    }

    /// Every agent as it stands, in the order of the identities.
    pub async fn reports(&self) -> Vec<AgentReport> {
        let shared = self.shared.clone();
        self.ask_all(move |index, core| report(core, shared.events(index)))
            .await
    }

    /// Ends every agent in order and says how it stood.
    pub async fn stop(self) -> Vec<AgentReport> {
        self.stop.cancel();
        let mut reports = Vec::with_capacity(self.agents.len());
        for (index, member) in self.agents.into_iter().enumerate() {
            // An agent that panicked has been reported by the runtime; there is nothing of it to hand on.
            if let Ok(core) = member.task.await {
                reports.push(report(&core, self.shared.events(index)));
            }
        }
        reports
    }

    /// Puts a question to every agent; those that have ended are left out.
    async fn ask_all<T: Send + 'static>(
        &self,
        question: impl Fn(usize, &AgentCore) -> T + Clone + Send + 'static,
    ) -> Vec<T> {
        let mut answers = Vec::with_capacity(self.agents.len());
        for (index, member) in self.agents.iter().enumerate() {
            let (answer, coming) = oneshot::channel();
            let question = question.clone();
            let ask: Ask = Box::new(move |core, _now| {
                // Whoever asked may have left.
                let _ = answer.send(question(index, core));
            });
            if member.asks.send(ask).await.is_ok() {
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
