//! Counts the watermarks that a connected clock must send, and decides when missing ones deserve a note.

use timing::{Duration, Hub, Instant};

/// Number of answered time probes, one a second, over which watermarks are counted.
const REPLIES: u32 = 10;

/// Minimum number of watermarks during [`REPLIES`] while the side to move is not short of time: about a third of those due.
const MIN_CALM: u32 = 3;

/// Minimum number of watermarks during [`REPLIES`] while the side to move is short of time: one every 250 ms.
const MIN_HURRIED: u32 = 40;

/// Longest time without a watermark that a bad link can explain.
const SILENCE: Duration = Duration::from_secs(20);

#[derive(Debug, Default)]
pub(crate) struct Heartbeats {
    replies: u32,
    marks: u32,
    pub(super) hurried: bool,
    /// Hub instant of the newest watermark, or the instant from which one is due.
    newest: Option<Instant<Hub>>,
    missing: bool,
    slow: bool,
    pub(super) unsigned: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeartbeatFault {
    None,
    Missing,
    /// Some watermarks arrive, but fewer than the minimum.
    Slow,
}

impl Heartbeats {
    /// Restarts the count on a new link, or after a period of silence from the clock.
    pub(crate) fn begin(&mut self) {
        self.replies = 0;
        self.marks = 0;
        self.newest = None;
    }

    pub(super) fn marked(&mut self, at: Instant<Hub>) {
        self.marks = self.marks.saturating_add(1);
        self.newest = Some(at);
        self.missing = false;
    }

    /// Records that a time probe was answered. `hurried` is true if the side to move is short of time.
    pub(super) fn replied(&mut self, hurried: bool) {
        if self.hurried != hurried {
            *self = Self {
                hurried,
                replies: 0,
                marks: 0,
                ..std::mem::take(self)
            };
        }
        self.replies = self.replies.saturating_add(1);
    }

    /// Returns the fault in a connected clock's watermarks. A fault that persists is returned only once.
    pub(super) fn fault(&mut self, now: Instant<Hub>) -> HeartbeatFault {
        let since = *self.newest.get_or_insert(now);
        let counted = self.replies >= REPLIES;
        let marks = self.marks;
        if counted {
            self.replies = 0;
            self.marks = 0;
        }
        if (counted && marks == 0) || now - since >= SILENCE {
            return match std::mem::replace(&mut self.missing, true) {
                true => HeartbeatFault::None,
                false => HeartbeatFault::Missing,
            };
        }
        if !counted {
            return HeartbeatFault::None;
        }
        let least = if self.hurried { MIN_HURRIED } else { MIN_CALM };
        let slow = marks < least;
        match std::mem::replace(&mut self.slow, slow) {
            false if slow => HeartbeatFault::Slow,
            true | false => HeartbeatFault::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Instant<Hub> {
        Instant::from_micros(seconds * 1_000_000)
    }

    fn after_ten(marks: u32, hurried: bool) -> HeartbeatFault {
        let mut beats = Heartbeats {
            hurried,
            ..Heartbeats::default()
        };
        let mut fault = HeartbeatFault::None;
        for second in 0..10 {
            for _ in 0..marks {
                beats.marked(at(second));
            }
            beats.replied(hurried);
            fault = beats.fault(at(second));
        }
        fault
    }

    #[test]
    fn a_clock_that_keeps_its_period_has_no_fault() {
        assert_eq!(after_ten(1, false), HeartbeatFault::None);
        assert_eq!(after_ten(10, true), HeartbeatFault::None);
        assert_eq!(after_ten(4, true), HeartbeatFault::None);
    }

    #[test]
    fn a_clock_with_fewer_watermarks_than_due_is_noted_once() {
        assert_eq!(after_ten(0, false), HeartbeatFault::Missing);
        assert_eq!(after_ten(3, true), HeartbeatFault::Slow);
        let mut beats = Heartbeats::default();
        let noted = (0..100).filter(|second| {
            beats.replied(false);
            beats.fault(at(*second)) == HeartbeatFault::Missing
        });
        assert_eq!(noted.count(), 1);
    }

    #[test]
    fn a_clock_without_replies_and_watermarks_is_noted_after_twenty_seconds() {
        let mut beats = Heartbeats::default();
        let noted: Vec<i64> = (0..60)
            .filter(|second| beats.fault(at(*second)) == HeartbeatFault::Missing)
            .collect();
        assert_eq!(noted, [20]);
    }
}
