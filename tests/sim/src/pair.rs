//! Matches between two halls: each side of a board has a separate clock in a different place. The cores of hub and agents are real. Links of every
//! kind delay frames, crystals are up to 100 ppm off, and players sometimes press out of turn. In about half of the matches, links also lose and
//! duplicate datagrams and break, the hub dies, and machines restart.
//!
//! Owns the comparison with the truth, which only a simulation knows: where each press was placed, settled flags, move counts, and the players'
//! times. Must not know how an offset is estimated.

mod games;
mod machines;
mod truth;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::delay::LinkKind;
use super::{Bar, Tally, bars};

/// The maximum average time per move that links may cost the player on the slower link.
const MEAN_LIMIT_US: f64 = 100.0;
/// The minimum number of games for which `MEAN_LIMIT_US` applies unchanged. With fewer games, three standard errors of the mean are added to it.
const LIMIT_OF: u64 = 100_000;
/// The minimum number of matches needed for a mean and its standard error.
const MEAN_OF: usize = 10;

#[derive(Clone, Debug, Default)]
pub struct Matches {
    pub tally: Tally,
    /// Moves in the games that were compared with the truth.
    pub moves: u64,
    /// Games that were compared with the truth when they ended.
    pub games: u64,
    /// Presses so close to a deadline that the hub decided them in the player's favour.
    pub straddles: u64,
    /// The time that links took from the player on the slower link and gave to the other player, summed over games, in microseconds.
    pub gap_us: i64,
    /// Like `gap_us`, but a sum of absolute values, in microseconds.
    pub gap_size_us: i64,
    pub failures: Vec<String>,
    /// The `gap_us` and `moves` of each match.
    matches: Vec<(i64, u64)>,
}

impl Matches {
    fn add(&mut self, other: &Self) {
        self.tally.add(&other.tally);
        self.moves += other.moves;
        self.games += other.games;
        self.straddles += other.straddles;
        self.gap_us += other.gap_us;
        self.gap_size_us += other.gap_size_us;
        self.failures.extend(other.failures.iter().cloned());
        self.matches.push((other.gap_us, other.moves));
    }

    /// Returns the mean time per move that links took from the player on the slower link, and its standard error, in microseconds. The moves of a
    /// match share its links, so one match is one observation (a ratio estimator). Returns `None` if there are too few matches or no moves.
    fn mean_gap(&self) -> Option<(f64, f64)> {
        let count = self.matches.len();
        if count < MEAN_OF || self.moves == 0 {
            return None;
        }
        let moves = self.moves as f64;
        let mean = self.gap_us as f64 / moves;
        let residues = self.matches.iter();
        let squares: f64 = residues
            .map(|(gap, moves)| (*gap as f64 - mean * *moves as f64).powi(2))
            .sum();
        let correction = count as f64 / (count - 1) as f64;
        Some((mean, (squares * correction).sqrt() / moves))
    }
}

pub fn play_matches(seed: u64, presses: u64, jobs: usize) -> Matches {
    let (next, placed) = (AtomicU64::new(0), AtomicU64::new(0));
    // Ordered by match number, so that the sum does not depend on which thread finishes first.
    let done: Mutex<BTreeMap<u64, Matches>> = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                while placed.load(Ordering::Relaxed) < presses {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let played = play_match(seed.wrapping_add(number));
                    placed.fetch_add(played.tally.intervals.max(1), Ordering::Relaxed);
                    let mut done = done.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                    done.insert(number, played);
                }
            });
        }
    });
    let mut sum = Matches::default();
    for played in done
        .into_inner()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
        .values()
    {
        sum.add(played);
    }
    sum
}

pub fn play_match(seed: u64) -> Matches {
    machines::World::new(seed).play()
}

pub fn match_bars(matches: &Matches) -> Vec<Bar> {
    let tally = &matches.tally;
    let mut list = vec![
        bars::bar(
            "matches between two halls: presses lost or doubled, flags settled before their time, clocks that differ",
            matches.failures.len().to_string(),
            "0",
            matches.failures.is_empty(),
        ),
        bars::bar(
            "presses in these matches whose interval contains the true time",
            format!("{} of {}", tally.held, tally.intervals),
            "all",
            tally.held == tally.intervals && tally.intervals > 0,
        ),
    ];
    for (link, limit_us, limit) in [
        (LinkKind::WifiQuiet, 1_000, "≤ 1 ms"),
        (LinkKind::WifiBusy, 5_000, "≤ 5 ms"),
    ] {
        if let Some((us, presses)) = tally.error_quantile(link, 0.99) {
            list.push(bars::bar(
                &format!(
                    "error of their position on the hub's timeline, p99, {}",
                    link.name()
                ),
                format!("{us} µs of {presses} presses"),
                limit,
                us <= limit_us,
            ));
        }
    }
    if let Some((mean, error)) = matches.mean_gap() {
        let doubt = if matches.games < LIMIT_OF {
            3.0 * error
        } else {
            0.0
        };
        list.push(bars::bar(
            "mean time per move that links take from the player on the slower link",
            format!(
                "{mean:.1} µs over {} moves of {} games, standard error {error:.1} µs (mean absolute value {:.0} µs)",
                matches.moves,
                matches.games,
                matches.gap_size_us as f64 / matches.moves as f64
            ),
            "< 100 µs; plus three standard errors if fewer than 100,000 games",
            mean.abs() < MEAN_LIMIT_US + doubt,
        ));
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns true if the bar passes for twenty matches in which links took `taken_us` ± 50 µs per move.
    fn passes(taken_us: i64) -> bool {
        let mut sum = Matches::default();
        for number in 0..20 {
            let swing = if number % 2 == 0 { 50 } else { -50 };
            sum.add(&Matches {
                moves: 400,
                games: 6,
                gap_us: 400 * (taken_us + swing),
                ..Matches::default()
            });
        }
        let bars = match_bars(&sum);
        let mean = bars.iter().find(|bar| bar.name.starts_with("mean time"));
        mean.is_some_and(|bar| bar.ok)
    }

    #[test]
    fn a_bias_against_one_player_shows_in_few_matches() {
        assert!(passes(20) && passes(-90));
        assert!(!passes(160) && !passes(-160));
    }
}
