//! Encodes a side.

use timing::Side;

/// Encodes a side; `None` becomes unspecified.
pub fn side(side: impl Into<Option<Side>>) -> proto::Side {
    match side.into() {
        None => proto::Side::Unspecified,
        Some(Side::White) => proto::Side::White,
        Some(Side::Black) => proto::Side::Black,
    }
}
