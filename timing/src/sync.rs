//! The offset between a board's clock and the hub's, as an interval that is proven.

use crate::{Board, Hub, Instant};

/// What is known of (hub − board), from exchanges of four stamps.
#[derive(Clone, Debug, Default)]
pub struct OffsetEstimate {}

/// An instant carried to the other timeline: the true one lies in `lo..=hi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mapped<T: crate::Timeline> {
    /// The earliest it can be.
    pub lo: Instant<T>,
    /// The best guess.
    pub est: Instant<T>,
    /// The latest it can be.
    pub hi: Instant<T>,
}

/// The clocks contradict each other: one of them drifts by more than 100 ppm, was set, or lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockFault;

impl OffsetEstimate {
    /// Takes in one exchange: hub sends at `t1`, board receives at `t2`, board answers at `t3`, hub receives at `t4`.
    ///
    /// # Errors
    /// [`ClockFault`] if it contradicts the exchanges before it; the estimate then begins anew from this one.
    pub fn on_exchange(
        &mut self,
        _t1: Instant<Hub>,
        _t2: Instant<Board>,
        _t3: Instant<Board>,
        _t4: Instant<Hub>,
    ) -> Result<(), ClockFault> {
        todo!()
    }

    /// Where an instant of the board lies on the hub's timeline; `None` before the first exchange.
    pub fn to_hub(&self, _at: Instant<Board>) -> Option<Mapped<Hub>> {
        todo!()
    }

    /// Where an instant of the hub lies on the board's timeline; `None` before the first exchange.
    pub fn to_board(&self, _at: Instant<Hub>) -> Option<Mapped<Board>> {
        todo!()
    }

    /// How fast the board's clock runs against the hub's, in parts per billion; `None` until there is enough to tell.
    pub fn rate_ppb(&self) -> Option<i64> {
        todo!()
    }
}
