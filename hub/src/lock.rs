//! Locks whose data stay consistent even if a holder panics.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks `data`, even after an earlier holder has panicked: every change under the hub's locks is complete in itself.
pub(crate) fn lock<T>(data: &Mutex<T>) -> MutexGuard<'_, T> {
    data.lock().unwrap_or_else(PoisonError::into_inner)
}
