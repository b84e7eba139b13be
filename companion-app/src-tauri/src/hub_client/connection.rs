//! One connection to one hub, shared by all calls (HTTP/2 over TLS). Opened on demand, and reopened after a loss.
//!
//! Owns sockets and their time limits. A request that a closed connection did not send is sent once on a new one. A request that may have been
//! sent must never be repeated here.

use std::fmt::{self, Write as _};
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex as Lock, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::client::conn::http2::{Builder, SendRequest};
use hyper::http::request::Builder as RequestBuilder;
use hyper::{Method, Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use proto::enrolment::EnrolmentCode;
use serde::{Deserialize, Serialize};
use tokio::net::TcpStream;
use tokio::sync::Mutex;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::{ORIGIN, tls};
use crate::error::ShellError;

/// Time limit for connecting. A hub in the same hall answers within milliseconds, so a hub that takes longer counts as unreachable.
const CONNECT_WITHIN: Duration = Duration::from_secs(5);
/// Interval of HTTP/2 pings while a call is open, and the time limit for the reply to each ping.
const ALIVE_EVERY: Duration = Duration::from_secs(5);

/// The address of a hub.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Address {
    /// A host name or an IP address; an IPv6 address without brackets.
    pub host: String,
    /// The hub's TCP port for arbiters.
    pub port: u16,
}

impl From<SocketAddr> for Address {
    fn from(address: SocketAddr) -> Self {
        Self {
            host: address.ip().to_string(),
            port: address.port(),
        }
    }
}

impl From<&EnrolmentCode> for Address {
    fn from(code: &EnrolmentCode) -> Self {
        Self {
            host: code.host.clone(),
            port: code.port,
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.contains(':') {
            write!(f, "[{}]:{}", self.host, self.port)
        } else {
            write!(f, "{}:{}", self.host, self.port)
        }
    }
}

/// A search of the local network for hubs that announce an authority. The search may take seconds, and its results are unverified.
pub type Search = Arc<dyn Fn([u8; 16]) -> Vec<Address> + Send + Sync>;

/// A connection to one hub.
pub struct Connection {
    place: Lock<Place>,
    authority: [u8; 16],
    tls: TlsConnector,
    live: Mutex<Option<SendRequest<Full<Bytes>>>>,
    search: Option<Search>,
}

struct Place {
    address: Address,
    /// True if a search found this address and `take_new_address` has not returned it yet.
    is_new: bool,
}

impl Connection {
    /// Creates a connection to the hub at `address` whose authority has this fingerprint. Sends nothing yet.
    ///
    /// # Errors
    /// Returns [`ShellError::Storage`] if TLS is not available.
    pub fn new(address: Address, authority: [u8; 16]) -> Result<Self, ShellError> {
        let config =
            tls::config(authority).map_err(|error| ShellError::Storage(error.to_string()))?;
        let is_new = false;
        Ok(Self {
            place: Lock::new(Place { address, is_new }),
            authority,
            tls: TlsConnector::from(Arc::new(config)),
            live: Mutex::new(None),
            search: None,
        })
    }

    /// Sets the search that is used when connecting to the hub's address fails; `None` for no search.
    #[must_use]
    pub fn with_search(mut self, search: Option<Search>) -> Self {
        self.search = search;
        self
    }

    /// Returns the hub's current address.
    pub fn address(&self) -> Address {
        self.place().address.clone()
    }

    /// Returns the fingerprint of the hub's authority.
    pub fn authority(&self) -> [u8; 16] {
        self.authority
    }

    /// Returns the hub's new address, if a search has found one since this method was last called.
    pub fn take_new_address(&self) -> Option<Address> {
        let mut place = self.place();
        std::mem::take(&mut place.is_new).then(|| place.address.clone())
    }

    fn place(&self) -> MutexGuard<'_, Place> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Builds a request with the hub's own origin, so that the hub accepts it like a request from its own page.
    pub(super) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let origin = format!("https://{}", self.address());
        Request::builder()
            .method(method)
            .uri(format!("{origin}{path}"))
            .header(ORIGIN, origin)
    }

    /// Sends a request and waits for the head of the response.
    ///
    /// # Errors
    /// Returns [`ShellError::Unreachable`] or [`ShellError::OtherHub`].
    pub(super) async fn send(
        &self,
        request: Request<Full<Bytes>>,
    ) -> Result<Response<Incoming>, ShellError> {
        let mut sender = self.sender().await?;
        match sender.try_send_request(request).await {
            Ok(answer) => Ok(answer),
            Err(mut lost) => match lost.take_message() {
                // The connection was closed before the request was sent, so sending it on a new connection is safe.
                Some(request) => {
                    let mut sender = self.renewed().await?;
                    let answer = sender.send_request(request).await;
                    answer.map_err(|error| self.unreachable(&error))
                }
                None => Err(self.unreachable(lost.error())),
            },
        }
    }

