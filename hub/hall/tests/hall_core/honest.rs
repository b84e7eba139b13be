//! Honest halls: many boards, fast and slow players who make ordinary mistakes, and hours of play. The hub must not raise a note.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{RngCore as _, SeedableRng as _};
use timing::{Button, Instant};

use crate::pair::synchronise;
use crate::rig::{HandClock, Rig, START};

const BOARDS: u8 = 12;

/// Seeded random numbers, so that every run plays the same games.
struct Chance(SplitMix64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0.next_u64() % bound
    }

    /// Returns a random time used for a move, in milliseconds, in proportion to the hall's pace. Most times are short, one in four is long, and one
    /// in forty is very long.
    fn think(&mut self, pace_ms: u64) -> u64 {
        let part = self.below(1_000);
        let times = match self.below(40) {
            0 => 2_000 + self.below(8_000),
            1..=10 => 500 + self.below(2_500),
            _ => 20 + part / 2,
        };
        pace_ms * times / 1_000
    }
}

struct Game {
    clock: HandClock,
    next: Button,
    at_us: i64,
    moves: u32,
}

/// Plays every game of a hall. Moves take about `pace_ms`, and every game ends by agreement after its last move.
fn play(control: &str, pace_ms: u64, seed: u64) -> Rig {
    let mut chance = Chance(SplitMix64::seed_from_u64(seed));
    let mut rig = Rig::new();
    let mut games: Vec<Game> = (1..=BOARDS)
        .map(|number| {
            let mut clock = rig.add_board_with_clock(number, control);
            synchronise(&mut rig, &mut [&mut clock]);
            Game {
                clock,
                next: Button::Left,
                at_us: 0,
                moves: 70 + u32::try_from(chance.below(60)).unwrap(),
            }
        })
        .collect();
    for (index, game) in games.iter_mut().enumerate() {
        assert_eq!(rig.ask(&(index + 1).to_string(), "start"), None);
        game.clock.take_orders(&mut rig);
        game.at_us = rig.now.as_micros() + us(chance.think(pace_ms));
    }
    let mut seen = rig.now;
    let mut synchronised = seen;
    while games.iter().any(|game| game.moves > 0) {
        let open = games.iter_mut().enumerate();
        let next = open.filter(|(_, game)| game.moves > 0);
        let (index, game) = next.min_by_key(|(_, game)| game.at_us).unwrap();
        let until = Instant::from_micros(game.at_us);
        if (until - seen).as_micros() > 3_000_000 {
            seen = seen + timing::Duration::from_secs(3);
            rig.pass((seen - rig.now).or_zero().as_micros() as f64 / 1e6);
            for game in &mut games {
                game.clock.watermark(&mut rig);
            }
            if (seen - synchronised).as_micros() > 60_000_000 {
                synchronised = seen;
                let mut clocks: Vec<_> = games.iter_mut().map(|game| &mut game.clock).collect();
                for clock in &mut clocks {
                    // Discards old probes: answering one now would make the link look slow.
                    clock.hear(&mut rig);
                    clock.frames.clear();
                }
                // Lets one second pass, during which the hub sends each clock a new probe.
                for _ in 0..4 {
                    synchronise(&mut rig, &mut clocks);
                }
            }
            continue;
        }
        rig.pass((until - rig.now).or_zero().as_micros() as f64 / 1e6);
        game.clock.press(&mut rig, game.next);
        if chance.below(20) == 0 {
            game.clock.press(&mut rig, game.next);
        }
        game.next = game.next.other();
        game.moves -= 1;
        game.at_us = rig.now.as_micros() + us(chance.think(pace_ms));
        if game.moves == 0 {
            let board = (index + 1).to_string();
            assert_eq!(rig.ask(&board, "end draw"), None);
            game.clock.take_orders(&mut rig);
        }
    }
    rig.pass(3_600.0);
    rig
}

fn us(ms: u64) -> i64 {
    i64::try_from(ms).unwrap() * 1_000
}

#[test]
fn an_honest_classical_hall_raises_no_note() {
    let rig = play("90m+30s", 90_000, 1);
    let hours = (rig.now.as_micros() - START) / 3_600_000_000;
    assert!(hours >= 2, "it was a long round: {hours} h");
    assert!(rig.notes().is_empty(), "{:?}", rig.notes());
}

#[test]
fn an_honest_blitz_hall_raises_no_note() {
    for seed in 1..=3 {
        let rig = play("3m+2s", 1_800, seed);
        assert!(rig.notes().is_empty(), "seed {seed}: {:?}", rig.notes());
    }
}

#[test]
fn an_honest_rapid_hall_raises_no_note() {
    let rig = play("15m+10s", 12_000, 9);
    assert!(rig.notes().is_empty(), "{:?}", rig.notes());
}
