//! The partition of tied participants by a value.

use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Partitions participants by a value, highest first, keeping the order among equals.
pub(super) fn parts_by<K: Ord>(tied: &[usize], key: impl Fn(usize) -> K) -> Vec<Vec<usize>> {
    let mut parts: BTreeMap<Reverse<K>, Vec<usize>> = BTreeMap::new();
    for subject in tied {
        let part = parts.entry(Reverse(key(*subject))).or_default();
        part.push(*subject);
    }
    parts.into_values().collect()
}
