//! Checks the signatures on clock events in batches, and those of arbiters' devices and contradictory statements one by
//! one. `proto::chain` defines the bytes that a clock signs.

use std::collections::BTreeMap;

use ed25519_dalek::{Signature, VerifyingKey, verify_batch};
use prost::Message as _;
use proto::chain;
use proto::ids::{AgentId, hex};
use proto::log::{AgentEvent, Equivocation, RequestSigned};
use proto::names::is_commitment;
use proto::wire::{Event, EventBody};
use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
use sha2::{Digest, Sha256};

use crate::fault::{Fault, FaultKind};

/// Number of signatures in a batch. Checking them together is faster than checking each alone.
const BATCH: usize = 256;
/// The bytes before the point in the SPKI of a P-256 key (RFC 5480).
const SPKI_HEAD: [u8; 26] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a,
    0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
];

#[derive(Default)]
pub(crate) struct ClockSignatures {
    keys: BTreeMap<AgentId, VerifyingKey>,
    unchecked: Vec<Unchecked>,
}

struct Unchecked {
    index: u64,
    agent: AgentId,
    key: VerifyingKey,
    event: Event,
    message: Vec<u8>,
    signature: Signature,
}

impl ClockSignatures {
    pub(crate) fn add(&mut self, index: u64, event: &AgentEvent) -> Result<(), Fault> {
        let bad = |what: String| Fault::at(index, FaultKind::ClockSignature, what);
        let agent = AgentId::try_from(event.agent.as_slice());
        let agent = agent.map_err(|error| bad(error.to_string()))?;
        let key = match self.keys.get(&agent) {
            Some(key) => *key,
            None => {
                let key = VerifyingKey::from_bytes(&agent.0)
                    .ok()
                    .filter(|key| !key.is_weak())
                    .ok_or_else(|| bad(format!("{agent} is not an Ed25519 key")))?;
                self.keys.insert(agent, key);
                key
            }
        };
        let signature = Signature::from_slice(&event.signature)
            .map_err(|_| bad(format!("event of clock {} has no signature", agent.short())))?;
        self.unchecked.push(Unchecked {
            index,
            agent,
            key,
            message: chain::event_message(&event.body),
            event: Event {
                body: event.body.clone(),
                signature: event.signature.clone(),
            },
            signature,
        });
        match self.unchecked.len() >= BATCH {
            true => self.flush(),
            false => Ok(()),
        }
    }

    pub(crate) fn flush(&mut self) -> Result<(), Fault> {
        let unchecked = std::mem::take(&mut self.unchecked);
        let messages: Vec<&[u8]> = unchecked.iter().map(|of| of.message.as_slice()).collect();
        let signatures: Vec<Signature> = unchecked.iter().map(|of| of.signature).collect();
        let keys: Vec<VerifyingKey> = unchecked.iter().map(|of| of.key).collect();
        if verify_batch(&messages, &signatures, &keys).is_ok() {
            return Ok(());
        }
        for of in &unchecked {
            if let Err(error) = chain::verify(&of.event, &of.agent) {
                let detail = format!("clock {}: {error}", of.agent.short());
                return Err(Fault::at(of.index, FaultKind::ClockSignature, detail));
            }
        }
        Ok(())
    }
}

/// Returns a device's id: `d-` and the first 16 hexadecimal digits of the SHA-256 hash of its public key (SPKI). `point`
/// is the key's uncompressed P-256 point.
pub fn device_id(point: &[u8]) -> String {
    let spki = [&SPKI_HEAD[..], point].concat();
    format!("d-{}", hex(&Sha256::digest(spki)[..8]))
}

/// Checks a device's signature on a request. Returns false if the record does not contain the request, which was
/// concealed or too long for the log.
pub(crate) fn check_request(index: u64, signed: &RequestSigned) -> Result<bool, Fault> {
    let bad = |what: &str| {
        let detail = format!("device {}: {what}", signed.device);
        Err(Fault::at(index, FaultKind::DeviceSignature, detail))
    };
    if signed.device != device_id(&signed.public_key) {
        return bad("the device's id does not match the key");
    }
    if is_commitment(&signed.request) {
        return Ok(false);
    }
    if Sha256::digest(&signed.request)[..] != signed.request_digest[..] {
        return match signed.request.is_empty() && signed.request_digest.len() == 32 {
            true => Ok(false),
            false => bad("the request does not match its digest"),
        };
    }
    let mut message =
        format!("flagfall-command-v1\n{}\n{}\n", signed.path, signed.session).into_bytes();
    message.extend_from_slice(&signed.request);
    let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, &signed.public_key);
    match key.verify(&message, &signed.signature) {
        Ok(()) => Ok(true),
        Err(_) => bad("the signature does not match the request"),
    }
}

pub(crate) fn check_contradiction(index: u64, said: &Equivocation) -> Result<(), Fault> {
    contradicts(said).map_err(|what| Fault::at(index, FaultKind::Contradiction, what))
}

fn contradicts(said: &Equivocation) -> Result<(), String> {
    let agent = AgentId::try_from(said.agent.as_slice()).map_err(|error| error.to_string())?;
    let event = signed(&said.body, &said.signature, &agent)?;
    let contradicts = match &said.watermark {
        Some(word) => {
            chain::verify_watermark(word.at_us, word.seq, &word.signature, &agent)
                .map_err(|error| error.to_string())?;
            event.seq > word.seq && event.at_us < word.at_us
        }
        None => {
            let other = signed(&said.other_body, &said.other_signature, &agent)?;
            let in_its_place = event.seq == other.seq && said.body != said.other_body;
            let follows = other.seq.checked_add(1) == Some(event.seq);
            let before_it = follows && event.prev_hash != chain::chain_hash(&said.other_body);
            in_its_place || before_it
        }
    };
    match contradicts {
        true => Ok(()),
        false => Err("the statements do not contradict each other".to_owned()),
    }
}

fn signed(body: &[u8], signature: &[u8], agent: &AgentId) -> Result<EventBody, String> {
    let event = Event {
        body: body.to_vec(),
        signature: signature.to_vec(),
    };
    chain::verify(&event, agent).map_err(|error| error.to_string())?;
    EventBody::decode(body).map_err(|error| error.to_string())
}
