//! Signing of chain events: the agent's Ed25519 key, or a hash that stands in for it in simulations. Owns nothing but the key.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use ed25519_dalek::SigningKey;
use prost::Message;
use proto::chain;
use proto::ids::AgentId;
use proto::wire::{Event, EventBody};
use sha2::{Digest, Sha256};

/// What makes the signature of an event.
pub enum Signer {
    /// The agent's own key.
    Ed25519(Box<SigningKey>),
    /// A hash that anybody could make: for simulations, where a signature would cost more than everything else.
    Hash(AgentId),
}

impl Signer {
    /// Whose events this signs.
    pub fn agent(&self) -> AgentId {
        match self {
            Self::Ed25519(key) => AgentId(key.verifying_key().to_bytes()),
            Self::Hash(agent) => *agent,
        }
    }

    /// Makes the next link of the chain.
    pub fn sign(&self, body: &EventBody) -> Event {
        match self {
            Self::Ed25519(key) => chain::sign(body, key),
            Self::Hash(agent) => {
                let body = body.encode_to_vec();
                let signature = simulated(&body, agent).to_vec();
                Event { body, signature }
            }
        }
    }

    /// Signs a promise, so that it binds its maker towards anybody.
    pub fn sign_watermark(&self, at_us: i64, seq: u64) -> Vec<u8> {
        match self {
            Self::Ed25519(key) => chain::sign_watermark(at_us, seq, key),
            Self::Hash(agent) => simulated(&chain::watermark_bytes(at_us, seq), agent).to_vec(),
        }
    }
}

impl fmt::Debug for Signer {
    /// Leaves the secret out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signer({:?})", self.agent())
    }
}

/// Whether `event` bears the stand-in signature of `agent`.
pub fn verify_hash(event: &Event, agent: &AgentId) -> bool {
    event.signature == simulated(&event.body, agent)
}

/// Whether a promise bears the stand-in signature of `agent`.
pub fn verify_hash_watermark(at_us: i64, seq: u64, signature: &[u8], agent: &AgentId) -> bool {
    signature == simulated(&chain::watermark_bytes(at_us, seq), agent)
}

fn simulated(body: &[u8], agent: &AgentId) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(b"flagfall simulated\n");
    hash.update(agent.0);
    hash.update(body);
    hash.finalize().into()
}
