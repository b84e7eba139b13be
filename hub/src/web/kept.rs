//! A bounded cache of values for many clients. The bound limits the memory that clients can fill.

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::sync::Mutex;

use crate::lock::lock;

/// At most `MAX` values by key. When the limit is reached, a further value replaces all others; those in use are soon created again.
pub(super) struct Kept<K, V, const MAX: usize>(Mutex<BTreeMap<K, V>>);

impl<K, V, const MAX: usize> Default for Kept<K, V, MAX> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Ord, V, const MAX: usize> Kept<K, V, MAX> {
    pub(super) fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
        V: Clone,
    {
        lock(&self.0).get(key).cloned()
    }

    /// Changes the value of `key` and returns the result of `change`; `None` if there is no value.
    pub(super) fn change<Q: Ord + ?Sized, T>(
        &self,
        key: &Q,
        change: impl FnOnce(&mut V) -> T,
    ) -> Option<T>
    where
        K: Borrow<Q>,
    {
        lock(&self.0).get_mut(key).map(change)
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        lock(&self.0).len()
    }

    pub(super) fn keep(&self, key: K, value: V) {
        let mut kept = lock(&self.0);
        if kept.len() >= MAX {
            kept.clear();
        }
        kept.insert(key, value);
    }
}