    /// Returns [`ShellError::Unreachable`] with the messages of `error` and of its causes.
    pub(super) fn unreachable(&self, error: &dyn std::error::Error) -> ShellError {
        let mut why = error.to_string();
        let mut deeper = error.source();
        while let Some(cause) = deeper {
            // Writing to a string never fails.
            let _ = write!(why, ": {cause}");
            deeper = cause.source();
        }
        ShellError::Unreachable {
            hub: self.address().to_string(),
            why,
        }
    }

    pub(super) fn silent(&self, within: Duration) -> ShellError {
        ShellError::Unreachable {
            hub: self.address().to_string(),
            why: format!("no answer within {} s", within.as_secs()),
        }
    }

    async fn sender(&self) -> Result<SendRequest<Full<Bytes>>, ShellError> {
        let mut live = self.live.lock().await;
        match &*live {
            Some(sender) if !sender.is_closed() => Ok(sender.clone()),
            Some(_) | None => self.open_into(&mut live).await,
        }
    }

    async fn renewed(&self) -> Result<SendRequest<Full<Bytes>>, ShellError> {
        let mut live = self.live.lock().await;
        match &*live {
            // Another call has already replaced the connection.
            Some(sender) if sender.is_ready() => Ok(sender.clone()),
            Some(_) | None => self.open_into(&mut live).await,
        }
    }

    async fn open_into(
        &self,
        live: &mut Option<SendRequest<Full<Bytes>>>,
    ) -> Result<SendRequest<Full<Bytes>>, ShellError> {
        *live = None;
        let address = self.address();
        let sender = match self.open_within(&address).await {
            Ok(sender) => sender,
            Err(error) => self.find_again(&address).await.ok_or(error)?,
        };
        *live = Some(sender.clone());
        Ok(sender)
    }

    /// Searches the network for the hub and connects to it at an address other than `known`. An announcement proves nothing: the TLS handshake
    /// decides.
    async fn find_again(&self, known: &Address) -> Option<SendRequest<Full<Bytes>>> {
        let (search, authority) = (self.search.clone()?, self.authority);
        let found = tokio::task::spawn_blocking(move || search(authority)).await;
        for address in found.unwrap_or_default() {
            if address == *known {
                continue;
            }
            if let Ok(sender) = self.open_within(&address).await {
                let is_new = true;
                *self.place() = Place { address, is_new };
                return Some(sender);
            }
        }
        None
    }

    async fn open_within(&self, address: &Address) -> Result<SendRequest<Full<Bytes>>, ShellError> {
        let opened = tokio::time::timeout(CONNECT_WITHIN, self.open(address)).await;
        opened.map_err(|_| self.silent(CONNECT_WITHIN))?
    }

    async fn open(&self, address: &Address) -> Result<SendRequest<Full<Bytes>>, ShellError> {
        let stream = TcpStream::connect((address.host.as_str(), address.port))
            .await
            .map_err(|error| self.unreachable(&error))?;
        // Turn off Nagle's algorithm: a command must not wait until an earlier packet is acknowledged.
        stream
            .set_nodelay(true)
            .map_err(|error| self.unreachable(&error))?;
        let stream = self.greet(stream).await?;
        let (sender, connection) = Builder::new(TokioExecutor::new())
            .timer(TokioTimer::new())
            .keep_alive_interval(ALIVE_EVERY)
            .keep_alive_timeout(ALIVE_EVERY)
            .handshake(TokioIo::new(stream))
            .await
            .map_err(|error| self.unreachable(&error))?;
        // This task ends with the connection; calls in progress get its error.
        tokio::spawn(connection);
        Ok(sender)
    }

    async fn greet(&self, stream: TcpStream) -> Result<TlsStream<TcpStream>, ShellError> {
        let name = tls::server_name().map_err(|error| self.unreachable(&error))?;
        let greeted = self.tls.connect(name, stream).await;
        greeted.map_err(|error| match certificate_of(&error) {
            Some(why) => ShellError::OtherHub {
                hub: self.address().to_string(),
                why,
            },
            None => self.unreachable(&error),
        })
    }
}

/// Returns the problem with the peer's certificate, if that caused the error.
fn certificate_of(error: &io::Error) -> Option<String> {
    let error = error.get_ref()?.downcast_ref()?;
    if let rustls::Error::InvalidCertificate(why) = error {
        return Some(why.to_string());
    }
    matches!(error, rustls::Error::NoCertificatesPresented).then(|| "it presented none".to_owned())
}
