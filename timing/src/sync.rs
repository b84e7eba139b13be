//! The offset between the hub's clock and a board's, as an interval that is proven to contain it.
//!
//! A span between two stamps of one crystal does not need the offset. This module reads no clock and uses only integers. The interval is valid
//! whatever the network does, provided that the relative drift of the two clocks is at most [`MAX_DRIFT_PPM`].

use alloc::collections::VecDeque;

use crate::{Board, Duration, Hub, Instant, Timeline};

mod fit;

#[cfg(test)]
mod simulation;

/// Maximum relative drift of two crystals for which the interval is valid, in parts per million.
pub const MAX_DRIFT_PPM: i64 = 100;

/// Maximum number of recent exchanges that the estimate keeps and uses.
const MAX_EXCHANGES: usize = 64;

/// An estimate of the offset (hub − board). Each exchange gives it four timestamps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OffsetEstimate {
    recent: VecDeque<Exchange>,
    fit: Option<fit::Fit>,
    session: fit::Session,
}

/// An instant converted to another timeline. The true instant is proven to lie in `lo..=hi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mapped<T: Timeline> {
    /// Earliest possible instant.
    pub lo: Instant<T>,
    /// Best estimate of the instant.
    pub est: Instant<T>,
    /// Latest possible instant.
    pub hi: Instant<T>,
}

/// An exchange contradicts itself or earlier ones: a clock drifts by more than [`MAX_DRIFT_PPM`], was set, or reports false times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClockFault;

impl core::fmt::Display for ClockFault {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(
            f,
            "the stamps contradict each other: a clock drifts by more than {MAX_DRIFT_PPM} ppm, was set, or reports false times"
        )
    }
}

impl core::error::Error for ClockFault {}

/// One exchange, as bounds on the offset in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Exchange {
    /// Board time at which the hub's message arrived. At that time, the offset was at least `lower`.
    received: i64,
    lower: i128,
    /// Board time at which the board sent its answer. At that time, the offset was at most `upper`.
    answered: i64,
    upper: i128,
    /// Round-trip time on the network, without the time that the board took to answer.
    rtt: i128,
}

/// Bounds on the offset at one instant of board time, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bounds {
    lo: i128,
    hi: i128,
}

impl Exchange {
    /// Returns the bounds from an exchange's four timestamps. Timestamps are rounded down to microseconds, so each bound is relaxed by one.
    fn new(t1: i64, t2: i64, t3: i64, t4: i64) -> Self {
        let [w1, w2, w3, w4] = [t1, t2, t3, t4].map(i128::from);
        Self {
            received: t2,
            lower: w1 - w2 - 1,
            answered: t3,
            upper: w4 - w3 + 1,
            rtt: (w4 - w1) - (w3 - w2),
        }
    }

    /// Returns the bounds at board time `at`. They are wider the further `at` is from the exchange, because the clocks may drift.
    fn at(&self, at: i64) -> Bounds {
        Bounds {
            lo: self.lower - drift(at, self.received),
            hi: self.upper + drift(at, self.answered),
        }
    }

    fn middle(&self) -> i128 {
        i128::midpoint(self.lower, self.upper)
    }
}

/// Returns the maximum drift between the two clocks from `a` to `b`, in microseconds, rounded up.
fn drift(a: i64, b: i64) -> i128 {
    i128::from(a.abs_diff(b).div_ceil(MICROS_PER_DRIFT))
}

/// Number of microseconds in which the two clocks drift apart by at most one microsecond.
const MICROS_PER_DRIFT: u64 = 1_000_000 / MAX_DRIFT_PPM.unsigned_abs();

