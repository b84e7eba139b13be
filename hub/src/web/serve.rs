//! Listens on a socket and serves HTTP, for the public pages and for the metrics.

use std::cell::Cell;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::http::Extensions;
use axum::{Extension, Router};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::service::TowerToHyperService;
use rustix::process::{Resource, getrlimit};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::Layer as _;

use crate::connections::{
    FIRST_REQUEST_WITHIN, Guarded, Limits, Requests, SlotPool, TrackRequests, moved_here,
};

/// Time limit for responses in progress once the server closes.
const CLOSE_WITHIN: Duration = Duration::from_millis(500);
/// Pause after a failed accept, which usually means that the process has no free file descriptors.
const ACCEPT_AGAIN: Duration = Duration::from_millis(100);

/// Maximum number of connections of one server, even if the system permits more. One watcher may use several.
const MAX_CONNECTIONS: usize = 16_384;
/// File descriptors reserved for everything other than connections.
const RESERVED_DESCRIPTORS: usize = 64;
/// Maximum size of all headers of a request together, in bytes.
const MAX_HEADER_BYTES: u32 = 16 * 1024;
/// Maximum number of open requests on one HTTP/2 connection.
const MAX_STREAMS: u32 = 64;
/// Maximum number of unread bytes of request bodies on one HTTP/2 connection. Public requests have no body.
const WINDOW: u32 = 64 * 1024;
/// Maximum number of bytes of one response that wait for a slow HTTP/2 client.
const MAX_UNSENT: usize = 64 * 1024;
/// Silence after which an HTTP/2 client is pinged, and the time limit for its reply.
const PING: Duration = Duration::from_secs(20);

/// The signal that ends the long-lived responses of this server.
#[derive(Clone)]
pub(super) struct Closing(CancellationToken);

#[derive(Clone, Copy)]
pub(super) struct Visitor(IpAddr);

impl Closing {
    /// Returns the token of the server that received a request; in tests without a server, a token that is never cancelled.
    pub(super) fn of(request: &Extensions) -> CancellationToken {
        let closing = request.get::<Self>();
        closing.map(|closing| closing.0.clone()).unwrap_or_default()
    }
}

impl Visitor {
    /// Returns the address of a request's client; in tests without a socket, 0.0.0.0.
    pub(super) fn of(request: &Extensions) -> IpAddr {
        let visitor = request.get::<Self>();
        visitor.map_or(Ipv4Addr::UNSPECIFIED.into(), |visitor| visitor.0)
    }
}

#[derive(Debug, thiserror::Error)]
pub enum BindError {
    #[error(
        "{address} is already in use by another program; stop that one, or choose another address with {flag} ADDRESS:PORT"
    )]
    InUse {
        address: SocketAddr,
        flag: &'static str,
    },
    #[error("cannot listen on {address} ({flag}): {source}")]
    Refused {
        address: SocketAddr,
        flag: &'static str,
        source: io::Error,
    },
}

/// Listens on `address`. `flag` is the command-line flag that sets the address, for use in an error.
///
/// # Errors
/// Returns an error if the address is in use or not available.
pub async fn bind(address: SocketAddr, flag: &'static str) -> Result<TcpListener, BindError> {
    let bound = TcpListener::bind(address).await;
    bound.map_err(|source| match source.kind() == io::ErrorKind::AddrInUse {
        true => BindError::InUse { address, flag },
        false => BindError::Refused {
            address,
            flag,
            source,
        },
    })
}

/// Serves `router` on the caller's runtime until `shutdown` completes, then gives responses in progress a moment to finish. Connections may use up
/// to half of this process's file descriptors; the others are for clocks, arbiters and the log.
pub async fn serve(listener: TcpListener, router: Router, shutdown: impl Future<Output = ()>) {
    serve_up_to(listener, router, shutdown, descriptors() / 2).await;
}

/// Like [`serve`], but for a process that does nothing else: connections may use nearly all of its file descriptors.
pub async fn serve_alone(
    listener: TcpListener,
    router: Router,
    shutdown: impl Future<Output = ()>,
) {
    let free = descriptors().saturating_sub(RESERVED_DESCRIPTORS);
    serve_up_to(listener, router, shutdown, free).await;
}

