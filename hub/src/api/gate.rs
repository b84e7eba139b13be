//! The gate that every call passes: identifies the caller by certificate or session, and checks permissions, the caller's limits and the
//! device's signature. An admitted call carries its [`Arbiter`]. A device's proof is logged before the call is carried out.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::http::Method;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::{Bytes, BytesMut};
use futures::future::BoxFuture;
use http_body::Body as _;
use proto::log::{CallMade, RequestSigned};
use sha2::{Digest, Sha256};
use tonic::body::Body;
use tonic::codegen::http::{HeaderMap, Request, Response, header};
use tonic::{Code, Result, Status};
use tower::{Layer, Service};

use super::bodies::{End, bounded, too_large, with_share};
use super::browser::secret_in;
use super::connection::{Caller, Holder};
use super::limits::{CallerId, FRAME_BYTES, Limits, Share, max_request};
use super::roles::{Effect, authorize};
use super::service::refusal;
use super::work::{WorkerPool, for_caller};
use crate::event_loop::EventLoopHandle;
use crate::identity::{Arbiter, REVOKED};
use crate::sessions::{Session, Sessions};

/// The header with a device's signature over the call: r and s, in base64.
const SIGNATURE: &str = "flagfall-signature";
/// Maximum size, in bytes, of a request that is logged in full with its signature. For a larger request, only the digest is logged.
const MAX_LOGGED: usize = 2_048;

#[derive(Clone)]
pub(super) struct Gate {
    sessions: Arc<Sessions>,
    hub: EventLoopHandle,
    limits: Limits,
    workers: WorkerPool,
}

#[derive(Clone)]
pub(super) struct Guarded<S> {
    calls: S,
    gate: Gate,
}

enum Credential {
    /// A caller with a certificate, whose TLS connection proves each request.
    Certified(Box<Holder>),
    SignedIn(Box<Session>),
}

struct Admitted {
    request: Request<Body>,
    end: End,
    share: Share,
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
        // Call the service that reported ready, not its clone.
        let next = self.calls.clone();
        let mut calls = std::mem::replace(&mut self.calls, next);
        let gate = self.gate.clone();
        Box::pin(async move {
            let path = request.uri().path().to_owned();
            let caller = request.extensions().get::<Caller>();
            let address = caller.map(|caller| caller.address);
            match gate.admit(request).await {
                Ok(Admitted {
                    request,
                    end,
                    mut share,
                }) => {
                    let answer = calls.call(request);
                    let answer = for_caller(&gate.workers, share.caller().clone(), answer).await?;
                    share.request_is_gone();
                    Ok(with_share(answer, end, share))
                }
                Err(status) => {
                    let why = status.message();
                    // Log at a lower level: anyone on the network can call without an identity.
                    if status.code() == Code::Unauthenticated {
                        tracing::debug!(path, ?address, why, "a call was denied");
                    } else {
                        tracing::warn!(path, ?address, why, "a call was denied");
                    }
                    Ok(status.into_http())
                }
            }
        })
    }
}

impl Gate {
    pub(super) fn new(sessions: Arc<Sessions>, hub: EventLoopHandle, workers: WorkerPool) -> Self {
        Self {
            sessions,
            hub,
            limits: Limits::default(),
            workers,
        }
    }

