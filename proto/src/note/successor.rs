//! A change of the key that signs notes: the former key signs one statement that names the next key, and is then destroyed. Owns the line in which
//! notes carry this statement. Must never accept a key that no trusted key has named.

use alloc::format;
use core::fmt;
use core::str::FromStr;

use base64ct::{Base64, Encoding};
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};

use super::{NoteError, Verifier, split};

const SUCCESSOR: &str = "flagfall-successor ";
/// Maximum number of changes that are read from a note, which bounds the work that a hostile note can cause.
const MAX_CHANGES: usize = 64;

/// A key's signed statement that names its successor. The statement applies to notes under every key name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Successor {
    former: VerifyingKey,
    next: VerifyingKey,
    signature: Signature,
}

/// The error for a line that is not a [`Successor`], or whose signature does not match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is not a statement in which a key names its successor")]
pub struct BadSuccessor;

impl Successor {
    /// Signs the statement that `next` follows `former`.
    pub fn sign(former: &SigningKey, next: &VerifyingKey) -> Successor {
        let (former_key, next) = (former.verifying_key(), *next);
        let signature = former.sign(statement(&former_key, &next).as_bytes());
        Successor {
            former: former_key,
            next,
            signature,
        }
    }

    /// Returns the former key, which signed the statement.
    pub fn former(&self) -> &VerifyingKey {
        &self.former
    }

    /// Returns the next key, which the statement names.
    pub fn next(&self) -> &VerifyingKey {
        &self.next
    }
}

/// Formats the statement as a line of a note, without the line break: both keys and the signature in base64.
impl fmt::Display for Successor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let signature = Base64::encode_string(&self.signature.to_bytes());
        let keys = keys(&self.former, &self.next);
        write!(f, "{SUCCESSOR}{keys} {signature}")
    }
}

impl FromStr for Successor {
    type Err = BadSuccessor;

    fn from_str(line: &str) -> Result<Successor, BadSuccessor> {
        let mut words = line.strip_prefix(SUCCESSOR).ok_or(BadSuccessor)?.split(' ');
        let (Some(former), Some(next), Some(signature), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return Err(BadSuccessor);
        };
        let successor = Successor {
            former: key(former)?,
            next: key(next)?,
            signature: bytes(signature).map(|bytes| Signature::from_bytes(&bytes))?,
        };
        let statement = statement(&successor.former, &successor.next);
        let checked = successor
            .former
            .verify_strict(statement.as_bytes(), &successor.signature);
        checked.map(|()| successor).map_err(|_| BadSuccessor)
    }
}

pub(super) fn open<'a>(verifier: &Verifier, note: &'a str) -> Result<&'a str, NoteError> {
    let (text, _) = split(note)?;
    let mut trusted = verifier.clone();
    let lines = text.lines().filter(|line| line.starts_with(SUCCESSOR));
    for line in lines.take(MAX_CHANGES) {
        let change: Successor = line.parse().map_err(|_| NoteError::Signature)?;
        if *change.former() == trusted.key {
            trusted = Verifier::new(verifier.name(), change.next().as_bytes())
                .map_err(|_| NoteError::Signature)?;
        }
    }
    match trusted == *verifier {
        true => Err(NoteError::Unsigned),
        false => trusted.open_itself(note),
    }
}

fn statement(former: &VerifyingKey, next: &VerifyingKey) -> alloc::string::String {
    format!("flagfall log key v1\n{}\n", keys(former, next))
}

fn keys(former: &VerifyingKey, next: &VerifyingKey) -> alloc::string::String {
    let [former, next] = [former, next].map(|key| Base64::encode_string(key.as_bytes()));
    format!("{former} {next}")
}

fn key(text: &str) -> Result<VerifyingKey, BadSuccessor> {
    VerifyingKey::from_bytes(&bytes(text)?).map_err(|_| BadSuccessor)
}

fn bytes<const N: usize>(text: &str) -> Result<[u8; N], BadSuccessor> {
    let mut bytes = [0; N];
    match Base64::decode(text, &mut bytes) {
        Ok(read) if read.len() == N => Ok(bytes),
        Ok(_) | Err(_) => Err(BadSuccessor),
    }
}
