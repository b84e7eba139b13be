//! Enrolment: exchanges a code for a certificate. Owns the request, and the check of the hub's identity before the code's secret is sent.

mod ble;

use std::time::Duration;

use proto::enrolment::{EnrolmentCode, fingerprint};
use proto::exchange::exchange_key;
use proto::frame::{Deframer, FrameError, encode_prefixed};
use proto::quic::SERVER_NAME;
use proto::wire::{EnrolAnswer, EnrolRequest, Enrolled, GoodbyeReason, enrol_answer};
use quinn::{Connection, RecvStream};

use crate::config::FIRMWARE;
use crate::identity::{Enrolment, Keys};
use crate::links::quic::{Dialer, client_config, close, link_end};
use crate::links::{ConnectError, HubAddress};

pub use ble::enrol_over_ble;

const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);
/// Bounds on the delay between a waiting clock's requests, whatever the hub suggests.
const RETRY_BOUNDS: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(10));
/// Number of link failures in a row that a waiting clock tolerates; the next one ends the wait.
const MAX_ATTEMPTS: u32 = 60;

#[derive(Debug, thiserror::Error)]
pub enum EnrolError {
    #[error("{0}")]
    Connect(ConnectError),
    #[error(
        "the hub at {0} did not issue this code: another hub may be running there, or the hub was set up again after it issued the code"
    )]
    OtherHub(HubAddress),
    #[error("the hub refused: {0}")]
    Refused(String),
    #[error(
        "the link to the hub broke: {0}; the code may have been used: if it is refused now, ask for a new code"
    )]
    Broke(String),
    #[error("the hub's answer is invalid: {0}")]
    BadAnswer(String),
    #[error("cannot prepare the enrolment: {0}")]
    Local(String),
}

/// Enrols the clock that owns `keys` under `name`; the hub may choose another name. With a code for many clocks, waits until an arbiter admits the
/// clock. `show` receives each number that the arbiter must compare before admitting the clock.
///
/// # Errors
/// Returns an [`EnrolError`] if the request cannot be prepared, the code's hub cannot be reached, the link breaks, or the hub refuses or answers
/// invalidly.
pub async fn enrol(
    keys: &Keys,
    code: &EnrolmentCode,
    name: &str,
    show: impl FnMut(&str),
) -> Result<Enrolment, EnrolError> {
    let dialer = Dialer::open().map_err(|error| EnrolError::Local(error.to_string()))?;
    enrol_over(&dialer, keys, code, name, show).await
}

/// Like [`enrol`], but uses the sockets of `dialer`.
pub async fn enrol_over(
    dialer: &Dialer,
    keys: &Keys,
    code: &EnrolmentCode,
    name: &str,
    mut show: impl FnMut(&str),
) -> Result<Enrolment, EnrolError> {
    let mut shown: Option<(String, Duration)> = None;
    let mut missed = 0;
    loop {
        match (ask_once(dialer, keys, code, name).await, &shown) {
            (Ok(HubAnswer::Enrolled(enrolment)), _) => return Ok(*enrolment),
            (Ok(HubAnswer::Wait { number, again }), _) => {
                missed = 0;
                if shown.as_ref().is_none_or(|(before, _)| *before != number) {
                    show(&number);
                }
                shown = Some((number, again));
            }
            // The clock is already waiting for the arbiter, so send the request again.
            (Err(EnrolError::Connect(_) | EnrolError::Broke(_)), Some(_))
                if missed < MAX_ATTEMPTS =>
            {
                missed += 1;
            }
            (Err(error), _) => return Err(error),
        }
        if let Some((_, again)) = &shown {
            tokio::time::sleep(*again).await;
        }
    }
}

enum HubAnswer {
    Enrolled(Box<Enrolment>),
    /// An arbiter must admit the clock: show the number, and repeat the request after the time `again`.
    Wait {
        number: String,
        again: Duration,
    },
}

