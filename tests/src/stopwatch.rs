//! Measures elapsed time. The only file of the tests that reads the operating system's clocks.
//!
//! Reads the same unadjusted clock that agents use for stamps, so that the readings can be compared. Must never decide what a test expects.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Returns the reading of CLOCK_MONOTONIC_RAW, in microseconds.
pub fn raw_us() -> i64 {
    let now = clock_gettime(ClockId::MonotonicRaw);
    now.tv_sec * 1_000_000 + now.tv_nsec / 1_000
}

/// Returns the CPU time that this thread has used, in microseconds.
pub fn cpu_us() -> i64 {
    let used = clock_gettime(ClockId::ThreadCPUTime);
    used.tv_sec * 1_000_000 + used.tv_nsec / 1_000
}

/// Returns the CPU time that this process has used, in microseconds.
pub fn process_cpu_us() -> i64 {
    let used = clock_gettime(ClockId::ProcessCPUTime);
    used.tv_sec * 1_000_000 + used.tv_nsec / 1_000
}

/// A stopwatch that runs from its creation; holds its start on CLOCK_MONOTONIC_RAW, in microseconds.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(i64);

impl Stopwatch {
    /// Starts a stopwatch.
    pub fn start() -> Self {
        Self(raw_us())
    }

    /// Returns the microseconds since the start.
    pub fn elapsed_us(self) -> i64 {
        raw_us() - self.0
    }

    /// Returns the time since the start.
    pub fn elapsed(self) -> Duration {
        Duration::from_micros(self.elapsed_us().unsigned_abs())
    }
}
