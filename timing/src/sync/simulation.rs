//! Seeded simulations of wired, wireless and Bluetooth links: the true offset must be in the proven interval, and the estimates must be close. Also
//! tests clocks that were set, and impossible timestamps.

extern crate std;

use std::vec::Vec;

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{RngCore as _, SeedableRng as _};

use super::*;

struct Random(SplitMix64);

impl Random {
    fn new(seed: u64) -> Self {
        Self(SplitMix64::seed_from_u64(seed))
    }

    fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, lo: f64, hi: f64) -> f64 {
        lo + self.unit() * (hi - lo)
    }

    fn exponential(&mut self, mean: f64) -> f64 {
        -mean * (1.0 - self.unit()).ln()
    }

    fn log_normal(&mut self, median: f64, sigma: f64) -> f64 {
        let normal =
            (-2.0 * (1.0 - self.unit()).ln()).sqrt() * (std::f64::consts::TAU * self.unit()).cos();
        (median.ln() + sigma * normal).exp()
    }
}

#[derive(Clone, Copy, Debug)]
enum Link {
    Lan,
    WifiQuiet,
    WifiBusy,
    /// Bluetooth LE, with this connection interval in seconds.
    Ble(f64),
}

const LINKS: [Link; 6] = [
    Link::Lan,
    Link::WifiQuiet,
    Link::WifiBusy,
    Link::Ble(0.007_5),
    Link::Ble(0.015),
    Link::Ble(0.048_75),
];

impl Link {
    /// Returns a random one-way delay in seconds.
    fn delay(self, random: &mut Random) -> f64 {
        let rarely = random.unit();
        match self {
            Self::Lan => {
                let burst = if rarely < 0.02 {
                    random.between(0.0, 0.003)
                } else {
                    0.0
                };
                0.000_12 + random.exponential(0.000_08) + burst
            }
            Self::WifiQuiet => {
                let burst = if rarely < 0.08 {
                    random.between(0.005, 0.12)
                } else {
                    0.0
                };
                0.000_8 + random.log_normal(0.001, 0.8) + burst
            }
            Self::WifiBusy => {
                let burst = if rarely < 0.2 {
                    random.between(0.01, 0.3)
                } else {
                    0.0
                };
                0.001 + random.log_normal(0.006, 1.0) + burst
            }
            Self::Ble(interval) => {
                let mut delay = random.between(0.0, interval) + 0.000_7;
                while random.unit() < 0.05 {
                    delay += interval;
                }
                delay
            }
        }
    }
}

/// The crystal of a board, with an offset in seconds, a constant drift and a slow oscillation. The hub's time is the true time.
struct Crystal {
    offset: f64,
    drift_ppm: f64,
    wave_ppm: f64,
    wave_period: f64,
}

impl Crystal {
    fn board(&self, hub: f64) -> f64 {
        let turn = std::f64::consts::TAU / self.wave_period;
        let wave = self.wave_ppm * 1e-6 * (1.0 - (hub * turn).cos()) / turn;
        self.offset + hub * (1.0 + self.drift_ppm * 1e-6) + wave
    }
}

fn micros(seconds: f64) -> i64 {
    (seconds * 1e6).floor() as i64
}

struct Session {
    /// The errors of the estimated instants in microseconds, sorted.
    errors: Vec<i64>,
    rate_known_s: Option<u32>,
    rate_error_ppb: i64,
}

fn simulate(link: Link, seed: u64, crystal: &Crystal, seconds: u32) -> Session {
    let mut random = Random::new(seed);
    let mut estimate = OffsetEstimate::default();
    let (mut errors, mut rate_known_s) = (Vec::new(), None);
    for second in 0..seconds {
        let t1 = f64::from(second);
        let t2 = t1 + link.delay(&mut random);
        let t3 = t2 + random.between(0.0, 0.002);
        let t4 = t3 + link.delay(&mut random);
        let hub = |t: f64| Instant::<Hub>::from_micros(micros(t));
        let board = |t: f64| Instant::<Board>::from_micros(micros(crystal.board(t)));
        estimate
            .on_exchange(hub(t1), board(t2), board(t3), hub(t4))
            .expect("no drift over 100 ppm");
        if estimate.rate_ppb().is_some() {
            rate_known_s.get_or_insert(second);
        }
        // A press before the next exchange, and a press a minute earlier.
        for at in [t1 + random.between(0.0, 1.0), (t1 - 60.0).max(0.0)] {
            let mapped = estimate.to_hub(board(at)).unwrap();
            assert!(
                mapped.lo <= hub(at) && hub(at) <= mapped.hi,
                "{link:?} seed {seed} second {second}: {mapped:?}"
            );
            assert!(mapped.lo <= mapped.est && mapped.est <= mapped.hi);
            let back = estimate.to_board(hub(at)).unwrap();
            assert!(
                back.lo <= board(at) && board(at) <= back.hi,
                "{link:?} seed {seed} second {second}: {back:?}"
            );
        }
        if second >= 64 {
            let at = t1 + 0.5;
            let mapped = estimate.to_hub(board(at)).unwrap();
            errors.push((mapped.est - hub(at)).as_micros().abs());
        }
    }
    errors.sort_unstable();
    let rate = estimate.rate_ppb().unwrap_or(0);
    let true_rate = (crystal.board(f64::from(seconds)) - crystal.board(0.0) - f64::from(seconds))
        / f64::from(seconds);
    Session {
        errors,
        rate_known_s,
        rate_error_ppb: (rate - (true_rate * 1e9) as i64).abs(),
    }
}

