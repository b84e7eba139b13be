//! Construction of one agent in a swarm, and of the source of its presses.

use std::sync::Arc;

use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

use super::manual::PressHandle;
use super::players::SimulatedPlayers;
use super::record::{Recorder, Shared};
use super::script::ScriptedPlayers;
use super::{Journals, Member, Players, SwarmConfig, SwarmError};
use crate::buttons::ButtonEvent;
use crate::core::signer::Signer;
use crate::core::{AgentCore, CoreConfig, Recovered};
use crate::identity::Identity;
use crate::journal::{JournalThread, Store};
use crate::links::Connector;
use crate::session::{self, ButtonSource, DrainedInput, Logs, Query, SessionParts};
use crate::time_source::TimeSource;

pub(super) struct AgentParts<'a> {
    pub(super) index: usize,
    pub(super) identity: &'a Identity,
    pub(super) config: &'a SwarmConfig,
    pub(super) thread: Option<&'a JournalThread>,
    pub(super) boot: &'a [u8],
    pub(super) shared: &'a Arc<Shared>,
    pub(super) open: watch::Receiver<bool>,
    pub(super) stop: CancellationToken,
}

pub(super) struct ReadyAgent<C> {
    parts: SessionParts<C, BoardPlayers, Recorder>,
    queries: mpsc::Sender<Query>,
}

impl<C: Connector + 'static> ReadyAgent<C> {
    pub(super) fn spawn(self) -> Member {
        let Self { parts, queries } = self;
        let task = tokio::spawn(session::run(parts));
        Member { queries, task }
    }
}

pub(super) fn make<C>(making: AgentParts<'_>, connector: C) -> Result<ReadyAgent<C>, SwarmError> {
    let AgentParts {
        index, identity, ..
    } = making;
    let agent = identity.keys.agent_id();
    let origin = &identity.enrolment.log_origin;
    let (logs, recovered) = match (&making.config.journals, making.thread) {
        (Journals::Files(dir), Some(thread)) => {
            let store = Store::open(&dir.join(agent.short()))?;
            Logs::files(store, thread.clone(), origin, &agent)?
        }
        (Journals::Memory | Journals::Files(_), _) => {
            (Logs::Memory, Recovered::fresh(origin, &agent))
        }
    };
    let time = Arc::new(TimeSource::resume(
        recovered.timeline(),
        recovered.reached_us(),
        making.boot,
    ));
    let core = AgentCore::new(
        CoreConfig {
            signer: Signer::Ed25519(Box::new(identity.keys.signing_key().clone())),
            firmware: concat!("clock-agent ", env!("CARGO_PKG_VERSION"), " swarm").to_owned(),
            boot: making.boot.to_vec(),
            base_us: time.base_us(),
            token: rand::random(),
        },
        recovered,
        time.now(),
    );
    let (queries, asked) = mpsc::channel(4);
    // No source sends inputs to a simulated clock.
    let (_, given) = mpsc::channel(1);
    let seed = making.config.seed ^ (index as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    Ok(ReadyAgent {
        parts: SessionParts {
            buttons: BoardPlayers::new(&making, time.clone(), seed),
            observer: Recorder::new(making.shared.clone(), index),
            core,
            logs,
            time,
            connector,
            queries: asked,
            inputs: given,
            stop: making.stop,
            seed,
        },
        queries,
    })
}

pub(super) enum BoardPlayers {
    Simulated(Box<SimulatedPlayers>),
    Scripted(ScriptedPlayers),
    Manual(PressHandle),
    Idle,
}

impl BoardPlayers {
    fn new(making: &AgentParts<'_>, time: Arc<TimeSource>, seed: u64) -> Self {
        let gate = making.open.clone();
        match &making.config.players {
            Players::Pace(pace) => Self::Simulated(Box::new(SimulatedPlayers::new(
                *pace, false, seed, time, gate,
            ))),
            Players::Endless(pace) => Self::Simulated(Box::new(SimulatedPlayers::new(
                *pace, true, seed, time, gate,
            ))),
            Players::Script(presses) => {
                let own = presses.iter().filter(|press| press.board == making.index);
                let ends = making.shared.script();
                Self::Scripted(ScriptedPlayers::new(own.copied(), time, ends))
            }
            Players::Manual(handles) => match handles.get(making.index) {
                Some(handle) => Self::Manual(handle.clone()),
                None => Self::Idle,
            },
            Players::Still => Self::Idle,
        }
    }
}

impl ButtonSource for BoardPlayers {
    async fn wait(&mut self) {
        match self {
            Self::Simulated(players) => players.wait().await,
            Self::Scripted(players) => players.wait().await,
            Self::Manual(handle) => handle.wait().await,
            Self::Idle => std::future::pending().await,
        }
    }

    fn drain(&mut self, now: timing::Instant<timing::Board>) -> DrainedInput {
        let (events, complete_to): (Vec<ButtonEvent>, _) = match self {
            Self::Simulated(players) => (players.drain(now).into_iter().collect(), now),
            Self::Scripted(players) => players.drain(now),
            Self::Manual(handle) => (handle.drain(now), now),
            Self::Idle => (Vec::new(), now),
        };
        DrainedInput {
            events,
            complete_to,
            arbiter: Vec::new(),
            lost: None,
        }
    }

    fn core_changed(&mut self, core: &AgentCore, now: timing::Instant<timing::Board>) {
        match self {
            Self::Simulated(players) => players.plan_next(core.clock(), now),
            Self::Scripted(_) | Self::Manual(_) | Self::Idle => {}
        }
    }
}
