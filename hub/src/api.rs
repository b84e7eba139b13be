//! The gRPC service of arbiters' programs, over TLS, with gRPC-web and the page for browsers on the same port.
//!
//! Owns the translation between the wire and the hall, the bounds on connections, and the table of permissions. Decides nothing about a
//! game: a command goes to the hall with its actor, and the hall's answer comes back unchanged.

mod audit;
mod browser;
mod calls;
mod connection;
mod devices;
mod enrolment;
mod floor;
mod gate;
mod held;
mod log_lines;
mod log_places;
pub mod messages;
mod over;
mod pairings;
pub mod requests;
mod roles;
mod seats;
mod service;
mod services;
mod status;
mod tournament;
mod watch;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use proto::grpc::arbiter_server::ArbiterServer;
use proto::grpc::tournament_server::TournamentServer;
use timing::{AfterFlag, Side, StartRule};
use tokio::net::TcpListener;
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::transport::Server;
use tonic_web::GrpcWebLayer;

use crate::enrolment::EnrolmentDesk;
use crate::event_loop::EventLoopHandle;
use crate::identity::{ApiTls, BrowserTrust, Identity, IdentityError, WallClock};
use crate::links::{LinkRoutes, NearbyClocks, explain};
use crate::sessions::Sessions;
use crate::time_source::TimeSource;
use durable_log::LogReader;
use services::Services;

pub(crate) use self::tournament::exported;
pub use calls::Calls;
pub(crate) use status::{code_of as refusal_code, refusal_of};

pub use roles::{API, CALLS, Effect, PARTS, ServicePath, Whole};

/// The result of a call.
type Reply<T> = tonic::Result<tonic::Response<T>>;

/// Streams that one connection may have open at a time.
const STREAMS: u32 = 32;
/// Maximum size of all headers together, in bytes.
const HEADERS: u32 = 16 * 1024;
/// Maximum size of a request in bytes: the floor plan of the largest hall fits.
const MESSAGE: usize = 512 * 1024;
/// Maximum size of a request to the event's service, in bytes: an imported file fits, with its parameters.
const FILE: usize = 8 * 1024 * 1024;
/// Time after which a connection without an answer to a ping is dead.
const KEEP_ALIVE: Duration = Duration::from_secs(20);

/// The reason why arbiters cannot be served.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum ApiError {
    /// The address is taken, belongs to another machine, or is not allowed.
    #[error("cannot listen for arbiters on {address} (TCP): {}", explain(error))]
    Bind {
        address: SocketAddr,
        error: std::io::Error,
    },
    #[error(transparent)]
    Identity(#[from] IdentityError),
    #[error("the service for arbiters has ended: {0}")]
    Served(#[from] tonic::transport::Error),
}

/// The parts of the hub that the service uses.
pub struct Parts {
    /// The hall.
    pub hub: EventLoopHandle,
    /// The hub's clocks, which turn its instants into times of day.
    pub time: TimeSource,
    /// Codes for agents.
    pub desk: Arc<EnrolmentDesk>,
    /// Unenrolled clocks that the radios of the hub and its gateways hear.
    pub air: NearbyClocks,
    /// The link route of each clock.
    pub routes: LinkRoutes,
    /// Devices that are signed in without a certificate.
    pub sessions: Arc<Sessions>,
    /// The certificates for browsers.
    pub trust: Arc<BrowserTrust>,
    /// The durable log.
    pub log: LogReader,
    /// The origin of this log.
    pub log_origin: String,
    /// Settings of a new board, unless the request overrides them.
    pub defaults: Defaults,
    /// Revoking a chief arbiter's device waits for a second arbiter.
    pub second_devices: bool,
    /// Port of the public pages (HTTP).
    pub public_port: u16,
    /// Arbiters' acknowledgements of calls.
    pub calls: Calls,
    /// Proposed pairings, and the watched folder.
    pub pairing: Arc<crate::pairing::PairingDesk>,
    /// FIDE's rating list, if one was imported.
    pub fide_list: Arc<crate::fide_list::FideListStore>,
}

/// Settings of a new board or game, unless the request overrides them.
#[derive(Clone, Debug)]
pub struct Defaults {
    /// The time control, in Flagfall's notation.
    pub control: String,
    /// The side with draw odds, if any.
    pub draw_odds: Option<Side>,
    /// The person or event that starts White's clock.
    pub start: StartRule,
    /// The effect of a fallen flag on the clocks; `None` for the control's own rule.
    pub after_flag: Option<AfterFlag>,
}

/// The bound socket for arbiters' programs, not yet served.
pub struct Api {
    listener: TcpListener,
    address: SocketAddr,
    tls: ApiTls,
}

impl Api {
    /// Binds `address` with the hub's identity; port 0 takes a free port.
    ///
    /// # Errors
    /// [`ApiError::Bind`] or [`ApiError::Identity`].
    pub async fn bind(
        address: SocketAddr,
        identity: &Identity,
        names: &[String],
        browsers: Arc<BrowserTrust>,
        wall: WallClock,
    ) -> Result<Self, ApiError> {
        let tls = ApiTls::new(identity, names, browsers, wall)?;
        let bind = |error| ApiError::Bind { address, error };
        let listener = TcpListener::bind(address).await.map_err(bind)?;
        let address = listener.local_addr().map_err(bind)?;
        Ok(Self {
            listener,
            address,
            tls,
        })
    }

    /// Returns the address at which arbiters' programs reach the hub.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `ending` is cancelled. Watchers' streams end then; other answers are completed.
    ///
    /// # Errors
    /// [`ApiError::Served`].
    pub async fn serve(self, parts: Parts, ending: CancellationToken) -> Result<(), ApiError> {
        let connections = connection::accept(self.listener, self.tls, ending.clone());
        let (sessions, hub) = (parts.sessions.clone(), parts.hub.clone());
        let public_port = parts.public_port;
        let parts = Arc::new(parts);
        let arbiter = service::ArbiterService::new(parts.clone(), ending.clone());
        let arbiter = ArbiterServer::new(arbiter).max_decoding_message_size(MESSAGE);
        let tournament = tournament::TournamentService::new(parts, ending.clone());
        let tournament = TournamentServer::new(tournament).max_decoding_message_size(FILE);
        Server::builder()
            .accept_http1(true)
            .max_concurrent_streams(STREAMS)
            .http2_max_header_list_size(HEADERS)
            .http2_keepalive_interval(Some(KEEP_ALIVE))
            .http2_keepalive_timeout(Some(KEEP_ALIVE))
            .layer(browser::Browsers::new(
                sessions.clone(),
                hub.clone(),
                public_port,
            ))
            .layer(GrpcWebLayer::new())
            .layer(gate::Gate::new(sessions, hub))
            .serve_with_incoming_shutdown(
                Services {
                    arbiter,
                    tournament,
                },
                ReceiverStream::new(connections),
                ending.cancelled_owned(),
            )
            .await?;
        Ok(())
    }
}

/// Runs what computes for long, or waits for the disk, on a thread of its own, so that it does not delay other answers.
async fn computed<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> tonic::Result<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| tonic::Status::internal(error.to_string()))
}
