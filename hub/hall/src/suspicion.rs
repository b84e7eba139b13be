//! Measures the delay between each event's stamp and its arrival. Detects a single delay beyond what the link explains,
//! and a small delay that recurs for presses of the same side. Also adds up the time that is known only from a clock's
//! reports, and detects slow links, missing watermarks and ignored orders. Defines the limits, and decides on the
//! notes; a note informs the arbiter and changes no time.
//!
//! Only the notes are logged: a restarted hub starts measuring again.

mod account;
mod delay;
mod heartbeat;
mod ignored;
mod pulse;
mod word;

pub(crate) use account::UnverifiedTime;
pub(crate) use heartbeat::Heartbeats;

use std::collections::VecDeque;

use timing::{BySide, Duration, Hub, Instant};

use super::recent::push_recent;

/// Number of recent round trips from which a link is judged; they cover about a minute.
const MAX_TRIPS: usize = 64;

/// Lower bound for a link's longest round trip until [`ENOUGH_TRIPS`] time exchanges have been completed.
const UNMEASURED_ROUND_TRIP: Duration = Duration::from_millis(300);

/// Lower bound for a link's longest round trip: a press passes through two programs, and a lost packet is resent.
const MIN_LONGEST_ROUND_TRIP: Duration = Duration::from_millis(30);

/// Number of round trips that suffice to estimate the link's longest.
const ENOUGH_TRIPS: usize = 24;

/// Generous bound on the drift between two working crystals from one time exchange to the next.
const DRIFT: Duration = Duration::from_millis(1);

/// Number of presses of one side over which small delays are added up.
const PRESSES: usize = 10;

/// Sum over [`PRESSES`] presses that raises the alarm, as a multiple of the allowance.
const ALARM: i64 = 8;

#[derive(Debug, Default)]
pub(crate) struct Reports {
    trips: VecDeque<Duration>,
    /// The current run of late reports, which already has a note.
    late: Option<Late>,
    sums: BySide<Drift>,
    /// True once the link has been noted as slow. Never reset, so a link is noted once.
    slow: bool,
}

/// The criteria for a slow link, each with a minimum number of recent round trips and a limit. A link with at least
/// that many round trips is slow if all of them exceed the limit. It can then hide a delay of that length.
const SLOW_LINKS: [(usize, Duration); 2] = [
    (24, Duration::from_millis(100)),
    (16, Duration::from_millis(200)),
];

#[derive(Clone, Copy, Debug)]
struct Late {
    /// Start of the unverified time of this run: the arrival of the promise that then bounded the stamps. Without such
    /// a promise, the latest possible instant of the first late event.
    heard_until: Instant<Hub>,
    presses: u32,
}

/// The delays of one side's newest presses in excess of the allowance, each clamped to ± one allowance, and their sum.
#[derive(Debug, Default)]
struct Drift {
    sum: Duration,
    newest: VecDeque<Duration>,
    noted: bool,
}

impl Reports {
    pub(crate) fn exchanged(&mut self, trip: Duration) {
        push_recent(&mut self.trips, MAX_TRIPS, trip);
    }

    /// Returns the error of the offset that the link can hide: half its shortest round trip, plus [`DRIFT`]. The
    /// uncertainty that grows after the last exchange is left out, because it cannot hide an early stamp.
    fn offset_error(&self) -> Duration {
        let least = self.trips.iter().min().copied().unwrap_or_default();
        Duration::from_micros(least.as_micros() / 2) + DRIFT
    }

    /// Returns the shortest recent round trip if the link is slow and this has not been noted before.
    fn first_slow_trip(&mut self) -> Option<Duration> {
        let least = self.trips.iter().min().copied()?;
        let slow = SLOW_LINKS
            .iter()
            .any(|(trips, limit)| self.trips.len() >= *trips && least > *limit);
        (slow && !std::mem::replace(&mut self.slow, slow)).then_some(least)
    }

