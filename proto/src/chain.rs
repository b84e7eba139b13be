//! An agent's chain of signed events: how a body is hashed, signed and checked. Owns the exact bytes; never decides what an event means.

use alloc::vec::Vec;

use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use prost::Message;
use sha2::{Digest, Sha256};

use crate::ids::AgentId;
use crate::wire::{Event, EventBody};

/// What a signature over an event begins with, so that it can never be taken for another kind of signature.
const EVENT_CONTEXT: &[u8] = b"flagfall event v1\n";
const WATERMARK_CONTEXT: &[u8] = b"flagfall watermark v1\n";
const ENROL_CONTEXT: &[u8] = b"flagfall enrol v1\n";

/// Chain hash: names an event and all before it.
pub type ChainHash = [u8; 32];

/// The hash that the first event of a journal names as the one before it.
pub fn genesis(log_origin: &str, agent: &AgentId) -> ChainHash {
    let mut hash = Sha256::new();
    hash.update(b"flagfall journal v1\n");
    hash.update(log_origin.as_bytes());
    hash.update(b"\n");
    hash.update(agent.0);
    hash.finalize().into()
}

/// The chain hash of an event, over its body as sent. The body holds the hash before it.
pub fn chain_hash(body: &[u8]) -> ChainHash {
    Sha256::digest(body).into()
}

/// Makes the next link of a chain.
pub fn sign(body: &EventBody, key: &SigningKey) -> Event {
    let body = body.encode_to_vec();
    let signature = key.sign(&with_context(EVENT_CONTEXT, &body)).to_bytes();
    Event {
        body,
        signature: signature.to_vec(),
    }
}

/// Checks that `event` was signed by `agent`.
///
/// # Errors
/// [`ChainError::Key`] or [`ChainError::Signature`].
pub fn verify(event: &Event, agent: &AgentId) -> Result<(), ChainError> {
    verify_bytes(EVENT_CONTEXT, &event.body, &event.signature, agent)
}

/// What the signature of a watermark covers: the instant of the promise and its place.
pub fn watermark_bytes(at_us: i64, seq: u64) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&at_us.to_be_bytes());
    bytes[8..].copy_from_slice(&seq.to_be_bytes());
    bytes
}

/// Signature of a watermark: the agent stands by its promise towards anybody.
pub fn sign_watermark(at_us: i64, seq: u64, key: &SigningKey) -> Vec<u8> {
    key.sign(&with_context(
        WATERMARK_CONTEXT,
        &watermark_bytes(at_us, seq),
    ))
    .to_bytes()
    .to_vec()
}

/// Checks that `agent` gave this promise.
///
/// # Errors
/// [`ChainError::Key`] or [`ChainError::Signature`].
pub fn verify_watermark(
    at_us: i64,
    seq: u64,
    signature: &[u8],
    agent: &AgentId,
) -> Result<(), ChainError> {
    let message = watermark_bytes(at_us, seq);
    verify_bytes(WATERMARK_CONTEXT, &message, signature, agent)
}

/// Signature of an enrolment request: the asker holds the key it wants certified.
pub fn sign_enrolment(token: &[u8], exchange_key: &[u8], key: &SigningKey) -> Vec<u8> {
    let asked = [token, exchange_key].concat();
    key.sign(&with_context(ENROL_CONTEXT, &asked))
        .to_bytes()
        .to_vec()
}

/// Checks the signature of an enrolment request.
///
/// # Errors
/// [`ChainError::Key`] or [`ChainError::Signature`].
pub fn verify_enrolment(
    token: &[u8],
    exchange_key: &[u8],
    signature: &[u8],
    agent: &AgentId,
) -> Result<(), ChainError> {
    verify_bytes(
        ENROL_CONTEXT,
        &[token, exchange_key].concat(),
        signature,
        agent,
    )
}

/// Why a link does not fit its chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChainError {
    /// The agent's identity is no point of the curve.
    #[error("the agent's key is no Ed25519 public key")]
    Key,
    /// Signed by another key, or altered.
    #[error("the signature does not fit the event")]
    Signature,
}

fn verify_bytes(
    context: &[u8],
    message: &[u8],
    signature: &[u8],
    agent: &AgentId,
) -> Result<(), ChainError> {
    let key = VerifyingKey::from_bytes(&agent.0).map_err(|_| ChainError::Key)?;
    let signature = Signature::from_slice(signature).map_err(|_| ChainError::Signature)?;
    key.verify_strict(&with_context(context, message), &signature)
        .map_err(|_| ChainError::Signature)
}

fn with_context(context: &[u8], message: &[u8]) -> Vec<u8> {
    [context, message].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{Button, Press, event_body::Fact};

    #[test]
    fn a_signed_event_verifies_and_an_altered_one_does_not() {
        let key = SigningKey::from_bytes(&[7; 32]);
        let agent = AgentId(key.verifying_key().to_bytes());
        let body = EventBody {
            seq: 1,
            prev_hash: genesis("flagfall.example/1", &agent).to_vec(),
            at_us: 12_000_000,
            fact: Some(Fact::Press(Press {
                button: Button::Left.into(),
            })),
            ..EventBody::default()
        };
        let event = sign(&body, &key);
        assert_eq!(verify(&event, &agent), Ok(()));
        for at in 0..event.body.len() {
            let mut altered = event.clone();
            altered.body[at] ^= 1;
            assert_eq!(
                verify(&altered, &agent),
                Err(ChainError::Signature),
                "byte {at}"
            );
        }
        assert_eq!(
            verify(&event, &AgentId([0; 32])),
            Err(ChainError::Signature)
        );
    }

    #[test]
    fn an_event_signature_is_no_enrolment_signature() {
        let key = SigningKey::from_bytes(&[7; 32]);
        let agent = AgentId(key.verifying_key().to_bytes());
        let signature = sign_enrolment(b"token", b"exchange", &key);
        assert_eq!(
            verify_enrolment(b"token", b"exchange", &signature, &agent),
            Ok(())
        );
        let event = Event {
            body: b"tokenexchange".to_vec(),
            signature,
        };
        assert_eq!(verify(&event, &agent), Err(ChainError::Signature));
    }
}
