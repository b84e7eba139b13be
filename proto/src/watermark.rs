//! The intervals at which clocks send watermarks and the hub expects them. Owns numbers only.

/// The interval unless the player on move is short of time, in microseconds.
pub const CALM_US: i64 = 1_000_000;
/// The interval while the player on move is short of time, in microseconds.
pub const HURRIED_US: i64 = 100_000;
/// A player with less time in hand than this is short of time, in microseconds.
pub const SHORT_OF_TIME_US: i64 = 30_000_000;
