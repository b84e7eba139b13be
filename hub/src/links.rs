//! Links with clock agents, directly or through gateways: bytes on one side, frames on the other.
//!
//! Owns sockets, handshake deadlines, limits, and the check of every event's signature. Passes frames to the hall, which interprets them, through
//! [`EventLoopHandle`]; the hall treats the links of every carrier alike. A peer that sends garbage loses only its own link, and both ends learn the
//! reason.

pub(crate) mod ble;
mod checkpoints;
mod endpoint;
mod enrol;
pub(crate) mod framing;
mod limits;
mod link;
mod places;
mod quic;
mod relay;
mod routes;
mod session;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::enrolment::EnrolmentDesk;
use crate::event_loop::EventLoopHandle;
use crate::identity::{Identity, IdentityError, WallClock, session_config};
use crate::time_source::TimeSource;
use checkpoints::Checkpoints;
use durable_log::ArchiveHandle;
use limits::ClockAddresses;
use places::{Bounds, Places};

pub use ble::{
    BleSettings, Carrier, ConnectTarget, DetectedClock, NearbyClock, NearbyClocks, RadioHost,
    WantedClocks,
};
pub use relay::CLOCKS as CLOCKS_OF_A_GATEWAY;
pub use routes::LinkRoutes;

/// Limits for unfinished handshakes. The `quic` module limits the state that QUIC keeps for handshakes that have ended.
const HANDSHAKES: Bounds = Bounds {
    total: 512,
    share: 64,
    stale: timing::Duration::from_secs(2),
};
/// Limits for enrolling devices that have not shown an open code yet.
const WAITING_ROOM: Bounds = Bounds {
    total: 256,
    share: 16,
    stale: timing::Duration::from_millis(500),
};
/// Limits for enrolling devices that have shown an open code. These devices go ahead of all others.
const DESK: Bounds = Bounds {
    total: 512,
    share: 64,
    stale: timing::Duration::from_secs(5),
};
/// Time limit for all goodbyes when the hub stops. One goodbye over QUIC may take half a second. A radio that does not answer would take longer,
/// but its clocks detect the lost link themselves.
const CLOSE_WITHIN: Duration = Duration::from_secs(5);
const IDLE_WITHIN: Duration = Duration::from_millis(300);

