//! The stored form of one record: `crc32c | format | payload | previous hash`, under its index as a big-endian key.
//!
//! Owns the byte layout and the hash chain. Must never interpret a payload.

use sha2::{Digest, Sha256};

/// The longest payload of a record, in bytes. This limit keeps every record inline in sled's pages.
pub const MAX_RECORD: usize = 4096;

/// The hash at the start of the chain, before the first record.
pub(super) const GENESIS: Hash = [0; 32];

/// A SHA-256 digest: the head of the chain after a record.
pub type Hash = [u8; 32];

/// The version of [`encode`]'s layout. The version increases when the layout changes, so that an old record is never misread.
const FORMAT: u8 = 1;
const CRC: usize = 4;
const OVERHEAD: usize = CRC + 1 + size_of::<Hash>();

/// Returns the key of record `index`. Keys sort like indices.
pub(super) fn key(index: u64) -> [u8; 8] {
    index.to_be_bytes()
}

pub(super) fn index_of(key: &[u8]) -> Option<u64> {
    key.try_into().ok().map(u64::from_be_bytes)
}

/// Returns the chain's head after a record with `payload`. `previous` is the head before it: 32 zero bytes for the first record.
pub fn chained(previous: &Hash, payload: &[u8]) -> Hash {
    let mut hash = Sha256::new();
    hash.update(previous);
    hash.update(payload);
    hash.finalize().into()
}

pub(super) fn encode(index: u64, payload: &[u8], previous: &Hash) -> Vec<u8> {
    let mut value = Vec::with_capacity(OVERHEAD + payload.len());
    value.extend_from_slice(&[0; CRC]);
    value.push(FORMAT);
    value.extend_from_slice(payload);
    value.extend_from_slice(previous);
    let crc = checksum(index, &value[CRC..]);
    value[..CRC].copy_from_slice(&crc.to_le_bytes());
    value
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stored<'a> {
    pub(super) payload: &'a [u8],
    pub(super) previous: Hash,
}

impl Stored<'_> {
    pub(super) fn hash(&self) -> Hash {
        chained(&self.previous, self.payload)
    }
}

/// Decodes the stored form of record `index`.
///
/// # Errors
/// Returns a description of the fault in the bytes, without the index, which the caller knows.
pub(super) fn decode(index: u64, value: &[u8]) -> Result<Stored<'_>, &'static str> {
    let Some((crc, body)) = value.split_first_chunk::<CRC>() else {
        return Err("it is shorter than its checksum");
    };
    if u32::from_le_bytes(*crc) != checksum(index, body) {
        return Err("its checksum does not match its bytes");
    }
    // The checksum matches, so these bytes were written by some version of this program.
    let Some((&format, body)) = body.split_first() else {
        return Err("it is empty");
    };
    if format != FORMAT {
        return Err("it was written in a record format that this version does not support");
    }
    match body.split_last_chunk::<{ size_of::<Hash>() }>() {
        Some((payload, previous)) => Ok(Stored {
            payload,
            previous: *previous,
        }),
        None => Err("it is too short to contain the previous hash"),
    }
}

/// Returns the payload of a value that [`decode`] has accepted.
pub(super) fn payload(value: &[u8]) -> &[u8] {
    value
        .get(CRC + 1..value.len().saturating_sub(size_of::<Hash>()))
        .unwrap_or_default()
}

/// Returns a checksum that includes the index, so that a record under the wrong key is detected.
fn checksum(index: u64, body: &[u8]) -> u32 {
    crc32c::crc32c_append(crc32c::crc32c(&key(index)), body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_round_trip() {
        for payload in [&b""[..], b"x", &[7; MAX_RECORD]] {
            let value = encode(9, payload, &[3; 32]);
            assert_eq!(
                decode(9, &value),
                Ok(Stored {
                    payload,
                    previous: [3; 32]
                })
            );
            assert_eq!(super::payload(&value), payload);
        }
    }

    #[test]
    fn every_flipped_bit_is_detected() {
        let value = encode(9, b"a press", &[3; 32]);
        for bit in 0..value.len() * 8 {
            let mut flipped = value.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(decode(9, &flipped).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn record_under_another_index_is_detected() {
        let value = encode(9, b"a press", &[3; 32]);
        assert!(decode(10, &value).is_err());
    }

    #[test]
    fn truncated_record_is_detected() {
        let value = encode(9, b"a press", &[3; 32]);
        for len in 0..value.len() {
            assert!(decode(9, &value[..len]).is_err(), "length {len}");
        }
    }
}
