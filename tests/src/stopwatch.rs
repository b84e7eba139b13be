//! Measures elapsed time and CPU time. The only file of the crate `tests` that reads the operating system's clocks.
//!
//! Elapsed time comes from the same unadjusted clock that agents use for stamps, so that the readings can be compared.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

pub fn raw_us() -> i64 {
    let now = clock_gettime(ClockId::MonotonicRaw);
    now.tv_sec * 1_000_000 + now.tv_nsec / 1_000
}

pub fn cpu_us() -> i64 {
    let used = clock_gettime(ClockId::ThreadCPUTime);
    used.tv_sec * 1_000_000 + used.tv_nsec / 1_000
}

pub fn process_cpu_us() -> i64 {
    let used = clock_gettime(ClockId::ProcessCPUTime);
    used.tv_sec * 1_000_000 + used.tv_nsec / 1_000
}

#[derive(Clone, Copy, Debug)]
pub struct Stopwatch(i64);

impl Stopwatch {
    pub fn start() -> Self {
        Self(raw_us())
    }

    pub fn elapsed_us(self) -> i64 {
        raw_us() - self.0
    }

    pub fn elapsed(self) -> Duration {
        Duration::from_micros(self.elapsed_us().unsigned_abs())
    }
}
