//! The gRPC services for arbiters' programs and players' devices, over TLS, with gRPC-web and the page for browsers on the same port.
//!
//! Owns the translation between the wire and the hall, the limits on connections, and the table of permissions. Decides nothing about a
//! game: it passes each command to the hall with its actor, and returns the hall's answer.

mod archive;
mod audit;
mod board_records;
mod bodies;
mod broadcast;
mod browser;
mod call_acknowledgements;
mod connection;
mod devices;
mod enrolment;
mod export;
mod floor;
mod gate;
mod held_commands;
mod limits;
mod log_lines;
pub mod messages;
mod pairings;
pub mod player;
mod proofs;
pub mod requests;
mod roles;
mod service;
mod services;
mod status;
mod tournament;
mod watch;
mod work;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use proto::grpc::arbiter_server::ArbiterServer;
use proto::grpc::archive_server::ArchiveServer;
use proto::grpc::player_server::PlayerServer;
use proto::grpc::tournament_server::TournamentServer;
use timing::{AfterFlag, Side, StartRule};
use tokio::net::TcpListener;
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::transport::Server;
use tonic_web::GrpcWebLayer;

use crate::connections::{TrackRequests, moved_here};
use crate::enrolment::EnrolmentDesk;
use crate::event_loop::EventLoopHandle;
use crate::identity::{
    ApiTls, BrowserTrust, Identity, IdentityError, KeyFiles, LogKeys, WallClock,
};
use crate::links::{LinkRoutes, NearbyClocks, explain};
use crate::sessions::Sessions;
use crate::time_source::TimeSource;
use durable_log::{ArchiveHandle, LogReader};
use limits::CallerId;
use services::Services;
use work::{WorkerPool, computed};

pub(crate) use self::tournament::exported;
pub use board_records::BoardRecordIndex;
pub use call_acknowledgements::CallAcknowledgements;
pub(crate) use status::{code_of as refusal_code, refusal_of};

pub use roles::{API, CompositeCall, Effect, PARTS, PERMISSIONS, ServicePath};

type Reply<T> = tonic::Result<tonic::Response<T>>;

const MAX_STREAMS: u32 = 32;
const MAX_HEADER_LIST_BYTES: u32 = 16 * 1024;
/// HTTP/2 flow-control windows of a stream and of a connection, in bytes.
const WINDOWS: (u32, u32) = (64 * 1024, 256 * 1024);
/// Interval between pings on an idle connection, and time limit for the response to each ping.
const KEEP_ALIVE: Duration = Duration::from_secs(20);