impl OffsetEstimate {
    /// Adds an exchange: the hub sent at `t1`, the board received at `t2` and answered at `t3`, and the hub received the answer at `t4`.
    ///
    /// # Errors
    /// Returns [`ClockFault`] if the exchange contradicts itself or earlier ones. In the first case, the exchange is dropped; in the second, the
    /// estimate starts again from this exchange.
    pub fn on_exchange(
        &mut self,
        t1: Instant<Hub>,
        t2: Instant<Board>,
        t3: Instant<Board>,
        t4: Instant<Hub>,
    ) -> Result<(), ClockFault> {
        let exchange = Exchange::new(
            t1.as_micros(),
            t2.as_micros(),
            t3.as_micros(),
            t4.as_micros(),
        );
        let alone = exchange.at(t3.as_micros());
        if t3 < t2 || t4 < t1 || alone.lo > alone.hi {
            return Err(ClockFault);
        }
        let contradicts = self.bounds(exchange.answered).is_some_and(|known| {
            let both = Bounds {
                lo: known.lo.max(alone.lo),
                hi: known.hi.min(alone.hi),
            };
            both.lo > both.hi
        });
        if contradicts {
            *self = Self::default();
        }
        if self.recent.len() == MAX_EXCHANGES {
            self.recent.pop_front();
        }
        self.recent.push_back(exchange);
        self.fit = fit::Fit::new(&self.recent);
        self.session.add(exchange);
        if contradicts { Err(ClockFault) } else { Ok(()) }
    }

    /// Converts an instant of the board's timeline to the hub's; `None` before the first exchange.
    pub fn to_hub(&self, at: Instant<Board>) -> Option<Mapped<Hub>> {
        let us = at.as_micros();
        let bounds = self.bounds(us)?;
        let est = self.offset(us, bounds);
        let on_hub = |offset: i128| instant(i128::from(us) + offset);
        Some(Mapped {
            lo: on_hub(bounds.lo),
            est: on_hub(est),
            hi: on_hub(bounds.hi),
        })
    }

    /// Converts an instant of the hub's timeline to the board's; `None` before the first exchange.
    pub fn to_board(&self, at: Instant<Hub>) -> Option<Mapped<Board>> {
        let us = i128::from(at.as_micros());
        let latest = self.recent.back()?;
        // The offset depends on the board instant that is sought. The guess for it is wrong by at most twice the width of the
        // interval, so the bounds are widened by the drift over that span.
        let guess = clamp(us - latest.middle());
        let guess = clamp(us - self.offset(guess, self.bounds(guess)?));
        let bounds = self.bounds(guess)?;
        let slack = drift(0, clamp(2 * (bounds.hi - bounds.lo))) + 1;
        let est = self.offset(guess, bounds);
        let on_board = |offset: i128| instant(us - offset);
        Some(Mapped {
            lo: on_board(bounds.hi + slack),
            est: on_board(est),
            hi: on_board(bounds.lo - slack),
        })
    }

    /// Returns how much faster the board's clock runs than the hub's, in parts per billion; `None` until the compared exchanges are five minutes
    /// apart.
    pub fn rate_ppb(&self) -> Option<i64> {
        self.session.rate_ppb()
    }

    /// Returns half the width of the proven interval at `at`; `None` before the first exchange.
    pub fn uncertainty(&self, at: Instant<Board>) -> Option<Duration> {
        let bounds = self.bounds(at.as_micros())?;
        Some(Duration::from_micros(clamp(
            (bounds.hi - bounds.lo + 1) / 2,
        )))
    }

    fn bounds(&self, at: i64) -> Option<Bounds> {
        self.recent
            .iter()
            .map(|exchange| exchange.at(at))
            .reduce(|a, b| Bounds {
                lo: a.lo.max(b.lo),
                hi: a.hi.min(b.hi),
            })
    }

    /// Returns the best estimate of the offset at board time `at`, limited to the proven bounds.
    fn offset(&self, at: i64, bounds: Bounds) -> i128 {
        let guess = self.fit.map(|fit| fit.offset_at(at));
        // The bounds never cross: far from the exchanges, drift only widens them.
        guess
            .unwrap_or_else(|| i128::midpoint(bounds.lo, bounds.hi))
            .max(bounds.lo)
            .min(bounds.hi.max(bounds.lo))
    }
}

fn clamp(micros: i128) -> i64 {
    // Cannot fail after the `clamp`.
    i64::try_from(micros.clamp(i64::MIN.into(), i64::MAX.into())).unwrap_or(0)
}

fn instant<T: Timeline>(micros: i128) -> Instant<T> {
    Instant::from_micros(clamp(micros))
}
