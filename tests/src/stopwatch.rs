//! How long something took: the one file of the tests that reads a clock.
//!
//! Reads the clock that nobody slews, the one agents stamp presses on, so that their stamps and these can be compared.
//! Must never decide what a test expects.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Microseconds of CLOCK_MONOTONIC_RAW.
pub fn raw_us() -> i64 {
    let now = clock_gettime(ClockId::MonotonicRaw);
    now.tv_sec * 1_000_000 + now.tv_nsec / 1_000
}

/// Microseconds of a core that this thread has used.
pub fn cpu_us() -> i64 {
    let used = clock_gettime(ClockId::ThreadCPUTime);
    used.tv_sec * 1_000_000 + used.tv_nsec / 1_000
}

/// Started at a moment, asked later.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(i64);

impl Stopwatch {
    /// Starts now.
    pub fn start() -> Self {
        Self(raw_us())
    }

    /// Microseconds since the start.
    pub fn elapsed_us(self) -> i64 {
        raw_us() - self.0
    }

    /// Time since the start.
    pub fn elapsed(self) -> Duration {
        Duration::from_micros(self.elapsed_us().unsigned_abs())
    }
}
