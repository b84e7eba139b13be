//! The relation between the clock's board time and the kit's own time, as shown by one time exchange.

/// Allowance for scheduling at both ends, in microseconds.
const SLACK_US: i64 = 3_000;

/// One answered time probe: the kit sent it at `sent_us`, the clock stamped it `board_us`, and the reply arrived
/// at `back_us`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exchange {
    pub(super) sent_us: i64,
    pub(super) board_us: i64,
    pub(super) back_us: i64,
}

impl Exchange {
    /// Returns the latest board time that the clock can show at `at_us` of the kit's time.
    pub(super) fn at_most(&self, at_us: i64) -> i64 {
        let passed = at_us - self.sent_us;
        self.board_us + passed + passed.abs() / 5_000 + SLACK_US
    }

    /// Returns the earliest board time that the clock can show at `at_us` of the kit's time.
    pub(super) fn at_least(&self, at_us: i64) -> i64 {
        let passed = at_us - self.back_us;
        self.board_us + passed - passed.abs() / 5_000 - SLACK_US
    }

    /// Returns an estimate of the board time at `at_us` of the kit's time: the midpoint of its bounds.
    pub(super) fn board(&self, at_us: i64) -> i64 {
        self.at_least(at_us).midpoint(self.at_most(at_us))
    }
}
