//! Checks the origin of requests: only the hub's own pages, and programs with a certificate, may request changes.

use tonic::codegen::http::{Method, Request, header};

use crate::api::connection::Caller;

pub(super) fn check<B>(request: &Request<B>) -> Result<(), &'static str> {
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return Ok(());
    }
    let caller = request.extensions().get::<Caller>();
    let certified = caller.is_some_and(|caller| caller.arbiter.is_ok());
    let signed_in = request.headers().contains_key(header::COOKIE);
    let Some(origin) = request.headers().get(header::ORIGIN) else {
        // Let a call with neither Origin nor cookie pass: the gate refuses it with a gRPC status.
        return if certified || (super::is_call_path(request.uri().path()) && !signed_in) {
            Ok(())
        } else {
            Err("a request from a device without a certificate must name its page (Origin)\n")
        };
    };
    let host = host(request);
    let origin = origin.to_str().ok();
    let ours = origin.and_then(|origin| origin.strip_prefix("https://"));
    match (ours, host) {
        (Some(ours), Some(host)) if ours.eq_ignore_ascii_case(host) => Ok(()),
        _ => Err("this page does not belong to the hub, so its requests are refused\n"),
    }
}

/// Returns the host and port in the request, from the `Host` header (HTTP/1.1) or the URI's authority (HTTP/2).
pub(super) fn host<B>(request: &Request<B>) -> Option<&str> {
    let header = request.headers().get(header::HOST);
    match request.uri().authority() {
        Some(authority) => Some(authority.as_str()),
        None => header.and_then(|host| host.to_str().ok()),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::api::connection::Holder;
    use crate::connections::Requests;
    use crate::identity::{Arbiter, KeyFileId, Role};

    const CALL: &str = "https://hub:7464/flagfall.api.v1.Arbiter/Send";

    #[track_caller]
    fn request(method: &str, uri: &str, headers: &[(&str, &str)], certified: bool) -> bool {
        let mut request = Request::builder().method(method).uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let holder = Holder {
            arbiter: Arbiter::new(Role::Chief, "Ann"),
            key_file: KeyFileId::of_serial(&[1; 16]),
            over: tokio_util::sync::CancellationToken::new(),
        };
        let caller = Caller {
            arbiter: if certified { Ok(holder) } else { Err("none") },
            address: ([127, 0, 0, 1], 1).into(),
            ends: Arc::default(),
            requests: Requests::of_a_test(),
        };
        check(&request.extension(caller).body(()).unwrap()).is_ok()
    }

    #[test]
    fn only_the_hubs_own_pages_and_programs_with_a_certificate_send() {
        let cookie = ("cookie", "__Host-flagfall-01020304=x");
        for (headers, of_stranger, of_program) in [
            (vec![], true, true),
            (vec![cookie], false, true),
            (vec![("origin", "https://hub:7464"), cookie], true, true),
            (vec![("origin", "https://HUB:7464"), cookie], true, true),
            (
                vec![("origin", "https://evil.example"), cookie],
                false,
                false,
            ),
            (vec![("origin", "https://hub:7465")], false, false),
            (vec![("origin", "http://hub:7464")], false, false),
            (vec![("origin", "https://hub")], false, false),
            (vec![("origin", "null")], false, false),
            (vec![("origin", "")], false, false),
        ] {
            assert_eq!(
                request("POST", CALL, &headers, false),
                of_stranger,
                "{headers:?}"
            );
            assert_eq!(
                request("POST", CALL, &headers, true),
                of_program,
                "{headers:?}"
            );
        }
    }

    #[test]
    fn the_host_of_http_1_is_a_header() {
        let own = [("host", "hub:7464"), ("origin", "https://hub:7464")];
        assert!(request("POST", "/session/enrol", &own, false));
        let other = [("host", "hub:7464"), ("origin", "https://evil.example")];
        assert!(!request("POST", "/session/enrol", &other, false));
        assert!(!request(
            "POST",
            "/session/enrol",
            &[("origin", "https://hub:7464")],
            false
        ));
    }

    #[test]
    fn signing_in_needs_an_origin_and_reading_does_not() {
        let enrol = "https://hub:7464/session/enrol";
        assert!(!request("POST", enrol, &[], false));
        assert!(request("GET", "https://hub:7464/session", &[], false));
        for method in ["PUT", "DELETE", "OPTIONS", "PATCH"] {
            assert!(!request(
                method,
                enrol,
                &[("origin", "https://evil.example")],
                true
            ));
        }
    }
}
