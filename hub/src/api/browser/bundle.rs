//! The arbiters' page: the bundler's files, compiled into the program.

use std::collections::BTreeMap;

use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use flate2::Compression;

use crate::web::answer::{Answer, Keep};

/// A file: its name under `assets/ui`, its content, and its Brotli form if the bundler made one. `NAME.br` has no separate entry.
type File = (&'static str, &'static [u8], Option<&'static [u8]>);
const FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/bundle.rs"));
/// Directory of the files that have a digest in their names, so that a changed file gets a new name.
const DIGESTED: &str = "assets/";

pub(super) struct Bundle(BTreeMap<&'static str, Answer>);

impl Bundle {
    pub(super) fn load() -> Self {
        let prepare = |&(name, bytes, brotli): &File| {
            let keep = match name.starts_with(DIGESTED) {
                true => Keep::Forever,
                false => Keep::Revalidate,
            };
            let body = Bytes::from_static(bytes);
            let answer = Answer::new(kind(name), keep, body, Compression::best());
            let answer = match brotli {
                Some(brotli) => answer.with_brotli(Bytes::from_static(brotli)),
                None => answer,
            };
            (name, answer)
        };
        Self(FILES.iter().map(prepare).collect())
    }

    pub(super) fn respond(&self, name: &str, request: &HeaderMap) -> Response {
        match self.0.get(name) {
            Some(answer) => answer.respond(request),
            None => (StatusCode::NOT_FOUND, "There is no such file.\n").into_response(),
        }
    }
}

fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("woff2") => "font/woff2",
        Some("json") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("txt") => "text/plain; charset=utf-8",
        Some(_) | None => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderValue, header};

    use super::*;

    #[test]
    fn the_page_is_part_of_the_program_and_every_file_has_a_type() {
        assert!(FILES.iter().any(|(name, _, _)| *name == "index.html"));
        for (name, bytes, brotli) in FILES {
            assert_ne!(kind(name), "application/octet-stream", "{name}");
            assert!(brotli.is_none_or(|brotli| brotli.len() < bytes.len()));
        }
    }

    #[test]
    fn scripts_travel_as_brotli_and_no_encoding_is_a_file() {
        let bundle = Bundle::load();
        let mut request = HeaderMap::new();
        request.insert(
            header::ACCEPT_ENCODING,
            HeaderValue::from_static("gzip, br"),
        );
        // Skip one-line scripts, which Brotli does not make smaller.
        let scripts = FILES
            .iter()
            .filter(|(name, bytes, _)| name.ends_with(".js") && bytes.len() > 100);
        assert!(scripts.clone().count() > 0);
        for (name, _, _) in scripts {
            let answer = bundle.respond(name, &request);
            assert_eq!(answer.headers()[header::CONTENT_ENCODING], "br", "{name}");
            assert_eq!(answer.headers()[header::CONTENT_TYPE], kind(name), "{name}");
            let encoded = bundle.respond(&format!("{name}.br"), &request);
            assert_eq!(encoded.status(), StatusCode::NOT_FOUND, "{name}.br");
        }
    }
}
