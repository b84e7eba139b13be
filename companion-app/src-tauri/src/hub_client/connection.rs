//! One connection with one hub, for all calls at once (HTTP/2 over TLS). Made when it is needed, and again when it is lost.
//!
//! Owns sockets and their limits of time. A request that was not handed to a connection is put on a new one; what may have left is
//! never sent again from here.

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

/// A hub in the same hall answers within milliseconds; one that does not within this is away.
const CONNECT_WITHIN: Duration = Duration::from_secs(5);
/// An open stream on which nothing comes is asked this often whether it is still there.
const ALIVE_EVERY: Duration = Duration::from_secs(5);

/// Where a hub is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Address {
    /// Name or address, an IPv6 address without brackets.
    pub host: String,
    /// TCP port of arbiters.
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

/// Finds the hubs in the local network that announce an authority. May take seconds; what it returns proves nothing.
pub type Search = Arc<dyn Fn([u8; 16]) -> Vec<Address> + Send + Sync>;

/// The connection with a hub.
pub struct Connection {
    place: Lock<Place>,
    authority: [u8; 16],
    tls: TlsConnector,
    live: Mutex<Option<SendRequest<Full<Bytes>>>>,
    search: Option<Search>,
}

/// Where the hub is, as far as is known.
struct Place {
    address: Address,
    /// The hub was found here since this was last asked for.
    is_new: bool,
}

impl Connection {
    /// To the hub at `address` whose authority has this fingerprint. Nothing is sent yet.
    ///
    /// # Errors
    /// [`ShellError::Storage`] if TLS cannot be had at all.
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

    /// The same connection, which looks for the hub with `search` when it does not answer at its address.
    #[must_use]
    pub fn with_search(mut self, search: Option<Search>) -> Self {
        self.search = search;
        self
    }

    /// Where it leads to.
    pub fn address(&self) -> Address {
        self.place().address.clone()
    }

    /// Returns the address at which the hub was found, once for each time that it was found at another one.
    pub fn take_new_address(&self) -> Option<Address> {
        let mut place = self.place();
        std::mem::take(&mut place.is_new).then(|| place.address.clone())
    }

    fn place(&self) -> MutexGuard<'_, Place> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A request of `path`, which the hub takes as one of its own page's.
    pub(super) fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let origin = format!("https://{}", self.address());
        Request::builder()
            .method(method)
            .uri(format!("{origin}{path}"))
            .header(ORIGIN, origin)
    }

    /// Sends a request and waits for the head of its answer.
    ///
    /// # Errors
    /// [`ShellError::Unreachable`], [`ShellError::OtherHub`].
    pub(super) async fn send(
        &self,
        request: Request<Full<Bytes>>,
    ) -> Result<Response<Incoming>, ShellError> {
        let mut sender = self.sender().await?;
        match sender.try_send_request(request).await {
            Ok(answer) => Ok(answer),
            Err(mut lost) => match lost.take_message() {
                // The connection was closed before the request was on its way.
                Some(request) => {
                    let mut sender = self.renewed().await?;
                    let answer = sender.send_request(request).await;
                    answer.map_err(|error| self.unreachable(&error))
                }
                None => Err(self.unreachable(lost.error())),
            },
        }
    }

    /// What it means when nobody knows whether the hub heard.
    pub(super) fn unreachable(&self, error: &dyn std::error::Error) -> ShellError {
        let mut why = error.to_string();
        let mut deeper = error.source();
        while let Some(cause) = deeper {
            // Writing to a string does not fail.
            let _ = write!(why, ": {cause}");
            deeper = cause.source();
        }
        ShellError::Unreachable {
            hub: self.address().to_string(),
            why,
        }
    }

    /// That nothing came `within` so long.
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

    /// Another connection than the one that has just failed.
    async fn renewed(&self) -> Result<SendRequest<Full<Bytes>>, ShellError> {
        let mut live = self.live.lock().await;
        match &*live {
            // Somebody else has made it meanwhile.
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

    /// Looks for the hub elsewhere than at `known`. An announcement proves nothing: the handshake decides, as at any address.
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
        // A press must not wait for the next packet.
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
        // Ends with the connection; whoever waits on it is told through its own call.
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

/// What is wrong with the other end's certificate, if that is what is wrong.
fn certificate_of(error: &io::Error) -> Option<String> {
    let error = error.get_ref()?.downcast_ref()?;
    if let rustls::Error::InvalidCertificate(why) = error {
        return Some(why.to_string());
    }
    matches!(error, rustls::Error::NoCertificatesPresented).then(|| "it shows none".to_owned())
}
