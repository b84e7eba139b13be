//! Locks of the hub, whose data stay consistent even if a holder panics.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks `data`, also after a panic of an earlier holder: every change under the hub's locks is complete by itself.
pub(crate) fn lock<T>(data: &Mutex<T>) -> MutexGuard<'_, T> {
    data.lock().unwrap_or_else(PoisonError::into_inner)
}
