//! Random numbers from one seed. Parts of a simulation can have separate streams, so that an additional draw in one leaves the others unchanged.
//! Must never be seeded with anything except the simulation's seed.

use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Ns, SECOND};

#[derive(Clone, Debug)]
pub(super) struct Random(ChaCha8Rng);

impl Random {
    pub(super) fn new(seed: u64, stream: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(stream);
        Self(random)
    }

    /// Draws uniformly from 0..1.
    pub(super) fn unit(&mut self) -> f64 {
        self.0.random()
    }

    pub(super) fn chance(&mut self, probability: f64) -> bool {
        probability > 0.0 && self.unit() < probability
    }

    /// Draws uniformly from `lo..hi`.
    pub(super) fn between(&mut self, lo: f64, hi: f64) -> f64 {
        lo + self.unit() * (hi - lo)
    }

    /// Draws from `lo..hi`, uniformly on a logarithmic scale.
    pub(super) fn scale(&mut self, lo: f64, hi: f64) -> f64 {
        self.between(lo.ln(), hi.ln()).exp()
    }

    /// Draws uniformly from `0..count`; returns 0 if the range is empty.
    pub(super) fn below(&mut self, count: usize) -> usize {
        self.0.random_range(0..count.max(1))
    }

    /// Picks one of `items`, which must not be empty.
    pub(super) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    pub(super) fn exponential(&mut self, mean: f64) -> f64 {
        -mean * (1.0 - self.unit()).ln()
    }

    pub(super) fn log_normal(&mut self, median: f64, sigma: f64) -> f64 {
        let normal =
            (-2.0 * (1.0 - self.unit()).ln()).sqrt() * (std::f64::consts::TAU * self.unit()).cos();
        (median.ln() + sigma * normal).exp()
    }

    /// Draws a duration uniformly from `lo..hi` seconds.
    pub(super) fn span(&mut self, lo: f64, hi: f64) -> Ns {
        seconds(self.between(lo, hi))
    }

    /// Draws the wait until the next event at this rate; `None` if the rate is zero.
    pub(super) fn wait(&mut self, per_minute: f64) -> Option<Ns> {
        (per_minute > 0.0).then(|| seconds(self.exponential(60.0 / per_minute)))
    }

    pub(super) fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.0.fill_bytes(&mut bytes);
        bytes
    }
}

pub(super) fn seconds(seconds: f64) -> Ns {
    (seconds * SECOND as f64) as Ns
}
