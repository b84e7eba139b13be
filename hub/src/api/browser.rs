//! Arbiters' browsers on the port of the gRPC service: the page, its session, and gRPC-web for calls.
//!
//! Owns the distinction between calls and pages, and the refusal of changes requested by other sites' pages. Must never decide permissions (see
//! `roles`), or serve data about the hall except through calls.

mod bundle;
mod origin;
mod recovery;
mod session;

use std::convert::Infallible;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::Router;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response as PageResponse};
use axum::routing::{get, post};
use futures::future::BoxFuture;
use tonic::body::Body;
use tonic::codegen::http::{Request, Response};
use tower::{Layer, Service, ServiceExt as _};

use super::ServiceContext;
use super::work::WorkerPool;
use crate::event_loop::EventLoopHandle;
use crate::identity::{Identity, KeyFiles};
use crate::sessions::Sessions;
use bundle::Bundle;

pub(super) use session::secret_in;

/// Maximum size of a request to a page or session. `limits` bounds the size of calls.
const MAX_REQUEST_BYTES: usize = 8 * 1024;

/// A policy that lets the page load only the hub's own files. The only inline content allowed is style attributes, which the page uses for positions.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; \
     img-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// A policy that allows the camera, with which the page scans codes, and forbids the other features named here.
const PERMISSIONS_POLICY: &str =
    "camera=(self), microphone=(), geolocation=(), payment=(), usb=(), serial=(), bluetooth=()";

/// Headers of every response that does not come from the gRPC service. A page may override them.
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
    public_port: u16,
}

/// The layer that routes calls to the service and answers everything else.
#[derive(Clone)]
pub(super) struct Browsers(Router);

#[derive(Clone)]
pub(super) struct Served<S> {
    calls: S,
    pages: Router,
}

impl Browsers {
    pub(super) fn new(parts: &ServiceContext, sign_ins: WorkerPool) -> Self {
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
            .layer(DefaultBodyLimit::max(MAX_REQUEST_BYTES))
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
    let path = request.uri().path_and_query();
    let path = path.map_or("/", |path| path.as_str());
    let host = origin::host(&request);
    match host.and_then(|host| public_page(host, site.public_port, path)) {
        Some(page) => Redirect::temporary(&page).into_response(),
        None => nothing().await,
    }
}

/// Returns the address of the public page `path` on the machine that a request names as its host; `None` if the host is malformed.
fn public_page(host: &str, port: u16, path: &str) -> Option<String> {
    let host: Authority = host.parse().ok()?;
    Some(format!("http://{}:{port}{path}", host.host()))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_public_page_has_the_host_of_the_request_and_its_own_port() {
        for (host, page) in [
            ("hub.example:7464", "http://hub.example:8080/authority"),
            ("hub.example", "http://hub.example:8080/authority"),
            ("192.0.2.7:7464", "http://192.0.2.7:8080/authority"),
            ("[::1]:7464", "http://[::1]:8080/authority"),
            ("[::1]", "http://[::1]:8080/authority"),
            ("[2001:db8::7464]", "http://[2001:db8::7464]:8080/authority"),
        ] {
            let found = public_page(host, 8080, "/authority");
            assert_eq!(found.as_deref(), Some(page), "{host}");
        }
        assert_eq!(public_page("", 8080, "/"), None);
        assert_eq!(public_page("[::1", 8080, "/"), None);
    }
}
