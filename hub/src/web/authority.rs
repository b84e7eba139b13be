//! The page that says which authority a browser has to trust, by its fingerprint, and the files to install. All of it is public.

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

const PAGE: &str = include_str!("../../assets/live/authority.html");

/// What is to be trusted.
#[derive(Clone, Debug)]
pub struct Authority {
    /// Its certificate, DER.
    pub certificate: Vec<u8>,
}

impl Authority {
    pub(super) fn page(&self) -> Response {
        let digest: [u8; 32] = Sha256::digest(&self.certificate).into();
        let (first, second) = digest.split_at(16);
        let page = PAGE
            .replace("{{first}}", &pairs(first))
            .replace("{{second}}", &pairs(second));
        let kind = (header::CONTENT_TYPE, "text/html; charset=utf-8");
        ([kind, (header::CACHE_CONTROL, "no-cache")], page).into_response()
    }

    /// The certificate as every system takes it.
    pub(super) fn der(&self) -> Response {
        file(
            "application/x-x509-ca-cert",
            "attachment; filename=\"authority.crt\"",
            self.certificate.clone(),
        )
    }

    /// The same as text.
    pub(super) fn pem(&self) -> Response {
        let text = STANDARD.encode(&self.certificate);
        let mut pem = "-----BEGIN CERTIFICATE-----\n".to_owned();
        for line in text.as_bytes().chunks(64) {
            // Base64 is ASCII.
            pem.push_str(&String::from_utf8_lossy(line));
            pem.push('\n');
        }
        pem.push_str("-----END CERTIFICATE-----\n");
        file(
            "application/x-pem-file",
            "attachment; filename=\"authority.pem\"",
            pem.into_bytes(),
        )
    }
}

/// What is said where no authority is known, as in tests of the pages alone.
pub(super) fn none(headers: &HeaderMap) -> Response {
    super::error_page::no_authority(headers)
}

fn file(kind: &'static str, name: &'static str, body: Vec<u8>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_DISPOSITION, name),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (StatusCode::OK, headers, body).into_response()
}

/// As systems show fingerprints: `AB:CD:…`.
fn pairs(bytes: &[u8]) -> String {
    let pairs: Vec<_> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    pairs.join(":")
}
