//! The gRPC service of arbiters' programs, over TLS, with gRPC-web and the page for browsers on the same port.
//!
//! Owns the translation between the wire and the hall, the bounds on connections, and the table of who may call what. Decides
//! nothing about a game: a command goes to the hall with its actor, and the hall's answer comes back as it is.

mod browser;
mod calls;
mod connection;
mod devices;
mod enrolment;
mod floor;
mod gate;
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
use crate::links::{Air, Roads, explain};
use crate::sessions::Sessions;
use crate::time_source::TimeSource;
use durable_log::LogReader;
use services::Services;

pub use calls::Calls;
pub(crate) use status::{code_of as refusal_code, refusal_of};

pub use roles::{Effect, NEEDED_ROLES, ServicePath};

/// Streams that one connection may have open at a time.
const STREAMS: u32 = 32;
/// Bytes of headers, whole.
const HEADERS: u32 = 16 * 1024;
/// Bytes of a request: the floor plan of the largest hall fits.
const MESSAGE: usize = 512 * 1024;
/// Bytes of a request of the service for the event: a file fits, and what is said about it.
const FILE: usize = 8 * 1024 * 1024;
/// A connection that does not answer a ping for this long is dead.
const KEEP_ALIVE: Duration = Duration::from_secs(20);

/// Why arbiters cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// The address is taken, not ours, or not allowed.
    #[error("cannot listen for arbiters on {address} (TCP): {}", explain(error))]
    Bind {
        /// The address asked for.
        address: SocketAddr,
        /// What the system said.
        error: std::io::Error,
    },
    /// The hub's own certificate cannot be made.
    #[error(transparent)]
    Identity(#[from] IdentityError),
    /// The service has ended by itself.
    #[error("the service for arbiters has ended: {0}")]
    Served(#[from] tonic::transport::Error),
}

/// What the service asks.
pub struct Parts {
    /// The hall.
    pub hub: EventLoopHandle,
    /// The hub's clocks: what its instants are as times of day.
    pub time: TimeSource,
    /// Codes for agents.
    pub desk: Arc<EnrolmentDesk>,
    /// What the hub's radios hear, and its gateways'.
    pub air: Air,
    /// Which way each clock speaks.
    pub roads: Roads,
    /// Who is signed in without a certificate.
    pub sessions: Arc<Sessions>,
    /// The certificates for browsers.
    pub trust: Arc<BrowserTrust>,
    /// The durable log.
    pub log: LogReader,
    /// The origin of this log.
    pub log_origin: String,
    /// What a new board is given unless the request says otherwise.
    pub defaults: Defaults,
    /// Port of the public pages (HTTP).
    pub public_port: u16,
    /// Who has answered what calls for an arbiter.
    pub calls: Calls,
    /// Pairings that are proposed, and the watched folder.
    pub pairing: Arc<crate::pairing::PairingDesk>,
    /// FIDE's rating list, as far as one was imported.
    pub fide_list: Arc<crate::fide_list::FideListStore>,
}

/// What a new board or game is given unless the request says otherwise.
#[derive(Clone, Debug)]
pub struct Defaults {
    /// The time control, in our notation.
    pub control: String,
    /// Who has draw odds under it.
    pub draw_odds: Option<Side>,
    /// Who starts White's clock.
    pub start: StartRule,
    /// What a fallen flag does to the clocks; `None`: what the control says.
    pub after_flag: Option<AfterFlag>,
}

/// The socket for arbiters' programs, bound, not yet served.
pub struct Api {
    listener: TcpListener,
    address: SocketAddr,
    tls: ApiTls,
}

impl Api {
    /// Binds `address` with the hub's identity; port 0 takes a free one.
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
        let tls = ApiTls::new(identity.authority(), names, browsers, wall)?;
        let bind = |error| ApiError::Bind { address, error };
        let listener = TcpListener::bind(address).await.map_err(bind)?;
        let address = listener.local_addr().map_err(bind)?;
        Ok(Self {
            listener,
            address,
            tls,
        })
    }

    /// Where arbiters' programs reach the hub.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until `ending` is cancelled; streams of watchers end then, other answers are finished.
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
            .layer(browser::Browsers::new(sessions.clone(), public_port))
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
