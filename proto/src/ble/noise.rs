//! The Noise handshakes between clock and hub, and the encryption of every later message. Owns the patterns and the prologue; snow does the
//! cryptography. The caller supplies random bytes, once per handshake.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use snow::params::{CipherChoice, DHChoice, HashChoice, NoiseParams};
use snow::resolvers::{CryptoResolver, DefaultResolver};
use snow::types::{Cipher, Dh, Hash, Random};
use snow::{Builder, HandshakeState, TransportState};

use super::channel::Purpose;
use super::pipe::MAX_MESSAGE;
use crate::exchange::{exchange_key, is_low_order};

const SESSION: &str = "Noise_IK_25519_ChaChaPoly_SHA256";
const ENROLMENT: &str = "Noise_XXpsk3_25519_ChaChaPoly_SHA256";
const PROLOGUE: &[u8; 16] = b"flagfall ble v1\n";
/// Position of the pre-shared key in the enrolment pattern (`psk3`).
const PSK: u8 = 3;
/// Number of bytes that sealing adds to a message.
const TAG: usize = 16;

/// The reason for rejecting a handshake or a message. The content is discarded, and the link is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoiseError {
    /// The message was malformed, forged, altered, replayed, or meant for a different peer.
    #[error("wrong sender or altered content")]
    Forged,
    /// This end's keys cannot be used, or the hub's key is of low order.
    #[error("the keys for the handshake are unusable")]
    Keys,
}

/// The secrets that one end uses in one handshake.
#[derive(Clone, Copy)]
pub struct LocalKeys<'a> {
    /// The end's X25519 secret key.
    pub secret: &'a [u8; 32],
    /// 32 fresh random bytes, used for this handshake only.
    pub random: [u8; 32],
}

impl core::fmt::Debug for LocalKeys<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("LocalKeys(…)")
    }
}

pub(super) struct Handshake {
    state: Box<HandshakeState>,
    /// True once the peer's first message, which begins with an ephemeral key, has been read.
    has_read: bool,
}

pub(super) struct Seal(Box<TransportState>);

impl Handshake {
    pub(super) fn session(own: LocalKeys<'_>, hub: &[u8; 32]) -> Result<Self, NoiseError> {
        if is_low_order(hub) {
            return Err(NoiseError::Keys);
        }
        let prologue = prologue(Purpose::Session);
        let built = builder(SESSION, own, &prologue)?
            .remote_public_key(hub)
            .and_then(Builder::build_initiator);
        built.map_err(keys).map(Self::of)
    }

    pub(super) fn enrolment(own: LocalKeys<'_>, code: &[u8; 32]) -> Result<Self, NoiseError> {
        let prologue = prologue(Purpose::Enrolment);
        let built = builder(ENROLMENT, own, &prologue)?
            .psk(PSK, code)
            .and_then(Builder::build_initiator);
        built.map_err(keys).map(Self::of)
    }

    pub(super) fn hub_session(own: LocalKeys<'_>) -> Result<Self, NoiseError> {
        let prologue = prologue(Purpose::Session);
        let built = builder(SESSION, own, &prologue)?.build_responder();
        built.map_err(keys).map(Self::of)
    }

    pub(super) fn hub_enrolment(own: LocalKeys<'_>, code: &[u8; 32]) -> Result<Self, NoiseError> {
        let prologue = prologue(Purpose::Enrolment);
        let built = builder(ENROLMENT, own, &prologue)?
            .psk(PSK, code)
            .and_then(Builder::build_responder);
        built.map_err(keys).map(Self::of)
    }

    fn of(state: HandshakeState) -> Self {
        Self {
            state: Box::new(state),
            has_read: false,
        }
    }

    pub(super) fn write(&mut self, payload: &[u8]) -> Result<Vec<u8>, NoiseError> {
        let mut message = vec![0; MAX_MESSAGE];
        let written = self.state.write_message(payload, &mut message);
        message.truncate(written.map_err(keys)?);
        Ok(message)
    }

