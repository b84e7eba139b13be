//! Names in log records, and the commitments that replace them, so that a record's leaf hash does not depend on which names are concealed.
//!
//! Owns the table of the fields that contain names, and the exact bytes of commitments. Works on encoded records, so that all other bytes stay
//! unchanged. Must never decide which names are concealed.

mod table;
mod walk;

use alloc::string::String;
use alloc::vec::Vec;

use base64ct::{Base64UrlUnpadded, Encoding};
use sha2::{Digest, Sha256};

use crate::evidence::Opening;
use walk::walk;

/// Length of a salt, in bytes.
const SALT: usize = 16;
/// First character of a commitment. A value that begins with this character counts as a commitment only if it also has the form of one.
const MARK: char = '~';
/// Length of a commitment, in bytes: the mark and 32 bytes in base64url.
const COMMITMENT: usize = 44;

/// The kind of value that can be concealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameClass {
    /// A player's name, birth date or FIDE ID, or data that may contain these: a kept line of an imported file, or a piece of a long change.
    Player,
    /// The name of an arbiter or another person who acted.
    Official,
    /// Text that may contain names, such as a reason, a note or a signed request.
    Text,
}

/// The reason why names cannot be concealed or opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// The bytes are not a protobuf record as the hub encodes it.
    #[error("the record cannot be read")]
    Malformed,
    /// An opening is for a place that does not exist, or the openings are not in strictly ascending order of their places.
    #[error("a name is given for a place that has none")]
    Place,
    /// The commitment computed from the opening's salt and value differs from the one in the record, or the salt has a wrong length.
    #[error("a name does not match its commitment")]
    Mismatch,
}

/// Replaces the names in an encoded record with commitments. Returns the concealed record and the openings. Each salt is derived from `secret`,
/// `index` and the place, so that the same log always has the same leaves.
///
/// # Errors
/// Returns [`NameError::Malformed`] if the record cannot be read, or if opening it again would not reproduce its bytes.
pub fn conceal(
    record: &[u8],
    index: u64,
    secret: &[u8; 32],
) -> Result<(Vec<u8>, Vec<Opening>), NameError> {
    let mut openings = Vec::new();
    let concealed = walk(record, &mut |found| {
        let salt = salt(secret, index, found.place);
        let committed = commitment(&salt, found.value);
        openings.push(Opening {
            place: found.place,
            salt: salt.to_vec(),
            value: found.value.to_vec(),
        });
        Ok(Some(committed.into_bytes()))
    })?;
    // Proofs cover only the concealed record, so opening it must reproduce the original record exactly.
    match open(&concealed, &openings)? == record {
        true => Ok((concealed, openings)),
        false => Err(NameError::Malformed),
    }
}

/// Checks each of `openings` and replaces its commitment in `content` with the name. The other commitments remain.
///
/// # Errors
/// Returns a [`NameError`] if the record cannot be read or an opening does not match.
pub fn open(content: &[u8], openings: &[Opening]) -> Result<Vec<u8>, NameError> {
    let mut next = openings.iter().peekable();
    let opened = walk(content, &mut |found| {
        let Some(opening) = next.next_if(|opening| opening.place == found.place) else {
            return Ok(None);
        };
        let salt: &[u8; SALT] = opening
            .salt
            .as_slice()
            .try_into()
            .map_err(|_| NameError::Mismatch)?;
        match commitment(salt, &opening.value).as_bytes() == found.value {
            true => Ok(Some(opening.value.clone())),
            false => Err(NameError::Mismatch),
        }
    })?;
    // Openings must be in the order of their places, each at most once, so none may be left over.
    match next.next() {
        Some(_) => Err(NameError::Place),
        None => Ok(opened),
    }
}

/// Replaces every remaining commitment in `content` with `text` and the first characters of the commitment's hash, so that people can read the
/// record. Leaves out a number that is still concealed.
///
/// # Errors
/// Returns [`NameError::Malformed`] if the record cannot be read.
pub fn masked(content: &[u8], text: &str) -> Result<Vec<u8>, NameError> {
    walk(content, &mut |found| {
        Ok(is_commitment(found.value).then(|| {
            let mut shown: Vec<u8> = text.as_bytes().to_vec();
            shown.push(b' ');
            shown.extend_from_slice(&found.value[1..7]);
            shown
        }))
    })
}

/// Returns the class and current value of each place of a record, in order.
///
/// # Errors
/// Returns [`NameError::Malformed`] if the record cannot be read.
pub fn places(content: &[u8]) -> Result<Vec<(NameClass, Vec<u8>)>, NameError> {
    let mut places = Vec::new();
    walk(content, &mut |found| {
        places.push((found.class, found.value.to_vec()));
        Ok(None)
    })?;
    Ok(places)
}

/// Returns true if a value is a commitment rather than a name.
pub fn is_commitment(value: &[u8]) -> bool {
    let mut hash = [0; 32];
    value.len() == COMMITMENT
        && value.first() == Some(&(MARK as u8))
        && Base64UrlUnpadded::decode(&value[1..], &mut hash).is_ok()
}

fn commitment(salt: &[u8; SALT], value: &[u8]) -> String {
    let mut hash = Sha256::new();
    hash.update(b"flagfall name v1\n");
    hash.update(salt);
    hash.update(value);
    let mut text = String::from(MARK);
    text.push_str(&Base64UrlUnpadded::encode_string(&hash.finalize()));
    text
}

fn salt(secret: &[u8; 32], index: u64, place: u32) -> [u8; SALT] {
    let mut hash = Sha256::new();
    hash.update(b"flagfall name salt v1\n");
    hash.update(secret);
    hash.update(index.to_be_bytes());
    hash.update(place.to_be_bytes());
    let mut salt = [0; SALT];
    salt.copy_from_slice(&hash.finalize()[..SALT]);
    salt
}

#[cfg(test)]
mod tests;
