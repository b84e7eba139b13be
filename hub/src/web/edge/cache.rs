//! A cache of the hub's responses. A response is fresh for as long as the hub specifies, but at least a second. Concurrent requests for the same
//! response cost the hub only one.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use headers::{ETag, HeaderMapExt as _, IfNoneMatch};
use ureq::Agent;

use super::super::preference::encoding_quality;
use super::super::words::Language;
use crate::lock::lock;
use crate::time_source::wall_now;

const MAX_KEPT: usize = 4096;
const MAX_BODY: u64 = 64 * 1024 * 1024;
/// Minimum time for which a response is fresh, or a failure is remembered, so that many spectators cost the hub one request.
const MIN_FRESH_US: i64 = 1_000_000;
/// Age from which a stale response is no longer served while the hub cannot be reached.
const STALE_US: i64 = 600_000_000;
/// The query parameters that change a response; others are not sent to the hub.
const QUERY: [&str; 5] = ["after", "boards", "embed", "form", "lang"];
const PASSED: [HeaderName; 10] = [
    header::CONTENT_TYPE,
    header::CONTENT_ENCODING,
    header::CONTENT_LANGUAGE,
    header::CACHE_CONTROL,
    header::ETAG,
    header::VARY,
    header::ACCESS_CONTROL_ALLOW_ORIGIN,
    header::CONTENT_SECURITY_POLICY,
    header::X_CONTENT_TYPE_OPTIONS,
    header::REFERRER_POLICY,
];

/// The address, language and encoding, which determine a response.
type Key = (String, &'static str, &'static str);

pub(super) struct Cache {
    from: String,
    agent: Agent,
    kept: Mutex<BTreeMap<Key, Arc<Slot>>>,
}

#[derive(Default)]
struct Slot {
    state: Mutex<SlotState>,
    /// Held during a request to the hub, so that concurrent misses cause only one request.
    asking: Arc<tokio::sync::Mutex<()>>,
}

#[derive(Clone, Default)]
struct SlotState {
    kept: Option<Kept>,
    /// Time of the newest request's failure, in microseconds since 1970; `None` if it succeeded or there was no request yet.
    failed_us: Option<i64>,
}

#[derive(Clone)]
struct Kept {
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
    fetched_us: i64,
    fresh_us: i64,
}

impl Cache {
    pub(super) fn new(from: &str, agent: Agent) -> Self {
        Self {
            from: from.to_owned(),
            agent,
            kept: Mutex::default(),
        }
    }

    /// Responds to a request; `None` if the hub cannot be reached or fails, and no usable response is cached.
    pub(super) async fn get(
        self: &Arc<Self>,
        path: &str,
        query: Option<&str>,
        headers: &HeaderMap,
    ) -> Option<Response> {
        let key = (
            address(path, query),
            Language::of(headers).tag(),
            encoding(headers),
        );
        let slot = self.slot(&key);
        let known = slot.state();
        if known.is_settled(now_us()) {
            return known.respond(headers);
        }
        let turn = match slot.asking.clone().try_lock_owned() {
            Ok(turn) => turn,
            // The previous request to the hub failed, and the one in progress may take as long to fail: the copy is better than the wait.
            Err(_) if known.failed_us.is_some() && known.kept.is_some() => {
                return known.respond(headers);
            }
            Err(_) => slot.asking.clone().lock_owned().await,
        };
        let known = slot.state();
        if known.is_settled(now_us()) {
            return known.respond(headers);
        }
        let (cache, asked) = (self.clone(), slot.clone());
        let asking = tokio::task::spawn_blocking(move || {
            // Held until the result is stored, even if the spectator has gone.
            let _turn = turn;
            asked.store(cache.fetch(&key, known.kept));
        });
        // If the task panics, the slot keeps its previous state.
        let _ = asking.await;
        slot.state().respond(headers)
    }

    fn slot(&self, key: &Key) -> Arc<Slot> {
        let mut kept = lock(&self.kept);
        if kept.len() >= MAX_KEPT && !kept.contains_key(key) {
            kept.clear();
        }
        kept.entry(key.clone()).or_default().clone()
    }

    /// Requests a response from the hub. Returns `None` if the hub cannot be reached or fails.
    fn fetch(&self, (address, language, encoding): &Key, known: Option<Kept>) -> Option<Kept> {
        let mut request = self
            .agent
            .get(format!("{}{address}", self.from))
            .header("accept-language", *language)
            .header("accept-encoding", *encoding);
        let tag = known.as_ref();
        let tag = tag.and_then(|known| known.headers.get(header::ETAG)?.to_str().ok());
        if let Some(tag) = tag {
            request = request.header("if-none-match", tag);
        }
        let mut response = request.call().ok()?;
        let status = StatusCode::from_u16(response.status().as_u16()).ok()?;
        if status.is_server_error() {
            return None;
        }
        let headers = passed_on(response.headers());
        let now_us = now_us();
        let fresh_us = now_us.saturating_add(lifetime_us(&headers));
        if let (StatusCode::NOT_MODIFIED, Some(known)) = (status, known) {
            return Some(Kept {
                fetched_us: now_us,
                fresh_us,
                ..known
            });
        }
        let body = response.body_mut().with_config().limit(MAX_BODY);
        Some(Kept {
            status,
            headers,
            body: body.read_to_vec().ok()?.into(),
            fetched_us: now_us,
            fresh_us,
        })
    }
}

impl Slot {
    fn state(&self) -> SlotState {
        lock(&self.state).clone()
    }

    fn store(&self, fetched: Option<Kept>) {
        let mut state = lock(&self.state);
        match fetched {
            Some(kept) => {
                *state = SlotState {
                    kept: Some(kept),
                    failed_us: None,
                };
            }
            None => state.failed_us = Some(now_us()),
        }
    }
}

