//! Sign-in of a device over HTTPS: its identity, enrolment with a code, and a new session with its key. Requests and responses are JSON;
//! refusals are sentences. `sessions` decides which devices may sign in.

use std::net::IpAddr;

use axum::extract::{FromRequest, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use prost::Message as _;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Site;
use crate::api::connection::Caller;
use crate::api::limits::CallerId;
use crate::api::status::session_refused;
use crate::identity::{Arbiter, DeviceKey, PlayerSeat, TokenRefusal};
use crate::sessions::{Enrolment, NewSession, Session, SessionError, Sessions};

/// The cookie's lifetime in the browser, in seconds. Only the hub ends a session.
const COOKIE_SECS: u32 = 30 * 24 * 60 * 60;
/// The header with a refusal's number (flagfall.refusal.v1.RefusalCode), for which the page has a text in the user's language.
const NUMBER: &str = "flagfall-refusal";
/// The header with the rest of the refusal: flagfall.refusal.v1.Refusal without its text, in base64, as gRPC sends binary metadata.
const DETAILS: &str = "flagfall-refusal-bin";
const NOT_SIGNED_IN: &str = "this device is not signed in";

#[derive(Serialize)]
struct DeviceIdentity<'a> {
    name: &'a str,
    role: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    boards: String,
    /// The board and side of a player; absent for arbiters.
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<&'a PlayerSeat>,
    /// Id of the device; absent for a caller with a certificate, and in the answer to an offer.
    #[serde(skip_serializing_if = "Option::is_none")]
    device: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<&'a str>,
}

#[derive(Deserialize)]
pub(super) struct EnrolRequest {
    authority: String,
    token: String,
    #[serde(default)]
    name: String,
    public_key: String,
    /// The challenge that `signature` answers. Empty in requests from earlier versions of the app, which did not prove possession of
    /// their key.
    #[serde(default)]
    challenge: String,
    #[serde(default)]
    signature: String,
}

#[derive(Deserialize)]
pub(super) struct OfferRequest {
    authority: String,
    token: String,
}

#[derive(Deserialize)]
pub(super) struct RenewRequest {
    device: String,
    challenge: String,
    signature: String,
}

#[derive(Serialize)]
struct Challenge {
    challenge: String,
}

pub(in crate::api) fn secret_in<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    // HTTP/2 may send each cookie in a separate header.
    let all = headers.get_all(header::COOKIE).iter();
    all.filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find_map(|(key, secret)| (key == name).then_some(secret))
}

/// `GET /session`: returns the caller's identity.
pub(super) async fn session_info(
    State(site): State<Site>,
    caller: Option<Extension<Caller>>,
    headers: HeaderMap,
) -> Response {
    let secret = secret_in(&headers, &site.sessions.cookie_name());
    if let Some(session) = secret.and_then(|secret| site.sessions.find(secret)) {
        return fresh(Json(device_identity(&session)));
    }
    match caller.map(|Extension(caller)| caller.arbiter) {
        Some(Ok(holder)) => fresh(Json(without_device(&holder.arbiter))),
        Some(Err(_)) | None => fresh((StatusCode::UNAUTHORIZED, NOT_SIGNED_IN)),
    }
}

/// `POST /session/offer`: returns the name and role that a code would give a device, without using up the code.
pub(super) async fn offer(
    State(site): State<Site>,
    Extension(caller): Extension<Caller>,
    JsonBody(request): JsonBody<OfferRequest>,
) -> Result<Response, SessionError> {
    let (authority, token) = secrets(&request.authority, &request.token)?;
    let offered = site
        .sessions
        .offer(authority, &token, caller.address.ip())?;
    Ok(fresh(Json(without_device(&offered))))
}

/// `POST /session/enrol`: enrols a device with a code and proof of possession of the device's key, and begins its first session.
pub(super) async fn enrol(
    State(site): State<Site>,
    Extension(caller): Extension<Caller>,
    JsonBody(request): JsonBody<EnrolRequest>,
) -> Result<Response, SessionError> {
    let key = DeviceKey::from_base64(&request.public_key)?;
    let (authority, token) = secrets(&request.authority, &request.token)?;
    if request.challenge.is_empty() {
        let what = "this version of the app is too old for the hub (it does not prove possession of its key): update the app";
        return Err(SessionError::Malformed(what.to_owned()));
    }
    let signature = signature(&request.signature)?;
    let enrolment = Enrolment {
        authority,
        token,
        label: request.name,
        key,
        challenge: request.challenge,
        signature,
    };
    let address = caller.address.ip();
    begun(site, address, move |sessions| {
        sessions.enrol(enrolment, address)
    })
    .await
}

fn signature(base64: &str) -> Result<Vec<u8>, SessionError> {
    STANDARD.decode(base64).map_err(|_| SessionError::NoProof)
}

fn secrets(authority: &str, token: &str) -> Result<([u8; 16], [u8; 16]), SessionError> {
    digits(authority).zip(digits(token)).ok_or_else(|| {
        let what = "authority and token must have 32 hexadecimal digits each".to_owned();
        SessionError::Malformed(what)
    })
}