#[test]
fn the_true_offset_lies_in_the_interval_on_every_link() {
    for (index, link) in LINKS.into_iter().enumerate() {
        for seed in 0..4 {
            let mut random = Random::new(seed * 100 + index as u64);
            let crystal = Crystal {
                offset: random.between(-1e6, 1e6),
                drift_ppm: random.between(-40.0, 40.0),
                wave_ppm: 2.5,
                wave_period: 1_800.0,
            };
            let session = simulate(link, seed + 7, &crystal, 1_200);
            let p99 = session.errors[session.errors.len() * 99 / 100];
            let most = match link {
                Link::Lan => 60,
                Link::WifiQuiet => 1_000,
                Link::WifiBusy => 6_000,
                Link::Ble(interval) => (interval * 1e6) as i64 / 2,
            };
            assert!(
                p99 <= most,
                "{link:?} seed {seed}: p99 error {p99} us, limit {most}"
            );
        }
    }
}

#[test]
fn the_true_offset_lies_in_the_interval_up_to_the_drift_limit() {
    for drift_ppm in [-99.9, 99.9] {
        for link in LINKS {
            let crystal = Crystal {
                offset: 12_345.6,
                drift_ppm,
                wave_ppm: 0.0,
                wave_period: 1.0,
            };
            let _ = simulate(link, 3, &crystal, 300);
        }
    }
}

#[test]
fn the_rate_is_known_within_ten_minutes_and_exact_after_thirty() {
    let crystal = Crystal {
        offset: 5.0,
        drift_ppm: 25.0,
        wave_ppm: 0.0,
        wave_period: 1.0,
    };
    for seed in 0..8 {
        let session = simulate(Link::WifiQuiet, seed, &crystal, 1_800);
        let known = session.rate_known_s.unwrap();
        assert!((301..=600).contains(&known), "seed {seed}: {known} s");
        let error = session.rate_error_ppb;
        assert!(error <= 1_000, "seed {seed}: {error} ppb");
    }
}

#[test]
fn a_clock_that_was_set_is_a_fault_and_restarts_the_estimate() {
    let mut estimate = OffsetEstimate::default();
    let exchange = |estimate: &mut OffsetEstimate, hub: i64, board: i64| {
        let hub_at = Instant::from_micros;
        let board_at = Instant::from_micros;
        estimate.on_exchange(
            hub_at(hub),
            board_at(board + 100),
            board_at(board + 110),
            hub_at(hub + 210),
        )
    };
    assert_eq!(exchange(&mut estimate, 1_000_000, 500_000), Ok(()));
    assert_eq!(exchange(&mut estimate, 2_000_000, 1_500_000), Ok(()));
    assert_eq!(
        exchange(&mut estimate, 3_000_000, 9_500_000),
        Err(ClockFault)
    );
    assert_eq!(exchange(&mut estimate, 4_000_000, 10_500_000), Ok(()));
    let mapped = estimate.to_hub(Instant::from_micros(10_500_105)).unwrap();
    assert!(
        (mapped.est - Instant::from_micros(4_000_105))
            .as_micros()
            .abs()
            < 5
    );
}

#[test]
fn impossible_timestamps_are_dropped() {
    let mut estimate = OffsetEstimate::default();
    let (hub, board) = (Instant::from_micros, Instant::from_micros);
    assert_eq!(
        estimate.on_exchange(hub(10), board(20), board(19), hub(11)),
        Err(ClockFault)
    );
    assert_eq!(
        estimate.on_exchange(hub(10), board(20), board(20), hub(9)),
        Err(ClockFault)
    );
    assert_eq!(
        estimate.on_exchange(hub(10), board(20), board(90), hub(11)),
        Err(ClockFault)
    );
    assert_eq!(estimate.to_hub(board(0)), None);
    assert_eq!(estimate.to_board(hub(0)), None);
}

#[test]
fn absurd_timestamps_do_not_overflow() {
    let mut random = Random::new(11);
    let mut estimate = OffsetEstimate::default();
    for _ in 0..2_000 {
        let mut stamp = || match random.0.next_u64() % 4 {
            0 => i64::MIN,
            1 => i64::MAX,
            _ => random.0.next_u64().cast_signed(),
        };
        let (mut t1, mut t2, mut t3, mut t4) = (stamp(), stamp(), stamp(), stamp());
        if t1 > t4 {
            core::mem::swap(&mut t1, &mut t4);
        }
        if t2 > t3 {
            core::mem::swap(&mut t2, &mut t3);
        }
        let _ = estimate.on_exchange(
            Instant::from_micros(t1),
            Instant::from_micros(t2),
            Instant::from_micros(t3),
            Instant::from_micros(t4),
        );
        let _ = (
            estimate.to_hub(Instant::from_micros(t2)),
            estimate.to_board(Instant::from_micros(t1)),
        );
        let _ = (
            estimate.rate_ppb(),
            estimate.uncertainty(Instant::from_micros(t3)),
        );
    }
}
