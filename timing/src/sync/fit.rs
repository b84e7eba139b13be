//! Best guesses from noisy exchanges: the offset now, and the rate over a session. Integers only.
//!
//! A guess is never a proof: whoever uses one clamps it into the proven bounds.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use super::{Exchange, KEPT, MAX_DRIFT_PPM, clamp};

/// A rate is told from exchanges at least this far apart: five minutes, in microseconds.
const MIN_SPAN: i128 = 300_000_000;

/// The best guess of the offset, as two straight lines over board time: made once for a set of exchanges, asked often.
///
/// The fastest message each way is what the network delays least, so its delays differ least between the two ways. Which
/// one that is does not depend on when it is asked, since every exchange is carried by the same slope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fit {
    slope_ppb: i128,
    /// Board time at which the two bounds below hold, in microseconds.
    at: i64,
    /// The highest lower and the lowest upper bound there, in billionths of a microsecond.
    least: i128,
    most: i128,
}

impl Fit {
    /// `None` without exchanges.
    pub(super) fn new(exchanges: &VecDeque<Exchange>) -> Option<Self> {
        let slope_ppb = slope_ppb(exchanges)?;
        let at = exchanges.back()?.answered;
        let carried = |bound: i128, from: i64| bound * BILLION + slope_ppb * since(at, from);
        let least = exchanges
            .iter()
            .map(|one| carried(one.least, one.received))
            .max()?;
        let most = exchanges
            .iter()
            .map(|one| carried(one.most, one.answered))
            .min()?;
        Some(Self {
            slope_ppb,
            at,
            least,
            most,
        })
    }

    /// The offset at `at`, in microseconds: halfway between the two bounds.
    pub(super) fn offset_at(&self, at: i64) -> i128 {
        let middle = i128::midpoint(self.least, self.most) + self.slope_ppb * since(at, self.at);
        middle.div_euclid(BILLION)
    }
}

const BILLION: i128 = 1_000_000_000;

/// Microseconds from one instant to another, bounded by eleven days: a guess does not reach further.
fn since(at: i64, from: i64) -> i128 {
    (i128::from(at) - i128::from(from)).clamp(-FAR * 1_000, FAR * 1_000)
}

/// Bounds that keep the sums below far inside an i128: eleven days in milliseconds, a quarter of an hour in microseconds.
const FAR: i128 = 1_000_000_000;

/// A crystal is expected to be off by so many parts per million or so, until the exchanges say something else.
const EXPECTED_PPM: i128 = 30;

/// Change of the offset, in parts per billion of board time: least squares through the quarter of the exchanges that
/// travelled fastest, each as far off as the time it lost on the way, and the drift expected of a crystal.
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
        // 1/(time lost on the way + 0.1 ms)².
        let lost = (exchange.rtt - reference.rtt).clamp(0, FAR) + 100;
        let weight = WEIGHT / (lost * lost) + 1;
        // Milliseconds of board time, microseconds of offset.
        let x = ((i128::from(exchange.answered) - i128::from(reference.answered)) / 1_000)
            .clamp(-FAR, FAR);
        let y = (exchange.middle() - reference.middle()).clamp(-FAR, FAR);
        weights += weight;
        x1 += weight * x;
        x2 += weight * x * x;
        y1 += weight * y;
        xy += weight * x * y;
    }
    // What is expected counts as one more measurement of the slope: 0, give or take EXPECTED_PPM.
    let expected = WEIGHT * 1_000_000 / (EXPECTED_PPM * EXPECTED_PPM);
    let determinant = weights * (x2 + expected) - x1 * x1;
    let limit = i128::from(MAX_DRIFT_PPM) * 1_000;
    // Microseconds per millisecond are thousandths: a million parts per billion each.
    Some(scaled(weights * xy - x1 * y1, 1_000_000, determinant).clamp(-limit, limit))
}

/// What an exchange weighs that is off by a microsecond.
const WEIGHT: i128 = 1_000_000_000_000;

/// `value * factor / divisor`, without leaving the range of an i128.
fn scaled(value: i128, factor: i128, divisor: i128) -> i128 {
    match value.checked_mul(factor) {
        Some(product) => product / divisor,
        None => (value / divisor).saturating_mul(factor),
    }
}

/// The fastest exchange of each of at most 64 equal stretches of the whole session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Session {
    stretches: Vec<Exchange>,
    /// Board time at which the last stretch began, and the length of a stretch, in microseconds.
    began: i64,
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
        if self.stretches.len() > KEPT {
            self.halve();
        }
    }

    /// Joins stretches two by two.
    fn halve(&mut self) {
        let fastest = |pair: &[Exchange]| pair.iter().min_by_key(|exchange| exchange.rtt).copied();
        self.stretches = self.stretches.chunks(2).filter_map(fastest).collect();
        self.length = self.length.saturating_mul(2);
    }

    /// From the three fastest exchanges of the first and of the last third of the session.
    pub(super) fn rate_ppb(&self) -> Option<i64> {
        let third = self.stretches.len() / 3;
        let first = Centre::of_fastest(self.stretches.get(..third)?)?;
        let last = Centre::of_fastest(self.stretches.get(self.stretches.len() - third..)?)?;
        let span = last.at - first.at;
        if span < MIN_SPAN {
            return None;
        }
        let limit = i128::from(MAX_DRIFT_PPM) * 1_000;
        // An offset (hub − board) that falls means a board that runs fast.
        Some(clamp(
            scaled(first.offset - last.offset, 1_000_000_000, span).clamp(-limit, limit),
        ))
    }
}

/// Mean board time and mean offset of a few exchanges.
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
