//! The gate of all calls: identifies the caller by certificate or session, checks the table of permissions, and checks the device's
//! signature. An admitted call carries its [`Arbiter`]; a device's proof is in the log before the call is carried out.

use std::sync::Arc;
use std::task::{Context, Poll};

use axum::http::Method;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures::future::BoxFuture;
use proto::log::{CallMade, RequestSigned};
use sha2::{Digest, Sha256};
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::http::{HeaderMap, Request, Response, header};
use tower::{Layer, Service};

use super::browser::secret_in;
use super::connection::Caller;
use super::over::until_over;
use super::roles::{Effect, authorize};
use super::service::refusal;
use crate::event_loop::EventLoopHandle;
use crate::identity::Arbiter;
use crate::sessions::{Session, Sessions};

/// The header with a device's signature over the call: r and s in base64.
const SIGNATURE: &str = "flagfall-signature";
/// Maximum size of a signed request, in bytes: an imported file.
const MAX_SIGNED: usize = super::FILE + FRAME;
/// Length of the gRPC prefix of a message: a compression flag and the length.
const FRAME: usize = 5;

/// Bytes of a request that the log keeps beside its signature.
const MAX_LOGGED: usize = 2_048;

#[derive(Clone)]
pub(super) struct Gate {
    sessions: Arc<Sessions>,
    hub: EventLoopHandle,
}

#[derive(Clone)]
pub(super) struct Guarded<S> {
    calls: S,
    gate: Gate,
}

enum Credential {
    /// A caller with a certificate, which proves each request.
    Certified(Arbiter),
    SignedIn(Box<Session>),
}

impl Gate {
    pub(super) fn new(sessions: Arc<Sessions>, hub: EventLoopHandle) -> Self {
        Self { sessions, hub }
    }
}

impl<S> Layer<S> for Gate {
    type Service = Guarded<S>;

    fn layer(&self, calls: S) -> Guarded<S> {
        Guarded {
            calls,
            gate: self.clone(),
        }
    }
}

impl<S> Service<Request<Body>> for Guarded<S>
where
    S: Service<Request<Body>, Response = Response<Body>> + Clone + Send + 'static,
    S::Future: Send,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = BoxFuture<'static, Result<Self::Response, S::Error>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.calls.poll_ready(context)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        // Only the service that reported ready may be called.
        let next = self.calls.clone();
        let mut calls = std::mem::replace(&mut self.calls, next);
        let gate = self.gate.clone();
        Box::pin(async move {
            let path = request.uri().path().to_owned();
            let address = request
                .extensions()
                .get::<Caller>()
                .map(|caller| caller.address);
            match gate.admit(request).await {
                Ok((request, Credential::Certified(_))) => calls.call(request).await,
                Ok((request, Credential::SignedIn(session))) => {
                    let answer = calls.call(request).await?;
                    Ok(until_over(answer, session.over))
                }
                Err(status) => {
                    tracing::warn!(path, ?address, why = status.message(), "a call was denied");
                    Ok(status.into_http())
                }
            }
        })
    }
}

impl Gate {
    async fn admit(
        &self,
        mut request: Request<Body>,
    ) -> Result<(Request<Body>, Credential), Status> {
        let who = who(&self.sessions, &request)?;
        let arbiter = match &who {
            Credential::Certified(arbiter) => arbiter.clone(),
            Credential::SignedIn(session) => session.arbiter.clone(),
        };
        let effect = authorize(request.uri().path(), &arbiter)?;
        if request.method() != Method::POST {
            return Err(Status::unimplemented("a call is sent with POST"));
        }
        match (&who, effect) {
            (_, Effect::Reads) | (Credential::Certified(_), Effect::Changes) => (),
            (Credential::SignedIn(session), Effect::Changes | Effect::Issues) => {
                request = self.proved(session, request).await?;
            }
            (Credential::Certified(arbiter), Effect::Issues) => {
                self.log_call(arbiter, request.uri().path()).await?;
            }
        }
        request.extensions_mut().insert(arbiter);
        Ok((request, who))
    }

