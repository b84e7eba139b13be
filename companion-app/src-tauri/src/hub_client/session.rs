//! The requests about a session that the page may send, and the session's cookie. Owns the list of these requests and the checks of their bodies.

use bytes::Bytes;
use hyper::header::{HeaderMap, HeaderValue, SET_COOKIE};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::ShellError;

/// The prefix of the session cookie's name. Browsers apply their strictest rules to a cookie with this prefix.
const COOKIE_PREFIX: &str = "__Host-";
const BODILESS_PATHS: [&str; 2] = ["/session", CHALLENGE];
const CHALLENGE: &str = "/session/challenge";
/// Maximum length of a device name that the page may send, in bytes.
const MAX_NAME: usize = 200;

/// A request about a session.
#[derive(Clone, Debug)]
pub enum SessionRequest {
    /// Requests the current session or a challenge, depending on the path.
    Ask(&'static str),
    /// Enrols the device with a code.
    Enrol(Enrolment),
    /// Opens a new session by proving possession of the key.
    Renew(Proof),
}

/// The body of an enrolment request.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Enrolment {
    /// The code's authority, in hexadecimal digits.
    pub authority: String,
    /// The code's token, in hexadecimal digits.
    pub token: String,
    /// The name under which to enrol the device, as typed by the arbiter; may be empty.
    pub name: String,
    /// The public key as `SubjectPublicKeyInfo`: DER in base64.
    pub public_key: String,
    /// The hub's challenge, which the signature covers.
    pub challenge: String,
    /// The signature, base64 of r and s. Added by this program, never taken from the page.
    #[serde(skip_deserializing)]
    pub signature: String,
}

/// The body of a request for a new session.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    /// The device's name at the hub.
    pub device: String,
    /// The hub's challenge, which the signature covers.
    pub challenge: String,
    /// The signature, base64 of r and s. Added by this program, never taken from the page.
    #[serde(skip_deserializing)]
    pub signature: String,
}

impl SessionRequest {
    /// Parses a request from the page; `body` is JSON.
    ///
    /// # Errors
    /// Returns [`ShellError::Request`] if `path` and `body` do not form one of the permitted requests.
    pub fn new(path: &str, body: Option<&str>) -> Result<Self, ShellError> {
        match (path, body) {
            ("/session/enrol", Some(body)) => parsed(body)
                .filter(|body: &Enrolment| body.name.len() <= MAX_NAME)
                .map(Self::Enrol),
            ("/session/renew", Some(body)) => parsed(body).map(Self::Renew),
            (_, None) => {
                let known = BODILESS_PATHS.into_iter().find(|known| *known == path);
                known.map(Self::Ask)
            }
            (_, Some(_)) => None,
        }
        .ok_or(ShellError::Request("it is not a session request"))
    }

    pub(super) fn path(&self) -> &'static str {
        match self {
            Self::Ask(path) => path,
            Self::Enrol(_) => "/session/enrol",
            Self::Renew(_) => "/session/renew",
        }
    }

    pub(super) fn body(&self) -> Option<Bytes> {
        let json = match self {
            Self::Ask(_) => return None,
            Self::Enrol(body) => serde_json::to_vec(body),
            Self::Renew(body) => serde_json::to_vec(body),
        };
        json.ok().map(Bytes::from)
    }

    /// Returns the challenge in the response body `answer`, if this request asked for a challenge.
    pub(crate) fn challenge(&self, answer: &[u8]) -> Option<String> {
        #[derive(Deserialize)]
        struct Challenge {
            challenge: String,
        }
        if !matches!(self, Self::Ask(CHALLENGE)) {
            return None;
        }
        let answer = serde_json::from_slice::<Challenge>(answer).ok()?;
        Some(answer.challenge)
    }
}

fn parsed<T: DeserializeOwned>(body: &str) -> Option<T> {
    serde_json::from_str(body).ok()
}

/// Returns the session cookie that the headers set, as `name=value`.
pub(super) fn cookie_of(headers: &HeaderMap) -> Option<HeaderValue> {
    headers
        .get_all(SET_COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok()?.split(';').next())
        .find(|pair| pair.starts_with(COOKIE_PREFIX))
        .and_then(|pair| HeaderValue::from_str(pair.trim()).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cookies(values: &[&str]) -> Option<String> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(SET_COOKIE, HeaderValue::from_str(value).unwrap());
        }
        let found = cookie_of(&headers)?;
        Some(found.to_str().unwrap().to_owned())
    }

    #[test]
    fn the_session_cookie_is_found() {
        let set = "__Host-flagfall=abc; Secure; HttpOnly; SameSite=Strict; Path=/";
        let wanted = Some("__Host-flagfall=abc".to_owned());
        assert_eq!(cookies(&[set]), wanted);
        assert_eq!(cookies(&["other=1; Path=/", set]), wanted);
        assert_eq!(cookies(&["flagfall=abc"]), None);
        assert_eq!(cookies(&[]), None);
    }

    #[test]
    fn only_requests_about_a_session_are_sent() {
        let enrolment = r#"{"authority":"00","token":"11","name":"Tablet","public_key":"AA==","challenge":"00ff"}"#;
        let proof = r#"{"device":"d-0","challenge":"00ff"}"#;
        for (path, body) in [
            ("/session", None),
            ("/session/challenge", None),
            ("/session/enrol", Some(enrolment)),
            ("/session/renew", Some(proof)),
        ] {
            let request = SessionRequest::new(path, body).unwrap();
            assert_eq!(request.path(), path);
            assert_eq!(request.body().is_some(), body.is_some(), "{path}");
        }
        let long = enrolment.replace("Tablet", &"T".repeat(MAX_NAME + 1));
        let more = enrolment.replace('}', r#","more":"text"}"#);
        let signed_enrolment = enrolment.replace('}', r#","signature":"AA=="}"#);
        let signed = proof.replace('}', r#","signature":"AA=="}"#);
        for (path, body) in [
            ("/session", Some(enrolment)),
            ("/session/enrol", None),
            ("/session/enrol", Some("{}")),
            ("/session/enrol", Some(&*long)),
            ("/session/enrol", Some(&*more)),
            ("/session/enrol", Some(&*signed_enrolment)),
            ("/session/renew", Some(&*signed)),
            ("/session/", None),
            ("/session/../metrics", None),
            ("/flagfall.api.v1.Arbiter/Send", Some(enrolment)),
            ("https://elsewhere/session", None),
        ] {
            assert!(SessionRequest::new(path, body).is_err(), "{path} {body:?}");
        }
    }
}
