//! The public key of an enrolled device: P-256, as browsers create it, and the verification of its signatures. Must know nothing of sessions or
//! permissions.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The fixed DER bytes before the point in the SPKI of a P-256 key (RFC 5480).
const SPKI_HEAD: [u8; 26] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a,
    0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
];
/// An uncompressed point: the byte 4, then x and y.
const POINT_BYTES: usize = 65;

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DeviceKey([u8; POINT_BYTES]);

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the public key is not a P-256 key (SPKI, DER, in base64)")]
pub struct KeyError;

impl DeviceKey {
    /// Parses SPKI in base64, as WebCrypto exports it.
    pub(crate) fn from_base64(text: &str) -> Result<Self, KeyError> {
        let spki = STANDARD.decode(text).map_err(|_| KeyError)?;
        let point = spki.strip_prefix(&SPKI_HEAD).ok_or(KeyError)?;
        let point: [u8; POINT_BYTES] = point.try_into().map_err(|_| KeyError)?;
        if point[0] == 4 {
            Ok(Self(point))
        } else {
            Err(KeyError)
        }
    }

    pub(crate) fn to_base64(self) -> String {
        STANDARD.encode(self.spki())
    }

    pub fn point(&self) -> &[u8] {
        &self.0
    }

    pub fn id(&self) -> DeviceId {
        let hash = Sha256::digest(self.spki());
        DeviceId(format!("d-{}", proto::ids::hex(&hash[..8])))
    }

    /// Returns true if `signature` (r and s, 32 bytes each) is this key's signature of `message`.
    pub(crate) fn has_signed(&self, message: &[u8], signature: &[u8]) -> bool {
        UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, &self.0)
            .verify(message, signature)
            .is_ok()
    }

    fn spki(&self) -> Vec<u8> {
        [&SPKI_HEAD[..], &self.0].concat()
    }
}

impl TryFrom<String> for DeviceKey {
    type Error = KeyError;

    fn try_from(text: String) -> Result<Self, KeyError> {
        Self::from_base64(&text)
    }
}

impl From<DeviceKey> for String {
    fn from(key: DeviceKey) -> Self {
        key.to_base64()
    }
}

impl fmt::Debug for DeviceKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DeviceKey({})", self.id())
    }
}

/// A device's id: `d-` and the first 16 hexadecimal digits of the SHA-256 of its key (SPKI).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeviceId(String);

impl DeviceId {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for DeviceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use ring::rand::SystemRandom;
    use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};

    use super::*;

    /// A key made with OpenSSL.
    const SPKI: &str = "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEf5WSVxWgtMJlEC3g+pauxfoCSp2WCk9ebZttJxcjCTGAcL0OLCdKlEjF2va3PEASNKWJjJKyO+Rj2grbyLQOuA==";

    #[test]
    fn exported_key_round_trips() {
        let key = DeviceKey::from_base64(SPKI).unwrap();
        assert_eq!(key.to_base64(), SPKI);
        assert_eq!(key.id().as_str().len(), 18);
        assert!(key.id().as_str().starts_with("d-"));
    }

    #[test]
    fn invalid_keys_are_refused() {
        let compressed = {
            let mut spki = STANDARD.decode(SPKI).unwrap();
            spki[26] = 2;
            STANDARD.encode(spki)
        };
        let longer = STANDARD.encode([STANDARD.decode(SPKI).unwrap(), vec![0]].concat());
        for text in ["", "not base64!", "AAAA", &SPKI[..80], &compressed, &longer] {
            assert_eq!(DeviceKey::from_base64(text), Err(KeyError), "{text}");
        }
    }

    #[test]
    fn only_the_keys_own_signature_of_the_message_verifies() {
        let random = SystemRandom::new();
        let make = || {
            let pkcs8 =
                EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
            EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pkcs8.as_ref(), &random)
                .unwrap()
        };
        let (ours, other) = (make(), make());
        let key = DeviceKey(ours.public_key().as_ref().try_into().unwrap());
        let signature = ours.sign(&random, b"pause 7").unwrap();
        assert!(key.has_signed(b"pause 7", signature.as_ref()));
        assert!(!key.has_signed(b"pause 8", signature.as_ref()));
        assert!(!key.has_signed(
            b"pause 7",
            other.sign(&random, b"pause 7").unwrap().as_ref()
        ));
        assert!(!key.has_signed(b"pause 7", &[0; 64]));
        assert!(!key.has_signed(b"pause 7", b""));
    }
}
