//! Arbiters' browsers on the port of the gRPC service: the page, its session, and gRPC-web for calls.
//!
//! Owns the distinction between calls and pages, and the refusal of requests from other sites' pages. Must never decide permissions (see
//! `roles`) or serve data about the hall itself.

mod bundle;
mod origin;
mod recovery;
mod session;

use std::convert::Infallible;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::Router;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response as PageResponse};
use axum::routing::{get, post};
use futures::future::BoxFuture;
use tonic::body::Body;
use tonic::codegen::http::{Request, Response};
use tower::{Layer, Service, ServiceExt as _};

use super::Parts;
use super::work::WorkerPool;
use crate::event_loop::EventLoopHandle;
use crate::identity::{Identity, KeyFiles};
use crate::sessions::Sessions;
use bundle::Bundle;

pub(super) use session::secret_in;

/// Maximum size of a request for a page or about a session, in bytes.
const REQUEST: usize = 8 * 1024;

/// Lets the page load only the hub's own files. Style attributes are the only inline content allowed; the page uses them for positions.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; \
     img-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// Allows only the camera, which the page uses to scan codes.
const PERMISSIONS_POLICY: &str =
    "camera=(self), microphone=(), geolocation=(), payment=(), usb=(), serial=(), bluetooth=()";

/// Headers of every response except the responses to calls.
const HEADERS: [(&str, &str); 6] = [
    ("content-security-policy", CONTENT_SECURITY_POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("permissions-policy", PERMISSIONS_POLICY),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

#[derive(Clone)]
struct Site {
    bundle: Arc<Bundle>,
    sessions: Arc<Sessions>,
    /// Threads reserved for sign-ins, so that other computations cannot delay them.
    sign_ins: WorkerPool,
    hub: EventLoopHandle,
    key_files: Arc<KeyFiles>,
    identity: Arc<Identity>,
    /// Port of the public pages, which also explain the certificates.
    public_port: u16,
}

/// Routes calls to the service and answers everything else.
#[derive(Clone)]
pub(super) struct Browsers(Router);

#[derive(Clone)]
pub(super) struct Served<S> {
    calls: S,
    pages: Router,
}

impl Browsers {
    pub(super) fn new(parts: &Parts, sign_ins: WorkerPool) -> Self {
        let site = Site {
            bundle: Arc::new(Bundle::load()),
            sessions: parts.sessions.clone(),
            sign_ins,
            hub: parts.hub.clone(),
            key_files: parts.key_files.clone(),
            identity: parts.identity.clone(),
            public_port: parts.public_port,
        };
        let pages = Router::new()
            .route("/", get(page))
            .route("/authority", get(public))
            .route("/event/{*page}", get(public))
            .route("/recover", get(recovery::form).post(recovery::recover))
            .route("/session", get(session::session_info))
            .route("/session/offer", post(session::offer))
            .route("/session/enrol", post(session::enrol))
            .route("/session/challenge", get(session::challenge))
            .route("/session/renew", post(session::renew))
            .route("/{*file}", get(file))
            .fallback(nothing)
            .method_not_allowed_fallback(not_allowed)
            .layer(DefaultBodyLimit::max(REQUEST))
            .with_state(site);
        Self(pages)
    }
}

impl<S> Layer<S> for Browsers {
    type Service = Served<S>;

    fn layer(&self, calls: S) -> Served<S> {
        Served {
            calls,
            pages: self.0.clone(),
        }
    }
}

impl<S> Service<Request<Body>> for Served<S>
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
        if let Err(why) = origin::check(&request) {
            tracing::debug!(path = request.uri().path(), why, "a request was refused");
            let answer = with_headers((StatusCode::FORBIDDEN, why).into_response());
            return Box::pin(async { Ok(answer.map(Body::new)) });
        }
        if is_call(&request) {
            return Box::pin(self.calls.call(request));
        }
        let pages = self.pages.clone();
        Box::pin(async move {
            let answer: Result<_, Infallible> =
                pages.oneshot(request.map(axum::body::Body::new)).await;
            let Ok(answer) = answer;
            Ok(with_headers(answer).map(Body::new))
        })
    }
}

fn is_call_path(path: &str) -> bool {
    path.starts_with(super::API)
}

/// Returns true if the request is a call, even to an unknown service; programs then get a gRPC error.
fn is_call(request: &Request<Body>) -> bool {
    let kind = request.headers().get(header::CONTENT_TYPE);
    is_call_path(request.uri().path())
        || kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/grpc"))
}

async fn page(State(site): State<Site>, headers: HeaderMap) -> PageResponse {
    site.bundle.respond("index.html", &headers)
}

async fn file(
    State(site): State<Site>,
    Path(file): Path<String>,
    headers: HeaderMap,
) -> PageResponse {
    site.bundle.respond(&file, &headers)
}

/// Redirects to the public page with the same path, under the host name of this request.
async fn public(State(site): State<Site>, request: axum::extract::Request) -> PageResponse {
    let Some(host) = origin::host(&request) else {
        return nothing().await;
    };
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    let path = request.uri().path_and_query();
    let path = path.map_or("/", |path| path.as_str());
    let page = format!("http://{name}:{}{path}", site.public_port);
    Redirect::temporary(&page).into_response()
}

async fn nothing() -> PageResponse {
    let text = "Nothing is served under this address.\n";
    (StatusCode::NOT_FOUND, text).into_response()
}

async fn not_allowed() -> PageResponse {
    let text = "This address does not accept that method.\n";
    (StatusCode::METHOD_NOT_ALLOWED, text).into_response()
}

fn with_headers(mut answer: PageResponse) -> PageResponse {
    for (name, value) in HEADERS {
        // A page with a form has already set its own policy.
        let headers = answer.headers_mut().entry(name);
        headers.or_insert(HeaderValue::from_static(value));
    }
    answer
}
