//! The client of one hub. Its connection trusts only this hub, and its calls carry the session's cookie as a browser's would.
//!
//! Owns the cookie, which the page never sees. Must never repeat a call that the hub may have received, and must not interpret the messages it
//! carries.

mod connection;
mod session;
mod tls;

use std::sync::{Mutex as Lock, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, COOKIE, HeaderName, HeaderValue, ORIGIN};
use hyper::http::request::Builder as RequestBuilder;
use hyper::http::response::Parts;
use hyper::{Method, Request, Response};

use crate::error::ShellError;

pub use connection::{Address, Connection, Search};
pub use session::{Enrolment, Proof, SessionRequest};

const SERVICES: &str = "/flagfall.api.v1.";
const GRPC_WEB: HeaderValue = HeaderValue::from_static("application/grpc-web+proto");
const SIGNATURE: HeaderName = HeaderName::from_static("flagfall-signature");
const GRPC_TIMEOUT: HeaderName = HeaderName::from_static("grpc-timeout");
const X_GRPC_WEB: HeaderName = HeaderName::from_static("x-grpc-web");
/// Time limit for session requests, because the arbiter is waiting. A hub that takes longer counts as unreachable.
const ANSWER_WITHIN: Duration = Duration::from_secs(8);
/// Length of the header of a gRPC-web frame: one byte of flags and four of length.
const FRAME_HEAD: usize = 5;
/// Maximum size of the body of a unary or session response, in bytes.
const MAX_ANSWER: usize = 64 << 20;

/// A call to a service, as the page made it.
#[derive(Clone, Debug)]
pub struct Call {
    path: String,
    frame: Bytes,
    within: Option<HeaderValue>,
    signature: Option<HeaderValue>,
}

impl Call {
    /// Creates a call to `path` with `frame`, one uncompressed gRPC-web frame. `within` is the value of the header `grpc-timeout`, and `signature`
    /// the value of the signature header.
    ///
    /// # Errors
    /// Returns [`ShellError::Request`] if the arguments do not form a call to a service.
    pub fn new(
        path: &str,
        frame: Vec<u8>,
        within: Option<&str>,
        signature: Option<&str>,
    ) -> Result<Self, ShellError> {
        let named = path
            .strip_prefix(SERVICES)
            .and_then(|rest| rest.split_once('/'));
        let word = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric());
        if !named.is_some_and(|(service, method)| word(service) && word(method)) {
            return Err(ShellError::Request("the path is not that of a service"));
        }
        let framed = frame.split_first_chunk::<FRAME_HEAD>();
        let whole = framed.is_some_and(|([flags, length @ ..], message)| {
            *flags == 0 && u32::try_from(message.len()) == Ok(u32::from_be_bytes(*length))
        });
        if !whole {
            return Err(ShellError::Request("the message is not a gRPC-web frame"));
        }
        let header = |text: Option<&str>| {
            let value = text.map(HeaderValue::from_str).transpose();
            value.map_err(|_| ShellError::Request("a header value is invalid"))
        };
        Ok(Self {
            path: path.to_owned(),
            frame: frame.into(),
            within: header(within)?,
            signature: header(signature)?,
        })
    }
}

/// The hub's complete response.
#[derive(Debug)]
pub struct FullResponse {
    /// Status and headers.
    pub head: Parts,
    /// The whole body; for a gRPC-web call, with its trailers.
    pub body: Bytes,
}

/// A client of one hub.
pub struct HubClient {
    connection: Connection,
    /// The cookie of the latest session. Never stored, so it is lost when the program ends.
    cookie: Lock<Option<HeaderValue>>,
}

impl HubClient {
    /// Creates a client without a session.
    pub fn new(connection: Connection) -> Self {
        Self {
            connection,
            cookie: Lock::default(),
        }
    }

    /// Creates a client that continues the session of `other`, a client of the same hub.
    pub fn with_session_of(connection: Connection, other: &Self) -> Self {
        let cookie = Lock::new(other.cookie().clone());
        Self { connection, cookie }
    }

    /// Returns the hub's current address.
    pub fn address(&self) -> Address {
        self.connection.address()
    }

    /// Returns the fingerprint of the hub's authority.
    pub fn authority(&self) -> [u8; 16] {
        self.connection.authority()
    }

    /// Returns the hub's new address, if a search has found one since this method was last called.
    pub fn take_new_address(&self) -> Option<Address> {
        self.connection.take_new_address()
    }

