//! The intervals at which clocks send watermarks and the hub expects them, and the time below which a player is short of time. Owns constants only.

/// Maximum interval between watermarks unless the player to move is short of time, in microseconds.
pub const WATERMARK_INTERVAL_US: i64 = 1_000_000;
/// Maximum interval between watermarks while the clock of a player short of time is running, in microseconds.
pub const SHORT_WATERMARK_INTERVAL_US: i64 = 100_000;
/// Microseconds in hand below which a player is short of time.
pub const SHORT_OF_TIME_US: i64 = 30_000_000;
