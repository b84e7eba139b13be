//! The hub's clocks: the one file of this package that reads the machine's boot clock and wall clock.
//!
//! Owns the hub's timeline, [`Instant<Hub>`]: the kernel's boot clock plus an offset that is chosen once per start. The boot clock cannot
//! be set, and continues while the machine is suspended. The timeline begins at the wall clock of the very first start, in Unix
//! microseconds, so that its instants read as dates. Later, the timeline uses the wall clock only if the boot clock cannot continue it, such as
//! after a reboot. The timeline never runs backwards, and never follows changes to the wall clock during a run.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

pub use hall::WallTime;
use rustix::time::{ClockId, clock_gettime};
use timing::{Duration, Hub, Instant};

/// Maximum reading error of a battery-backed clock, which counts whole seconds: up to one second is lost when it is written, and one when it is read.
const ABSENCE_READING_US: i64 = 2_000_000;
/// Maximum drift of a battery-backed clock's crystal, in parts per million, even in a cold hall.
const ABSENCE_DRIFT_PPM: i64 = 200;

/// A source of times on the hub's timeline and the wall clock. Cheap to clone.
#[derive(Clone, Debug)]
pub struct TimeSource {
    clocks: Clocks,
    /// The lead of the timeline over the boot clock, in microseconds.
    offset_us: i64,
}

#[derive(Clone, Debug)]
enum Clocks {
    System,
    /// A single manually advanced clock that serves as boot clock and wall clock.
    Manual(Arc<AtomicI64>),
}

impl Clocks {
    /// Reads a clock in microseconds, rounded down.
    fn read(&self, clock: ClockId) -> i64 {
        match self {
            Self::System => {
                let time = clock_gettime(clock);
                time.tv_sec
                    .saturating_mul(1_000_000)
                    .saturating_add(time.tv_nsec.div_euclid(1_000))
            }
            Self::Manual(now_us) => now_us.load(Ordering::Relaxed),
        }
    }

    fn reading(&self) -> Reading {
        Reading {
            boot_id: match self {
                Self::System => boot_id(),
                Self::Manual(_) => None,
            },
            boottime_us: self.read(ClockId::Boottime),
            wall_us: self.read(ClockId::Realtime),
        }
    }
}

/// Returns the wall-clock time, for code that has no [`TimeSource`].
pub(crate) fn wall_now() -> WallTime {
    WallTime::from_unix_us(Clocks::System.read(ClockId::Realtime))
}

impl TimeSource {
    /// Continues the timeline from `mark`, or begins a new one.
    pub fn resume(mark: Option<TimelineMark>) -> (TimeSource, TimelineStart) {
        let clocks = Clocks::System;
        let now = clocks.reading();
        let start = bridge(mark.as_ref(), &now);
        let offset_us = start.at.as_micros().saturating_sub(now.boottime_us);
        (TimeSource { clocks, offset_us }, start)
    }

    /// Creates a time source for tests and simulations. Its time advances only through the returned [`ManualTime`].
    pub fn manual(start: Instant<Hub>) -> (TimeSource, ManualTime) {
        let hub_us = Arc::new(AtomicI64::new(start.as_micros()));
        let time = TimeSource {
            clocks: Clocks::Manual(hub_us.clone()),
            offset_us: 0,
        };
        (time, ManualTime { hub_us })
    }

    /// Returns the same timeline, moved forward if necessary so that the current instant is not before `at`, the newest instant in the log.
    /// Use only at start, before any instant is read.
    #[must_use]
    pub fn not_before(mut self, at: Instant<Hub>) -> TimeSource {
        let behind_us = (at - self.hub_now()).or_zero().as_micros();
        match &self.clocks {
            Clocks::System => self.offset_us = self.offset_us.saturating_add(behind_us),
            Clocks::Manual(hub_us) => {
                hub_us.fetch_max(at.as_micros(), Ordering::Relaxed);
            }
        }
        self
    }

    pub fn hub_now(&self) -> Instant<Hub> {
        let boottime_us = self.clocks.read(ClockId::Boottime);
        Instant::from_micros(boottime_us.saturating_add(self.offset_us))
    }

