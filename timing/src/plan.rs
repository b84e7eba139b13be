//! The drawing plan: what a face shows from now on if nobody presses anything.

use alloc::vec::Vec;

use crate::{Allotment, Board, Duration, Instant, Timeline};

/// Straight lines to draw, at most [`Plan::MAX_SEGMENTS`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Plan<T: Timeline = Board> {
    /// In order of time; the first begins at the instant asked for. The last one holds for ever.
    pub segments: Vec<Segment<T>>,
}

impl<T: Timeline> Plan<T> {
    /// The most segments a plan has.
    pub const MAX_SEGMENTS: usize = 10;
}

/// One straight line: what both clocks show from `from` on, and how fast it changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Segment<T: Timeline = Board> {
    /// Where the line begins.
    pub from: Instant<T>,
    /// White's time in hand there.
    pub white: Duration,
    /// Black's time in hand there.
    pub black: Duration,
    /// Microseconds White's time changes by in each microsecond: -1, 0 or 1.
    pub white_rate: i8,
    /// The same for Black.
    pub black_rate: i8,
    /// What White is living on.
    pub white_phase: Allotment,
    /// What Black is living on.
    pub black_phase: Allotment,
}
