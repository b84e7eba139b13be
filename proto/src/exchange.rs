//! X25519 public keys received from a peer. Owns the check that a key is usable; does not compute with keys.

/// The reason why bytes are not accepted as an X25519 public key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExchangeKeyError {
    /// The number of bytes is wrong.
    #[error("has {0} bytes instead of 32")]
    Length(usize),
    /// The key is a point of low order, such as the all-zero key. The shared value would then be the same for every secret.
    #[error("is a point of low order, which protects nothing")]
    LowOrder,
}

/// The u-coordinates of the points of low order, little-endian, in canonical and non-canonical form (RFC 7748, section 7).
const LOW_ORDER: [[u8; 32]; 7] = [
    [0; 32],
    of_ends(1, 0, 0),
    [
        0xe0, 0xeb, 0x7a, 0x7c, 0x3b, 0x41, 0xb8, 0xae, 0x16, 0x56, 0xe3, 0xfa, 0xf1, 0x9f, 0xc4,
        0x6a, 0xda, 0x09, 0x8d, 0xeb, 0x9c, 0x32, 0xb1, 0xfd, 0x86, 0x62, 0x05, 0x16, 0x5f, 0x49,
        0xb8, 0x00,
    ],
    [
        0x5f, 0x9c, 0x95, 0xbc, 0xa3, 0x50, 0x8c, 0x24, 0xb1, 0xd0, 0xb1, 0x55, 0x9c, 0x83, 0xef,
        0x5b, 0x04, 0x44, 0x5c, 0xc4, 0x58, 0x1c, 0x8e, 0x86, 0xd8, 0x22, 0x4e, 0xdd, 0xd0, 0x9f,
        0x11, 0x57,
    ],
    // p − 1, p and p + 1, where p is 2²⁵⁵ − 19.
    of_ends(0xec, 0xff, 0x7f),
    of_ends(0xed, 0xff, 0x7f),
    of_ends(0xee, 0xff, 0x7f),
];

const fn of_ends(first: u8, between: u8, last: u8) -> [u8; 32] {
    let mut bytes = [between; 32];
    bytes[0] = first;
    bytes[31] = last;
    bytes
}

/// Returns the X25519 public key in `bytes`.
///
/// # Errors
/// Returns an [`ExchangeKeyError`] if there are not exactly 32 bytes, or if the key is of low order.
pub fn exchange_key(bytes: &[u8]) -> Result<[u8; 32], ExchangeKeyError> {
    let key: [u8; 32] = bytes
        .try_into()
        .map_err(|_| ExchangeKeyError::Length(bytes.len()))?;
    if is_low_order(&key) {
        return Err(ExchangeKeyError::LowOrder);
    }
    Ok(key)
}

/// Returns true for a point of low order. Ignores the highest bit of a key, as X25519 does.
pub(crate) fn is_low_order(key: &[u8; 32]) -> bool {
    let mut point = *key;
    point[31] &= 0x7f;
    LOW_ORDER.contains(&point)
}

#[cfg(test)]
mod tests {
    use snow::params::DHChoice;
    use snow::resolvers::{CryptoResolver as _, DefaultResolver};

    use super::*;

    /// Returns the X25519 shared value of a fixed secret and `key`, or zeros if the snow library refuses the key.
    fn shared(key: &[u8; 32]) -> [u8; 32] {
        let mut own = DefaultResolver.resolve_dh(&DHChoice::Curve25519).unwrap();
        own.set(&[7; 32]);
        let mut out = [1; 32];
        match own.dh(key, &mut out) {
            Ok(()) => out,
            Err(_) => [0; 32],
        }
    }

    #[test]
    fn every_listed_point_shares_zero_and_is_refused() {
        for point in LOW_ORDER {
            for high_bit in [0, 0x80] {
                let mut key = point;
                key[31] |= high_bit;
                assert_eq!(shared(&key), [0; 32], "{key:02x?}");
                assert_eq!(exchange_key(&key), Err(ExchangeKeyError::LowOrder));
            }
        }
    }

    #[test]
    fn other_keys_of_the_right_length_are_accepted() {
        for key in [
            [9; 32],
            [0xff; 32],
            of_ends(2, 0, 0),
            of_ends(0xeb, 0xff, 0x7f),
        ] {
            assert_ne!(shared(&key), [0; 32]);
            assert_eq!(exchange_key(&key), Ok(key));
        }
        assert_eq!(exchange_key(&[9; 31]), Err(ExchangeKeyError::Length(31)));
        assert_eq!(exchange_key(&[]), Err(ExchangeKeyError::Length(0)));
    }
}
