//! Encodes a side.

use timing::Side;

use crate::same_variants::SameVariants;

/// Encodes a side; `None` becomes the unspecified value.
pub fn side(side: impl Into<Option<Side>>) -> proto::Side {
    side.into().map(Side::encoded).unwrap_or_default()
}
