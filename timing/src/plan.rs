//! The drawing plan: the display of both clocks from an instant until the next press.

use alloc::vec::Vec;

use crate::{Allotment, Board, Duration, Instant, Timeline};

/// The display of both clocks until the next press, as straight lines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Plan<T: Timeline = Board> {
    /// The segments in order of time. The first begins at the requested instant, or at the settled one if that is later.
    pub segments: Vec<Segment<T>>,
}

impl<T: Timeline> Plan<T> {
    /// Maximum number of segments in a plan. Later segments are omitted, so the last one of a full plan may hold only at its start.
    pub const MAX_SEGMENTS: usize = 10;
}

/// A straight line in the display.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Segment<T: Timeline = Board> {
    /// Start of the segment, which lasts until the next one starts, or until the next press.
    pub from: Instant<T>,
    /// White's time in hand at `from`.
    pub white: Duration,
    /// Black's time in hand at `from`.
    pub black: Duration,
    /// Change of White's time, in microseconds per microsecond: −1, 0 or 1.
    pub white_rate: i8,
    /// Change of Black's time, in microseconds per microsecond: −1, 0 or 1.
    pub black_rate: i8,
    /// The kind of time that White is using.
    pub white_phase: Allotment,
    /// The kind of time that Black is using.
    pub black_phase: Allotment,
}
