//! Identifiers on the wire: agents, commands, positions in a chain. Owns their text forms and nothing else about agents or commands.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

/// An agent's identity: its Ed25519 public key. Printed as 64 hexadecimal digits, or as the first eight of these where a short form is enough.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentId(pub [u8; 32]);

/// A command's identity: 16 bytes, which a client draws at random. The hub derives the identities of its own commands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommandId(pub [u8; 16]);

/// A position in an agent's chain, from 1; 0 is the position before the first event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct EventSeq(pub u64);

/// The reason why bytes or text are not an identifier.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum IdError {
    #[error("expected {expected} bytes, got {got}")]
    Length { expected: usize, got: usize },
    /// The text has a character that is not a hexadecimal digit, or an odd number of digits.
    #[error("expected hexadecimal digits, got {0:?}")]
    NotHex(String),
}

impl EventSeq {
    /// Returns the next position in the chain.
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl AgentId {
    /// Returns the first eight digits, which people use to tell agents apart.
    pub fn short(&self) -> String {
        hex(&self.0[..4])
    }
}

macro_rules! byte_id {
    ($name:ident, $len:literal) => {
        impl TryFrom<&[u8]> for $name {
            type Error = IdError;
            fn try_from(bytes: &[u8]) -> Result<Self, IdError> {
                bytes.try_into().map(Self).map_err(|_| IdError::Length {
                    expected: $len,
                    got: bytes.len(),
                })
            }
        }
        impl FromStr for $name {
            type Err = IdError;
            fn from_str(text: &str) -> Result<Self, IdError> {
                Self::try_from(unhex(text)?.as_slice())
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&hex(&self.0))
            }
        }
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($name), hex(&self.0[..4]))
            }
        }
    };
}
byte_id!(AgentId, 32);
byte_id!(CommandId, 16);

/// Formats `bytes` as lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    use fmt::Write;
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Parses hexadecimal `text`.
///
/// # Errors
/// Returns [`IdError::NotHex`] if `text` is not an even number of hexadecimal digits.
pub fn unhex(text: &str) -> Result<Vec<u8>, IdError> {
    let not_hex = || IdError::NotHex(text.to_owned());
    if !text.bytes().all(|byte| byte.is_ascii_hexdigit()) || text.len() % 2 == 1 {
        return Err(not_hex());
    }
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).map_err(|_| not_hex()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_print_and_parse() {
        let id = AgentId([0xab; 32]);
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!(id.short(), "abababab");
        assert_eq!(
            CommandId::try_from(&[0_u8; 3][..]),
            Err(IdError::Length {
                expected: 16,
                got: 3
            })
        );
        assert!("+1".repeat(32).parse::<AgentId>().is_err());
        assert!("é".repeat(16).parse::<AgentId>().is_err());
    }
}