/// The reason why arbiters cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    #[error("cannot listen for arbiters on {address} (TCP): {}", explain(error))]
    Bind {
        address: SocketAddr,
        error: std::io::Error,
    },
    #[error(transparent)]
    Identity(#[from] IdentityError),
    #[error("the service for arbiters has stopped: {0}")]
    Serve(#[from] tonic::transport::Error),
    #[error("cannot start the threads that compute responses for arbiters: {0}")]
    Threads(std::io::Error),
}

/// The parts of the hub that the service uses.
pub struct ServiceContext {
    pub hub: EventLoopHandle,
    pub time: TimeSource,
    pub desk: Arc<EnrolmentDesk>,
    /// Unenrolled clocks in range of the radios of the hub and its gateways.
    pub nearby_clocks: NearbyClocks,
    pub routes: LinkRoutes,
    pub sessions: Arc<Sessions>,
    pub key_files: Arc<KeyFiles>,
    /// The hub's identity, which issues a new `chief.pem` after a recovery.
    pub identity: Arc<Identity>,
    pub trust: Arc<BrowserTrust>,
    pub log: LogReader,
    pub places: Arc<BoardRecordIndex>,
    pub archive: ArchiveHandle,
    /// Secrets of the log, needed to write evidence files.
    pub log_keys: Arc<LogKeys>,
    /// The log's origin: the unique name in its checkpoints.
    pub log_origin: String,
    pub defaults: Defaults,
    /// True if revoking another chief arbiter's device or key file needs a second arbiter, if there is one.
    pub second_devices: bool,
    pub public_port: u16,
    pub calls: CallAcknowledgements,
    pub pairing: Arc<crate::pairing::PairingDesk>,
    pub broadcast: Arc<crate::broadcast::Broadcast>,
    pub fide_list: Arc<crate::fide_list::FideListStore>,
}

/// The default settings of a new board or game. A request may override them.
#[derive(Clone, Debug)]
pub struct Defaults {
    /// The time control, in Flagfall's notation.
    pub control: String,
    pub draw_odds: Option<Side>,
    pub start: StartRule,
    /// The effect of a fallen flag on the clocks. `None` means that the time control's own rule applies.
    pub after_flag: Option<AfterFlag>,
}

/// The service for arbiters' programs, bound to its address but not serving yet.
pub struct Api {
    listener: TcpListener,
    address: SocketAddr,
    tls: ApiTls,
}

impl Api {
    /// Binds `address` with the hub's identity. Port 0 selects a free port.
    ///
    /// # Errors
    /// Returns [`ApiError::Bind`] or [`ApiError::Identity`].
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

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves on the caller's runtime until `ending` is cancelled. Watchers' streams then end immediately. Other callers have a moment to read
    /// their responses.
    ///
    /// # Errors
    /// Returns [`ApiError::Bind`], [`ApiError::Serve`] or [`ApiError::Threads`].
    pub async fn serve(
        self,
        parts: ServiceContext,
        ending: CancellationToken,
    ) -> Result<(), ApiError> {
        let workers = WorkerPool::open().map_err(ApiError::Threads)?;
        let sign_ins = WorkerPool::open().map_err(ApiError::Threads)?;
        let key_files = parts.key_files.clone();
        let moved = moved_here(self.listener);
        let address = self.address;
        let listener = moved.map_err(|error| ApiError::Bind { address, error })?;
        let connections = connection::accept(listener, self.tls, key_files, ending.clone());
        let (sessions, hub) = (parts.sessions.clone(), parts.hub.clone());
        let browsers = browser::Browsers::new(&parts, sign_ins);
        let (indexed, turn) = (ending.clone(), workers.turn(CallerId::Hub));
        let indexing = tokio::spawn(board_records::keep(
            parts.places.clone(),
            parts.log.clone(),
            turn,
            indexed,
        ));
        let parts = Arc::new(parts);
        let archive = archive::ArchiveService::new(parts.clone());
        let archive = ArchiveServer::new(archive).max_decoding_message_size(limits::MAX_LIST_BYTES);
        let arbiter = service::ArbiterService::new(parts.clone(), ending.clone());
        // The gate limits each method's requests; these limits bound the memory that tonic reserves for an announced message.
        let arbiter = ArbiterServer::new(arbiter).max_decoding_message_size(limits::MAX_LIST_BYTES);
        let player = player::PlayerService::new(parts.clone(), ending.clone());
        let player = PlayerServer::new(player).max_decoding_message_size(limits::MAX_LIST_BYTES);
        let tournament = tournament::TournamentService::new(parts, ending.clone());
        let tournament =
            TournamentServer::new(tournament).max_decoding_message_size(limits::MAX_FILE_BYTES);
        let served = Server::builder()
            .accept_http1(true)
            .max_concurrent_streams(MAX_STREAMS)
            .initial_stream_window_size(WINDOWS.0)
            .initial_connection_window_size(WINDOWS.1)
            .http2_max_header_list_size(MAX_HEADER_LIST_BYTES)
            .http2_keepalive_interval(Some(KEEP_ALIVE))
            .http2_keepalive_timeout(Some(KEEP_ALIVE))
            .layer(TrackRequests(|extensions| {
                let caller = extensions.get::<connection::Caller>()?;
                Some(caller.requests.clone())
            }))
            .layer(browsers)
            .layer(GrpcWebLayer::new())
            .layer(gate::Gate::new(sessions, hub, workers))
            .serve_with_incoming_shutdown(
                Services {
                    arbiter,
                    tournament,
                    archive,
                    player,
                },
                ReceiverStream::new(connections),
                ending.cancelled_owned(),
            )
            .await;
        // The task reads the log, whose directory must be free when this function returns.
        indexing.abort();
        let _ = indexing.await;
        Ok(served?)
    }
}
