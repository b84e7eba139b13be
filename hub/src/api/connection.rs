//! TLS connections of arbiters' programs: accepted, limited in number, and identified by their certificate.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
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
use tokio_util::sync::CancellationToken;
use tonic::transport::server::Connected;

use crate::connections::{Guarded, Limits, Places, Requests};
use crate::identity::{ApiTls, Arbiter, Peer, peer_of};

const HANDSHAKE_WITHIN: Duration = Duration::from_secs(5);
/// Pause after a failed accept (for example without file descriptors).
const AFTER_FAILURE: Duration = Duration::from_millis(200);
/// Connections of the port: every arbiter and display of a large hall. Strangers are callers who have proved no identity: browsers before
/// they sign in, and any other visitor. The hub's own machine may hold more than its share.
const LIMITS: Limits = Limits {
    all: 1024,
    strangers: 512,
    per_address: 64,
};

#[derive(Clone)]
pub(super) struct Caller {
    /// The arbiter, or the reason why the certificate names none.
    pub(super) arbiter: Result<Arbiter, &'static str>,
    pub(super) address: SocketAddr,
    /// The requests over this connection.
    pub(super) requests: Arc<Requests>,
}

pub(super) struct Connection {
    stream: TlsStream<Guarded<TcpStream>>,
    caller: Caller,
}

impl Connected for Connection {
    type ConnectInfo = Caller;

    fn connect_info(&self) -> Caller {
        self.caller.clone()
    }
}

/// Accepts connections until `ending` is cancelled.
pub(super) fn accept(
    listener: TcpListener,
    tls: ApiTls,
    ending: CancellationToken,
) -> mpsc::Receiver<io::Result<Connection>> {
    let (ready, connections) = mpsc::channel(16);
    let places = Places::new(LIMITS);
    tokio::spawn(async move {
        loop {
            let accepted = tokio::select! {
                () = ending.cancelled() => return,
                accepted = listener.accept() => accepted,
            };
            match accepted {
                Ok((stream, address)) => {
                    let Some(place) = places.take(address.ip()) else {
                        tracing::debug!(%address, "a caller was refused: there is no place for it");
                        continue;
                    };
                    let stream = Guarded::new(stream, place).for_arbiters();
                    let (tls, ready) = (tls.clone(), ready.clone());
                    tokio::spawn(async move {
                        match handshake(stream, address, tls).await {
                            // The receiver is gone when the hub ends.
                            Ok(connection) => drop(ready.send(Ok(connection)).await),
                            Err(why) => tracing::info!(%address, why, "a caller was refused"),
                        }
                    });
                }
                Err(error) => {
                    tracing::warn!(%error, "cannot accept arbiters' connections just now");
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
) -> Result<Connection, String> {
    // Commands are small, and the sender waits for the answer.
    let nodelay = stream.socket().set_nodelay(true);
    nodelay.map_err(|error| error.to_string())?;
    let requests = stream.requests();
    let stream = timeout(HANDSHAKE_WITHIN, tls_stream(stream, &tls))
        .await
        .map_err(|_| "the TLS handshake took longer than 5 s".to_owned())?
        .map_err(|error| error.to_string())?;
    let arbiter = arbiter_of(stream.get_ref().1.peer_certificates());
    if arbiter.is_ok() {
        requests.place().trust();
    }
    Ok(Connection {
        stream,
        caller: Caller {
            arbiter,
            address,
            requests,
        },
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

fn arbiter_of(chain: Option<&[CertificateDer<'static>]>) -> Result<Arbiter, &'static str> {
    let Some(certificate) = chain.and_then(<[_]>::first) else {
        return Err(
            "a client certificate is needed: use the key file that the hub made (chief.pem)",
        );
    };
    match peer_of(certificate) {
        Ok(Peer::Arbiter(arbiter)) => Ok(arbiter),
        Ok(Peer::Agent(_)) => Err("this certificate is that of a clock, not of an arbiter"),
        Ok(Peer::Gateway(_)) => Err("this certificate is that of a gateway, not of an arbiter"),
        Err(_) => Err("this certificate names no arbiter"),
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
