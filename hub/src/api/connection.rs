//! TLS connections of arbiters' programs: accepts them, limits their number, and identifies callers by their certificate. A connection
//! ends with the session or key file that used it, or with the hub, even if the caller does not read.

use std::collections::BTreeSet;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use rustls::server::Acceptor;
use rustls_pki_types::CertificateDer;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use tokio_rustls::LazyConfigAcceptor;
use tokio_rustls::server::TlsStream;
use tokio_util::sync::{CancellationToken, DropGuard, WaitForCancellationFutureOwned};
use tonic::transport::server::Connected;

use crate::connections::{Guarded, Limits, Rate, Requests, SlotPool, Turns};
use crate::identity::{ApiTls, Arbiter, KeyFileId, KeyFileUse, KeyFiles, Peer, peer_of};
use crate::lock::lock;
use crate::sessions::Session;

const HANDSHAKE_WITHIN: Duration = Duration::from_secs(5);
/// Pause after a failed accept (for example, because no file descriptors are left).
const AFTER_FAILURE: Duration = Duration::from_millis(200);
/// Time for the caller to read the last responses on a connection that the hub ends.
const LAST_ANSWERS_WITHIN: Duration = Duration::from_millis(400);
/// Limits on connections to the port, sufficient for every arbiter and display of a large hall. Strangers are browsers before sign-in and other
/// visitors. Connections of a device or key file above its share count as strangers too. The limit per address does not apply to the hub's own
/// machine.
const LIMITS: Limits = Limits {
    all: 1024,
    strangers: 512,
    per_address: 64,
    per_arbiter: 64,
};

/// Limits on handshakes. All arbiters behind one router reconnect together after it restarts. A handshake takes a small single-board
/// computer one or two milliseconds.
const HANDSHAKES: Rate = Rate {
    count_for: Duration::from_millis(400),
    per_address: 32,
    all: 128,
};

#[derive(Clone)]
pub(super) struct Caller {
    pub(super) arbiter: Result<Holder, &'static str>,
    pub(super) address: SocketAddr,
    pub(super) ends: Arc<Ends>,
    pub(super) requests: Arc<Requests>,
}

#[derive(Clone, Debug)]
pub(super) struct Holder {
    pub(super) arbiter: Arbiter,
    pub(super) key_file: KeyFileId,
    /// Cancelled when the key file is revoked.
    pub(super) over: CancellationToken,
}

/// A handle that ends a connection once its key file or a session used on it has ended.
#[derive(Debug, Default)]
pub(super) struct Ends {
    ended: CancellationToken,
    /// Ids of the sessions used on this connection.
    followed: Mutex<BTreeSet<String>>,
}

impl Ends {
    fn new(ended: CancellationToken) -> Arc<Self> {
        Arc::new(Self {
            ended,
            followed: Mutex::default(),
        })
    }

    pub(super) fn follow(&self, session: &Session) {
        if lock(&self.followed).insert(session.id.clone()) {
            self.end_after(session.ended.clone());
        }
    }

    /// Ends the connection shortly after `over`, so that the caller can read the reason.
    fn end_after(&self, over: CancellationToken) {
        let ended = self.ended.clone();
        tokio::spawn(async move {
            tokio::select! {
                () = ended.cancelled() => return,
                () = over.cancelled() => (),
            }
            sleep(LAST_ANSWERS_WITHIN).await;
            ended.cancel();
        });
    }

    /// Ends the connection when its key file expires.
    fn end_within(&self, left: Duration) {
        let ended = self.ended.clone();
        tokio::spawn(async move {
            tokio::select! {
                () = ended.cancelled() => (),
                () = sleep(left) => ended.cancel(),
            }
        });
    }
}

pub(super) struct Connection {
    stream: TlsStream<Guarded<TcpStream>>,
    caller: Caller,
    ended: Pin<Box<WaitForCancellationFutureOwned>>,
    /// Marks the caller's key file as in use.
    _key_file: Option<KeyFileUse>,
    /// Ends the connection's tasks when it is dropped.
    _guard: DropGuard,
}

impl Connected for Connection {
    type ConnectInfo = Caller;

    fn connect_info(&self) -> Caller {
        self.caller.clone()
    }
}

