//! Best estimates from noisy exchanges: the current offset, and the rate over a session. Uses only integers.
//!
//! An estimate of the offset is not a proof: the caller limits it to the proven bounds.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use super::{Exchange, MAX_DRIFT_PPM, MAX_EXCHANGES, clamp};

/// Minimum span between the centres of a session's first and last third, from which the rate is calculated, in microseconds: five minutes.
const MIN_SPAN: i128 = 300_000_000;

/// The best estimate of the offset: the midpoint between two parallel lines over board time, a lower and an upper bound.
///
/// The error of the midpoint is half the difference between the two network delays, so the fastest message of each direction is used. All exchanges
/// are extrapolated with the same slope, so the instant of a query does not affect which is the fastest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fit {
    slope_ppb: i128,
    /// Board time of the two bounds below, in microseconds.
    at: i64,
    /// The highest of the lower bounds on the offset at that time, in billionths of a microsecond.
    lower: i128,
    /// The lowest of the upper bounds on the offset at that time, in billionths of a microsecond.
    upper: i128,
}

impl Fit {
    pub(super) fn new(exchanges: &VecDeque<Exchange>) -> Option<Self> {
        let slope_ppb = slope_ppb(exchanges)?;
        let at = exchanges.back()?.answered;
        let carried = |bound: i128, from: i64| bound * BILLION + slope_ppb * since(at, from);
        let lower = exchanges
            .iter()
            .map(|one| carried(one.lower, one.received))
            .max()?;
        let upper = exchanges
            .iter()
            .map(|one| carried(one.upper, one.answered))
            .min()?;
        Some(Self {
            slope_ppb,
            at,
            lower,
            upper,
        })
    }

    /// Returns the estimate of the offset at board time `at`, in microseconds: the midpoint between the lines.
    pub(super) fn offset_at(&self, at: i64) -> i128 {
        let middle = i128::midpoint(self.lower, self.upper) + self.slope_ppb * since(at, self.at);
        middle.div_euclid(BILLION)
    }
}

const BILLION: i128 = 1_000_000_000;

/// Returns the microseconds from `from` to `at`, limited to eleven days in either direction: no estimate reaches further.
fn since(at: i64, from: i64) -> i128 {
    (i128::from(at) - i128::from(from)).clamp(-LIMIT * 1_000, LIMIT * 1_000)
}

/// Limit that keeps the sums below well within the range of an `i128`: eleven days in milliseconds, or a quarter of an hour in microseconds.
const LIMIT: i128 = 1_000_000_000;

/// Typical error of a crystal in parts per million, assumed until exchanges show otherwise.
const EXPECTED_PPM: i128 = 30;

/// Returns the rate at which the offset changes, in parts per billion of board time. It is a least-squares fit to the fastest quarter of the
/// exchanges, in which faster exchanges have more weight. As a prior, the slope is 0 ± [`EXPECTED_PPM`].
fn slope_ppb(exchanges: &VecDeque<Exchange>) -> Option<i128> {
    let mut order: Vec<(i128, usize)> = exchanges
        .iter()
        .enumerate()
        .map(|(index, exchange)| (exchange.rtt, index))
        .collect();
    let quarter = order.len().div_ceil(4);
    order.select_nth_unstable(quarter.checked_sub(1)?);
    order.truncate(quarter);
    let fastest = || order.iter().filter_map(|(_, index)| exchanges.get(*index));
    let reference = *exchanges.get(order.iter().min()?.1)?;
    let (mut weights, mut x1, mut x2, mut y1, mut xy) = (0_i128, 0_i128, 0_i128, 0_i128, 0_i128);
    for exchange in fastest() {
        // The weight is proportional to 1/(delay beyond that of the fastest + 0.1 ms)².
        let lost = (exchange.rtt - reference.rtt).clamp(0, LIMIT) + 100;
        let weight = WEIGHT / (lost * lost) + 1;
        // `x` is board time in milliseconds, and `y` the offset in microseconds.
        let x = ((i128::from(exchange.answered) - i128::from(reference.answered)) / 1_000)
            .clamp(-LIMIT, LIMIT);
        let y = (exchange.middle() - reference.middle()).clamp(-LIMIT, LIMIT);
        weights += weight;
        x1 += weight * x;
        x2 += weight * x * x;
        y1 += weight * y;
        xy += weight * x * y;
    }
    // The prior counts as another measurement of the slope: 0 ± EXPECTED_PPM.
    let expected = WEIGHT * 1_000_000 / (EXPECTED_PPM * EXPECTED_PPM);
    let determinant = weights * (x2 + expected) - x1 * x1;
    let limit = i128::from(MAX_DRIFT_PPM) * 1_000;
    // The fit gives microseconds per millisecond, each of which is a million parts per billion.
    Some(scaled(weights * xy - x1 * y1, 1_000_000, determinant).clamp(-limit, limit))
}

