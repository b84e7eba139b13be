//! An arbiter's PIN, which lets a clock check a correction even without a link to the hub. An Ed25519 key is derived from the PIN; clocks and the log
//! hold only the public half. Owns the bytes; never decides which arbiter may make which correction.
//!
//! Anyone who has the salt and the public key can guess a short PIN within hours. A PIN protects a clock from players, not from a thief who reads the
//! clock's memory. The agent delays guesses that are entered at the clock.

use alloc::vec::Vec;

use argon2::{Algorithm, Argon2, Params, Version};
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};

use crate::ids::AgentId;

/// Prefix of the signed bytes, so that a proof cannot pass for another kind of signature.
const CONTEXT: &[u8] = b"flagfall correction v1\n";

/// Argon2id memory in KiB. [`PASSES`] passes over this memory make each guess take one or two seconds on the smallest single-board computer.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;

/// Length of the hub's salt for PINs, in bytes.
pub const SALT: usize = 16;

/// Permitted number of digits in a PIN.
pub const DIGITS: core::ops::RangeInclusive<usize> = 4..=8;

/// Public half of a key that is derived from a PIN.
pub type PinKey = [u8; 32];

/// The reason why no key could be derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum PinError {
    #[error("a PIN has 4 to 8 digits")]
    Digits,
    /// The hub's salt is too short, or there is no memory for the hash.
    #[error("cannot derive a key from this PIN: {0}")]
    Hash(argon2::Error),
    #[error("this clock is too busy to check a PIN: try again")]
    Busy,
}

/// Derives the arbiter's signing key from a PIN. The hash is deliberately slow, so a task that handles presses must not call this function.
///
/// # Errors
/// Returns a [`PinError`] if the PIN is malformed or the hash fails.
pub fn derive_key(pin: &str, salt: &[u8]) -> Result<SigningKey, PinError> {
    if !DIGITS.contains(&pin.len()) || !pin.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(PinError::Digits);
    }
    let params = Params::new(MEMORY_KIB, PASSES, 1, Some(32)).map_err(PinError::Hash)?;
    let mut seed = [0; 32];
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
        .hash_password_into(pin.as_bytes(), salt, &mut seed)
        .map_err(PinError::Hash)?;
    Ok(SigningKey::from_bytes(&seed))
}

/// Returns the public half of a signing key.
pub fn public(key: &SigningKey) -> PinKey {
    key.verifying_key().to_bytes()
}

/// The signed content of a correction.
#[derive(Clone, Copy, Debug)]
pub struct CorrectionClaim<'a> {
    /// The clock at which the correction was made.
    pub agent: &'a AgentId,
    /// Board time of the correction, in microseconds.
    pub made_us: i64,
    /// The board's name.
    pub board: &'a str,
    /// The command's text form.
    pub command: &'a str,
}

impl CorrectionClaim<'_> {
    /// Signs the correction with the arbiter's key `key`. The signature is the correction's proof.
    pub fn proof(&self, key: &SigningKey) -> Vec<u8> {
        key.sign(&self.bytes()).to_bytes().to_vec()
    }

    /// Returns true if `proof` is this correction's signature by the key whose public half is `key`.
    pub fn is_proved_by(&self, key: &PinKey, proof: &[u8]) -> bool {
        let (Ok(key), Ok(proof)) = (VerifyingKey::from_bytes(key), Signature::from_slice(proof))
        else {
            return false;
        };
        key.verify_strict(&self.bytes(), &proof).is_ok()
    }

    fn bytes(&self) -> Vec<u8> {
        [
            CONTEXT,
            &self.agent.0,
            &self.made_us.to_be_bytes(),
            self.board.as_bytes(),
            &[0],
            self.command.as_bytes(),
        ]
        .concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_depends_on_pin_and_salt_only() {
        let key = derive_key("4711", &[7; SALT]).unwrap();
        assert_eq!(
            crate::ids::hex(&public(&key)),
            "fe375b1b34480e73be1b221762a915a262fea4701be6ba7996c77f97821e580b",
            "clocks in the field have this key in their journals"
        );
        assert_ne!(
            public(&key),
            public(&derive_key("4711", &[8; SALT]).unwrap())
        );
        assert_ne!(
            public(&key),
            public(&derive_key("4712", &[7; SALT]).unwrap())
        );
        for wrong in ["", "471", "123456789", "47a1", "４711"] {
            assert_eq!(
                derive_key(wrong, &[7; SALT]),
                Err(PinError::Digits),
                "{wrong}"
            );
        }
    }

    #[test]
    fn a_proof_holds_only_for_the_signed_content() {
        let (key, other) = (
            SigningKey::from_bytes(&[1; 32]),
            SigningKey::from_bytes(&[2; 32]),
        );
        let (agent, stranger) = (AgentId([3; 32]), AgentId([4; 32]));
        let claim = CorrectionClaim {
            agent: &agent,
            made_us: 5,
            board: "7",
            command: "set white 5m",
        };
        let proof = claim.proof(&key);
        assert!(claim.is_proved_by(&public(&key), &proof));
        assert!(!claim.is_proved_by(&public(&other), &proof));
        assert!(!claim.is_proved_by(&public(&key), &proof[1..]));
        for wrong in [
            CorrectionClaim {
                agent: &stranger,
                ..claim
            },
            CorrectionClaim {
                made_us: 6,
                ..claim
            },
            CorrectionClaim {
                board: "77",
                ..claim
            },
            CorrectionClaim {
                command: "set black 5m",
                ..claim
            },
        ] {
            assert!(!wrong.is_proved_by(&public(&key), &proof), "{wrong:?}");
        }
    }
}