    /// Makes a unary call.
    ///
    /// # Errors
    /// Returns [`ShellError::Unreachable`], [`ShellError::OtherHub`], or [`ShellError::Request`] if the hub's address is not valid in a URL.
    pub async fn unary(&self, call: &Call) -> Result<FullResponse, ShellError> {
        let answer = self.stream(call).await?;
        self.whole(answer).await
    }

    /// Makes a streaming call.
    ///
    /// # Errors
    /// Returns the same errors as [`Self::unary`].
    pub async fn stream(&self, call: &Call) -> Result<Response<Incoming>, ShellError> {
        let request = self
            .connection
            .request(Method::POST, &call.path)
            .header(CONTENT_TYPE, GRPC_WEB)
            .header(X_GRPC_WEB, "1");
        let headers = [(GRPC_TIMEOUT, &call.within), (SIGNATURE, &call.signature)];
        let request = headers
            .into_iter()
            .fold(request, |request, (name, value)| match value {
                Some(value) => request.header(name, value),
                None => request,
            });
        self.send(request, call.frame.clone()).await
    }

    /// Sends a request about a session. If the hub opens a session, stores its cookie.
    ///
    /// # Errors
    /// Returns the same errors as [`Self::unary`]. A hub that takes longer than eight seconds counts as unreachable.
    pub async fn session(&self, request: &SessionRequest) -> Result<FullResponse, ShellError> {
        let whole = async {
            let answer = match request.body() {
                Some(json) => {
                    let built = self.connection.request(Method::POST, request.path());
                    let built = built.header(CONTENT_TYPE, "application/json");
                    self.send(built, json).await?
                }
                None => {
                    let built = self.connection.request(Method::GET, request.path());
                    self.send(built, Bytes::new()).await?
                }
            };
            if let Some(new) = session::cookie_of(answer.headers()) {
                *self.cookie() = Some(new);
            }
            self.whole(answer).await
        };
        let whole = tokio::time::timeout(ANSWER_WITHIN, whole).await;
        whole.unwrap_or_else(|_| Err(self.connection.silent(ANSWER_WITHIN)))
    }

    async fn send(
        &self,
        request: RequestBuilder,
        sent: Bytes,
    ) -> Result<Response<Incoming>, ShellError> {
        let cookie = self.cookie().clone();
        let request = match cookie {
            Some(cookie) => request.header(COOKIE, cookie),
            None => request,
        };
        self.connection.send(body(request, sent)?).await
    }

    async fn whole(&self, answer: Response<Incoming>) -> Result<FullResponse, ShellError> {
        let (head, body) = answer.into_parts();
        let body = Limited::new(body, MAX_ANSWER)
            .collect()
            .await
            .map_err(|error| self.connection.unreachable(error.as_ref()))?;
        Ok(FullResponse {
            head,
            body: body.to_bytes(),
        })
    }

    pub(crate) fn has_session(&self) -> bool {
        self.cookie().is_some()
    }

    fn cookie(&self) -> MutexGuard<'_, Option<HeaderValue>> {
        // No code panics while holding this lock.
        self.cookie.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn body(request: RequestBuilder, body: Bytes) -> Result<Request<Full<Bytes>>, ShellError> {
    request
        .body(Full::new(body))
        .map_err(|_| ShellError::Request("it is not a valid HTTP request"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_services_are_called() {
        let empty = || vec![0, 0, 0, 0, 0];
        assert!(Call::new("/flagfall.api.v1.Arbiter/GetHall", empty(), None, None).is_ok());
        for path in [
            "/session/enrol",
            "https://elsewhere/",
            "/flagfall.api.v1.Arbiter",
            "/flagfall.api.v1.Arbiter/",
            "/flagfall.api.v1.Arbiter/../session",
            "/flagfall.api.v1./Send",
        ] {
            assert!(Call::new(path, empty(), None, None).is_err(), "{path}");
        }
    }

    #[test]
    fn a_message_is_one_frame() {
        let path = "/flagfall.api.v1.Arbiter/Send";
        let frame = vec![0, 0, 0, 0, 2, 7, 8];
        assert!(Call::new(path, frame.clone(), Some("5S"), Some("AA==")).is_ok());
        assert!(Call::new(path, frame, None, Some("two\nlines")).is_err());
        for bad in [
            vec![],
            vec![0, 0, 0],
            vec![1, 0, 0, 0, 0],
            vec![0, 0, 0, 0, 3, 7, 8],
            vec![0, 0, 0, 0, 1, 7, 8],
        ] {
            assert!(Call::new(path, bad.clone(), None, None).is_err(), "{bad:?}");
        }
    }
}
