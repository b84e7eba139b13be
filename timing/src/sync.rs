//! The offset between a board's clock and the hub's, as an interval that is proven.
//!
//! Only a board with two agents needs it: a think time between two stamps of one crystal needs no offset at all. Reads no
//! clock, keeps integers only, and never claims to know more than the exchanges prove: the interval holds whatever the
//! network did, as long as neither clock drifts by more than [`MAX_DRIFT_PPM`] against the other.

use alloc::collections::VecDeque;

use crate::{Board, Duration, Hub, Instant, Timeline};

mod fit;

#[cfg(test)]
mod simulation;

/// How far two crystals may drift apart, in parts per million, for the interval to hold.
pub const MAX_DRIFT_PPM: i64 = 100;

/// How many exchanges the interval is made of.
const KEPT: usize = 64;

/// What is known of the offset (hub − board), from exchanges of four stamps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OffsetEstimate {
    recent: VecDeque<Exchange>,
    /// The best guess that the recent ones give.
    fit: Option<fit::Fit>,
    session: fit::Session,
}

/// An instant carried to the other timeline: the true one lies in `lo..=hi`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mapped<T: Timeline> {
    /// The earliest it can be.
    pub lo: Instant<T>,
    /// The best guess.
    pub est: Instant<T>,
    /// The latest it can be.
    pub hi: Instant<T>,
}

/// The clocks contradict each other: one of them drifts by more than [`MAX_DRIFT_PPM`], was set, or lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClockFault;

impl core::fmt::Display for ClockFault {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(
            f,
            "the stamps contradict each other: a clock drifts by more than {MAX_DRIFT_PPM} ppm, was set, or lies"
        )
    }
}

impl core::error::Error for ClockFault {}

/// One exchange, as the bounds it puts on the offset. Microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Exchange {
    /// The board's stamp of the hub's message: the offset there is at least `least`.
    received: i64,
    least: i128,
    /// The board's stamp of its answer: the offset there is at most `most`.
    answered: i64,
    most: i128,
    /// Time on the way, both ways together.
    rtt: i128,
}

/// Bounds on the offset at one instant of the board. Microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bounds {
    lo: i128,
    hi: i128,
}

impl Exchange {
    /// The stamps are floored to microseconds, so each bound gives way by one.
    fn new(t1: i64, t2: i64, t3: i64, t4: i64) -> Self {
        let [w1, w2, w3, w4] = [t1, t2, t3, t4].map(i128::from);
        Self {
            received: t2,
            least: w1 - w2 - 1,
            answered: t3,
            most: w4 - w3 + 1,
            rtt: (w4 - w1) - (w3 - w2),
        }
    }

    /// What it proves about the offset at `at`: drift widens it with its age.
    fn at(&self, at: i64) -> Bounds {
        Bounds {
            lo: self.least - drift(at, self.received),
            hi: self.most + drift(at, self.answered),
        }
    }

    /// The offset halfway between its bounds.
    fn middle(&self) -> i128 {
        i128::midpoint(self.least, self.most)
    }
}

/// The most two clocks can drift apart between two instants, rounded up.
fn drift(a: i64, b: i64) -> i128 {
    i128::from(a.abs_diff(b).div_ceil(MICROS_PER_DRIFT))
}

/// In so many microseconds two clocks drift apart by one.
const MICROS_PER_DRIFT: u64 = 1_000_000 / MAX_DRIFT_PPM.unsigned_abs();

impl OffsetEstimate {
    /// Takes in one exchange: hub sends at `t1`, board receives at `t2`, board answers at `t3`, hub receives at `t4`.
    ///
    /// # Errors
    /// [`ClockFault`] if it contradicts itself, and is then left out, or the exchanges before it: then it is the first of
    /// a new estimate.
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
        if self.recent.len() == KEPT {
            self.recent.pop_front();
        }
        self.recent.push_back(exchange);
        self.fit = fit::Fit::new(&self.recent);
        self.session.add(exchange);
        if contradicts { Err(ClockFault) } else { Ok(()) }
    }

    /// Where an instant of the board lies on the hub's timeline; `None` before the first exchange.
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

    /// Where an instant of the hub lies on the board's timeline; `None` before the first exchange.
    pub fn to_board(&self, at: Instant<Hub>) -> Option<Mapped<Board>> {
        let us = i128::from(at.as_micros());
        let latest = self.recent.back()?;
        // The offset is asked for at an instant of the board, which is what is looked for: a first guess is off by at
        // most the width of the interval and the drift since, and the bounds give way by the drift over that.
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

    /// How much faster the board's clock runs than the hub's, in parts per billion; `None` until five minutes of
    /// exchanges tell.
    pub fn rate_ppb(&self) -> Option<i64> {
        self.session.rate_ppb()
    }

    /// Half the width of the proven interval at `at`; `None` before the first exchange.
    pub fn uncertainty(&self, at: Instant<Board>) -> Option<Duration> {
        let bounds = self.bounds(at.as_micros())?;
        Some(Duration::from_micros(clamp(
            (bounds.hi - bounds.lo + 1) / 2,
        )))
    }

    /// What all exchanges together prove about the offset at `at`.
    fn bounds(&self, at: i64) -> Option<Bounds> {
        self.recent
            .iter()
            .map(|exchange| exchange.at(at))
            .reduce(|a, b| Bounds {
                lo: a.lo.max(b.lo),
                hi: a.hi.min(b.hi),
            })
    }

    /// The best guess of the offset at `at`, within its proven bounds.
    fn offset(&self, at: i64, bounds: Bounds) -> i128 {
        let guess = self.fit.map(|fit| fit.offset_at(at));
        // Far from the exchanges the bounds are wide; they never cross, since drift only widens them.
        guess
            .unwrap_or_else(|| i128::midpoint(bounds.lo, bounds.hi))
            .max(bounds.lo)
            .min(bounds.hi.max(bounds.lo))
    }
}

fn clamp(micros: i128) -> i64 {
    // Within the range of i64 after clamping.
    i64::try_from(micros.clamp(i64::MIN.into(), i64::MAX.into())).unwrap_or(0)
}

fn instant<T: Timeline>(micros: i128) -> Instant<T> {
    Instant::from_micros(clamp(micros))
}