    /// Logs a call with a key file that leaves no record of its own.
    async fn log_call(&self, arbiter: &Arbiter, path: &str) -> Result<(), Status> {
        let call = CallMade {
            actor: arbiter.name.clone(),
            path: path.to_owned(),
        };
        let logged = self.hub.ask(hall::LogCall(call)).await;
        logged.map_err(refusal)
    }

    /// Reads the whole request, checks the device's signature over it, and logs both.
    async fn proved(
        &self,
        session: &Session,
        request: Request<Body>,
    ) -> Result<Request<Body>, Status> {
        let signature = signature(request.headers())?;
        let (parts, body) = request.into_parts();
        let body = axum::body::to_bytes(axum::body::Body::new(body), MAX_SIGNED).await;
        let body = body.map_err(|error| {
            Status::invalid_argument(format!("the request cannot be read: {error}"))
        })?;
        let message = message(&body)?;
        let path = parts.uri.path();
        self.sessions
            .prove(session, path, message, &signature)
            .map_err(Status::unauthenticated)?;
        let proof = RequestSigned {
            actor: session.arbiter.name.clone(),
            device: session.device.to_string(),
            public_key: session.key.point().to_vec(),
            session: session.id.clone(),
            path: path.to_owned(),
            request: if message.len() > MAX_LOGGED {
                Vec::new()
            } else {
                message.to_vec()
            },
            request_digest: Sha256::digest(message).to_vec(),
            signature,
        };
        let kept = self.hub.signed(proof).await;
        kept.map_err(|stopped| refusal(stopped.into()))?;
        Ok(Request::from_parts(
            parts,
            Body::new(axum::body::Body::from(body)),
        ))
    }
}

/// Identifies the caller. A session takes precedence: the user signed in on this device on purpose, whatever certificate the machine holds.
fn who(sessions: &Sessions, request: &Request<Body>) -> Result<Credential, Status> {
    let caller = request.extensions().get::<Caller>();
    let caller = caller.ok_or_else(|| Status::unauthenticated("the caller is not known"))?;
    let headers = request.headers();
    let secret = secret_in(headers, &sessions.cookie_name());
    if let Some(session) = secret.and_then(|secret| sessions.find(secret)) {
        return Ok(Credential::SignedIn(Box::new(session)));
    }
    match &caller.arbiter {
        Ok(arbiter) => Ok(Credential::Certified(arbiter.clone())),
        Err(_) if secret.is_some() => Err(Status::unauthenticated(
            "the session of this device is over, or the device was shut out",
        )),
        Err(_) if headers.contains_key(header::ORIGIN) => Err(Status::unauthenticated(
            "this device is not signed in: ask the chief arbiter for a code (flagfall enrol --arbiter)",
        )),
        Err(why) => Err(Status::unauthenticated(*why)),
    }
}

fn signature(headers: &HeaderMap) -> Result<Vec<u8>, Status> {
    let signature = headers.get(SIGNATURE).ok_or_else(|| {
        Status::unauthenticated("this request is not signed by its device; nothing was done")
    })?;
    STANDARD
        .decode(signature)
        .map_err(|_| Status::unauthenticated("the signature of this device cannot be read"))
}

fn message(body: &[u8]) -> Result<&[u8], Status> {
    let whole = |(head, message): (&[u8; FRAME], _)| {
        let [compressed, length @ ..] = *head;
        let message: &[u8] = message;
        let fits = usize::try_from(u32::from_be_bytes(length)) == Ok(message.len());
        (compressed == 0 && fits).then_some(message)
    };
    body.split_first_chunk().and_then(whole).ok_or_else(|| {
        Status::invalid_argument("a signed request is one message, whole and not compressed")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signed_request_is_one_message_as_it_was_sent() {
        assert_eq!(message(&[0, 0, 0, 0, 2, 7, 8]).unwrap(), [7, 8]);
        assert!(message(&[0, 0, 0, 0, 0]).unwrap().is_empty());
        for body in [
            &[][..],
            &[0, 0, 0, 0],
            &[1, 0, 0, 0, 2, 7, 8],
            &[0, 0, 0, 0, 1, 7, 8],
            &[0, 0, 0, 0, 3, 7, 8],
        ] {
            assert!(message(body).is_err(), "{body:?}");
        }
    }
}
