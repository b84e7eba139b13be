//! The intervals at which clocks send watermarks and the hub expects the watermarks. Owns constants only.

/// The interval between watermarks while the player to move is not short of time, in microseconds.
pub const CALM_US: i64 = 1_000_000;
/// The interval between watermarks while the player to move is short of time, in microseconds.
pub const HURRIED_US: i64 = 100_000;
/// Microseconds in hand below which a player is short of time.
pub const SHORT_OF_TIME_US: i64 = 30_000_000;