pub(super) fn accept(
    listener: TcpListener,
    tls: ApiTls,
    key_files: Arc<KeyFiles>,
    ending: CancellationToken,
) -> mpsc::Receiver<io::Result<Connection>> {
    let (ready, connections) = mpsc::channel(16);
    let (slots, turns) = (SlotPool::new(LIMITS), Turns::new(HANDSHAKES));
    let all = Ends::new(CancellationToken::new());
    all.end_after(ending.clone());
    tokio::spawn(async move {
        loop {
            let accepted = tokio::select! {
                () = ending.cancelled() => return,
                accepted = listener.accept() => accepted,
            };
            match accepted {
                Ok((stream, address)) => {
                    let Some(slot) = slots.take(address.ip()) else {
                        tracing::debug!(%address, "a caller was refused: too many connections");
                        continue;
                    };
                    let (tls, ready, turns) = (tls.clone(), ready.clone(), turns.clone());
                    let key_files = key_files.clone();
                    let ends = Ends::new(all.ended.child_token());
                    tokio::spawn(async move {
                        tokio::select! {
                            () = slot.cut().cancelled() => return,
                            () = ends.ended.cancelled() => return,
                            () = turns.wait(address.ip()) => (),
                        }
                        let stream = Guarded::new(stream, slot).for_arbiters();
                        match handshake(stream, address, tls, &key_files, ends).await {
                            // Sending fails only when the hub stops.
                            Ok(connection) => drop(ready.send(Ok(connection)).await),
                            Err(why) => tracing::info!(%address, why, "a caller was refused"),
                        }
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "cannot accept arbiters' connections at the moment");
                    sleep(AFTER_FAILURE).await;
                }
            }
        }
    });
    connections
}

async fn handshake(
    stream: Guarded<TcpStream>,
    address: SocketAddr,
    tls: ApiTls,
    key_files: &Arc<KeyFiles>,
    ends: Arc<Ends>,
) -> Result<Connection, String> {
    // Disable Nagle's algorithm: commands are small, and the sender waits for the response.
    let nodelay = stream.socket().set_nodelay(true);
    nodelay.map_err(|error| error.to_string())?;
    let requests = stream.requests();
    let stream = timeout(HANDSHAKE_WITHIN, tls_stream(stream, &tls))
        .await
        .map_err(|_| "the TLS handshake took longer than 5 s".to_owned())?
        .map_err(|error| error.to_string())?;
    let (arbiter, key_file) = match used(stream.get_ref().1.peer_certificates(), key_files) {
        Ok((holder, key_file)) => (Ok(holder), Some(key_file)),
        Err(why) => (Err(why), None),
    };
    if let Some(key_file) = &key_file {
        requests.slot().trust(key_file.id().as_str());
        ends.end_after(key_file.over());
        if let Some(left) = key_file.expires_in() {
            ends.end_within(left);
        }
    }
    let ended = &ends.ended;
    Ok(Connection {
        stream,
        ended: Box::pin(ended.clone().cancelled_owned()),
        _guard: ended.clone().drop_guard(),
        caller: Caller {
            arbiter,
            address,
            ends,
            requests,
        },
        _key_file: key_file,
    })
}

async fn tls_stream(
    stream: Guarded<TcpStream>,
    tls: &ApiTls,
) -> io::Result<TlsStream<Guarded<TcpStream>>> {
    let greeted = LazyConfigAcceptor::new(Acceptor::default(), stream).await?;
    let config = tls.for_caller(&greeted.client_hello());
    greeted.into_stream(config).await
}

/// Returns the arbiter to whom a certificate was issued, and registers the use of the key file.
fn used(
    chain: Option<&[CertificateDer<'static>]>,
    key_files: &Arc<KeyFiles>,
) -> Result<(Holder, KeyFileUse), &'static str> {
    let Some(certificate) = chain.and_then(<[_]>::first) else {
        return Err(
            "a client certificate is needed: use the key file that the hub made (chief.pem)",
        );
    };
    let arbiter = match peer_of(certificate) {
        Ok(Peer::Arbiter(arbiter)) => arbiter,
        Ok(Peer::Agent(_)) => return Err("this certificate is that of a clock, not of an arbiter"),
        Ok(Peer::Gateway(_)) => {
            return Err("this certificate is that of a gateway, not of an arbiter");
        }
        Err(_) => return Err("this certificate names no arbiter"),
    };
    let key_file = key_files.begin_use(certificate)?;
    let holder = Holder {
        arbiter,
        key_file: key_file.id().clone(),
        over: key_file.over(),
    };
    Ok((holder, key_file))
}

impl Connection {
    fn poll_open(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        match self.ended.as_mut().poll(context) {
            Poll::Ready(()) => Err(io::ErrorKind::ConnectionAborted.into()),
            Poll::Pending => Ok(()),
        }
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.poll_open(context)?;
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_open(context)?;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_open(context)?;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_open(context)?;
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.poll_open(context)?;
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
