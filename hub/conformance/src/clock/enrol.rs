//! Enrolment of a scripted clock: the request, the hub's answers, and the resulting identity.

use std::net::SocketAddr;
use std::time::Duration;

use ed25519_dalek::SigningKey;
use proto::chain::sign_enrolment;
use proto::enrolment::{EnrolmentCode, fingerprint};
use proto::frame::{Deframer, encode_prefixed};
use proto::ids::AgentId;
use proto::quic::SERVER_NAME;
use proto::wire::{EnrolAnswer, EnrolRequest, Enrolled, Waiting, enrol_answer};
use quinn::Endpoint;

use super::Fault;
use crate::tls::{self, TlsError};

const ANSWER_WITHIN: Duration = Duration::from_secs(10);
/// Number of requests that a waiting clock sends before it gives up.
const MAX_REQUESTS: usize = 100;

/// A clock's key and its enrolment at one hub.
#[derive(Clone, Debug)]
pub struct ClockIdentity {
    /// The Ed25519 key that signs events.
    pub key: SigningKey,
    /// The hub's answer, which contains the clock's certificate.
    pub enrolled: Enrolled,
}

impl ClockIdentity {
    /// Returns the clock's name on the wire: its public key.
    pub fn agent(&self) -> AgentId {
        AgentId(self.key.verifying_key().to_bytes())
    }
}

#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum EnrolFailure {
    #[error("the hub refused: {0}")]
    Refused(String),
    #[error("the hub's answer breaks the protocol: {0}")]
    BadAnswer(String),
    #[error("no answer: {0}")]
    Link(String),
    #[error(transparent)]
    Tls(#[from] TlsError),
}

pub(super) fn link(error: impl std::fmt::Display) -> EnrolFailure {
    EnrolFailure::Link(error.to_string())
}

/// An enrolment request, apart from the clock's key.
#[derive(Clone, Copy, Debug)]
pub struct EnrolAttempt<'a> {
    pub hub: SocketAddr,
    pub code: &'a EnrolmentCode,
    /// The rules that the request breaks.
    pub faults: &'a [Fault],
    /// True if the clock can wait for an arbiter.
    pub can_wait: bool,
}

impl EnrolAttempt<'_> {
    /// Sends one request for `key` and returns the answer.
    ///
    /// # Errors
    /// Returns any [`EnrolFailure`] except [`EnrolFailure::Refused`].
    pub async fn ask(&self, key: &SigningKey) -> Result<enrol_answer::Answer, EnrolFailure> {
        let asked = self.ask_once(key);
        let answered = tokio::time::timeout(ANSWER_WITHIN, asked).await;
        let answer = answered.map_err(|_| link("no answer within 10 s"))??.answer;
        answer.ok_or_else(|| EnrolFailure::BadAnswer("an empty answer".to_owned()))
    }

    async fn ask_once(&self, key: &SigningKey) -> Result<EnrolAnswer, EnrolFailure> {
        let mut endpoint = endpoint(self.hub)?;
        endpoint.set_default_client_config(tls::enrolling_client(self.code.authority)?);
        let connecting = endpoint.connect(self.hub, SERVER_NAME).map_err(link)?;
        let connection = connecting.await.map_err(link)?;
        let (mut send, mut receive) = connection.open_bi().await.map_err(link)?;
        let bytes = encode_prefixed(&self.request(key)).map_err(link)?;
        send.write_all(&bytes).await.map_err(link)?;
        send.finish().map_err(link)?;
        let mut deframer = Deframer::default();
        loop {
            let bad = |error: proto::frame::FrameError| EnrolFailure::BadAnswer(error.to_string());
            if let Some(answer) = deframer.next().map_err(bad)? {
                return Ok(answer);
            }
            match receive.read_chunk(4096, true).await.map_err(link)? {
                Some(chunk) => deframer.push(&chunk.bytes),
                None => return Err(link("the answer ended early")),
            }
        }
    }

    fn request(&self, key: &SigningKey) -> EnrolRequest {
        let has = |fault| self.faults.contains(&fault);
        let exchange_key = vec![9; 32];
        let token = match has(Fault::EnrolToken) {
            true => vec![0x5a; 16],
            false => self.code.token.to_vec(),
        };
        let signed = match has(Fault::EnrolSignature) {
            true => &[1; 16],
            false => token.as_slice(),
        };
        EnrolRequest {
            major: proto::MAJOR,
            minor: proto::MINOR,
            signing_key: key.verifying_key().to_bytes().to_vec(),
            signature: sign_enrolment(signed, &exchange_key, key),
            exchange_key,
            token,
            name: "scripted clock".to_owned(),
            gateway: false,
            can_wait: self.can_wait,
            firmware: "scripted-clock 1".to_owned(),
            renews: false,
        }
    }
}

/// Enrols a clock with a new key, and waits for the arbiter's admission if the hub requires it.
pub async fn enrol(
    hub: SocketAddr,
    code: &EnrolmentCode,
    faults: &[Fault],
) -> Result<ClockIdentity, EnrolFailure> {
    let mut key = new_key()?;
    let attempt = EnrolAttempt {
        hub,
        code,
        faults,
        can_wait: true,
    };
    for _ in 0..MAX_REQUESTS {
        match attempt.ask(&key).await? {
            enrol_answer::Answer::Enrolled(enrolled) => {
                if fingerprint(&enrolled.authority_der) != code.authority {
                    let what = "the authority is not the one in the code".to_owned();
                    return Err(EnrolFailure::BadAnswer(what));
                }
                return Ok(ClockIdentity { key, enrolled });
            }
            enrol_answer::Answer::Refused(text) => return Err(EnrolFailure::Refused(text)),
            enrol_answer::Answer::Waiting(Waiting { again_ms, .. }) => {
                if faults.contains(&Fault::EnrolOtherKey) {
                    key = new_key()?;
                }
                if !faults.contains(&Fault::EnrolImpatient) {
                    tokio::time::sleep(Duration::from_millis(u64::from(again_ms))).await;
                }
            }
        }
    }
    Err(link("the arbiter has not admitted this clock"))
}

fn new_key() -> Result<SigningKey, EnrolFailure> {
    let mut secret = [0; 32];
    getrandom::fill(&mut secret).map_err(link)?;
    Ok(SigningKey::from_bytes(&secret))
}

/// Opens a socket of the same family as `peer`.
pub(super) fn endpoint(peer: SocketAddr) -> Result<Endpoint, EnrolFailure> {
    let any: SocketAddr = if peer.is_ipv4() {
        ([0, 0, 0, 0], 0).into()
    } else {
        ([0_u16; 8], 0).into()
    };
    Endpoint::client(any).map_err(link)
}
