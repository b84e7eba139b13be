//! A clock's identity in flash: its keys and its enrolment. Owns their bytes; the journal is stored separately.

use alloc::string::String;
use alloc::vec::Vec;

use ed25519_dalek::SigningKey;
use prost::Message;
use proto::exchange::exchange_key;
use proto::ids::AgentId;
use proto::wire::Enrolled;

use super::platform::Random;

#[derive(Clone, PartialEq, Message)]
pub(super) struct StoredIdentity {
    /// Ed25519 secret key, 32 bytes.
    #[prost(bytes = "vec", tag = "1")]
    pub(super) signing: Vec<u8>,
    /// X25519 secret key, 32 bytes.
    #[prost(bytes = "vec", tag = "2")]
    pub(super) exchange: Vec<u8>,
    #[prost(message, optional, tag = "3")]
    pub(super) enrolment: Option<Enrolment>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct Enrolment {
    /// The hub's X25519 public key.
    #[prost(bytes = "vec", tag = "1")]
    pub(super) hub: Vec<u8>,
    /// Origin of the log to which the journal belongs: the hub's log at enrolment, or a later log that replaced that one.
    #[prost(string, tag = "2")]
    pub(super) log_origin: String,
    /// The hub's name for this clock.
    #[prost(string, tag = "3")]
    pub(super) name: String,
    #[prost(string, tag = "4")]
    pub(super) board: String,
}

#[derive(Clone)]
pub(super) struct Keys {
    pub(super) signing: SigningKey,
    pub(super) exchange: [u8; 32],
}

impl StoredIdentity {
    pub(super) fn draw(random: &mut impl Random) -> Self {
        let mut draw = || {
            let mut secret = alloc::vec![0; 32];
            random.fill(&mut secret);
            secret
        };
        Self {
            signing: draw(),
            exchange: draw(),
            enrolment: None,
        }
    }

    pub(super) fn keys(&self) -> Option<Keys> {
        Some(Keys {
            signing: SigningKey::from_bytes(self.signing.first_chunk()?),
            exchange: *self.exchange.first_chunk()?,
        })
    }

    /// Returns the hub's X25519 key, or `None` if the clock is not enrolled or the key is unusable.
    pub(super) fn hub(&self) -> Option<[u8; 32]> {
        exchange_key(&self.enrolment.as_ref()?.hub).ok()
    }
}

impl Keys {
    pub(super) fn agent(&self) -> AgentId {
        AgentId(self.signing.verifying_key().to_bytes())
    }
}

impl From<Enrolled> for Enrolment {
    fn from(enrolled: Enrolled) -> Self {
        Self {
            hub: enrolled.exchange_key,
            log_origin: enrolled.log_origin,
            name: enrolled.name,
            board: enrolled.board,
        }
    }
}
