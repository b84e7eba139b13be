//! The only file of the agent that reads the operating system's clocks. Owns board time: a clock that is never slewed (CLOCK_MONOTONIC_RAW), plus a
//! base so that board time continues across restarts. Never reads the date.

use std::io;
use std::sync::atomic::{AtomicI64, Ordering};

use rustix::time::{ClockId, Timespec, clock_gettime};
use timing::{Board, Duration, Instant};

use crate::buttons::BoardTime;
use crate::core::entry::Timeline;

const BOOT_ID: &str = "/proc/sys/kernel/random/boot_id";

#[derive(Debug)]
pub struct TimeSource {
    /// Offset from CLOCK_MONOTONIC_RAW to board time, in microseconds.
    base_us: AtomicI64,
    /// CLOCK_BOOTTIME minus CLOCK_MONOTONIC at the last check, in microseconds; it grows with every sleep of the machine.
    slept_us: AtomicI64,
}

pub fn boot_id() -> io::Result<Vec<u8>> {
    let text = std::fs::read_to_string(BOOT_ID)?;
    let digits: String = text.chars().filter(char::is_ascii_hexdigit).collect();
    proto::ids::unhex(&digits).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

impl TimeSource {
    /// Resumes board time from the journal. Within the same boot, board time has kept running while this program was down. After a reboot or without
    /// a `timeline`, it continues from `reached_us`, its latest known value, and the hub decides how far it must jump.
    pub fn resume(timeline: Option<&Timeline>, reached_us: i64, boot: &[u8]) -> Self {
        let base_us = match timeline {
            Some(timeline) if timeline.boot == boot => timeline.base_us,
            Some(_) | None => reached_us.saturating_sub(raw_us()),
        };
        Self {
            base_us: AtomicI64::new(base_us),
            slept_us: AtomicI64::new(slept_us()),
        }
    }

    /// Creates board time whose current value is `at_us`.
    pub fn starting_at(at_us: i64) -> Self {
        Self::resume(None, at_us, &[])
    }

    /// Returns the current instant in board time, rounded down to microseconds.
    pub fn now(&self) -> Instant<Board> {
        Instant::from_micros(raw_us().saturating_add(self.base_us()))
    }

    pub fn base_us(&self) -> i64 {
        self.base_us.load(Ordering::Acquire)
    }

    pub fn jump(&self, by: Duration) {
        self.base_us.fetch_add(by.as_micros(), Ordering::AcqRel);
    }

    /// Returns the time that the machine has slept since the last call; `None` for 100 ms or less. The raw clock stops during sleep.
    pub fn slept(&self) -> Option<Duration> {
        let now = slept_us();
        let before = self.slept_us.swap(now, Ordering::AcqRel);
        let gap = Duration::from_micros(now - before);
        // The two clocks are read one after the other, so a smaller difference is not evidence of sleep.
        (gap > Duration::from_millis(100)).then_some(gap)
    }

    /// Converts a kernel stamp on CLOCK_MONOTONIC, such as that of a GPIO edge, to board time. The result is never later than now.
    ///
    /// NTP slews MONOTONIC but not RAW, so their difference is measured each time. RAW, MONOTONIC and RAW are read in this order, and the tightest of
    /// a few readings counts.
    pub fn map_monotonic(&self, monotonic_ns: u64) -> Instant<Board> {
        let reading = (0..4)
            .map(|_| Bracket::read())
            .min_by_key(|bracket| bracket.width_ns);
        let offset_ns = reading.map_or(0, |bracket| bracket.raw_minus_monotonic_ns);
        let raw_ns = i64::try_from(monotonic_ns)
            .unwrap_or(i64::MAX)
            .saturating_add(offset_ns);
        let at = Instant::from_micros(raw_ns.div_euclid(1_000).saturating_add(self.base_us()));
        at.min(self.now())
    }
}

impl BoardTime for TimeSource {
    fn now(&self) -> Instant<Board> {
        self.now()
    }

    fn at_monotonic(&self, nanos: u64) -> Instant<Board> {
        self.map_monotonic(nanos)
    }
}

/// A measured offset from CLOCK_MONOTONIC to CLOCK_MONOTONIC_RAW, with the width of the measurement.
struct Bracket {
    raw_minus_monotonic_ns: i64,
    width_ns: i64,
}

impl Bracket {
    fn read() -> Self {
        let before = nanos(clock_gettime(ClockId::MonotonicRaw));
        let monotonic = nanos(clock_gettime(ClockId::Monotonic));
        let after = nanos(clock_gettime(ClockId::MonotonicRaw));
        Self {
            raw_minus_monotonic_ns: before + (after - before) / 2 - monotonic,
            width_ns: after - before,
        }
    }
}

fn raw_us() -> i64 {
    nanos(clock_gettime(ClockId::MonotonicRaw)).div_euclid(1_000)
}

fn slept_us() -> i64 {
    let boot = nanos(clock_gettime(ClockId::Boottime));
    let monotonic = nanos(clock_gettime(ClockId::Monotonic));
    (boot - monotonic).div_euclid(1_000)
}

fn nanos(time: Timespec) -> i64 {
    time.tv_sec
        .saturating_mul(1_000_000_000)
        .saturating_add(time.tv_nsec)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn board_time_continues_across_a_program_restart() {
        let boot = boot_id().unwrap();
        assert_eq!(boot.len(), 16);
        let first = TimeSource::resume(None, 5_000_000, &boot);
        assert!(first.now() >= Instant::from_micros(5_000_000));
        first.jump(Duration::from_secs(60));
        let reached = first.now();
        let written = Timeline {
            boot: boot.clone(),
            base_us: first.base_us(),
            at_us: reached.as_micros(),
        };
        let second = TimeSource::resume(Some(&written), 0, &boot);
        assert_eq!(second.base_us(), first.base_us());
        assert!(second.now() >= reached);
    }

    #[test]
    fn another_boot_continues_from_the_journal() {
        let written = Timeline {
            boot: vec![1; 16],
            base_us: 77,
            at_us: 90_000_000,
        };
        let after = TimeSource::resume(Some(&written), 90_000_000, &[2; 16]);
        let now = after.now();
        assert!(now >= Instant::from_micros(90_000_000));
        assert!(now < Instant::from_micros(95_000_000));
    }

    #[test]
    fn kernel_stamps_map_to_board_time() {
        let source = TimeSource::starting_at(0);
        let before = source.now();
        let stamp = nanos(clock_gettime(ClockId::Monotonic));
        let after = source.now();
        let mapped = source.map_monotonic(stamp.unsigned_abs());
        let slack = Duration::from_millis(1);
        assert!(
            before - slack <= mapped && mapped <= after + slack,
            "{before:?} {mapped:?} {after:?}"
        );
    }

    #[test]
    fn an_awake_machine_has_not_slept() {
        assert_eq!(TimeSource::starting_at(0).slept(), None);
    }
}