    async fn admit(&self, request: Request<Body>) -> Result<Admitted> {
        let credential = identify(&self.sessions, &request)?;
        let (caller, arbiter, end) = match &credential {
            Credential::Certified(holder) => (
                CallerId::KeyFile(holder.key_file.clone()),
                holder.arbiter.clone(),
                End::of_key_file(holder.over.clone()),
            ),
            Credential::SignedIn(session) => {
                if let Some(caller) = request.extensions().get::<Caller>() {
                    caller.ends.follow(session);
                    caller.requests.slot().trust(session.device.as_str());
                }
                let caller = CallerId::Device(session.device.clone());
                let end = End::of_session(session.ended.clone());
                (caller, session.arbiter.clone(), end)
            }
        };
        let path = request.uri().path();
        let effect = authorize(path, &arbiter)?;
        if request.method() != Method::POST {
            return Err(Status::unimplemented("a call must be sent with POST"));
        }
        let most = max_request(path);
        // Count the announced size, or the maximum if none was announced.
        let bytes = request.body().size_hint().upper();
        let bytes = bytes.map_or(most, |bytes| usize::try_from(bytes).unwrap_or(most));
        if bytes > most {
            return Err(too_large(most));
        }
        let share = self.limits.admit(caller, path, bytes)?;
        let mut request = bounded(request, bytes, end.clone());
        match (&credential, effect) {
            (_, Effect::Reads) | (Credential::Certified(_), Effect::Changes) => (),
            (Credential::SignedIn(session), Effect::Changes | Effect::Issues) => {
                request = self.proved(session, request).await?;
            }
            (Credential::Certified(holder), Effect::Issues) => {
                self.log_call(&holder.arbiter, request.uri().path()).await?;
            }
        }
        request.extensions_mut().insert(arbiter);
        Ok(Admitted {
            request,
            end,
            share,
        })
    }

    /// Logs a key file's call that otherwise leaves no record.
    async fn log_call(&self, arbiter: &Arbiter, path: &str) -> Result<()> {
        let call = CallMade {
            actor: arbiter.name.clone(),
            path: path.to_owned(),
        };
        let logged = self.hub.ask(hall::LogCall(call)).await;
        logged.map_err(refusal)
    }

    /// Reads the whole request, checks the device's signature over it, and logs the proof.
    async fn proved(&self, session: &Session, request: Request<Body>) -> Result<Request<Body>> {
        let signature = signature(request.headers())?;
        let (parts, body) = request.into_parts();
        let body = whole(body).await?;
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

/// Identifies the caller. A session takes precedence over a certificate, because the user signed in deliberately.
fn identify(sessions: &Sessions, request: &Request<Body>) -> Result<Credential> {
    let caller = request.extensions().get::<Caller>();
    let caller = caller.ok_or_else(|| Status::unauthenticated("the caller is not known"))?;
    let headers = request.headers();
    let secret = secret_in(headers, &sessions.cookie_name());
    if let Some(session) = secret.and_then(|secret| sessions.find(secret)) {
        return Ok(Credential::SignedIn(Box::new(session)));
    }
    match &caller.arbiter {
        // The connection stays open briefly after its key file is revoked, so that the caller can read the reason.
        Ok(holder) if holder.over.is_cancelled() => Err(Status::unauthenticated(REVOKED)),
        Ok(holder) => Ok(Credential::Certified(Box::new(holder.clone()))),
        Err(_) if secret.is_some() => Err(Status::unauthenticated(
            "the session of this device is over, or the device was revoked",
        )),
        Err(_) if headers.contains_key(header::ORIGIN) => Err(Status::unauthenticated(
            "this device is not signed in: ask the chief arbiter for a code (flagfall enrol --arbiter)",
        )),
        Err(why) => Err(Status::unauthenticated(*why)),
    }
}

async fn whole(mut body: Body) -> Result<Bytes> {
    let mut all = BytesMut::new();
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        if let Ok(data) = frame?.into_data() {
            all.extend_from_slice(&data);
        }
    }
    Ok(all.freeze())
}

fn signature(headers: &HeaderMap) -> Result<Vec<u8>> {
    let signature = headers.get(SIGNATURE).ok_or_else(|| {
        Status::unauthenticated("this request is not signed by its device; nothing was done")
    })?;
    STANDARD
        .decode(signature)
        .map_err(|_| Status::unauthenticated("the signature of this device cannot be read"))
}

fn message(body: &[u8]) -> Result<&[u8]> {
    let whole = |(head, message): (&[u8; FRAME_BYTES], _)| {
        let [compressed, length @ ..] = *head;
        let message: &[u8] = message;
        let fits = usize::try_from(u32::from_be_bytes(length)) == Ok(message.len());
        (compressed == 0 && fits).then_some(message)
    };
    body.split_first_chunk().and_then(whole).ok_or_else(|| {
        Status::invalid_argument("a signed request must be one complete, uncompressed message")
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
