//! The drawing plan: the display from now until the next press.

use alloc::vec::Vec;

use crate::{Allotment, Board, Duration, Instant, Timeline};

/// The display of both clocks until the next press, as at most [`Plan::MAX_SEGMENTS`] straight lines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Plan<T: Timeline = Board> {
    /// The segments in order of time. The first begins at the requested instant, and the last one has no end.
    pub segments: Vec<Segment<T>>,
}

impl<T: Timeline> Plan<T> {
    /// The maximum number of segments in a plan.
    pub const MAX_SEGMENTS: usize = 10;
}

/// One straight line: both clocks from the instant `from`, and the rate at which each changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Segment<T: Timeline = Board> {
    /// The start of the line.
    pub from: Instant<T>,
    /// White's time in hand at the start.
    pub white: Duration,
    /// Black's time in hand at the start.
    pub black: Duration,
    /// Change of White's time per microsecond, in microseconds: −1, 0 or 1.
    pub white_rate: i8,
    /// Change of Black's time per microsecond, in microseconds: −1, 0 or 1.
    pub black_rate: i8,
    /// The kind of time White is using.
    pub white_phase: Allotment,
    /// The kind of time Black is using.
    pub black_phase: Allotment,
}