/// `GET /session/challenge`: returns the challenge that a device signs to enrol or to begin a new session.
pub(super) async fn challenge(State(site): State<Site>) -> Result<Response, SessionError> {
    let challenge = site.sessions.challenge()?;
    Ok(fresh(Json(Challenge { challenge })))
}

/// `POST /session/renew`: begins a new session for a device that proves possession of its key.
pub(super) async fn renew(
    State(site): State<Site>,
    Extension(caller): Extension<Caller>,
    JsonBody(request): JsonBody<RenewRequest>,
) -> Result<Response, SessionError> {
    let signature = signature(&request.signature)?;
    begun(site, caller.address.ip(), move |sessions| {
        sessions.renew(&request.device, &request.challenge, &signature)
    })
    .await
}

/// Begins a session and sets its cookie. This may wait for the disk, so requests queue fairly by client address.
async fn begun(
    site: Site,
    address: IpAddr,
    begin: impl FnOnce(&Sessions) -> Result<NewSession, SessionError> + Send + 'static,
) -> Result<Response, SessionError> {
    let sessions = site.sessions;
    let cookie = sessions.cookie_name();
    let turn = site.sign_ins.turn(CallerId::Address(address));
    let begun = match turn.computed(move || begin(&sessions)).await {
        Ok(begun) => begun?,
        Err(error) => {
            tracing::error!(%error, "a session could not be started");
            return Ok(StatusCode::INTERNAL_SERVER_ERROR.into_response());
        }
    };
    let cookie = format!(
        "{cookie}={}; Secure; HttpOnly; SameSite=Strict; Path=/; Max-Age={COOKIE_SECS}",
        begun.secret
    );
    let mut answer = fresh(Json(device_identity(&begun.session)));
    // Cannot fail: the secret, in URL-safe base64, and the attributes above form a valid header.
    if let Ok(cookie) = HeaderValue::try_from(cookie) {
        answer.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    Ok(answer)
}

fn device_identity(session: &Session) -> DeviceIdentity<'_> {
    DeviceIdentity {
        device: Some(session.device.as_str()),
        session: Some(&session.id),
        ..without_device(&session.arbiter)
    }
}

fn without_device(arbiter: &Arbiter) -> DeviceIdentity<'_> {
    DeviceIdentity {
        name: &arbiter.name,
        role: arbiter.role.as_str(),
        boards: arbiter.sector.to_string(),
        seat: arbiter.seat.as_ref(),
        device: None,
        session: None,
    }
}

impl IntoResponse for SessionError {
    fn into_response(self) -> Response {
        let status = match self {
            SessionError::Malformed(_)
            | SessionError::Name(_)
            | SessionError::Key(_)
            | SessionError::OtherHub => StatusCode::BAD_REQUEST,
            SessionError::Token(TokenRefusal::TooMany | TokenRefusal::Full) => {
                StatusCode::TOO_MANY_REQUESTS
            }
            SessionError::Token(TokenRefusal::NotValid) => StatusCode::FORBIDDEN,
            SessionError::NotEnrolled | SessionError::ShutOut(_) => StatusCode::UNAUTHORIZED,
            // `NoProof` is not UNAUTHORIZED: the device may still be enrolled. Its challenge may have expired, or be from an earlier run of the hub.
            SessionError::NoProof | SessionError::KeyInUse => StatusCode::CONFLICT,
            SessionError::NoSuchDevice(_) => StatusCode::NOT_FOUND,
            SessionError::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
        };
        tracing::warn!(why = %self, "a device was not signed in");
        let why = session_refused(&self);
        let number = i32::from(why.code()).to_string();
        let details = STANDARD.encode(why.without_text().encode_to_vec());
        let headers = [(NUMBER, number), (DETAILS, details)];
        fresh((status, headers, why.text().to_owned()))
    }
}

fn fresh(answer: impl IntoResponse) -> Response {
    ([(header::CACHE_CONTROL, "no-store")], answer).into_response()
}

fn digits(text: &str) -> Option<[u8; 16]> {
    proto::ids::unhex(text).ok()?.try_into().ok()
}

/// A JSON request. A body that is not valid JSON for `T` is refused with a sentence.
pub(super) struct JsonBody<T>(T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for JsonBody<T> {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(said)) => Ok(Self(said)),
            Err(error) => Err(fresh((error.status(), error.body_text()))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_secret_is_found_among_other_cookies() {
        let mut headers = HeaderMap::new();
        for value in [
            "theme=dark; __Host-flagfall-0102030=no",
            "a=b;__Host-flagfall-01020304=se-cr_et",
        ] {
            headers.append(header::COOKIE, HeaderValue::from_static(value));
        }
        assert_eq!(
            secret_in(&headers, "__Host-flagfall-01020304"),
            Some("se-cr_et")
        );
        assert_eq!(secret_in(&headers, "__Host-flagfall-ffffffff"), None);
        assert_eq!(secret_in(&HeaderMap::new(), "a"), None);
    }
}
