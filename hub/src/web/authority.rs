//! The page that shows the fingerprint of the authority to trust, and the files to install. All of it is public.

mod profile;

use std::fmt::Write as _;

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use proto::enrolment::fingerprint_text;
use rustls_pki_types::CertificateDer;
use sha2::{Digest, Sha256};

use super::error_page::escape;
use super::requested_host;
use super::words::Language;
use crate::identity::{TrustStatus, bracketed, pem};

const PAGE: &str = include_str!("../../assets/live/authority.html");

#[derive(Clone, Debug)]
pub struct Authority {
    /// The state of the authority for browsers and of its certificates.
    pub trust: TrustStatus,
    /// The authority of clocks and programs, which enrolment codes name. Browsers need not install it.
    pub hall: CertificateDer<'static>,
    /// Address of the arbiters' app.
    pub app: String,
}

impl Authority {
    pub(super) fn page(&self, language: Language, headers: &HeaderMap) -> Response {
        let digest: [u8; 32] = Sha256::digest(&self.trust.root).into();
        let code = fingerprint_text(&proto::enrolment::fingerprint(&self.hall));
        let code = format!("<span class=\"ltr mono\">{code}</span>");
        let until = day(&self.trust.authority_until.to_string());
        let what = [("until", until.as_str()), ("code", code.as_str())];
        let page = language
            .fill(PAGE)
            .replace("{{notes}}", &self.notes(language, headers))
            .replace("{{fingerprint}}", &breakable(&fingerprint_text(&digest)))
            .replace(
                "{{what}}",
                &language.say_markup("hub_page_what_text", &what),
            )
            .replace("{{addresses}}", &self.addresses())
            .replace("{{former}}", &self.former(language));
        let told = [
            (header::CONTENT_TYPE, "text/html; charset=utf-8"),
            (header::CACHE_CONTROL, "no-cache"),
            (header::VARY, "accept-language"),
            (header::CONTENT_LANGUAGE, language.tag()),
        ];
        (told, page).into_response()
    }

    pub(super) fn der(&self) -> Response {
        file(
            "application/x-x509-ca-cert",
            "attachment; filename=\"authority.crt\"",
            self.trust.root.to_vec(),
        )
    }

    pub(super) fn pem(&self) -> Response {
        file(
            "application/x-pem-file",
            "attachment; filename=\"authority.pem\"",
            pem("CERTIFICATE", &self.trust.root).into_bytes(),
        )
    }

    pub(super) fn profile(&self, language: Language) -> Response {
        let file = file(
            profile::CONTENT_TYPE,
            "attachment; filename=\"flagfall.mobileconfig\"",
            profile::of(&self.trust.root, language).into_bytes(),
        );
        ([(header::VARY, "accept-language")], file).into_response()
    }

    fn notes(&self, language: Language, headers: &HeaderMap) -> String {
        let mut notes = String::new();
        let mut add = |name, slots: &[(&str, &str)]| {
            let text = language.say_markup(name, slots);
            // Writing to a String cannot fail.
            let _ = write!(notes, "<p class=\"note\">{text}</p>");
        };
        let app = self.app_host();
        if app.is_some_and(|app| self.trust.is_already_trusted(app)) {
            let app = escape(&self.app);
            let link = format!("<a class=\"ltr\" href=\"{app}\">{app}</a>");
            add("hub_page_nothing_needed", &[("app", &link)]);
        }
        let called = requested_host(headers).and_then(host_of);
        if let Some(called) = called.filter(|called| !self.trust.covers(called)) {
            let name = format!("<b class=\"ltr\">{}</b>", escape(called));
            let setting = "<code>browser_names</code>";
            let slots = [("name", name.as_str()), ("setting", setting)];
            add("hub_page_not_covered", &slots);
        }
        if self.trust.ends_soon {
            let until = day(&self.trust.authority_until.to_string());
            add("hub_page_ends_soon", &[("until", &until)]);
        }
        notes
    }

    fn addresses(&self) -> String {
        let all = self.app_host().is_some_and(is_own);
        let names = self.trust.names.iter().filter(|name| all || !is_own(name));
        let port = self.app.trim_end_matches('/').rsplit(':').next();
        let port = port.unwrap_or_default();
        names
            .map(|name| {
                let address = format!("https://{}:{port}/", bracketed(&escape(name)));
                format!("<li class=\"ltr\"><a href=\"{address}\">{address}</a></li>")
            })
            .collect()
    }

    fn app_host(&self) -> Option<&str> {
        let app = self.app.trim_start_matches("https://");
        host_of(app.trim_end_matches('/'))
    }

