//! The client of one hub: calls over one connection that trusts this hub only, with this device's session and signature.
//!
//! Owns the session, which the key renews at most once for a call when the hub has forgotten it. Must never repeat a call that the hub
//! may have received, nor read a message.

mod connection;
mod session;
mod tls;

use std::sync::Arc;

use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, COOKIE, HeaderName, HeaderValue, ORIGIN};
use hyper::http::request::Builder as RequestBuilder;
use hyper::http::response::Parts;
use hyper::{Method, Request, Response, StatusCode};
use tokio::sync::Mutex;

use crate::error::ShellError;
use crate::keys::DeviceKey;

pub use connection::{Address, Connection, Search};
pub(crate) use session::DETAILS;
pub use session::{Enrolled, Member, Session};

/// The prefix of the services that the page may call.
const SERVICES: &str = "/flagfall.api.v1.";
const GRPC_WEB: HeaderValue = HeaderValue::from_static("application/grpc-web+proto");
const SIGNATURE: HeaderName = HeaderName::from_static("flagfall-signature");
const GRPC_STATUS: HeaderName = HeaderName::from_static("grpc-status");
const GRPC_TIMEOUT: HeaderName = HeaderName::from_static("grpc-timeout");
const X_GRPC_WEB: HeaderName = HeaderName::from_static("x-grpc-web");
/// The gRPC status `UNAUTHENTICATED`.
const UNAUTHENTICATED: &[u8] = b"16";
/// The head of a gRPC-web frame: one byte of flags, four of length.
const FRAME_HEAD: usize = 5;
/// The limit of an answer; a hall of a thousand boards is about one megabyte.
const MAX_ANSWER: usize = 64 << 20;

/// A call of a service, as the page made it.
#[derive(Clone, Debug)]
pub struct Call {
    path: String,
    frame: Bytes,
    within: Option<HeaderValue>,
}

impl Call {
    /// Creates a call of `path` with `frame`, one uncompressed gRPC-web frame; `within` is gRPC's `grpc-timeout`.
    ///
    /// # Errors
    /// [`ShellError::Request`] if it is not a call of a service.
    pub fn new(path: &str, frame: Vec<u8>, within: Option<&str>) -> Result<Self, ShellError> {
        let named = path
            .strip_prefix(SERVICES)
            .and_then(|rest| rest.split_once('/'));
        let word = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric());
        if !named.is_some_and(|(service, method)| word(service) && word(method)) {
            return Err(ShellError::Request("a path that is no service"));
        }
        let framed = frame.split_first_chunk::<FRAME_HEAD>();
        let whole = framed.is_some_and(|([flags, length @ ..], message)| {
            *flags == 0 && u32::try_from(message.len()) == Ok(u32::from_be_bytes(*length))
        });
        if !whole {
            return Err(ShellError::Request("a message that is no frame"));
        }
        let within = within
            .map(HeaderValue::from_str)
            .transpose()
            .map_err(|_| ShellError::Request("a limit of time that is none"))?;
        Ok(Self {
            path: path.to_owned(),
            frame: frame.into(),
            within,
        })
    }

    /// Returns the protobuf message, without its frame.
    pub fn message(&self) -> &[u8] {
        // `new` has checked that the head is there.
        self.frame.get(FRAME_HEAD..).unwrap_or_default()
    }
}

/// A complete answer of the hub.
#[derive(Debug)]
pub struct Whole {
    /// Status and headers.
    pub head: Parts,
    /// The body.
    pub body: Bytes,
}

/// The client of the hub with which this device is enrolled.
pub struct HubClient {
    connection: Connection,
    key: DeviceKey,
    /// The last known session, which ends with this program.
    session: Mutex<Option<Arc<Session>>>,
}

impl HubClient {
    /// Creates a client for the device with this key; `session` is that of an enrolment just made.
    pub fn new(connection: Connection, key: DeviceKey, session: Option<Session>) -> Self {
        Self {
            connection,
            key,
            session: Mutex::new(session.map(Arc::new)),
        }
    }

    /// Returns a newly found address of the hub, once for each change.
    pub fn take_new_address(&self) -> Option<Address> {
        self.connection.take_new_address()
    }

    /// Makes a signed call that has one answer.
    ///
    /// # Errors
    /// [`ShellError::Unreachable`], [`ShellError::OtherHub`], [`ShellError::NotEnrolled`].
    pub async fn unary(&self, call: &Call) -> Result<Whole, ShellError> {
        let answer = self
            .in_session(|session| {
                // A signature is valid once and in one session, so a repeated call is signed again.
                let signed = self
                    .key
                    .sign_command(&call.path, &session.id, call.message())?;
                let request = self.call(call, session);
                body(request.header(SIGNATURE, signed), call.frame.clone())
            })
            .await?;
        self.whole(answer).await
    }

