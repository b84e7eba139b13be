//! This device's P-256 key pair, created here; the page never receives the private key. Owns what is signed and how; `keys::store` stores keys.

mod private_file;
mod store;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use proto::ids::hex;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use sha2::{Digest, Sha256};

use crate::error::ShellError;

pub use private_file::write_private;
pub use store::{KeyPlace, KeyStore, Keyring, SystemStore};

/// The prefix of a command's signed message. Path, session and message follow, separated by line feeds.
const COMMAND_PREFIX: &str = "flagfall-command-v1\n";
/// The prefix of a challenge's signed message. The challenge follows.
const SESSION_PREFIX: &str = "flagfall-session-v1\n";

/// The prefix of an enrolment's signed message. Authority, token and challenge follow, separated by line feeds.
const ENROL_PREFIX: &str = "flagfall-enrol-v1\n";

/// The part of a P-256 key's `SubjectPublicKeyInfo` that precedes the point (RFC 5480).
const SPKI_HEAD: [u8; 26] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a,
    0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
];

/// This device's key pair.
pub struct DeviceKey {
    pair: EcdsaKeyPair,
    random: SystemRandom,
}

/// A new key, with its stored form.
pub struct NewKey {
    /// The key pair.
    pub key: DeviceKey,
    /// The private key in PKCS #8.
    pub pkcs8: Vec<u8>,
}

impl DeviceKey {
    /// Creates a new key.
    ///
    /// # Errors
    /// Returns [`ShellError::Storage`] if the system cannot provide random numbers.
    pub fn generate() -> Result<NewKey, ShellError> {
        let random = SystemRandom::new();
        let pkcs8 = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random)
            .map_err(|_| {
                ShellError::Storage(
                    "the system provides no random numbers for a new key".to_owned(),
                )
            })?;
        let pkcs8 = pkcs8.as_ref().to_vec();
        Ok(NewKey {
            key: Self::from_pkcs8(&pkcs8)?,
            pkcs8,
        })
    }

    /// Parses the stored form of a key.
    ///
    /// # Errors
    /// Returns [`ShellError::Storage`] if `pkcs8` is not a P-256 key.
    pub fn from_pkcs8(pkcs8: &[u8]) -> Result<Self, ShellError> {
        let random = SystemRandom::new();
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pkcs8, &random)
            .map_err(|why| ShellError::Storage(format!("the stored data is not a key ({why})")))?;
        Ok(Self { pair, random })
    }

    /// Returns the public key as `SubjectPublicKeyInfo` in DER.
    pub fn spki(&self) -> Vec<u8> {
        [&SPKI_HEAD, self.pair.public_key().as_ref()].concat()
    }

    /// Returns the name that the hub gives to the device with this key.
    pub fn device(&self) -> String {
        format!("d-{}", hex(&Sha256::digest(self.spki())[..8]))
    }

    /// Signs a command, which must begin with the command prefix; returns base64 of r and s.
    ///
    /// # Errors
    /// Returns [`ShellError::Request`] for any other message, and [`ShellError::Storage`] if the system cannot provide random numbers.
    pub fn sign_command(&self, message: &[u8]) -> Result<String, ShellError> {
        if !message.starts_with(COMMAND_PREFIX.as_bytes()) {
            return Err(ShellError::Request("only a command can be signed"));
        }
        self.sign(message)
    }

    /// Signs a hub's challenge; returns base64 of r and s.
    ///
    /// # Errors
    /// Returns [`ShellError::Storage`] if the system cannot provide random numbers.
    pub fn sign_challenge(&self, challenge: &str) -> Result<String, ShellError> {
        self.sign(format!("{SESSION_PREFIX}{challenge}").as_bytes())
    }

    /// Signs a hub's challenge for an enrolment. `authority` and `token` are the code's, in hexadecimal digits. Returns base64 of r and s.
    ///
    /// # Errors
    /// Returns [`ShellError::Storage`] if the system cannot provide random numbers.
    pub fn sign_enrolment(
        &self,
        authority: &str,
        token: &str,
        challenge: &str,
    ) -> Result<String, ShellError> {
        self.sign(format!("{ENROL_PREFIX}{authority}\n{token}\n{challenge}").as_bytes())
    }

    fn sign(&self, message: &[u8]) -> Result<String, ShellError> {
        let signature = self.pair.sign(&self.random, message).map_err(|_| {
            ShellError::Storage("the system provides no random numbers for a signature".to_owned())
        })?;
        Ok(STANDARD.encode(signature))
    }
}

#[cfg(test)]
mod tests {
    use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};

    use super::*;

    fn verifies(key: &DeviceKey, signature: &str, message: &[u8]) -> bool {
        let point = key.spki()[SPKI_HEAD.len()..].to_vec();
        let signature = STANDARD.decode(signature).unwrap();
        assert_eq!(signature.len(), 64, "r and s, nothing round them");
        UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point)
            .verify(message, &signature)
            .is_ok()
    }

    #[test]
    fn a_stored_key_signs_commands_and_sessions() {
        let NewKey { key, pkcs8 } = DeviceKey::generate().unwrap();
        let key_again = DeviceKey::from_pkcs8(&pkcs8).unwrap();
        assert_eq!(key.spki(), key_again.spki());
        assert_eq!(key.device(), key_again.device());
        assert_eq!(key.device().len(), 18);
        let command = b"flagfall-command-v1\n/flagfall.api.v1.Arbiter/Send\ns1\n\x01\x02\x03";
        let signed = key_again.sign_command(command).unwrap();
        assert!(verifies(&key, &signed, command));
        assert!(!verifies(&key, &signed, &command[1..]));
        let signed = key_again.sign_challenge("00ff").unwrap();
        assert!(verifies(&key, &signed, b"flagfall-session-v1\n00ff"));
        let signed = key_again.sign_enrolment("aa", "bb", "00ff").unwrap();
        assert!(verifies(&key, &signed, b"flagfall-enrol-v1\naa\nbb\n00ff"));
    }

    #[test]
    fn nothing_else_is_signed_as_a_command() {
        let key = DeviceKey::generate().unwrap().key;
        for message in [
            &b""[..],
            b"00ff",
            b"flagfall-session-v1\n00ff",
            b"flagfall-enrol-v1\naa\nbb\n00ff",
            b"flagfall-command-v1",
            b" flagfall-command-v1\n",
        ] {
            assert!(key.sign_command(message).is_err(), "{message:?}");
        }
    }

    #[test]
    fn an_invalid_key_is_refused() {
        assert!(DeviceKey::from_pkcs8(b"not a key").is_err());
    }
}
