//! The requests about a session that the page may send, and the session's cookie. Owns which paths exist; must never read a message.

use bytes::Bytes;
use hyper::Method;
use hyper::header::{HeaderMap, HeaderValue, SET_COOKIE};

use crate::error::ShellError;

/// The prefix of the session cookie's name, with the browsers' rules for it.
const COOKIE_PREFIX: &str = "__Host-";
/// The paths, and whether each has a body.
const PATHS: [(&str, bool); 4] = [
    ("/session", false),
    ("/session/challenge", false),
    ("/session/enrol", true),
    ("/session/renew", true),
];

/// A request about a session.
#[derive(Clone, Debug)]
pub struct SessionRequest {
    pub(super) path: &'static str,
    /// JSON; `None` for a question.
    pub(super) body: Option<Bytes>,
}

impl SessionRequest {
    /// Creates a request of `path`, with a body in JSON if that path has one.
    ///
    /// # Errors
    /// [`ShellError::Request`] if it is none of these requests.
    pub fn new(path: &str, body: Option<String>) -> Result<Self, ShellError> {
        let known = PATHS
            .into_iter()
            .find(|known| *known == (path, body.is_some()));
        let (path, _) = known.ok_or(ShellError::Request("a path that is not about a session"))?;
        let body = body.map(Bytes::from);
        Ok(Self { path, body })
    }

    pub(super) fn method(&self) -> Method {
        match self.body {
            Some(_) => Method::POST,
            None => Method::GET,
        }
    }
}

/// Returns the session cookie that an answer sets.
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
        let body = || Some("{}".to_owned());
        assert!(SessionRequest::new("/session", None).is_ok());
        assert!(SessionRequest::new("/session/enrol", body()).is_ok());
        for (path, body) in [
            ("/session", body()),
            ("/session/enrol", None),
            ("/session/", None),
            ("/session/../metrics", None),
            ("/flagfall.api.v1.Arbiter/Send", body()),
            ("https://elsewhere/session", None),
        ] {
            assert!(SessionRequest::new(path, body).is_err(), "{path}");
        }
    }
}