    /// Makes a call answered by a stream.
    ///
    /// # Errors
    /// As [`Self::unary`].
    pub async fn stream(&self, call: &Call) -> Result<Response<Incoming>, ShellError> {
        self.in_session(|session| body(self.call(call, session), call.frame.clone()))
            .await
    }

    /// Asks the hub about this device: `GET /session`.
    ///
    /// # Errors
    /// As [`Self::unary`].
    pub async fn session(&self) -> Result<Whole, ShellError> {
        let answer = self
            .in_session(|session| {
                let request = self.connection.request(Method::GET, "/session");
                body(request.header(COOKIE, &session.cookie), Bytes::new())
            })
            .await?;
        self.whole(answer).await
    }

    fn call(&self, call: &Call, session: &Session) -> RequestBuilder {
        let request = self
            .connection
            .request(Method::POST, &call.path)
            .header(CONTENT_TYPE, GRPC_WEB)
            .header(X_GRPC_WEB, "1")
            .header(COOKIE, &session.cookie);
        match &call.within {
            Some(within) => request.header(GRPC_TIMEOUT, within),
            None => request,
        }
    }

    /// Sends the request that `request` builds for a session. If the hub does not know the session, it is renewed once: the denied request
    /// was not executed.
    async fn in_session(
        &self,
        request: impl Fn(&Session) -> Result<Request<Full<Bytes>>, ShellError>,
    ) -> Result<Response<Incoming>, ShellError> {
        let session = self.known(None).await?;
        let answer = self.connection.send(request(&session)?).await?;
        if !unknown(&answer) {
            return Ok(answer);
        }
        let session = self.known(Some(&session)).await?;
        self.connection.send(request(&session)?).await
    }

    /// Returns the session. Opens a new one if there is none, or if the hub did not know `failed`. Of several calls that failed with one
    /// session, one renews it and the others wait.
    async fn known(&self, failed: Option<&Session>) -> Result<Arc<Session>, ShellError> {
        let mut held = self.session.lock().await;
        match &*held {
            Some(session) if failed.is_none_or(|old| old.id != session.id) => {
                Ok(Arc::clone(session))
            }
            Some(_) | None => {
                *held = None;
                let renewed = Enrolled::by_key(&self.connection, &self.key).await?;
                let session = Arc::new(renewed.session);
                *held = Some(Arc::clone(&session));
                Ok(session)
            }
        }
    }

    async fn whole(&self, answer: Response<Incoming>) -> Result<Whole, ShellError> {
        whole(&self.connection, answer).await
    }
}

/// Returns true if the hub does not know who is asking.
fn unknown(answer: &Response<Incoming>) -> bool {
    answer.status() == StatusCode::UNAUTHORIZED
        || answer
            .headers()
            .get(GRPC_STATUS)
            .is_some_and(|status| status.as_bytes() == UNAUTHENTICATED)
}

async fn whole(connection: &Connection, answer: Response<Incoming>) -> Result<Whole, ShellError> {
    let (head, body) = answer.into_parts();
    let body = Limited::new(body, MAX_ANSWER)
        .collect()
        .await
        .map_err(|error| connection.unreachable(error.as_ref()))?;
    Ok(Whole {
        head,
        body: body.to_bytes(),
    })
}

fn body(request: RequestBuilder, body: Bytes) -> Result<Request<Full<Bytes>>, ShellError> {
    request
        .body(Full::new(body))
        .map_err(|_| ShellError::Request("a request that is none"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_services_are_called() {
        let empty = || vec![0, 0, 0, 0, 0];
        assert!(Call::new("/flagfall.api.v1.Arbiter/GetHall", empty(), None).is_ok());
        for path in [
            "/session/enrol",
            "https://elsewhere/",
            "/flagfall.api.v1.Arbiter",
            "/flagfall.api.v1.Arbiter/",
            "/flagfall.api.v1.Arbiter/../session",
            "/flagfall.api.v1./Send",
        ] {
            assert!(Call::new(path, empty(), None).is_err(), "{path}");
        }
    }

    #[test]
    fn a_message_is_one_frame() {
        let path = "/flagfall.api.v1.Arbiter/Send";
        let call = Call::new(path, vec![0, 0, 0, 0, 2, 7, 8], Some("5S")).unwrap();
        assert_eq!(call.message(), [7, 8]);
        for bad in [
            vec![],
            vec![0, 0, 0],
            vec![1, 0, 0, 0, 0],
            vec![0, 0, 0, 0, 3, 7, 8],
            vec![0, 0, 0, 0, 1, 7, 8],
        ] {
            assert!(Call::new(path, bad.clone(), None).is_err(), "{bad:?}");
        }
    }
}