impl SlotState {
    /// Returns true if the hub need not be asked now: the copy is fresh, or a request has just failed.
    fn is_settled(&self, now_us: i64) -> bool {
        let is_recent = |at: i64| (at..at + MIN_FRESH_US).contains(&now_us);
        let is_fresh = |kept: &Kept| kept.is_fresh(now_us);
        self.failed_us.is_some_and(is_recent) || self.kept.as_ref().is_some_and(is_fresh)
    }

    /// Responds with the copy, unless there is none or it is too old.
    fn respond(&self, request: &HeaderMap) -> Option<Response> {
        let now_us = now_us();
        let is_usable = |kept: &&Kept| kept.is_fresh(now_us) || now_us - kept.fetched_us < STALE_US;
        let kept = self.kept.as_ref().filter(is_usable)?;
        Some(kept.respond(request))
    }
}

impl Kept {
    fn is_fresh(&self, now_us: i64) -> bool {
        (self.fetched_us..self.fresh_us).contains(&now_us)
    }

    fn respond(&self, request: &HeaderMap) -> Response {
        let tag = self.headers.typed_get::<ETag>();
        let unless = request.typed_get::<IfNoneMatch>();
        if let (Some(tag), Some(unless)) = (tag, unless)
            && !unless.precondition_passes(&tag)
        {
            let mut headers = self.headers.clone();
            headers.remove(header::CONTENT_TYPE);
            headers.remove(header::CONTENT_ENCODING);
            return (StatusCode::NOT_MODIFIED, headers).into_response();
        }
        let body = Body::from(self.body.clone());
        (self.status, self.headers.clone(), body).into_response()
    }
}

fn passed_on(from: &ureq::http::HeaderMap) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for name in PASSED {
        let value = from.get(name.as_str());
        if let Some(value) = value.and_then(|value| HeaderValue::from_bytes(value.as_bytes()).ok())
        {
            headers.insert(name, value);
        }
    }
    headers
}

/// Returns the time for which a response is fresh according to its `Cache-Control`, in microseconds; at least [`MIN_FRESH_US`].
fn lifetime_us(headers: &HeaderMap) -> i64 {
    let control = headers.get(header::CACHE_CONTROL);
    let control = control.and_then(|value| value.to_str().ok());
    let mut parts = control.unwrap_or_default().split(',').map(str::trim);
    let seconds = parts.find_map(|part| part.strip_prefix("max-age=")?.parse::<i64>().ok());
    let micros = |seconds: i64| seconds.saturating_mul(1_000_000).max(MIN_FRESH_US);
    seconds.map_or(MIN_FRESH_US, micros)
}

fn address(path: &str, query: Option<&str>) -> String {
    let parts = query.unwrap_or_default().split('&');
    let mut kept: Vec<&str> = parts
        .filter(|part| QUERY.contains(&part.split('=').next().unwrap_or_default()))
        .collect();
    kept.sort_unstable();
    match kept.is_empty() {
        true => path.to_owned(),
        false => format!("{path}?{}", kept.join("&")),
    }
}

fn encoding(headers: &HeaderMap) -> &'static str {
    let quality = |name| encoding_quality(headers, &[name]);
    match (quality("br"), quality("gzip")) {
        (0, 0) => "identity",
        (0, _) => "gzip",
        (_, 0) => "br",
        (_, _) => "br, gzip",
    }
}

fn now_us() -> i64 {
    wall_now().unix_us()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn only_parameters_that_change_a_response_are_requested() {
        for (query, expected) in [
            (None, "/board/1"),
            (Some("wall&theme=dark"), "/board/1"),
            (Some("x=1&lang=de&embed"), "/board/1?embed&lang=de"),
        ] {
            assert_eq!(address("/board/1", query), expected);
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn spectators_share_the_wait_for_a_hub_that_does_not_respond() {
        let hub = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let from = format!("http://{}", hub.local_addr().unwrap());
        let agent = super::super::agent(Some(Duration::from_millis(500)));
        let cache = Arc::new(Cache::new(&from, agent));
        let headers = HeaderMap::new();
        let key = (
            "/board/1".to_owned(),
            Language::of(&headers).tag(),
            encoding(&headers),
        );
        let an_age = 5 * MIN_FRESH_US;
        cache.slot(&key).store(Some(Kept {
            status: StatusCode::OK,
            headers: HeaderMap::new(),
            body: Bytes::from_static(b"before"),
            fetched_us: now_us() - an_age,
            fresh_us: now_us() - an_age + MIN_FRESH_US,
        }));
        let get = || cache.get("/board/1", None, &headers);
        // The first spectator leaves while the edge asks the hub.
        let mut first = Box::pin(get());
        assert!(futures::poll!(&mut first).is_pending());
        drop(first);
        for response in futures::future::join_all((0..5).map(|_| get())).await {
            let body = axum::body::to_bytes(response.unwrap().into_body(), 100);
            assert_eq!(body.await.unwrap(), "before");
        }
        hub.set_nonblocking(true).unwrap();
        // On a very slow machine, the failure may have been forgotten once.
        let requests = std::iter::from_fn(|| hub.accept().ok()).count();
        assert!((1..=2).contains(&requests), "{requests} requests");
    }

    #[test]
    fn a_response_is_fresh_as_long_as_it_says_but_at_least_a_second() {
        for (control, seconds) in [
            ("public, max-age=31536000, immutable", 31_536_000),
            ("public, max-age=1", 1),
            ("no-cache", 1),
            ("no-store", 1),
        ] {
            let headers =
                HeaderMap::from_iter([(header::CACHE_CONTROL, HeaderValue::from_static(control))]);
            assert_eq!(lifetime_us(&headers), seconds * 1_000_000);
        }
    }
}
