//! Locks whose data stay consistent even if a holder panics.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks `data`, even if an earlier holder has panicked. No change under the hub's locks has an inconsistent intermediate state that a panic could
/// leave behind.
pub(crate) fn lock<T>(data: &Mutex<T>) -> MutexGuard<'_, T> {
    data.lock().unwrap_or_else(PoisonError::into_inner)
}
