//! The kit's time source: the one file of this package that reads the operating system's time. Callers add their own
//! base to it.

use rustix::time::{ClockId, clock_gettime};

/// Returns CLOCK_MONOTONIC_RAW in microseconds.
pub(crate) fn raw_us() -> i64 {
    let now = clock_gettime(ClockId::MonotonicRaw);
    now.tv_sec
        .saturating_mul(1_000_000)
        .saturating_add(now.tv_nsec / 1_000)
}
