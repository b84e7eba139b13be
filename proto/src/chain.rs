//! An agent's chain of signed events, its watermarks and its enrolment requests: hashing, signing and verification. Owns the exact bytes; never
//! interprets an event.

use alloc::vec::Vec;

use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use prost::Message;
use sha2::{Digest, Sha256};

use crate::ids::AgentId;
use crate::wire::{Event, EventBody};

/// Prefix of the signed bytes of an event. Each kind of signature has its own prefix, so that one kind cannot pass for another.
const EVENT_CONTEXT: &[u8] = b"flagfall event v1\n";
const WATERMARK_CONTEXT: &[u8] = b"flagfall watermark v1\n";
const ENROL_CONTEXT: &[u8] = b"flagfall enrol v1\n";

/// A hash that identifies an event and all events before it.
pub type ChainHash = [u8; 32];

/// Returns the value that a journal's first event has in place of a previous event's hash.
pub fn genesis(log_origin: &str, agent: &AgentId) -> ChainHash {
    let mut hash = Sha256::new();
    hash.update(b"flagfall journal v1\n");
    hash.update(log_origin.as_bytes());
    hash.update(b"\n");
    hash.update(agent.0);
    hash.finalize().into()
}

/// Returns the chain hash of an event: the hash of its body as sent. The body includes the previous event's hash.
pub fn chain_hash(body: &[u8]) -> ChainHash {
    Sha256::digest(body).into()
}

/// Encodes and signs an event's body.
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
/// Returns [`ChainError::Key`] if `agent` is not a valid public key, or [`ChainError::Signature`] if the signature does not match.
pub fn verify(event: &Event, agent: &AgentId) -> Result<(), ChainError> {
    verify_bytes(EVENT_CONTEXT, &event.body, &event.signature, agent)
}

/// Returns the bytes that an event's signature covers.
pub fn event_message(body: &[u8]) -> Vec<u8> {
    with_context(EVENT_CONTEXT, body)
}

/// Returns the signed content of a watermark: the instant and the sequence number, both big-endian.
pub fn watermark_bytes(at_us: i64, seq: u64) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&at_us.to_be_bytes());
    bytes[8..].copy_from_slice(&seq.to_be_bytes());
    bytes
}

/// Signs a watermark, so that anyone can hold the agent to its promise.
pub fn sign_watermark(at_us: i64, seq: u64, key: &SigningKey) -> Vec<u8> {
    key.sign(&with_context(
        WATERMARK_CONTEXT,
        &watermark_bytes(at_us, seq),
    ))
    .to_bytes()
    .to_vec()
}

/// Checks that `agent` signed this watermark.
///
/// # Errors
/// Returns [`ChainError::Key`] if `agent` is not a valid public key, or [`ChainError::Signature`] if the signature does not match.
pub fn verify_watermark(
    at_us: i64,
    seq: u64,
    signature: &[u8],
    agent: &AgentId,
) -> Result<(), ChainError> {
    let message = watermark_bytes(at_us, seq);
    verify_bytes(WATERMARK_CONTEXT, &message, signature, agent)
}

/// Signs the token and the X25519 key of an enrolment request. The signature proves that the sender holds the key to be certified.
pub fn sign_enrolment(token: &[u8], exchange_key: &[u8], key: &SigningKey) -> Vec<u8> {
    let asked = [token, exchange_key].concat();
    key.sign(&with_context(ENROL_CONTEXT, &asked))
        .to_bytes()
        .to_vec()
}

/// Checks that `agent` signed this enrolment request.
///
/// # Errors
/// Returns [`ChainError::Key`] if `agent` is not a valid public key, or [`ChainError::Signature`] if the signature does not match.
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

/// The reason why an agent's signature is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum ChainError {
    #[error("the agent's key is not an Ed25519 public key")]
    Key,
    #[error("the signature does not match")]
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
    fn an_enrolment_signature_is_not_an_event_signature() {
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
