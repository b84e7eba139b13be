//! A response body that is compressed at most once, has a strong tag for each encoding, and answers conditional requests.

use std::io::Write as _;
use std::sync::{Arc, OnceLock};

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use headers::{ETag, HeaderMapExt as _, IfNoneMatch};
use sha2::{Digest, Sha256};

use super::preference::encoding_quality;

/// Minimum length of a body that is compressed, in bytes; below it, the saving does not justify the extra header.
const WORTH_COMPRESSING: usize = 512;

pub(super) const JSON: &str = "application/json";

#[derive(Clone, Copy, Debug)]
pub(crate) enum Keep {
    Revalidate,
    /// Permanent: changed content gets a new name.
    Forever,
    /// Fresh for one second, so that many pollers behind a cache cost one request.
    Second,
    /// Fresh for one minute, for the picture in a link preview.
    Minute,
}

impl Keep {
    fn header(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Keep::Revalidate => "no-cache",
            Keep::Forever => "public, max-age=31536000, immutable",
            Keep::Second => "public, max-age=1",
            Keep::Minute => "public, max-age=60",
        })
    }
}

/// One representation in its encodings. Each encoding has its own tag, because a strong tag names exact bytes.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    kind: &'static str,
    keep: Keep,
    plain: Variant,
    effort: Compression,
    /// Compressed for the first response that uses gzip; `None` if the body is short or compression gains nothing.
    gzip: Arc<OnceLock<Option<Variant>>>,
    brotli: Option<Variant>,
}

#[derive(Clone, Debug)]
struct Variant {
    body: Bytes,
    tag: Option<ETag>,
    encoding: Option<HeaderValue>,
}

impl Variant {
    fn new(body: Bytes, digest: &str, encoding: Option<&'static str>) -> Self {
        let ending = encoding.map(|name| format!("-{name}")).unwrap_or_default();
        Self {
            body,
            // Hexadecimal digits and a fixed suffix always form a valid tag.
            tag: format!("\"{digest}{ending}\"").parse().ok(),
            encoding: encoding.map(HeaderValue::from_static),
        }
    }
}

impl Answer {
    pub(crate) fn new(kind: &'static str, keep: Keep, body: Bytes, effort: Compression) -> Self {
        let digest = digest(&body);
        Self {
            kind,
            keep,
            plain: Variant::new(body, &digest, None),
            effort,
            gzip: Arc::default(),
            brotli: None,
        }
    }

    /// Adds the same body in Brotli, compressed in advance. Its tag is the digest of these exact bytes, because another encoder would produce
    /// different bytes.
    pub(crate) fn with_brotli(mut self, body: Bytes) -> Self {
        let digest = digest(&body);
        self.brotli = Some(Variant::new(body, &digest, Some("br")));
        self
    }

    pub(super) fn json(body: Bytes) -> Self {
        Self::new(JSON, Keep::Second, body, Compression::fast())
    }

    /// Returns the response to a request whose headers are `request`: 304 if the client already has the content.
    pub(crate) fn respond(&self, request: &HeaderMap) -> Response {
        let variant = self.variant_for(request);
        let mut headers = HeaderMap::new();
        headers.insert(header::CACHE_CONTROL, self.keep.header());
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if let Some(tag) = variant.tag.clone() {
            let unless = request.typed_get::<IfNoneMatch>();
            let is_known = unless.is_some_and(|unless| !unless.precondition_passes(&tag));
            headers.typed_insert(tag);
            if is_known {
                return (StatusCode::NOT_MODIFIED, headers).into_response();
            }
        }
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.kind));
        if let Some(encoding) = &variant.encoding {
            headers.insert(header::CONTENT_ENCODING, encoding.clone());
        }
        (headers, Body::from(variant.body.clone())).into_response()
    }

    /// Returns the compressed variant that the client prefers, Brotli on a tie; the plain one if the client accepts none that exists.
    fn variant_for(&self, request: &HeaderMap) -> &Variant {
        let brotli = self.brotli.as_ref();
        let gzip_quality = encoding_quality(request, &["gzip", "x-gzip"]);
        let brotli_quality = brotli.map_or(0, |_| encoding_quality(request, &["br"]));
        let brotli = brotli.filter(|_| brotli_quality > 0);
        let gzip = || (gzip_quality > 0).then(|| self.gzip()).flatten();
        let preferred = match brotli_quality >= gzip_quality {
            true => brotli.or_else(gzip),
            false => gzip().or(brotli),
        };
        preferred.unwrap_or(&self.plain)
    }

    fn gzip(&self) -> Option<&Variant> {
        let compressed = || {
            let plain = &self.plain.body;
            let gzip = compress(plain, self.effort)?;
            Some(Variant::new(gzip, &digest(plain), Some("gzip")))
        };
        self.gzip.get_or_init(compressed).as_ref()
    }
}

