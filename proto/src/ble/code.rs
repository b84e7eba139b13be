//! The sixteen-digit pairing code that an unenrolled clock shows and an arbiter types at the hub. Owns the code's text form and the key derived from
//! it; never decides how long a code is valid.

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use sha2::{Digest, Sha256};

const DIGITS: usize = 16;
const GROUP: usize = 4;

/// A pairing code with 53 bits of entropy.
///
/// An attacker who impersonates the clock has one guess per handshake. An attacker who impersonates the hub can test guesses offline, but must find
/// the code before the clock replaces it after ten minutes.
#[derive(Clone, PartialEq, Eq)]
pub struct PairingCode([u8; DIGITS]);

/// The error for text that is not a pairing code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a pairing code has 16 digits, as in 4711-0815-2290-6204")]
pub struct BadCode;

impl PairingCode {
    /// Derives a code from eight random bytes. The modulo bias towards small numbers is less than one in a thousand.
    pub fn from_random(random: [u8; 8]) -> Self {
        let mut rest = u64::from_be_bytes(random);
        let mut digits = [0; DIGITS];
        for digit in digits.iter_mut().rev() {
            // The cast loses nothing, because the digit is below ten.
            *digit = (rest % 10) as u8;
            rest /= 10;
        }
        Self(digits)
    }

    /// Returns the key that both ends mix into the handshake.
    pub fn key(&self) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(b"flagfall ble code v1\n");
        for digit in self.0 {
            hash.update([b'0' + digit]);
        }
        hash.finalize().into()
    }
}

impl FromStr for PairingCode {
    type Err = BadCode;

    fn from_str(text: &str) -> Result<Self, BadCode> {
        let mut digits = [0; DIGITS];
        let mut given = text
            .chars()
            .filter(|&c| c != '-' && !c.is_whitespace())
            .map(|c| c.to_digit(10));
        for place in &mut digits {
            let digit = given.next().flatten().ok_or(BadCode)?;
            // The cast loses nothing, because the digit is below ten.
            *place = digit as u8;
        }
        given
            .next()
            .is_none()
            .then_some(Self(digits))
            .ok_or(BadCode)
    }
}

impl fmt::Display for PairingCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(DIGITS + DIGITS / GROUP);
        for (at, digit) in self.0.iter().enumerate() {
            if at > 0 && at % GROUP == 0 {
                text.push('-');
            }
            text.push(char::from(b'0' + digit));
        }
        f.write_str(&text)
    }
}

impl fmt::Debug for PairingCode {
    /// Omits the digits, which must not appear in logs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PairingCode(…)")
    }
}
