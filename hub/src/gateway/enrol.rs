//! Enrolment of a gateway: exchanges a code issued by the hub for a certificate for the gateway's key. The hub proves that it is the hub named in
//! the code before the code's secret is sent.

use std::time::Duration;

use ed25519_dalek::SigningKey;
use proto::chain::sign_enrolment;
use proto::enrolment::{EnrolmentCode, fingerprint};
use proto::frame::encode_prefixed;
use proto::quic::SERVER_NAME;
use proto::wire::{EnrolAnswer, EnrolRequest, Enrolled, enrol_answer};
use quinn::{Connection, VarInt};
use tokio::time::timeout;

use super::badge::{Badge, UsedCode, wall};
use super::dial::{DialError, connect};
use super::message_of;
use crate::identity::{bracketed, enrolling_client_config};
use crate::links::framing::FrameReader;

const ANSWER_WITHIN: Duration = Duration::from_secs(10);

#[derive(Debug, thiserror::Error)]
pub enum EnrolError {
    #[error(transparent)]
    Dial(#[from] DialError),
    #[error("the hub refuses: {0}")]
    Refused(String),
    /// The connection broke, or the hub's response is missing or unusable.
    #[error("{0}; the code may have been used: if it is refused now, ask for a new one")]
    Broke(String),
    #[error("cannot set up TLS: {0}")]
    Tls(#[from] rustls::Error),
}

/// Enrols the gateway with this key; the code determines its name.
pub async fn enrol(key: SigningKey, code: &EnrolmentCode) -> Result<Badge, EnrolError> {
    let hub = format!("{}:{}", bracketed(&code.host), code.port);
    let tls = enrolling_client_config(code.authority, wall())?;
    let connection = connect(&hub, SERVER_NAME, tls).await?;
    let asked = timeout(ANSWER_WITHIN, ask(&connection, &key, code)).await;
    connection.close(VarInt::from_u32(0), b"");
    let answer = asked.map_err(|_| EnrolError::Broke("no answer".to_owned()))?;
    let enrolled = answer.map_err(EnrolError::Broke)?;
    match enrolled.answer {
        Some(enrol_answer::Answer::Enrolled(enrolled)) => badge(enrolled, key, code, hub),
        Some(enrol_answer::Answer::Refused(why)) => Err(EnrolError::Refused(why)),
        Some(enrol_answer::Answer::Waiting(_)) => Err(EnrolError::Broke(
            "the hub mistakes this gateway for a clock".to_owned(),
        )),
        None => Err(EnrolError::Broke("the hub's answer is empty".to_owned())),
    }
}

async fn ask(
    connection: &Connection,
    key: &SigningKey,
    code: &EnrolmentCode,
) -> Result<EnrolAnswer, String> {
    let request = EnrolRequest {
        major: proto::MAJOR,
        minor: proto::MINOR,
        token: code.token.to_vec(),
        signing_key: key.verifying_key().to_bytes().to_vec(),
        // A gateway has no exchange key: only clocks do.
        exchange_key: Vec::new(),
        name: String::new(),
        signature: sign_enrolment(&code.token, &[], key),
        gateway: true,
        ..EnrolRequest::default()
    };
    let bytes = encode_prefixed(&request).map_err(message_of)?;
    let (mut send, receive) = connection.open_bi().await.map_err(message_of)?;
    send.write_all(&bytes).await.map_err(message_of)?;
    send.finish().map_err(message_of)?;
    let mut reader = FrameReader::new(receive, "the answer ended too early");
    reader.next().await.map_err(message_of)
}

fn badge(
    enrolled: Enrolled,
    key: SigningKey,
    code: &EnrolmentCode,
    hub: String,
) -> Result<Badge, EnrolError> {
    let is_ours = fingerprint(&enrolled.authority_der) == code.authority;
    if !is_ours || enrolled.certificate_der.is_empty() {
        let what = "the hub's response is inconsistent".to_owned();
        return Err(EnrolError::Broke(what));
    }
    Ok(Badge {
        key,
        certificate: enrolled.certificate_der,
        authority: enrolled.authority_der,
        name: enrolled.name,
        hub,
        used_code: Some(UsedCode::of(code)),
    })
}
