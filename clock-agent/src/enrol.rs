//! Enrolment: a code from the hub's screen becomes a certificate for this clock's key. Owns the question and the check that
//! the one who answers is the hub of the code, made before the secret of the code is shown.

mod ble;

use std::time::Duration;

use proto::enrolment::{EnrolmentCode, fingerprint};
use proto::frame::{Deframer, FrameError, encode_prefixed};
use proto::wire::{EnrolAnswer, EnrolRequest, Enrolled, enrol_answer};
use quinn::{Connection, RecvStream};

use crate::identity::{Enrolment, Keys};
use crate::links::quic::{Dialer, client_config, close, words};
use crate::links::{ConnectError, HubAddress};

pub use ble::enrol_over_ble;

/// The hub answers within this.
const ANSWER: Duration = Duration::from_secs(10);

/// Why a clock is not enrolled.
#[derive(Debug, thiserror::Error)]
pub enum EnrolError {
    /// The hub cannot be reached.
    #[error("{0}")]
    Connect(ConnectError),
    /// The one at that address is not the hub that made the code.
    #[error(
        "the hub at {0} is not the one that made this code: is another hub running there, or was the code made before the hub was set up anew?"
    )]
    OtherHub(HubAddress),
    /// The hub says no: code used, too old, unknown.
    #[error("the hub refuses: {0}")]
    Refused(String),
    /// The link broke before the answer was whole.
    #[error(
        "the link to the hub broke: {0}; the code may have been used, ask for another one if it is refused now"
    )]
    Broke(String),
    /// The hub's answer does not hold together.
    #[error("the hub's answer cannot be used: {0}")]
    BadAnswer(String),
    /// TLS or a socket is not to be had.
    #[error("cannot start: {0}")]
    Local(String),
}

/// Enrols the clock with these keys under `name` (the hub may give it another one).
///
/// # Errors
/// [`EnrolError`].
pub async fn enrol(keys: &Keys, code: &EnrolmentCode, name: &str) -> Result<Enrolment, EnrolError> {
    let dialer = Dialer::open().map_err(|error| EnrolError::Local(error.to_string()))?;
    enrol_over(&dialer, keys, code, name).await
}

/// [`enrol`], over sockets that are shared.
///
/// # Errors
/// [`EnrolError`].
pub async fn enrol_over(
    dialer: &Dialer,
    keys: &Keys,
    code: &EnrolmentCode,
    name: &str,
) -> Result<Enrolment, EnrolError> {
    let local = |error: rustls::Error| EnrolError::Local(error.to_string());
    let (tls, stranger) = crate::links::enrol_config(code.authority).map_err(local)?;
    let config = client_config(tls).map_err(local)?;
    let address = HubAddress {
        host: code.host.clone(),
        port: code.port,
    };
    let connection = match dialer.connect(&address, &config).await {
        Ok(connection) => connection,
        Err(_) if stranger.take().is_some() => return Err(EnrolError::OtherHub(address)),
        Err(error) => return Err(EnrolError::Connect(error)),
    };
    let request = request(keys, &code.token, name);
    let asked = ask(&connection, &request);
    let answer = match tokio::time::timeout(ANSWER, asked).await {
        Ok(answer) => answer,
        Err(_) => Err(EnrolError::Broke("no answer".to_owned())),
    };
    close(&connection, "");
    enrolment(answer?, code, &address)
}

fn request(keys: &Keys, token: &[u8; 16], name: &str) -> EnrolRequest {
    let exchange = keys.exchange_public();
    clock_core::enrolment::request(keys.signing_key(), &exchange, token, name)
}

/// What the hub has granted, unless it says no.
fn granted(answer: EnrolAnswer) -> Result<Enrolled, EnrolError> {
    match answer.answer {
        Some(enrol_answer::Answer::Enrolled(enrolled)) => Ok(enrolled),
        Some(enrol_answer::Answer::Refused(why)) => Err(EnrolError::Refused(why)),
        None => Err(EnrolError::BadAnswer("it is empty".to_owned())),
    }
}

/// For the clock to keep; `hub` is where it was enrolled, empty for over the air.
fn kept(enrolled: Enrolled, hub: String) -> Enrolment {
    Enrolment {
        certificate_der: enrolled.certificate_der,
        authority_der: enrolled.authority_der,
        log_origin: enrolled.log_origin,
        name: enrolled.name,
        board: enrolled.board,
        hub,
        hub_exchange_key: enrolled.exchange_key,
    }
}

async fn ask(connection: &Connection, request: &EnrolRequest) -> Result<Enrolled, EnrolError> {
    let broke = |error: String| match connection.close_reason() {
        Some(reason) => EnrolError::Broke(words(&reason).to_string()),
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
    let answer = read(&mut receive).await.map_err(|error| match error {
        ReadFailed::Link(why) => broke(why),
        ReadFailed::Frame(error) => EnrolError::BadAnswer(error.to_string()),
    })?;
    granted(answer)
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
        let what = "its authority is not the one the code names";
        return Err(EnrolError::BadAnswer(what.to_owned()));
    }
    if enrolled.certificate_der.is_empty() || enrolled.log_origin.is_empty() {
        let what = "certificate or log is missing";
        return Err(EnrolError::BadAnswer(what.to_owned()));
    }
    Ok(kept(enrolled, hub.to_string()))
}
