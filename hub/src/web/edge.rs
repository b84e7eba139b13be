//! An edge: serves a hub's public pages from another machine, using only HTTP to the hub.
//!
//! While the hub responds, requests each address at most once a second per language and encoding, however many spectators ask the edge. Holds one
//! connection to the hub's feed. While the hub cannot be reached or fails, the edge serves cached copies that are fresh or less than
//! ten minutes old. Owns the cache and the copy of the feed; must never change the body of a response.

mod cache;
mod relay;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Query, Request, State};
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;
use tokio_util::sync::CancellationToken;
use ureq::Agent;

use super::error_page;
use super::events::{StreamOptions, Watchers};
use cache::Cache;
use relay::Relay;

pub use relay::follow;

const FETCH_WITHIN: Duration = Duration::from_secs(10);

#[derive(Debug, thiserror::Error)]
#[error(
    "{0:?} is not the address of a hub's pages, such as http://192.0.2.7:8080 or https://live.example.org"
)]
pub struct BadHub(pub String);

#[derive(Clone)]
pub struct Edge {
    cache: Arc<Cache>,
    relay: Arc<Relay>,
    watchers: Watchers,
}

impl Edge {
    /// Creates an edge of the hub at the address `from`. At most `watchers` may follow the feed.
    pub fn new(from: &str, watchers: usize) -> Result<Self, BadHub> {
        let from = from.trim_end_matches('/');
        let host = from
            .strip_prefix("http://")
            .or(from.strip_prefix("https://"));
        if host.is_none_or(|host| host.is_empty() || host.contains('/')) {
            return Err(BadHub(from.to_owned()));
        }
        Ok(Self {
            cache: Arc::new(Cache::new(from, agent(Some(FETCH_WITHIN)))),
            relay: Arc::new(Relay::new(from)),
            watchers: Watchers::new(watchers),
        })
    }

    pub fn relay(&self) -> &Arc<Relay> {
        &self.relay
    }

    /// Returns the edge's routes. Cancelling `over` ends the spectators' streams.
    pub fn router(self, over: CancellationToken) -> Router {
        Router::new()
            .route(
                "/live/events",
                get(
                    move |State(edge): State<Self>,
                          Query(wanted): Query<StreamOptions>,
                          headers: HeaderMap,
                          request: Request| async move {
                        edge.relay
                            .stream(wanted, &headers, &edge.watchers, &request, over)
                    },
                ),
            )
            .fallback_service(
                get(any)
                    .fallback(error_page::method_not_allowed)
                    .with_state(self.clone()),
            )
            .with_state(self)
    }
}

async fn any(State(edge): State<Edge>, request: Request) -> Response {
    let (path, query) = (request.uri().path(), request.uri().query());
    match edge.cache.get(path, query, request.headers()).await {
        Some(response) => response,
        None => error_page::not_yet(request.headers()),
    }
}

/// Returns an HTTP client for the hub. `within` limits the total duration of each request.
fn agent(within: Option<Duration>) -> Agent {
    let config = Agent::config_builder()
        .timeout_global(within)
        .timeout_connect(Some(FETCH_WITHIN))
        .http_status_as_error(false)
        .max_redirects(0)
        .user_agent(concat!("Flagfall-edge/", env!("CARGO_PKG_VERSION")))
        .build();
    config.into()
}
