//! An arbiter's PIN, and what it proves at a clock that the hub cannot see: an Ed25519 key is made from it, whose public half
//! is all that clocks and log are given. Owns the bytes; never decides who may correct what.
//!
//! A PIN of a few digits can be guessed by whoever has the salt, given hours: it keeps players from a clock, not thieves from
//! a clock's memory. Online, an agent makes a guesser wait.

use alloc::vec::Vec;

use argon2::{Algorithm, Argon2, Params, Version};
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};

use crate::ids::AgentId;

/// What a proof begins with, so that it can never be taken for another kind of signature.
const CONTEXT: &[u8] = b"flagfall correction v1\n";

/// Argon2id, as RFC 9106 has it where memory is short: a second or two on the smallest board computer, and as many
/// times that for each guess.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;

/// Bytes of a salt.
pub const SALT: usize = 16;

/// Fewest and most digits of a PIN.
pub const DIGITS: core::ops::RangeInclusive<usize> = 4..=8;

/// Public half of the key that is made from a PIN.
pub type PinKey = [u8; 32];

/// Why there is no key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PinError {
    /// Not four to eight decimal digits.
    #[error("a PIN has 4 to 8 digits")]
    Digits,
    /// The hub's salt is too short, or there is no memory for the hash.
    #[error("no key can be made from this PIN: {0}")]
    Hash(argon2::Error),
    /// The machine is too busy to make one.
    #[error("this clock is too busy to look at a PIN: try again")]
    Busy,
}

/// Makes the key of a PIN. Slow, on purpose: never on a task that carries presses.
///
/// # Errors
/// [`PinError`].
pub fn key_of(pin: &str, salt: &[u8]) -> Result<SigningKey, PinError> {
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

/// The public half of a key.
pub fn public(key: &SigningKey) -> PinKey {
    key.verifying_key().to_bytes()
}

/// What a correction proves its maker by.
#[derive(Clone, Copy, Debug)]
pub struct Made<'a> {
    /// The clock at which it was made.
    pub agent: &'a AgentId,
    /// Board time when it was made, microseconds.
    pub made_us: i64,
    /// The board's name.
    pub board: &'a str,
    /// Text form of the command.
    pub command: &'a str,
}

impl Made<'_> {
    /// Signs it.
    pub fn proof(&self, key: &SigningKey) -> Vec<u8> {
        key.sign(&self.bytes()).to_bytes().to_vec()
    }

    /// Whether `proof` was made with the key whose public half is `key`.
    pub fn is_proved(&self, key: &PinKey, proof: &[u8]) -> bool {
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
    fn a_pin_makes_the_same_key_everywhere_and_another_salt_another() {
        let key = key_of("4711", &[7; SALT]).unwrap();
        assert_eq!(
            crate::ids::hex(&public(&key)),
            "fe375b1b34480e73be1b221762a915a262fea4701be6ba7996c77f97821e580b",
            "clocks in the field have journaled this"
        );
        assert_ne!(public(&key), public(&key_of("4711", &[8; SALT]).unwrap()));
        assert_ne!(public(&key), public(&key_of("4712", &[7; SALT]).unwrap()));
        for wrong in ["", "471", "123456789", "47a1", "４711"] {
            assert_eq!(key_of(wrong, &[7; SALT]), Err(PinError::Digits), "{wrong}");
        }
    }

    #[test]
    fn a_proof_holds_for_what_was_signed_and_for_nothing_else() {
        let (key, other) = (
            SigningKey::from_bytes(&[1; 32]),
            SigningKey::from_bytes(&[2; 32]),
        );
        let (agent, stranger) = (AgentId([3; 32]), AgentId([4; 32]));
        let made = Made {
            agent: &agent,
            made_us: 5,
            board: "7",
            command: "set white 5m",
        };
        let proof = made.proof(&key);
        assert!(made.is_proved(&public(&key), &proof));
        assert!(!made.is_proved(&public(&other), &proof));
        assert!(!made.is_proved(&public(&key), &proof[1..]));
        for wrong in [
            Made {
                agent: &stranger,
                ..made
            },
            Made { made_us: 6, ..made },
            Made {
                board: "77",
                ..made
            },
            Made {
                command: "set black 5m",
                ..made
            },
        ] {
            assert!(!wrong.is_proved(&public(&key), &proof), "{wrong:?}");
        }
    }
}