async fn ask_once(
    dialer: &Dialer,
    keys: &Keys,
    code: &EnrolmentCode,
    name: &str,
) -> Result<HubAnswer, EnrolError> {
    let local = |error: rustls::Error| EnrolError::Local(error.to_string());
    let (tls, other_authority) = crate::links::enrol_config(code.authority).map_err(local)?;
    let config = client_config(tls).map_err(local)?;
    let address = HubAddress {
        host: code.host.clone(),
        port: code.port,
    };
    let connection = match dialer.connect(&address, SERVER_NAME, &config).await {
        Ok(connection) => connection,
        Err(_) if other_authority.take().is_some() => return Err(EnrolError::OtherHub(address)),
        Err(error) => return Err(EnrolError::Connect(error)),
    };
    let mut request = request(keys, &code.token, name);
    request.can_wait = true;
    request.renews = true;
    FIRMWARE.clone_into(&mut request.firmware);
    let asked = ask(&connection, &request);
    let answer = match tokio::time::timeout(ANSWER_TIMEOUT, asked).await {
        Ok(answer) => answer,
        Err(_) => Err(EnrolError::Broke("no answer".to_owned())),
    };
    close(&connection, GoodbyeReason::Unspecified, "");
    match answer?.answer {
        Some(enrol_answer::Answer::Waiting(waiting)) => {
            let (least, most) = RETRY_BOUNDS;
            let again = Duration::from_millis(waiting.again_ms.into()).clamp(least, most);
            let number = waiting.number;
            Ok(HubAnswer::Wait { number, again })
        }
        answer => {
            let enrolled = accepted(EnrolAnswer { answer })?;
            let enrolment = enrolment(enrolled, code, &address)?;
            Ok(HubAnswer::Enrolled(Box::new(enrolment)))
        }
    }
}

fn request(keys: &Keys, token: &[u8; 16], name: &str) -> EnrolRequest {
    let exchange = keys.exchange_public();
    clock_core::enrolment::request(keys.signing_key(), &exchange, token, name)
}

fn accepted(answer: EnrolAnswer) -> Result<Enrolled, EnrolError> {
    match answer.answer {
        Some(enrol_answer::Answer::Enrolled(enrolled)) => Ok(enrolled),
        Some(enrol_answer::Answer::Refused(why)) => Err(EnrolError::Refused(why)),
        Some(enrol_answer::Answer::Waiting(_)) => {
            let what = "it asks the clock to wait".to_owned();
            Err(EnrolError::BadAnswer(what))
        }
        None => Err(EnrolError::BadAnswer("it is empty".to_owned())),
    }
}

/// Returns the enrolment to store. `hub` is the address at which the clock enrolled; empty if it enrolled over Bluetooth LE.
fn stored_enrolment(enrolled: Enrolled, hub: String) -> Enrolment {
    Enrolment {
        certificate_der: enrolled.certificate_der,
        authority_der: enrolled.authority_der,
        log_origin: enrolled.log_origin,
        name: enrolled.name,
        board: enrolled.board,
        hub,
        hub_exchange_key: enrolled.exchange_key,
        former_authorities: Vec::new(),
    }
}

async fn ask(connection: &Connection, request: &EnrolRequest) -> Result<EnrolAnswer, EnrolError> {
    let broke = |error: String| match connection.close_reason() {
        Some(reason) => EnrolError::Broke(link_end(&reason).to_string()),
        None => EnrolError::Broke(error),
    };
    let bytes = encode_prefixed(request).map_err(|error| EnrolError::Local(error.to_string()))?;
    let (mut send, mut receive) = connection
        .open_bi()
        .await
        .map_err(|error| broke(error.to_string()))?;
    send.write_all(&bytes)
        .await
        .map_err(|error| broke(error.to_string()))?;
    send.finish().map_err(|error| broke(error.to_string()))?;
    read(&mut receive).await.map_err(|error| match error {
        ReadFailed::Link(why) => broke(why),
        ReadFailed::Frame(error) => EnrolError::BadAnswer(error.to_string()),
    })
}

enum ReadFailed {
    Link(String),
    Frame(FrameError),
}

async fn read(receive: &mut RecvStream) -> Result<EnrolAnswer, ReadFailed> {
    let mut deframer = Deframer::default();
    loop {
        if let Some(answer) = deframer.next().map_err(ReadFailed::Frame)? {
            return Ok(answer);
        }
        match receive.read_chunk(4096, true).await {
            Ok(Some(chunk)) => deframer.push(&chunk.bytes),
            Ok(None) => return Err(ReadFailed::Link("it ended too early".to_owned())),
            Err(error) => return Err(ReadFailed::Link(error.to_string())),
        }
    }
}

fn enrolment(
    enrolled: Enrolled,
    code: &EnrolmentCode,
    hub: &HubAddress,
) -> Result<Enrolment, EnrolError> {
    if fingerprint(&enrolled.authority_der) != code.authority {
        let what = "its authority does not match the code";
        return Err(EnrolError::BadAnswer(what.to_owned()));
    }
    if enrolled.certificate_der.is_empty() || enrolled.log_origin.is_empty() {
        let what = "certificate or log is missing";
        return Err(EnrolError::BadAnswer(what.to_owned()));
    }
    // A hub that is too old for Bluetooth LE sends no key.
    if !enrolled.exchange_key.is_empty() {
        exchange_key(&enrolled.exchange_key)
            .map_err(|error| EnrolError::BadAnswer(format!("the hub's X25519 key {error}")))?;
    }
    Ok(stored_enrolment(enrolled, hub.to_string()))
}
