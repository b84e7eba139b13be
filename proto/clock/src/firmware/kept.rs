//! What a clock is, as its flash keeps it: its keys and its enrolment. Owns their bytes; the journal lies beside it.

use alloc::string::String;
use alloc::vec::Vec;

use ed25519_dalek::SigningKey;
use prost::Message;
use proto::ids::AgentId;
use proto::wire::Enrolled;

use super::platform::Random;

/// The keys of a clock, and whom it belongs to.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Kept {
    /// Ed25519 and X25519 secrets, 32 bytes each.
    #[prost(bytes = "vec", tag = "1")]
    pub(super) signing: Vec<u8>,
    #[prost(bytes = "vec", tag = "2")]
    pub(super) exchange: Vec<u8>,
    #[prost(message, optional, tag = "3")]
    pub(super) home: Option<Home>,
}

/// An enrolment.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Home {
    /// The hub's X25519 key.
    #[prost(bytes = "vec", tag = "1")]
    pub(super) hub: Vec<u8>,
    /// The log of the event, at the enrolment; the journal knows a later one.
    #[prost(string, tag = "2")]
    pub(super) log_origin: String,
    /// What the hub calls this clock.
    #[prost(string, tag = "3")]
    pub(super) name: String,
    #[prost(string, tag = "4")]
    pub(super) board: String,
}

/// Keys as they are used.
#[derive(Clone)]
pub(super) struct Keys {
    pub(super) signing: SigningKey,
    pub(super) exchange: [u8; 32],
}

impl Kept {
    /// A clock that nobody has met.
    pub(super) fn draw(random: &mut impl Random) -> Self {
        let mut draw = || {
            let mut secret = alloc::vec![0; 32];
            random.fill(&mut secret);
            secret
        };
        Self {
            signing: draw(),
            exchange: draw(),
            home: None,
        }
    }

    /// The keys, unless the flash held something else.
    pub(super) fn keys(&self) -> Option<Keys> {
        Some(Keys {
            signing: SigningKey::from_bytes(self.signing.first_chunk()?),
            exchange: *self.exchange.first_chunk()?,
        })
    }

    /// The hub's X25519 key, once there is an enrolment.
    pub(super) fn hub(&self) -> Option<[u8; 32]> {
        self.home.as_ref()?.hub.as_slice().try_into().ok()
    }
}

impl Keys {
    /// Whose they are.
    pub(super) fn agent(&self) -> AgentId {
        AgentId(self.signing.verifying_key().to_bytes())
    }
}

impl From<Enrolled> for Home {
    fn from(enrolled: Enrolled) -> Self {
        Self {
            hub: enrolled.exchange_key,
            log_origin: enrolled.log_origin,
            name: enrolled.name,
            board: enrolled.board,
        }
    }
}
