//! Listening and serving: one accept loop for the public pages and for the metrics.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::{Extension, Router};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::service::TowerToHyperService;
use rustix::process::{Resource, getrlimit};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Time limit for a client to send its request's headers.
const HEADERS_WITHIN: Duration = Duration::from_secs(10);
/// Time limit for open answers to finish once the server closes.
const CLOSE_WITHIN: Duration = Duration::from_secs(2);
/// Pause after a failed accept, which usually means that the process is out of descriptors.
const ACCEPT_AGAIN: Duration = Duration::from_millis(100);

/// Maximum number of connections of one server, regardless of the system's limit; each watcher has several.
const MAX_CONNECTIONS: usize = 16_384;

/// Tells long-lived answers of this server to end.
#[derive(Clone)]
pub(super) struct Closing(pub(super) CancellationToken);

/// The reason why the hub cannot listen on an address.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
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

/// Listens on `address`. `flag` is its name on the command line, for the error's text.
///
/// # Errors
/// The address is in use or not available.
pub async fn bind(address: SocketAddr, flag: &'static str) -> Result<TcpListener, BindError> {
    TcpListener::bind(address).await.map_err(|source| {
        if source.kind() == io::ErrorKind::AddrInUse {
            BindError::InUse { address, flag }
        } else {
            BindError::Refused {
                address,
                flag,
                source,
            }
        }
    })
}

/// Serves `router` until `shutdown` completes, then gives open answers a moment to finish.
pub async fn serve(listener: TcpListener, router: Router, shutdown: impl Future<Output = ()>) {
    let closing = CancellationToken::new();
    let router = router.layer(Extension(Closing(closing.clone())));
    let seats = Arc::new(Semaphore::new(connections()));
    let open = TaskTracker::new();
    let accept = async {
        loop {
            // The semaphore is never closed, so a permit always comes.
            let Ok(seat) = seats.clone().acquire_owned().await else {
                return;
            };
            match listener.accept().await {
                Ok((stream, _)) => {
                    open.spawn(connection(stream, router.clone(), closing.clone(), seat));
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
    stream: TcpStream,
    router: Router,
    closing: CancellationToken,
    _seat: OwnedSemaphorePermit,
) {
    // Events are small and must not wait for one another. If this fails, the socket still works.
    let _ = stream.set_nodelay(true);
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADERS_WITHIN);
    builder.http2().timer(TokioTimer::new());
    let connection =
        builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    tokio::pin!(connection);
    let outcome = tokio::select! {
        outcome = connection.as_mut() => Ok(outcome),
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

/// Returns half of the descriptors that this process may open, up to [`MAX_CONNECTIONS`]: the rest is for clocks, arbiters and the log.
fn connections() -> usize {
    let half = getrlimit(Resource::Nofile)
        .current
        .map_or(u64::MAX, |n| n / 2);
    usize::try_from(half)
        .unwrap_or(MAX_CONNECTIONS)
        .clamp(16, MAX_CONNECTIONS)
}
