//! The delay before the next attempt to reach the hub: doubling, bounded, and randomised so that the clocks of a hall do not all reconnect at once.

use std::time::Duration;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const FIRST: Duration = Duration::from_millis(250);
/// Maximum delay after failed attempts, short enough for clocks to return soon after an outage.
const MAX_DELAY: Duration = Duration::from_secs(5);
/// Delay between attempts that cannot succeed until a person acts.
const RARE_DELAY: Duration = Duration::from_secs(30);

#[derive(Debug)]
pub(super) struct Backoff {
    delay: Duration,
    random: ChaCha8Rng,
}

impl Backoff {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            delay: Duration::ZERO,
            random: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// Returns a random delay before the next attempt, between half of the current delay and all of it.
    pub(super) fn delay(&mut self) -> Duration {
        self.delay.mul_f64(self.random.random_range(0.5..1.0))
    }

    pub(super) fn failed(&mut self) {
        self.delay = (self.delay * 2).clamp(FIRST, MAX_DELAY);
    }

    pub(super) fn rarely(&mut self) {
        self.delay = RARE_DELAY;
    }

    pub(super) fn reset(&mut self) {
        self.delay = Duration::ZERO;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_grow_are_bounded_and_reset() {
        let mut backoff = Backoff::new(7);
        assert_eq!(backoff.delay(), Duration::ZERO);
        let mut bound = FIRST;
        for _ in 0..10 {
            backoff.failed();
            let delay = backoff.delay();
            assert!(bound / 2 <= delay && delay <= bound, "{delay:?}");
            bound = (bound * 2).min(MAX_DELAY);
        }
        backoff.rarely();
        assert!(backoff.delay() >= RARE_DELAY / 2);
        backoff.failed();
        assert!(backoff.delay() <= MAX_DELAY);
        backoff.reset();
        assert_eq!(backoff.delay(), Duration::ZERO);
    }

    #[test]
    fn reconnections_are_spread() {
        let delays: std::collections::BTreeSet<_> = (0..100)
            .map(|seed| {
                let mut backoff = Backoff::new(seed);
                backoff.failed();
                backoff.delay()
            })
            .collect();
        assert!(delays.len() > 90);
    }
}
