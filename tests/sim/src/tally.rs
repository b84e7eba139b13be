//! The counts and measurements of a simulation. Owns the sums over many halls; does not judge them.

use std::collections::BTreeMap;

use super::delay::LinkKind;

/// Errors of this many microseconds or more share one bucket.
const WORST_US: usize = 500_000;

#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub halls: u64,
    pub virtual_ns: i64,
    pub games: u64,
    /// Presses and stops that reached an agent.
    pub presses: u64,
    /// Chain events that became durable at the hub.
    pub events: u64,
    pub records: u64,
    pub flags: u64,
    /// Presses with less than a tenth of a second left.
    pub close_calls: u64,
    /// Boards whose final clocks were compared with the same game played without delays.
    pub schedules: u64,
    pub identical: u64,
    pub acknowledged: u64,
    /// Offset intervals compared with the truth.
    pub intervals: u64,
    pub held: u64,
    pub lies: BTreeMap<&'static str, u64>,
    pub noted: BTreeMap<&'static str, u64>,
    pub faults: BTreeMap<&'static str, u64>,
    pub notices: BTreeMap<&'static str, u64>,
    /// Games, by the link of the board's first clock, and by whether that clock's buttons can be slow (up to 25 ms).
    pub linked: BTreeMap<(LinkKind, bool), u64>,
    /// Notes about a slow network, by the same keys as `linked`.
    pub remarks: BTreeMap<(LinkKind, bool), u64>,
    pub commands: BTreeMap<&'static str, u64>,
    /// The most time that a restart or replacement of a clock gave to a player, in microseconds.
    pub given_us: i64,
    pub given: u64,
    /// Events of honest clocks whose stamp the hub corrected or whose jump it did not charge in full. Must be 0 in a hall without faults.
    pub moved: u64,
    /// Presses that the hub counted although their time was falsified.
    pub gains: u64,
    /// The largest gain from a press with a falsified time, in microseconds.
    pub gain_us: i64,
    /// The largest gain minus the time since the clock's last watermark or the settled time, whichever is later, in microseconds. `None` before any
    /// lie was measured.
    pub excess_us: Option<i64>,
    /// |estimate − truth| of presses, by link: the number of presses at each error in microseconds.
    errors: BTreeMap<LinkKind, BTreeMap<u32, u64>>,
}

impl Tally {
    /// Records how much a lie about a press gained: in total, and minus the time since the clock's last watermark or the settled time.
    pub(super) fn gained(&mut self, gain_us: i64, excess_us: i64) {
        self.gains += 1;
        self.gain_us = self.gain_us.max(gain_us);
        self.excess_us = self.excess_us.max(Some(excess_us));
    }

    pub(super) fn fault(&mut self, kind: &'static str) {
        *self.faults.entry(kind).or_default() += 1;
    }

    pub(super) fn error(&mut self, link: LinkKind, us: i64) {
        let us = usize::try_from(us.abs()).map_or(WORST_US, |us| us.min(WORST_US));
        let buckets = self.errors.entry(link).or_default();
        // Small errors are counted exactly and large ones in steps of 50, which limits the number of buckets.
        let bucket = if us < 1_000 { us } else { us - us % 50 };
        *buckets.entry(bucket as u32).or_default() += 1;
    }

    /// Returns the error in microseconds at this quantile of a link's presses, and the number of presses; `None` if there are none.
    pub fn error_quantile(&self, link: LinkKind, quantile: f64) -> Option<(u64, u64)> {
        let buckets = self.errors.get(&link)?;
        let total: u64 = buckets.values().sum();
        let wanted = (total as f64 * quantile).ceil() as u64;
        let mut seen = 0;
        for (bucket, count) in buckets {
            seen += count;
            if seen >= wanted {
                return Some((u64::from(*bucket), total));
            }
        }
        None
    }

    pub fn add(&mut self, other: &Self) {
        self.halls += other.halls;
        self.virtual_ns += other.virtual_ns;
        self.games += other.games;
        self.presses += other.presses;
        self.events += other.events;
        self.records += other.records;
        self.flags += other.flags;
        self.close_calls += other.close_calls;
        self.schedules += other.schedules;
        self.identical += other.identical;
        self.acknowledged += other.acknowledged;
        self.intervals += other.intervals;
        self.held += other.held;
        self.given_us = self.given_us.max(other.given_us);
        self.given += other.given;
        self.moved += other.moved;
        self.gains += other.gains;
        self.gain_us = self.gain_us.max(other.gain_us);
        self.excess_us = self.excess_us.max(other.excess_us);
        for (mine, others) in [
            (&mut self.lies, &other.lies),
            (&mut self.noted, &other.noted),
            (&mut self.faults, &other.faults),
            (&mut self.notices, &other.notices),
            (&mut self.commands, &other.commands),
        ] {
            for (kind, count) in others {
                *mine.entry(kind).or_default() += count;
            }
        }
        for (mine, others) in [
            (&mut self.linked, &other.linked),
            (&mut self.remarks, &other.remarks),
        ] {
            for (link, count) in others {
                *mine.entry(*link).or_default() += count;
            }
        }
        for (link, buckets) in &other.errors {
            let mine = self.errors.entry(*link).or_default();
            for (bucket, count) in buckets {
                *mine.entry(*bucket).or_default() += count;
            }
        }
    }
}
