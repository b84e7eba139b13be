//! The device's identity at a hub: enrolment with a code, and sessions opened with its key. Owns the messages, in the hub's format.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http_body_util::Full;
use hyper::header::{CONTENT_TYPE, HeaderMap, HeaderValue, SET_COOKIE};
use hyper::{Method, Request, StatusCode};
use proto::enrolment::EnrolmentCode;
use proto::ids::hex;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::{Connection, Whole, body, whole};
use crate::error::{Denial, ShellError};
use crate::keys::DeviceKey;

/// The header with the details of a refusal: flagfall.refusal.v1.Refusal in base64.
pub(crate) const DETAILS: &str = "flagfall-refusal-bin";

/// The prefix of the session cookie's name, with the browsers' rules for it.
const COOKIE_PREFIX: &str = "__Host-";
/// The arbiter is waiting: a hub that takes longer counts as unreachable.
const ANSWER_WITHIN: Duration = Duration::from_secs(8);
/// The limit of a message for an arbiter, in characters.
const MAX_SENTENCE: usize = 500;

/// The arbiter of the device, as the hub knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// The arbiter's name.
    pub name: String,
    /// `chief`, `floor` or `viewer`.
    pub role: String,
    /// The device's name.
    pub device: String,
}

/// The credentials of a session.
#[derive(Debug)]
pub struct Session {
    /// The cookie.
    pub cookie: HeaderValue,
    /// The public id that signatures contain.
    pub id: String,
}

/// A device that the hub knows.
#[derive(Debug)]
pub struct Enrolled {
    /// The arbiter.
    pub member: Member,
    /// The new session.
    pub session: Session,
}

#[derive(Serialize)]
struct EnrolRequest<'a> {
    authority: String,
    token: String,
    name: &'a str,
    public_key: String,
}

#[derive(Deserialize)]
struct Challenge {
    challenge: String,
}

#[derive(Serialize)]
struct RenewRequest<'a> {
    device: &'a str,
    challenge: &'a str,
    signature: String,
}

#[derive(Deserialize)]
struct SessionAnswer {
    #[serde(flatten)]
    member: Member,
    session: String,
}

impl Enrolled {
    /// Uses the code up for a device with this key; `name` is the device's name in the chief arbiter's list.
    ///
    /// # Errors
    /// [`ShellError::CodeRefused`] or [`ShellError::Refused`] with the hub's message, [`ShellError::Answer`], [`ShellError::Unreachable`];
    /// [`ShellError::OtherHub`] if nothing was sent.
    pub async fn by_code(
        connection: &Connection,
        code: &EnrolmentCode,
        name: &str,
        key: &DeviceKey,
    ) -> Result<Self, ShellError> {
        let wish = EnrolRequest {
            authority: hex(&code.authority),
            token: hex(&code.token),
            name,
            public_key: STANDARD.encode(key.spki()),
        };
        let answer = post(connection, "/session/enrol", &wish).await?;
        match answer.head.status {
            status if status.is_success() => Self::read(&answer),
            StatusCode::FORBIDDEN => Err(ShellError::CodeRefused(sentence(&answer))),
            // Not the code's fault: a name that is too long, too many codes from this address, a full disk.
            _ => Err(ShellError::Refused(sentence(&answer))),
        }
    }

    /// Opens a session for a device that proves possession of a key the hub knows.
    ///
    /// # Errors
    /// [`ShellError::NotEnrolled`] if the hub does not know it; [`ShellError::OtherHub`], [`ShellError::Unreachable`].
    pub async fn by_key(connection: &Connection, key: &DeviceKey) -> Result<Self, ShellError> {
        match Self::prove(connection, key).await {
            // The challenge may have expired, or be from before a restart: only a second denial counts.
            Err(ShellError::NotEnrolled(_) | ShellError::Answer(_)) => {
                Self::prove(connection, key).await
            }
            answer => answer,
        }
    }

    async fn prove(connection: &Connection, key: &DeviceKey) -> Result<Self, ShellError> {
        let asked = connection.request(Method::GET, "/session/challenge");
        let asked = answered(connection, body(asked, Bytes::new())?).await?;
        if !asked.head.status.is_success() {
            return Err(ShellError::Answer(sentence(&asked)));
        }
        let Challenge { challenge } = read(&asked)?;
        let proof = RenewRequest {
            device: &key.device(),
            challenge: &challenge,
            signature: key.sign_challenge(&challenge)?,
        };
        let answer = post(connection, "/session/renew", &proof).await?;
        match answer.head.status {
            status if status.is_success() => Self::read(&answer),
            StatusCode::UNAUTHORIZED => Err(ShellError::NotEnrolled(denial(&answer))),
            _ => Err(ShellError::Answer(sentence(&answer))),
        }
    }

    fn read(answer: &Whole) -> Result<Self, ShellError> {
        let said: SessionAnswer = read(answer)?;
        Ok(Self {
            member: said.member,
            session: Session {
                cookie: cookie_of(&answer.head.headers)?,
                id: said.session,
            },
        })
    }
}

fn read<T: DeserializeOwned>(answer: &Whole) -> Result<T, ShellError> {
    serde_json::from_slice(&answer.body).map_err(|error| ShellError::Answer(error.to_string()))
}

async fn post(
    connection: &Connection,
    path: &str,
    wish: &impl Serialize,
) -> Result<Whole, ShellError> {
    let json = serde_json::to_vec(wish).map_err(|error| ShellError::Answer(error.to_string()))?;
    let request = connection
        .request(Method::POST, path)
        .header(CONTENT_TYPE, "application/json");
    answered(connection, body(request, json.into())?).await
}

async fn answered(
    connection: &Connection,
    request: Request<Full<Bytes>>,
) -> Result<Whole, ShellError> {
    let answer = async { whole(connection, connection.send(request).await?).await };
    let answer = tokio::time::timeout(ANSWER_WITHIN, answer).await;
    answer.unwrap_or_else(|_| Err(connection.silent(ANSWER_WITHIN)))
}

/// Reads a denial from the hub's answer to an unknown or revoked device.
fn denial(answer: &Whole) -> Denial {
    let details = answer.head.headers.get(DETAILS);
    Denial {
        text: sentence(answer),
        details: details.and_then(|details| Some(details.to_str().ok()?.to_owned())),
    }
}

/// Returns the hub's text, or its status if there is none.
fn sentence(answer: &Whole) -> String {
    let said = String::from_utf8_lossy(&answer.body);
    let said = said.trim();
    if said.is_empty() {
        answer.head.status.to_string()
    } else {
        said.chars().take(MAX_SENTENCE).collect()
    }
}

fn cookie_of(headers: &HeaderMap) -> Result<HeaderValue, ShellError> {
    headers
        .get_all(SET_COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok()?.split(';').next())
        .find(|pair| pair.starts_with(COOKIE_PREFIX))
        .and_then(|pair| HeaderValue::from_str(pair.trim()).ok())
        .ok_or_else(|| ShellError::Answer("it has no session in it".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cookies(values: &[&str]) -> Option<String> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(SET_COOKIE, HeaderValue::from_str(value).unwrap());
        }
        let found = cookie_of(&headers).ok()?;
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
}
