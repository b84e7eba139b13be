//! Chance, from one seed. Every part of a simulation draws from its own stream, so that one more draw in one part leaves the others as
//! they were. Must never be seeded by anything but the simulation's seed.

use rand::{Rng, RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Ns, SECOND};

/// One stream of chance.
#[derive(Clone, Debug)]
pub(super) struct Random(ChaCha8Rng);

impl Random {
    /// Stream `stream` of `seed`.
    pub(super) fn new(seed: u64, stream: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(stream);
        Self(random)
    }

    /// Uniform in 0..1.
    pub(super) fn unit(&mut self) -> f64 {
        self.0.random()
    }

    /// Whether something happens that happens with this probability.
    pub(super) fn chance(&mut self, probability: f64) -> bool {
        probability > 0.0 && self.unit() < probability
    }

    /// Uniform in `lo..hi`.
    pub(super) fn between(&mut self, lo: f64, hi: f64) -> f64 {
        lo + self.unit() * (hi - lo)
    }

    /// Uniform in `lo..hi` on a logarithmic scale.
    pub(super) fn scale(&mut self, lo: f64, hi: f64) -> f64 {
        self.between(lo.ln(), hi.ln()).exp()
    }

    /// Uniform in `0..count`; 0 if there is nothing to choose.
    pub(super) fn below(&mut self, count: usize) -> usize {
        self.0.random_range(0..count.max(1))
    }

    /// One of several; `items` is never empty.
    pub(super) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// Exponential with this mean.
    pub(super) fn exponential(&mut self, mean: f64) -> f64 {
        -mean * (1.0 - self.unit()).ln()
    }

    /// Log-normal with this median.
    pub(super) fn log_normal(&mut self, median: f64, sigma: f64) -> f64 {
        let normal =
            (-2.0 * (1.0 - self.unit()).ln()).sqrt() * (std::f64::consts::TAU * self.unit()).cos();
        (median.ln() + sigma * normal).exp()
    }

    /// A span, uniform in `lo..hi` seconds.
    pub(super) fn span(&mut self, lo: f64, hi: f64) -> Ns {
        seconds(self.between(lo, hi))
    }

    /// The wait for the next of something that comes so often a minute; `None` if it never comes.
    pub(super) fn wait(&mut self, per_minute: f64) -> Option<Ns> {
        (per_minute > 0.0).then(|| seconds(self.exponential(60.0 / per_minute)))
    }

    /// Any bytes.
    pub(super) fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.0.fill_bytes(&mut bytes);
        bytes
    }
}

/// Seconds as a span.
pub(super) fn seconds(seconds: f64) -> Ns {
    (seconds * SECOND as f64) as Ns
}
