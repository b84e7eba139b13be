//! A cache of the hub's responses. Keeps each response as long as the hub specifies, and requests it only once at a time.

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
/// Maximum length of a response, in bytes.
const MAX_BODY: u64 = 64 * 1024 * 1024;
/// Minimum time for which a response is fresh, so that many spectators cost the hub one request.
const LEAST_US: i64 = 1_000_000;
/// Maximum age of a response that is served while the hub cannot be reached.
const STALE_US: i64 = 600_000_000;
/// The query parameters that change a response; others only affect how the page looks.
const QUERY: [&str; 5] = ["after", "boards", "embed", "form", "lang"];
/// The headers of a response that are passed on to spectators.
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
    kept: Mutex<Option<Kept>>,
    /// Held during a request to the hub, so that concurrent misses cause only one request.
    asking: tokio::sync::Mutex<()>,
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

    /// Responds to a request; `None` if the hub cannot be reached and no response is cached.
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
        let is_fresh = |kept: &Kept| kept.is_fresh(now_us());
        let fresh = || lock(&slot.kept).clone().filter(is_fresh);
        if let Some(kept) = fresh() {
            return Some(kept.respond(headers));
        }
        let _turn = slot.asking.lock().await;
        if let Some(kept) = fresh() {
            return Some(kept.respond(headers));
        }
        let known = lock(&slot.kept).clone();
        let (cache, asked) = (self.clone(), known.clone());
        let fetched = tokio::task::spawn_blocking(move || cache.fetch(&key, asked)).await;
        if let Some(kept) = fetched.ok().flatten() {
            *lock(&slot.kept) = Some(kept.clone());
            return Some(kept.respond(headers));
        }
        let stale = known.filter(|kept| now_us() - kept.fetched_us < STALE_US)?;
        Some(stale.respond(headers))
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
        let headers = passed(response.headers());
        let now_us = now_us();
        let fresh_us = now_us + lifetime_us(&headers);
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

fn passed(from: &ureq::http::HeaderMap) -> HeaderMap {
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

/// Returns the time for which a response is fresh according to its `Cache-Control`, in microseconds.
fn lifetime_us(headers: &HeaderMap) -> i64 {
    let control = headers.get(header::CACHE_CONTROL);
    let control = control.and_then(|value| value.to_str().ok());
    let mut parts = control.unwrap_or_default().split(',').map(str::trim);
    let seconds = parts.find_map(|part| part.strip_prefix("max-age=")?.parse::<i64>().ok());
    let micros = |seconds: i64| seconds.saturating_mul(1_000_000).max(LEAST_US);
    seconds.map_or(LEAST_US, micros)
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

    #[test]
    fn only_what_changes_an_answer_is_asked_for() {
        for (query, expected) in [
            (None, "/board/1"),
            (Some("wall&theme=dark"), "/board/1"),
            (Some("x=1&lang=de&embed"), "/board/1?embed&lang=de"),
        ] {
            assert_eq!(address("/board/1", query), expected);
        }
    }

    #[test]
    fn an_answer_is_kept_as_long_as_it_says_but_at_least_a_second() {
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
