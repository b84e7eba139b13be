//! Signed notes (C2SP) with Ed25519: keys, key ids, signing and opening. Owns the exact text; never decides which keys are trusted.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use base64ct::{Base64, Encoding};
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use sha2::{Digest, Sha256};

mod successor;

pub use successor::{BadSuccessor, Successor};

/// The signature type of C2SP for Ed25519, the only one that this module writes and checks.
const ED25519: u8 = 0x01;
/// Maximum length of a note, in bytes.
pub const MAX_NOTE: usize = 128 << 10;
const MARK: &str = "— ";

/// The reason why a signed note is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum NoteError {
    #[error("this is not a signed note")]
    Form,
    #[error("the note is not signed by the expected key")]
    Unsigned,
    #[error("the note's signature does not match its text")]
    Signature,
}

/// The reason why a key is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// The name is empty, or has whitespace, a control character or a plus sign.
    #[error("the key's name is empty, or has a space, a control character or a plus sign")]
    Name,
    /// The text is not `name+id+key` with the key in base64, the id does not belong to the key, or the key is not an Ed25519 public key.
    #[error("this is not the public key of a log: expected name+id+key")]
    Form,
}

/// A named public key for verifying notes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verifier {
    name: String,
    id: [u8; 4],
    key: VerifyingKey,
}

impl Verifier {
    /// Creates a verifier for the public key `key` with the name `name`.
    ///
    /// # Errors
    /// Returns a [`KeyError`] if the name or the key is not accepted.
    pub fn new(name: &str, key: &[u8; 32]) -> Result<Verifier, KeyError> {
        check_name(name)?;
        Ok(Verifier {
            name: name.to_string(),
            id: key_id(name, key),
            key: VerifyingKey::from_bytes(key).map_err(|_| KeyError::Form)?,
        })
    }

    /// Returns the key's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the text of `note` if it was signed by this key, or by a key that the note's [`Successor`]s link to this key. Signatures by other keys
    /// are ignored.
    ///
    /// # Errors
    /// Returns a [`NoteError`] if the note is not accepted.
    pub fn open<'a>(&self, note: &'a str) -> Result<&'a str, NoteError> {
        match self.open_itself(note) {
            Err(NoteError::Unsigned) => successor::open(self, note),
            opened => opened,
        }
    }

    fn open_itself<'a>(&self, note: &'a str) -> Result<&'a str, NoteError> {
        let (text, signatures) = split(note)?;
        let mut signed = false;
        for line in signatures.split_terminator('\n') {
            let (name, value) = line
                .strip_prefix(MARK)
                .and_then(|line| line.split_once(' '))
                .ok_or(NoteError::Form)?;
            check_name(name).map_err(|_| NoteError::Form)?;
            let value = Base64::decode_vec(value).map_err(|_| NoteError::Form)?;
            let (id, signature) = value.split_first_chunk().ok_or(NoteError::Form)?;
            if name == self.name && *id == self.id {
                let signature =
                    Signature::from_slice(signature).map_err(|_| NoteError::Signature)?;
                self.key
                    .verify_strict(text.as_bytes(), &signature)
                    .map_err(|_| NoteError::Signature)?;
                signed = true;
            }
        }
        if signed {
            Ok(text)
        } else {
            Err(NoteError::Unsigned)
        }
    }
}

/// Formats the key as a C2SP verifier key (vkey): `name+id+key`.
impl fmt::Display for Verifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = u32::from_be_bytes(self.id);
        let key = [&[ED25519][..], self.key.as_bytes()].concat();
        write!(f, "{}+{id:08x}+{}", self.name, Base64::encode_string(&key))
    }
}

impl FromStr for Verifier {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Verifier, KeyError> {
        let (name, rest) = text.split_once('+').ok_or(KeyError::Form)?;
        let (_, encoded) = rest.split_once('+').ok_or(KeyError::Form)?;
        let key = Base64::decode_vec(encoded).map_err(|_| KeyError::Form)?;
        let Some((&ED25519, key)) = key.split_first() else {
            return Err(KeyError::Form);
        };
        let verifier = Verifier::new(name, key.try_into().map_err(|_| KeyError::Form)?)?;
        // Comparing the whole text also checks the id.
        match verifier.to_string() == text {
            true => Ok(verifier),
            false => Err(KeyError::Form),
        }
    }
}

/// A named private key, which signs notes.
#[derive(Clone, Debug)]
pub struct Signer {
    verifier: Verifier,
    key: SigningKey,
    changes: Vec<Successor>,
}

impl Signer {
    /// Creates a signer for the private key `key` with the name `name`.
    ///
    /// # Errors
    /// Returns [`KeyError::Name`] if the name is not accepted.
    pub fn new(name: &str, key: SigningKey) -> Result<Signer, KeyError> {
        let verifier = Verifier::new(name, key.verifying_key().as_bytes())?;
        let changes = Vec::new();
        Ok(Signer {
            verifier,
            key,
            changes,
        })
    }

    /// Sets the former keys' statements, oldest first. A verifier that knows only a former key accepts this key's notes that contain these
    /// statements.
    #[must_use]
    pub fn succeeding(self, changes: Vec<Successor>) -> Signer {
        Signer { changes, ..self }
    }

    /// Returns the former keys' statements, oldest first.
    pub fn changes(&self) -> &[Successor] {
        &self.changes
    }

    /// Returns the verifiers for this key and the former keys, newest first.
    pub fn verifiers(&self) -> Vec<Verifier> {
        let former = self.changes.iter().rev();
        let former = former.filter_map(|change| {
            Verifier::new(self.verifier.name(), change.former().as_bytes()).ok()
        });
        core::iter::once(self.verifier.clone())
            .chain(former)
            .collect()
    }

    /// Returns the verifier for this key.
    pub fn verifier(&self) -> &Verifier {
        &self.verifier
    }

    /// Returns `text` as a note with one signature. `text` must end in a newline.
    pub fn sign(&self, text: &str) -> String {
        let signature = self.key.sign(text.as_bytes()).to_bytes();
        let value = [&self.verifier.id[..], &signature].concat();
        let name = &self.verifier.name;
        format!("{text}\n{MARK}{name} {}\n", Base64::encode_string(&value))
    }
}

/// Splits a note into its text and its signature lines.
///
/// # Errors
/// Returns [`NoteError::Form`] if the text is not a signed note.
pub fn split(note: &str) -> Result<(&str, &str), NoteError> {
    let has_control = note.bytes().any(|byte| byte < b' ' && byte != b'\n');
    if note.len() > MAX_NOTE || has_control || !note.ends_with('\n') {
        return Err(NoteError::Form);
    }
    let blank = note.rfind("\n\n").ok_or(NoteError::Form)?;
    let (text, signatures) = (&note[..=blank], &note[blank + 2..]);
    if signatures.is_empty() {
        return Err(NoteError::Form);
    }
    Ok((text, signatures))
}

fn check_name(name: &str) -> Result<(), KeyError> {
    let is_valid = !name.is_empty()
        && name
            .chars()
            .all(|c| !c.is_whitespace() && !c.is_control() && c != '+');
    if is_valid {
        Ok(())
    } else {
        Err(KeyError::Name)
    }
}

fn key_id(name: &str, key: &[u8; 32]) -> [u8; 4] {
    let mut hash = Sha256::new();
    hash.update(name.as_bytes());
    hash.update([b'\n', ED25519]);
    hash.update(key);
    let hash: [u8; 32] = hash.finalize().into();
    [hash[0], hash[1], hash[2], hash[3]]
}

#[cfg(test)]
mod tests;