    pub(super) fn read(&mut self, message: &[u8]) -> Result<Vec<u8>, NoiseError> {
        let ephemeral = message.first_chunk().ok_or(NoiseError::Forged)?;
        if !self.has_read && is_low_order(ephemeral) {
            return Err(NoiseError::Forged);
        }
        let mut payload = vec![0; message.len()];
        let read = self.state.read_message(message, &mut payload);
        payload.truncate(read.map_err(forged)?);
        self.has_read = true;
        Ok(payload)
    }

    pub(super) fn is_over(&self) -> bool {
        self.state.is_handshake_finished()
    }

    /// Returns the peer's public key; `None` before it is known, or if it is of low order.
    pub(super) fn peer(&self) -> Option<[u8; 32]> {
        exchange_key(self.state.get_remote_static()?).ok()
    }

    pub(super) fn hash(&self) -> [u8; 32] {
        let mut hash = [0; 32];
        hash.copy_from_slice(self.state.get_handshake_hash());
        hash
    }

    pub(super) fn seal(self) -> Result<Seal, NoiseError> {
        let seal = self.state.into_transport_mode().map_err(keys)?;
        Ok(Seal(Box::new(seal)))
    }
}

impl Seal {
    pub(super) fn close(&mut self, plain: &[u8]) -> Result<Vec<u8>, NoiseError> {
        let mut sealed = vec![0; plain.len() + TAG];
        let written = self.0.write_message(plain, &mut sealed).map_err(keys)?;
        sealed.truncate(written);
        Ok(sealed)
    }

    pub(super) fn open(&mut self, sealed: &[u8]) -> Result<Vec<u8>, NoiseError> {
        let mut plain = vec![0; sealed.len()];
        let read = self.0.read_message(sealed, &mut plain);
        plain.truncate(read.map_err(forged)?);
        Ok(plain)
    }
}

fn builder<'a>(
    pattern: &str,
    own: LocalKeys<'a>,
    prologue: &'a [u8],
) -> Result<Builder<'a>, NoiseError> {
    let params: NoiseParams = pattern.parse().map_err(keys)?;
    let random = FixedRandomResolver(own.random);
    Builder::with_resolver(params, Box::new(random))
        .local_private_key(own.secret)
        .and_then(|builder| builder.prologue(prologue))
        .map_err(keys)
}

fn prologue(purpose: Purpose) -> [u8; 17] {
    let mut bytes = [0; 17];
    bytes[..16].copy_from_slice(PROLOGUE);
    bytes[16] = purpose.byte();
    bytes
}

fn keys(_: snow::Error) -> NoiseError {
    NoiseError::Keys
}

fn forged(_: snow::Error) -> NoiseError {
    NoiseError::Forged
}

/// A resolver with snow's default primitives, but with the caller's random bytes instead of the system's.
struct FixedRandomResolver([u8; 32]);

impl CryptoResolver for FixedRandomResolver {
    fn resolve_rng(&self) -> Option<Box<dyn Random>> {
        Some(Box::new(SingleDraw(Some(self.0))))
    }

    fn resolve_dh(&self, choice: &DHChoice) -> Option<Box<dyn Dh>> {
        DefaultResolver.resolve_dh(choice)
    }

    fn resolve_hash(&self, choice: &HashChoice) -> Option<Box<dyn Hash>> {
        DefaultResolver.resolve_hash(choice)
    }

    fn resolve_cipher(&self, choice: &CipherChoice) -> Option<Box<dyn Cipher>> {
        DefaultResolver.resolve_cipher(choice)
    }
}

/// Random bytes that can be drawn only once, because a second draw would repeat the ephemeral key.
struct SingleDraw(Option<[u8; 32]>);

impl Random for SingleDraw {
    fn try_fill_bytes(&mut self, into: &mut [u8]) -> Result<(), snow::Error> {
        match self.0.take() {
            Some(bytes) if bytes.len() == into.len() => {
                into.copy_from_slice(&bytes);
                Ok(())
            }
            Some(_) | None => Err(snow::Error::Rng),
        }
    }
}