fn digest(body: &Bytes) -> String {
    hex::encode(&Sha256::digest(body)[..12])
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
        check_of(&answer(), request, status, gzip.then_some("gzip"));
    }

    #[track_caller]
    fn check_of(answer: &Answer, request: HeaderMap, status: StatusCode, encoding: Option<&str>) {
        let response = answer.respond(&request);
        assert_eq!(response.status(), status, "{request:?}");
        assert_eq!(response.headers()[header::VARY], "accept-encoding");
        let encoded = response.headers().get(header::CONTENT_ENCODING);
        assert_eq!(
            encoded.map(|name| name.to_str().unwrap()),
            encoding,
            "{request:?}"
        );
    }

    #[test]
    fn gzip_is_sent_only_if_accepted() {
        for (value, gzip) in [
            ("gzip", true),
            ("br, gzip;q=0.5", true),
            ("*", true),
            ("gzip;q=0", false),
            ("gzip; q=0.000", false),
            ("gzip;q=0, *", false),
            ("*;q=0", false),
            ("identity", false),
            ("gzipped", false),
        ] {
            check(asking(header::ACCEPT_ENCODING, value), StatusCode::OK, gzip);
        }
        check(HeaderMap::new(), StatusCode::OK, false);
    }

    #[test]
    fn brotli_is_sent_if_available_and_preferred() {
        let with_brotli = answer().with_brotli(Bytes::from_static(b"as brotli"));
        for (value, encoding) in [
            ("br", Some("br")),
            ("gzip, deflate, br, zstd", Some("br")),
            ("BR;Q=0.2", Some("br")),
            ("*", Some("br")),
            ("gzip", Some("gzip")),
            ("br;q=0, gzip", Some("gzip")),
            ("br;q=0.5, gzip;q=0.6", Some("gzip")),
            ("br;q=0.000, *;q=0.1", Some("gzip")),
            ("br;q=0", None),
            ("gzip;q=0, br;q=0", None),
            ("gzip;q=0, br;q=0.001", Some("br")),
            ("identity", None),
        ] {
            let request = asking(header::ACCEPT_ENCODING, value);
            check_of(&with_brotli, request, StatusCode::OK, encoding);
        }
        check_of(&with_brotli, HeaderMap::new(), StatusCode::OK, None);
    }

    #[test]
    fn brotli_has_the_tag_of_its_own_bytes() {
        let request = asking(header::ACCEPT_ENCODING, "br, gzip");
        let tag = |answer: Answer| answer.respond(&request).headers()[header::ETAG].clone();
        let one = tag(answer().with_brotli(Bytes::from_static(b"one encoder's")));
        let other = tag(answer().with_brotli(Bytes::from_static(b"another's")));
        assert_ne!(one, other);
        assert_ne!(one, tag(answer()));

        let brotli = answer().with_brotli(Bytes::from_static(b"one encoder's"));
        let mut known = request.clone();
        known.insert(header::IF_NONE_MATCH, one.clone());
        check_of(&brotli, known, StatusCode::NOT_MODIFIED, None);
        let mut gzip = asking(header::ACCEPT_ENCODING, "gzip");
        gzip.insert(header::IF_NONE_MATCH, one);
        check_of(&brotli, gzip, StatusCode::OK, Some("gzip"));
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
            asking(header::IF_NONE_MATCH, "*"),
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
    fn nothing_is_compressed_before_it_is_requested() {
        let with_brotli = answer().with_brotli(Bytes::from_static(b"as brotli"));
        for accepted in ["identity", "gzip;q=0", "br, gzip"] {
            with_brotli.respond(&asking(header::ACCEPT_ENCODING, accepted));
            assert!(with_brotli.gzip.get().is_none(), "{accepted}");
        }
        with_brotli.respond(&asking(header::ACCEPT_ENCODING, "gzip"));
        assert!(with_brotli.gzip.get().is_some());
    }

    #[test]
    fn a_short_body_is_not_compressed() {
        let short = Answer::json(Bytes::from_static(b"{}"));
        let response = short.respond(&asking(header::ACCEPT_ENCODING, "gzip"));
        assert!(!response.headers().contains_key(header::CONTENT_ENCODING));
    }
}