#[derive(Debug, thiserror::Error)]
pub enum LinksError {
    /// For example, the address is in use, belongs to another machine, or is not permitted.
    #[error("cannot listen for clocks on {address} (UDP): {}", explain(error))]
    Bind {
        address: SocketAddr,
        error: std::io::Error,
    },
    #[error(transparent)]
    Identity(#[from] IdentityError),
    #[error("cannot set up TLS for clocks: {0}")]
    Tls(String),
}

/// Explains to the operator why a socket could not be bound.
pub(crate) fn explain(error: &std::io::Error) -> String {
    use std::io::ErrorKind::{AddrInUse, AddrNotAvailable, PermissionDenied};
    let advice = [
        (
            AddrInUse,
            "another program (perhaps another hub) uses this port; stop it, or choose another port with --listen",
        ),
        (
            AddrNotAvailable,
            "this machine has no such address; 0.0.0.0 or [::] means all of its addresses; see --listen",
        ),
        (
            PermissionDenied,
            "not allowed; ports below 1024 need special rights; choose another port with --listen",
        ),
    ];
    let known = advice.iter().find(|(kind, _)| *kind == error.kind());
    known.map_or_else(|| error.to_string(), |(_, text)| (*text).to_owned())
}

/// The socket for agents and gateways, bound but not yet accepting connections.
pub struct Links {
    endpoint: quinn::Endpoint,
    address: SocketAddr,
}

#[derive(Clone)]
struct Context {
    hub: EventLoopHandle,
    desk: Arc<EnrolmentDesk>,
    checkpoints: Checkpoints,
    time: TimeSource,
    handshakes: Places,
    waiting_room: Places,
    enrolments: Places,
    clock_addresses: Arc<Mutex<ClockAddresses>>,
    nearby_clocks: NearbyClocks,
    routes: LinkRoutes,
    ending: CancellationToken,
    tasks: TaskTracker,
}

pub struct Serving {
    endpoint: quinn::Endpoint,
    context: Context,
}

impl Links {
    /// Binds `address` with the hub's identity; for port 0, the system chooses a free port. Must be called inside a tokio runtime.
    pub fn bind(
        address: SocketAddr,
        identity: &Identity,
        names: &[String],
        wall: WallClock,
    ) -> Result<Self, LinksError> {
        let tls = session_config(identity, names, wall)?;
        let authority = identity.authority();
        let secrets = endpoint::Secrets {
            reset: authority.secret_for("quic stateless reset"),
            ids: authority.secret_for("quic connection ids"),
        };
        let endpoint = endpoint::bind(address, tls, secrets)?;
        let address = endpoint
            .local_addr()
            .map_err(|error| LinksError::Bind { address, error })?;
        Ok(Self { endpoint, address })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves agents until [`Serving::close`].
    pub fn serve(
        self,
        hub: &EventLoopHandle,
        desk: &Arc<EnrolmentDesk>,
        archive: ArchiveHandle,
        time: &TimeSource,
    ) -> Serving {
        let ending = CancellationToken::new();
        let tasks = TaskTracker::new();
        let context = Context {
            hub: hub.clone(),
            desk: desk.clone(),
            checkpoints: Checkpoints::new(archive),
            time: time.clone(),
            handshakes: Places::new(HANDSHAKES),
            waiting_room: Places::new(WAITING_ROOM),
            enrolments: Places::new(DESK),
            clock_addresses: Arc::default(),
            nearby_clocks: NearbyClocks::default(),
            routes: LinkRoutes::default(),
            ending,
            tasks: tasks.clone(),
        };
        let accepting = quic::accept(self.endpoint.clone(), context.clone(), tasks.clone());
        tasks.spawn(accepting);
        Serving {
            endpoint: self.endpoint,
            context,
        }
    }
}

impl Serving {
    pub(crate) fn serve_ble(&self, settings: BleSettings) {
        let radios = ble::Radios {
            host: ble::HubRadioHost(self.context.clone()),
            settings,
            time: self.context.time.clone(),
            ending: self.context.ending.clone(),
            tasks: self.context.tasks.clone(),
        };
        self.context.tasks.spawn(ble::run(radios));
    }

    pub fn nearby_clocks(&self) -> &NearbyClocks {
        &self.context.nearby_clocks
    }

    pub fn routes(&self) -> &LinkRoutes {
        &self.context.routes
    }

    /// Stops accepting agents, and waits up to 5 s until every link has said goodbye. Cuts the links that have not ended by then. Call
    /// [`EventLoopHandle::shut_down`] first: it tells the links to say goodbye.
    pub async fn close(&self) {
        self.context.ending.cancel();
        if let Err(left) = ended_within(&self.context.tasks, CLOSE_WITHIN).await {
            tracing::warn!(
                left,
                "links did not end within 5 s after the hub began to stop, and are cut; their clocks detect the loss themselves"
            );
        }
        self.endpoint.close(
            quinn::VarInt::from_u32(proto::wire::GoodbyeReason::ShuttingDown as u32),
            b"the hub has stopped",
        );
        // The closing packets leave immediately. Peers that never answer must not delay the shutdown.
        let _ = timeout(IDLE_WITHIN, self.endpoint.wait_idle()).await;
    }
}

/// Waits until all of `tasks` have ended. If `limit` passes first, returns the number of tasks that are still running.
async fn ended_within(tasks: &TaskTracker, limit: Duration) -> Result<(), usize> {
    tasks.close();
    match timeout(limit, tasks.wait()).await {
        Ok(()) => Ok(()),
        Err(_) => Err(tasks.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_unresponsive_radio_does_not_keep_the_hub_from_stopping() {
        let tasks = TaskTracker::new();
        let (hold, held) = tokio::sync::oneshot::channel::<()>();
        tasks.spawn(async {});
        tasks.spawn(async {
            let _ = held.await;
        });
        let stuck = ended_within(&tasks, Duration::from_millis(20));
        let stuck = timeout(Duration::from_secs(60), stuck).await;
        assert_eq!(stuck, Ok(Err(1)), "one has ended, one does not");
        drop(hold);
        let over = ended_within(&tasks, Duration::from_secs(60)).await;
        assert_eq!(over, Ok(()), "and none is waited for in vain");
    }
}
