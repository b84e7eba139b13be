//! A body that is compressed once, tagged strongly, and answered conditionally.

use std::io::Write as _;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

/// Below this compression gains nothing worth a header.
const WORTH_COMPRESSING: usize = 512;

/// How long others may keep an answer.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Keep {
    /// Ask each time whether it is still the same.
    Revalidate,
    /// For good: another content has another name.
    Forever,
    /// For a second: many pollers behind a cache cost one request.
    Second,
}

impl Keep {
    fn header(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Keep::Revalidate => "no-cache",
            Keep::Forever => "public, max-age=31536000, immutable",
            Keep::Second => "public, max-age=1",
        })
    }
}

/// One representation in both encodings. Each encoding has its own tag, since a strong tag names exact bytes.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    kind: &'static str,
    keep: Keep,
    plain: Variant,
    gzip: Option<Variant>,
}

#[derive(Clone, Debug)]
struct Variant {
    body: Bytes,
    tag: HeaderValue,
}

impl Answer {
    pub(crate) fn new(kind: &'static str, keep: Keep, body: Bytes, effort: Compression) -> Self {
        let digest = hex::encode(&Sha256::digest(&body)[..12]);
        let variant = |body, ending| Variant {
            body,
            // Hexadecimal digits and a fixed ending are always a valid header.
            tag: HeaderValue::try_from(format!("\"{digest}{ending}\""))
                .unwrap_or(HeaderValue::from_static("\"\"")),
        };
        let gzip = compress(&body, effort).map(|gzip| variant(gzip, "-gz"));
        Self {
            kind,
            keep,
            plain: variant(body, ""),
            gzip,
        }
    }

    /// JSON that changes all the time.
    pub(super) fn json(body: Bytes) -> Self {
        Self::new("application/json", Keep::Second, body, Compression::fast())
    }

    /// The answer to a request with these headers: 304 when the asker has it already.
    pub(crate) fn respond(&self, request: &HeaderMap) -> Response {
        let gzip = self.gzip.as_ref().filter(|_| accepts_gzip(request));
        let variant = gzip.unwrap_or(&self.plain);
        let mut headers = HeaderMap::new();
        headers.insert(header::ETAG, variant.tag.clone());
        headers.insert(header::CACHE_CONTROL, self.keep.header());
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if has_tag(request, &variant.tag) {
            return (StatusCode::NOT_MODIFIED, headers).into_response();
        }
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.kind));
        if gzip.is_some() {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        (headers, Body::from(variant.body.clone())).into_response()
    }
}

fn compress(body: &Bytes, effort: Compression) -> Option<Bytes> {
    if body.len() < WORTH_COMPRESSING {
        return None;
    }
    let mut encoder = GzEncoder::new(Vec::with_capacity(body.len() / 4), effort);
    encoder.write_all(body).ok()?;
    let gzip = encoder.finish().ok()?;
    (gzip.len() < body.len()).then(|| gzip.into())
}

/// RFC 9110 12.5.3: listed without a quality of zero.
fn accepts_gzip(request: &HeaderMap) -> bool {
    list(request, header::ACCEPT_ENCODING).any(|item| {
        let (coding, quality) = item.split_once(';').unwrap_or((item, ""));
        let refused = quality
            .trim()
            .strip_prefix("q=")
            .is_some_and(|q| q.parse::<f32>() == Ok(0.0));
        matches!(coding.trim(), "gzip" | "x-gzip" | "*") && !refused
    })
}

/// RFC 9110 13.1.2: weak comparison, a list, or `*`.
fn has_tag(request: &HeaderMap, tag: &HeaderValue) -> bool {
    list(request, header::IF_NONE_MATCH).any(|item| {
        item == "*" || item.strip_prefix("W/").unwrap_or(item).as_bytes() == tag.as_bytes()
    })
}

fn list(request: &HeaderMap, name: header::HeaderName) -> impl Iterator<Item = &str> {
    request
        .get_all(name)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asking(name: header::HeaderName, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_static(value))])
    }

    fn answer() -> Answer {
        Answer::json(Bytes::from("clock ".repeat(200)))
    }

    #[track_caller]
    fn check(request: HeaderMap, status: StatusCode, gzip: bool) {
        let response = answer().respond(&request);
        assert_eq!(response.status(), status, "{request:?}");
        let encoded = response.headers().contains_key(header::CONTENT_ENCODING);
        assert_eq!(encoded, gzip, "{request:?}");
    }

    #[test]
    fn gzip_is_sent_to_those_who_accept_it_only() {
        for (value, gzip) in [
            ("gzip", true),
            ("br, gzip;q=0.5", true),
            ("*", true),
            ("gzip;q=0", false),
            ("gzip; q=0.000", false),
            ("identity", false),
            ("gzipped", false),
        ] {
            check(asking(header::ACCEPT_ENCODING, value), StatusCode::OK, gzip);
        }
        check(HeaderMap::new(), StatusCode::OK, false);
    }

    #[test]
    fn each_encoding_has_its_own_strong_tag_and_answers_304_to_it() {
        let plain = answer().respond(&HeaderMap::new());
        let plain = plain.headers()[header::ETAG].clone();
        let gzip = answer().respond(&asking(header::ACCEPT_ENCODING, "gzip"));
        let gzip = gzip.headers()[header::ETAG].clone();
        assert_ne!(plain, gzip);

        let mut request = HeaderMap::new();
        request.insert(header::IF_NONE_MATCH, plain.clone());
        check(request.clone(), StatusCode::NOT_MODIFIED, false);
        request.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
        check(request.clone(), StatusCode::OK, true);
        request.insert(header::IF_NONE_MATCH, gzip);
        check(request, StatusCode::NOT_MODIFIED, false);
        check(
            asking(header::IF_NONE_MATCH, "\"other\", *"),
            StatusCode::NOT_MODIFIED,
            false,
        );
        check(
            asking(header::IF_NONE_MATCH, "\"other\""),
            StatusCode::OK,
            false,
        );
    }

    #[test]
    fn a_short_body_is_left_as_it_is() {
        let short = Answer::json(Bytes::from_static(b"{}"));
        let response = short.respond(&asking(header::ACCEPT_ENCODING, "gzip"));
        assert!(!response.headers().contains_key(header::CONTENT_ENCODING));
    }
}