    /// Returns an upper bound on the link's round trips, which at most one of the newest [`MAX_TRIPS`] may exceed.
    fn longest_round_trip(&self) -> Duration {
        let (mut longest, mut second) = (Duration::ZERO, Duration::ZERO);
        for trip in self.trips.iter().copied() {
            second = second.max(trip.min(longest));
            longest = longest.max(trip);
        }
        let bound = match self.trips.len() {
            MAX_TRIPS.. => second,
            _ => longest,
        };
        let least = match self.trips.len() {
            ENOUGH_TRIPS.. => MIN_LONGEST_ROUND_TRIP,
            _ => UNMEASURED_ROUND_TRIP,
        };
        bound.max(least)
    }
}

impl Drift {
    /// Adds a press's delay beyond the allowance to a one-sided CUSUM.
    ///
    /// Returns true if the sum has just passed the alarm threshold and the `other` side's sum is far below it. Both
    /// buttons share one clock and one link, so a slow link affects both sides.
    fn add(&mut self, over: Duration, allowance: Duration, other: Duration) -> bool {
        let step = over.min(allowance).max(-allowance);
        if self.newest.len() >= PRESSES
            && let Some(old) = self.newest.pop_front()
        {
            self.sum -= old;
        }
        self.newest.push_back(step);
        self.sum += step;
        if !self.sum.is_positive() {
            self.sum = Duration::ZERO;
            self.newest.clear();
            self.noted = false;
        }
        let alarm = self.sum.as_micros() >= allowance.as_micros().saturating_mul(ALARM)
            && self.newest.len() >= PRESSES;
        let alone = other.as_micros().saturating_mul(4) < self.sum.as_micros();
        alarm && alone && !std::mem::replace(&mut self.noted, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: i64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn the_slowest_round_trip_does_not_define_the_link() {
        let mut reports = Reports::default();
        assert_eq!(reports.longest_round_trip(), UNMEASURED_ROUND_TRIP);
        for _ in 0..23 {
            reports.exchanged(ms(1));
            assert_eq!(reports.longest_round_trip(), UNMEASURED_ROUND_TRIP);
        }
        for trip in 1..=64 {
            reports.exchanged(ms(trip));
        }
        assert_eq!(reports.longest_round_trip(), ms(63));
        for _ in 0..64 {
            reports.exchanged(ms(1));
        }
        assert_eq!(reports.longest_round_trip(), MIN_LONGEST_ROUND_TRIP);
    }

    #[test]
    fn a_link_is_slow_if_all_its_round_trips_are() {
        let mut reports = Reports::default();
        for _ in 0..24 {
            assert_eq!(reports.first_slow_trip(), None);
            reports.exchanged(ms(110));
        }
        assert_eq!(reports.first_slow_trip(), Some(ms(110)));
        assert_eq!(reports.first_slow_trip(), None, "noted once");
        let mut reports = Reports::default();
        for trip in 0..1_000 {
            reports.exchanged(if trip % 8 == 0 { ms(40) } else { ms(900) });
            assert_eq!(reports.first_slow_trip(), None);
        }
    }

    #[test]
    fn ten_presses_that_are_each_a_little_late_raise_one_note() {
        let mut drift = Drift::default();
        let raised = (0..30)
            .filter(|_| drift.add(ms(20), ms(10), ms(15)))
            .count();
        assert_eq!(raised, 1);
        // No alarm if the other side's presses are late too, because a slow link delays both sides.
        let mut drift = Drift::default();
        assert!(!(0..30).any(|_| drift.add(ms(20), ms(10), ms(60))));
    }

    #[test]
    fn one_very_late_press_raises_no_note() {
        let mut drift = Drift::default();
        for press in 0..100 {
            let over = if press % 5 == 0 { ms(60_000) } else { ms(-4) };
            assert!(!drift.add(over, ms(10), ms(0)));
        }
    }
}
