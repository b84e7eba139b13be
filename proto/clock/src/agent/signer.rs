//! Signs chain events and watermarks with the agent's Ed25519 key or, in simulations, with a hash. Owns only the key.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use ed25519_dalek::SigningKey;
use prost::Message;
use proto::chain;
use proto::ids::AgentId;
use proto::wire::{Event, EventBody};
use sha2::{Digest, Sha256};

/// The key with which an agent signs or, in simulations, a substitute for the key.
pub enum Signer {
    /// The agent's own key.
    Ed25519(Box<SigningKey>),
    /// A hash that anyone could compute, for simulations, where real signatures would dominate the run time.
    Hash(AgentId),
}

impl Signer {
    /// Returns the agent whose events are signed.
    pub fn agent(&self) -> AgentId {
        match self {
            Self::Ed25519(key) => AgentId(key.verifying_key().to_bytes()),
            Self::Hash(agent) => *agent,
        }
    }

    /// Signs the body of the chain's next event.
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

    /// Signs a watermark, so that its receiver can prove to others what the agent promised.
    pub fn sign_watermark(&self, at_us: i64, seq: u64) -> Vec<u8> {
        match self {
            Self::Ed25519(key) => chain::sign_watermark(at_us, seq, key),
            Self::Hash(agent) => simulated(&chain::watermark_bytes(at_us, seq), agent).to_vec(),
        }
    }
}

impl fmt::Debug for Signer {
    /// Shows the agent instead of the secret key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signer({:?})", self.agent())
    }
}

/// Returns true if `event` has the simulated signature of `agent` ([`Signer::Hash`]).
pub fn verify_hash(event: &Event, agent: &AgentId) -> bool {
    event.signature == simulated(&event.body, agent)
}

/// Returns true if a watermark has the simulated signature of `agent` ([`Signer::Hash`]).
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