async fn serve_up_to(
    listener: TcpListener,
    router: Router,
    shutdown: impl Future<Output = ()>,
    connections: usize,
) {
    let connections = connections.clamp(16, MAX_CONNECTIONS);
    let listener = match moved_here(listener) {
        Ok(listener) => listener,
        Err(error) => {
            tracing::error!(%error, "the public pages are not served");
            return;
        }
    };
    let closing = CancellationToken::new();
    let router = router.layer(Extension(Closing(closing.clone())));
    let slots = SlotPool::new(Limits::shared(connections));
    let open = TaskTracker::new();
    let accept = async {
        loop {
            match listener.accept().await {
                Ok((stream, address)) => {
                    // If there is no slot, the stream is dropped here, which closes it.
                    if let Some(slot) = slots.take(address.ip()) {
                        let stream = Guarded::new(stream, slot);
                        let visitor = Visitor(address.ip());
                        open.spawn(connection(stream, visitor, router.clone(), closing.clone()));
                    }
                }
                Err(error) => {
                    tracing::warn!(%error, "a spectator's connection could not be accepted");
                    tokio::time::sleep(ACCEPT_AGAIN).await;
                }
            }
        }
    };
    tokio::select! {
        () = accept => (),
        () = shutdown => (),
    }
    drop(listener);
    closing.cancel();
    open.close();
    open.wait().await;
}

async fn connection(
    stream: Guarded<TcpStream>,
    visitor: Visitor,
    router: Router,
    closing: CancellationToken,
) {
    // Events are small and must not wait for one another. If this fails, the socket still works.
    let _ = stream.socket().set_nodelay(true);
    let track = TrackRequests(|extensions| extensions.get::<Arc<Requests>>().cloned());
    let service = track.layer(Extension(visitor).layer(router));
    let service = Extension(stream.requests()).layer(service);
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(FIRST_REQUEST_WITHIN)
        .max_buf_size(MAX_HEADER_BYTES as usize);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_header_list_size(MAX_HEADER_BYTES)
        .max_concurrent_streams(MAX_STREAMS)
        .initial_stream_window_size(WINDOW)
        .initial_connection_window_size(WINDOW)
        .max_send_buf_size(MAX_UNSENT)
        .keep_alive_interval(PING)
        .keep_alive_timeout(PING);
    let service = TowerToHyperService::new(service);
    let connection = builder.serve_connection_with_upgrades(TokioIo::new(stream), service);
    tokio::pin!(connection);
    let outcome = tokio::select! {
        outcome = giving_way(connection.as_mut()) => Ok(outcome),
        () = closing.cancelled() => {
            connection.as_mut().graceful_shutdown();
            tokio::time::timeout(CLOSE_WITHIN, connection).await
        }
    };
    match outcome {
        Ok(Ok(())) => (),
        Ok(Err(error)) => tracing::trace!(error, "a spectator's connection ended early"),
        Err(_) => tracing::debug!("a spectator's answer was cut off at the end"),
    }
}

/// Yields to threads of a higher priority before each poll except the first after a rest: a running thread otherwise keeps its processor for
/// milliseconds.
async fn giving_way<F: Future + Unpin>(mut future: F) -> F::Output {
    std::future::poll_fn(|context| {
        if must_give_way() {
            std::thread::yield_now();
        }
        Pin::new(&mut future).poll(context)
    })
    .await
}

thread_local! {
    /// True if the thread has worked since it last waited for work.
    static HAS_WORKED: Cell<bool> = const { Cell::new(false) };
}

/// Records that work begins on this thread. Returns true if other work has begun since [`thread_rests`].
pub(crate) fn must_give_way() -> bool {
    HAS_WORKED.replace(true)
}

/// Records that the calling thread waits for work. On a runtime that never calls this, every poll gives way.
pub(crate) fn thread_rests() {
    HAS_WORKED.set(false);
}

fn descriptors() -> usize {
    let limit = getrlimit(Resource::Nofile).current;
    limit.map_or(usize::MAX, |limit| {
        usize::try_from(limit).unwrap_or(usize::MAX)
    })
}