    /// Returns the machine's wall-clock time: for certificates, headers and print, never for a player's time. A manual source's wall clock
    /// shows the hub's timeline.
    pub fn wall_now(&self) -> WallTime {
        WallTime::from_unix_us(self.clocks.read(ClockId::Realtime))
    }

    /// Returns the lead of the wall clock over the timeline, in milliseconds. It is rounded to a tenth of a second, so that
    /// successive readings rarely differ unless the clock is set.
    pub(crate) fn wall_ahead_ms(&self) -> i64 {
        let hub_us = self.hub_now().as_micros();
        let ahead_us = self.wall_now().unix_us().saturating_sub(hub_us);
        let tenths = ahead_us.saturating_add(50_000).div_euclid(100_000);
        tenths.saturating_mul(100)
    }

    /// Returns the timeline's position, to be stored for the next start. If a mark is stored every minute, the next start after a reboot continues
    /// from a position that is at most a minute old.
    pub fn mark(&self) -> TimelineMark {
        let taken = self.clocks.reading();
        let hub_us = taken.boottime_us.saturating_add(self.offset_us);
        TimelineMark { hub_us, taken }
    }
}

/// A handle that moves the clock of a [`TimeSource::manual`].
#[derive(Clone, Debug)]
pub struct ManualTime {
    hub_us: Arc<AtomicI64>,
}

impl ManualTime {
    /// Advances by `span`; a negative span is ignored, because time never runs backwards.
    pub fn advance(&self, span: Duration) {
        self.hub_us
            .fetch_add(span.as_micros().max(0), Ordering::Relaxed);
    }

    /// Advances to `at`; an instant in the past is ignored.
    pub fn advance_to(&self, at: Instant<Hub>) {
        self.hub_us.fetch_max(at.as_micros(), Ordering::Relaxed);
    }
}

const MARK_VERSION: &str = "timeline-1";

/// A position of the timeline, and the readings of the machine's clocks at that time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimelineMark {
    hub_us: i64,
    taken: Reading,
}

impl TimelineMark {
    /// Returns a mark at `hub`, an instant that the hub on this machine has just stated. Assumes that no time has passed since that instant.
    pub fn just_stated(hub: Instant<Hub>) -> TimelineMark {
        TimelineMark {
            hub_us: hub.as_micros(),
            taken: Clocks::System.reading(),
        }
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let Reading {
            boot_id,
            boottime_us,
            wall_us,
        } = &self.taken;
        let boot_id = boot_id.as_deref().unwrap_or("unknown");
        format!(
            "{MARK_VERSION} {} {boottime_us} {wall_us} {boot_id}",
            self.hub_us
        )
        .into_bytes()
    }

    /// Parses the output of [`TimelineMark::to_bytes`]; `None` if a field is missing or malformed.
    pub fn from_bytes(bytes: &[u8]) -> Option<TimelineMark> {
        let mut words = std::str::from_utf8(bytes)
            .ok()?
            .strip_prefix(MARK_VERSION)?
            .strip_prefix(' ')?
            .split_ascii_whitespace();
        let mut number = || words.next()?.parse::<i64>().ok();
        let (hub_us, boottime_us, wall_us) = (number()?, number()?, number()?);
        let boot_id = Some(words.next()?)
            .filter(|id| *id != "unknown")
            .map(str::to_owned);
        Some(TimelineMark {
            hub_us,
            taken: Reading {
                boot_id,
                boottime_us,
                wall_us,
            },
        })
    }
}

/// The start of the timeline in one run of the hub, for the log and the arbiters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimelineStart {
    pub at: Instant<Hub>,
    pub bridge: Bridge,
}

/// The origin of a run's timeline: new, or continued from the previous run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bridge {
    /// There was no mark of an earlier run: the timeline begins at the wall clock's time.
    First,
    /// The machine was not restarted: the boot clock continued, and the timeline is exact.
    SameBoot,
    /// The machine was restarted or set back to an earlier state, or its boot is unknown. The wall clock determined the time since the mark.
    NewBoot {
        /// The assumed time since the mark, in microseconds.
        absent_us: i64,
        /// Maximum error of `absent_us`, in microseconds, provided that the wall clock was not set in that time. `None` if the wall clock went
        /// backwards, which makes that time unknown.
        bound_us: Option<i64>,
    },
}