    /// Describes the older authorities that a device may still trust.
    fn former(&self, language: Language) -> String {
        if self.trust.former.is_empty() {
            return String::new();
        }
        let print = |one| {
            let print = breakable(&fingerprint_text(&Sha256::digest(one)));
            format!("<p class=\"print ltr\">{print}</p>")
        };
        let prints: String = self.trust.former.iter().map(print).collect();
        let title = language.say_markup("hub_page_former", &[]);
        let text = language.say_markup("hub_page_former_text", &[]);
        format!("<h2>{title}</h2><p>{text}</p>{prints}")
    }
}

fn file(kind: &'static str, name: &'static str, body: Vec<u8>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_DISPOSITION, name),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (StatusCode::OK, headers, body).into_response()
}

/// Returns the host, a name or an address, in `HOST`, `HOST:PORT`, `[ADDRESS]` or `[ADDRESS]:PORT`; `None` if it is empty.
fn host_of(called: &str) -> Option<&str> {
    let host = match called.strip_prefix('[') {
        Some(address) => address.split(']').next(),
        None => called.split(':').next(),
    };
    host.filter(|host| !host.is_empty())
}

/// Returns true if this name or address refers to the machine on which it is used.
fn is_own(name: &str) -> bool {
    let address: Result<std::net::IpAddr, _> = name.parse();
    name == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

/// Formats a fingerprint so that lines break only between pairs of digits.
fn breakable(fingerprint: &str) -> String {
    fingerprint.replace(':', ":<wbr>")
}

fn day(time: &str) -> String {
    time.split('T').next().unwrap_or(time).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_for_other_machines_leave_out_loopback() {
        let at = crate::time_source::WallTime::from_unix_us(0);
        let names = [
            "hub.local",
            "localhost",
            "127.0.0.1",
            "10.0.0.5",
            "::1",
            "fd00::1",
        ];
        let authority = |app: &str| Authority {
            trust: TrustStatus {
                root: vec![1].into(),
                authority_until: at,
                ends_soon: false,
                names: names.map(str::to_owned).to_vec(),
                until: at,
                uncovered: Vec::new(),
                external: None,
                problem: None,
                former: Vec::new(),
            },
            hall: vec![2].into(),
            app: app.to_owned(),
        };
        let shown = authority("https://hub.local:7464/").addresses();
        for address in ["hub.local", "10.0.0.5", "[fd00::1]"] {
            assert!(
                shown.contains(&format!(">https://{address}:7464/<")),
                "{shown}"
            );
        }
        assert_eq!(shown.matches("<li").count(), 3, "{shown}");
        let shown = authority("https://localhost:7464/").addresses();
        assert_eq!(shown.matches("<li").count(), names.len(), "{shown}");
    }

    #[tokio::test]
    async fn the_page_is_in_the_requested_language_with_its_slots_filled() {
        let at = crate::time_source::WallTime::from_unix_us(0);
        let authority = Authority {
            trust: TrustStatus {
                root: vec![1].into(),
                authority_until: at,
                ends_soon: true,
                names: vec!["hub.local".to_owned()],
                until: at,
                uncovered: Vec::new(),
                external: None,
                problem: None,
                former: vec![vec![3].into()],
            },
            hall: vec![2].into(),
            app: "https://hub.local:7464/".to_owned(),
        };
        let host = axum::http::HeaderValue::from_static("<other>:8080");
        let headers = HeaderMap::from_iter([(header::HOST, host)]);
        for (language, word) in [
            (Language::English, "Trust this hub"),
            (Language::German, "Diesem Hub vertrauen"),
            (Language::Spanish, "Confiar en este hub"),
            (Language::French, "Faire confiance à ce hub"),
        ] {
            let response = authority.page(language, &headers);
            assert_eq!(response.headers()[header::CONTENT_LANGUAGE], language.tag());
            let body = axum::body::to_bytes(response.into_body(), usize::MAX).await;
            let page = String::from_utf8(body.unwrap().to_vec()).unwrap();
            assert!(page.contains(&format!("<html lang=\"{}\">", language.tag())));
            assert!(page.contains(&format!("<h1>{word}</h1>")), "{page}");
            assert!(
                page.contains("<b class=\"ltr\">&lt;other&gt;</b>"),
                "{page}"
            );
            assert!(page.contains("1970-01-01"), "{page}");
            for slot in ["{{", "{name}", "{until}", "{code}", "{app}", "hub_page_"] {
                assert!(!page.contains(slot), "{slot} is left: {page}");
            }
        }
    }

    #[test]
    fn a_host_is_read_without_its_port() {
        for (called, host) in [
            ("hub.local", Some("hub.local")),
            ("hub.local:8080", Some("hub.local")),
            ("10.0.0.5:8080", Some("10.0.0.5")),
            ("[fd00::1]:8080", Some("fd00::1")),
            ("[fd00::1]", Some("fd00::1")),
            (":8080", None),
            ("", None),
        ] {
            assert_eq!(host_of(called), host, "{called}");
        }
    }
}