/// Weight of an exchange whose error is one microsecond.
const WEIGHT: i128 = 1_000_000_000_000;

/// Returns `value * factor / divisor` without overflowing an `i128`.
fn scaled(value: i128, factor: i128, divisor: i128) -> i128 {
    match value.checked_mul(factor) {
        Some(product) => product / divisor,
        None => (value / divisor).saturating_mul(factor),
    }
}

/// A session divided into at most 64 intervals of equal length, with the fastest exchange of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Session {
    stretches: Vec<Exchange>,
    /// Board time at which the last interval began, in microseconds.
    began: i64,
    /// Length of each interval, in microseconds.
    length: i64,
}

impl Default for Session {
    fn default() -> Self {
        Self {
            stretches: Vec::new(),
            began: 0,
            length: 5_000_000,
        }
    }
}

impl Session {
    pub(super) fn add(&mut self, exchange: Exchange) {
        let age = exchange.answered.saturating_sub(self.began);
        match self.stretches.last_mut() {
            Some(best) if age < self.length => {
                if exchange.rtt < best.rtt {
                    *best = exchange;
                }
            }
            Some(_) | None => {
                self.began = exchange.answered;
                self.stretches.push(exchange);
            }
        }
        if self.stretches.len() > MAX_EXCHANGES {
            self.halve();
        }
    }

    /// Merges the intervals in pairs, each twice as long.
    fn halve(&mut self) {
        let fastest = |pair: &[Exchange]| pair.iter().min_by_key(|exchange| exchange.rtt).copied();
        self.stretches = self.stretches.chunks(2).filter_map(fastest).collect();
        self.length = self.length.saturating_mul(2);
    }

    /// Returns the rate in parts per billion, from up to three of the fastest exchanges in each of the session's first and last thirds.
    pub(super) fn rate_ppb(&self) -> Option<i64> {
        let third = self.stretches.len() / 3;
        let first = Centre::of_fastest(self.stretches.get(..third)?)?;
        let last = Centre::of_fastest(self.stretches.get(self.stretches.len() - third..)?)?;
        let span = last.at - first.at;
        if span < MIN_SPAN {
            return None;
        }
        let limit = i128::from(MAX_DRIFT_PPM) * 1_000;
        // If the offset (hub − board) decreases, the board's clock is fast.
        Some(clamp(
            scaled(first.offset - last.offset, 1_000_000_000, span).clamp(-limit, limit),
        ))
    }
}

/// The mean board time and the mean offset of some exchanges, in microseconds.
struct Centre {
    at: i128,
    offset: i128,
}

impl Centre {
    fn of_fastest(exchanges: &[Exchange]) -> Option<Self> {
        let mut fastest = exchanges.to_vec();
        fastest.sort_by_key(|exchange| exchange.rtt);
        fastest.truncate(3);
        let count = i128::try_from(fastest.len())
            .ok()
            .filter(|count| *count > 0)?;
        let at = fastest
            .iter()
            .map(|exchange| i128::from(exchange.answered))
            .sum::<i128>()
            / count;
        let offset = fastest.iter().map(Exchange::middle).sum::<i128>() / count;
        Some(Self { at, offset })
    }
}