impl fmt::Display for TimelineStart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bridge {
            Bridge::First => f.write_str("the hub's timeline begins"),
            Bridge::SameBoot => f.write_str("the hub's timeline continues exactly (same boot)"),
            Bridge::NewBoot { absent_us, bound_us: Some(bound_us) } => write!(
                f,
                "the machine was restarted: the hub's timeline continues {} after it stopped, ± {} (by the wall clock)",
                Duration::from_micros(absent_us),
                Duration::from_micros(bound_us)
            ),
            Bridge::NewBoot { bound_us: None, .. } => f.write_str(
                "the machine was restarted and its wall clock went backwards: the hub's timeline continues where it stopped, \
                 and for how long it stopped is not known",
            ),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Reading {
    boot_id: Option<String>,
    boottime_us: i64,
    wall_us: i64,
}

/// Returns the id of this boot of the machine; `None` if the kernel does not provide it.
pub(crate) fn boot_id() -> Option<String> {
    let id = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(id.trim().to_owned()).filter(|id| !id.is_empty())
}

/// Returns where the timeline of `mark` continues, or where a new one begins without a mark, given the clocks' current reading `now`.
fn bridge(mark: Option<&TimelineMark>, now: &Reading) -> TimelineStart {
    let Some(TimelineMark { hub_us, taken }) = mark else {
        return TimelineStart {
            at: Instant::from_micros(now.wall_us),
            bridge: Bridge::First,
        };
    };
    let same_boot = taken.boot_id.is_some() && taken.boot_id == now.boot_id;
    // A virtual machine that was reset to an earlier state keeps its boot id, although its boot clock has gone backwards.
    if same_boot && now.boottime_us >= taken.boottime_us {
        let at = hub_us.saturating_add(now.boottime_us.saturating_sub(taken.boottime_us));
        return TimelineStart {
            at: Instant::from_micros(at),
            bridge: Bridge::SameBoot,
        };
    }
    let distance_us = now.wall_us.saturating_sub(taken.wall_us);
    let absent_us = distance_us.max(0);
    // Divide first: a downtime of centuries must not overflow.
    let drift_us = (absent_us / 1_000_000).saturating_mul(ABSENCE_DRIFT_PPM);
    let bound_us = (distance_us >= 0).then(|| drift_us.saturating_add(ABSENCE_READING_US));
    let at = Instant::from_micros(hub_us.saturating_add(absent_us));
    TimelineStart {
        at,
        bridge: Bridge::NewBoot {
            absent_us,
            bound_us,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(boot_id: &str, boottime_us: i64, wall_us: i64) -> Reading {
        Reading {
            boot_id: Some(boot_id.to_owned()),
            boottime_us,
            wall_us,
        }
    }

    #[track_caller]
    fn check(mark: Option<(i64, Reading)>, now: Reading, at_us: i64, how: Bridge) {
        let mark = mark.map(|(hub_us, taken)| TimelineMark { hub_us, taken });
        assert_eq!(
            bridge(mark.as_ref(), &now),
            TimelineStart {
                at: Instant::from_micros(at_us),
                bridge: how
            }
        );
    }

    #[test]
    fn a_first_start_begins_at_the_wall_clock() {
        check(None, reading("a", 5, 1_700), 1_700, Bridge::First);
    }

    #[test]
    fn the_same_boot_continues_exactly_whatever_the_wall_clock_does() {
        for wall_us in [0, 9_000, i64::MAX] {
            check(
                Some((1_000, reading("a", 50, 7_000))),
                reading("a", 80, wall_us),
                1_030,
                Bridge::SameBoot,
            );
        }
    }

    #[test]
    fn a_new_boot_is_bridged_by_the_wall_clock_with_its_bound() {
        let hour_us = 3_600_000_000;
        let how = Bridge::NewBoot {
            absent_us: hour_us,
            bound_us: Some(2_000_000 + 720_000),
        };
        check(
            Some((1_000, reading("a", 50, 7_000))),
            reading("b", 3, 7_000 + hour_us),
            1_000 + hour_us,
            how,
        );
    }

    #[test]
    fn a_wall_clock_that_went_back_stops_the_timeline_but_never_turns_it_back() {
        let how = Bridge::NewBoot {
            absent_us: 0,
            bound_us: None,
        };
        check(
            Some((1_000, reading("a", 50, 7_000))),
            reading("b", 3, 6_999),
            1_000,
            how,
        );
    }

    #[test]
    fn a_machine_set_back_to_an_earlier_state_is_a_new_boot() {
        let how = Bridge::NewBoot {
            absent_us: 500,
            bound_us: Some(2_000_000),
        };
        check(
            Some((1_000, reading("a", 50, 7_000))),
            reading("a", 49, 7_500),
            1_500,
            how,
        );
    }

    #[test]
    fn an_unknown_boot_is_never_the_same() {
        let taken = Reading {
            boot_id: None,
            boottime_us: 50,
            wall_us: 7_000,
        };
        let now = Reading {
            boot_id: None,
            boottime_us: 80,
            wall_us: 7_001,
        };
        check(
            Some((1_000, taken)),
            now,
            1_001,
            Bridge::NewBoot {
                absent_us: 1,
                bound_us: Some(2_000_000),
            },
        );
    }

    #[test]
    fn marks_survive_encoding() {
        let (time, _) = TimeSource::resume(None);
        let (manual, _) = TimeSource::manual(Instant::from_micros(-7));
        for mark in [time.mark(), manual.mark()] {
            assert_eq!(TimelineMark::from_bytes(&mark.to_bytes()), Some(mark));
        }
        for bad in [
            &b""[..],
            b"timeline-1",
            b"timeline-1 1 2 x id",
            b"timeline-2 1 2 3 id",
            b"timeline-10 1 2 3 id",
            b"\xff",
        ] {
            assert_eq!(TimelineMark::from_bytes(bad), None);
        }
    }

    #[test]
    fn the_next_start_on_this_machine_continues_exactly() {
        let (before, start) = TimeSource::resume(None);
        assert_eq!(start.bridge, Bridge::First);
        let first = before.hub_now();
        let (after, start) = TimeSource::resume(Some(before.mark()));
        assert_eq!(start.bridge, Bridge::SameBoot);
        let second = after.hub_now();
        let third = before.hub_now();
        assert!(
            first <= second && second <= third,
            "{first:?} {second:?} {third:?}"
        );
    }

    #[test]
    fn the_timeline_is_not_before_the_newest_record() {
        let (time, _) = TimeSource::resume(None);
        let later = time.hub_now() + Duration::from_secs(3600);
        let time = time.not_before(later);
        assert!(time.hub_now() >= later);
        let unchanged = time.clone().not_before(Instant::MIN);
        assert!(unchanged.hub_now() - time.hub_now() < Duration::from_secs(1800));
    }

    #[test]
    fn a_wall_clock_that_was_set_is_ahead_by_whole_tenths() {
        let (time, _) = TimeSource::resume(None);
        assert_eq!(time.wall_ahead_ms(), 0);
        let later = time.hub_now() + Duration::from_secs(3600);
        assert_eq!(time.not_before(later).wall_ahead_ms(), -3_600_000);
        let (manual, _) = TimeSource::manual(Instant::from_micros(5));
        assert_eq!(manual.wall_ahead_ms(), 0);
    }

    #[test]
    fn manual_time_moves_only_forward() {
        let (time, hand) = TimeSource::manual(Instant::from_micros(100));
        assert_eq!(time.hub_now(), Instant::from_micros(100));
        hand.advance(Duration::from_micros(50));
        hand.advance(Duration::from_micros(-20));
        hand.advance_to(Instant::from_micros(120));
        assert_eq!(time.hub_now(), Instant::from_micros(150));
        assert_eq!(time.wall_now().to_string(), "1970-01-01T00:00:00.00015Z");
    }
}
