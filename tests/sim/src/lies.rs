//! Games against lying clocks: one board each, with the real hall, one or two scripted clocks, and realistic delays. Measures how much time each
//! kind of lie gains, per move and per game, before the hub notes it.
//!
//! The truth is a second board clock that gets every event at its true instant. Owns the measurements; `lies::kind` owns the kinds of lies.

mod clock;
mod desk;
mod game;
mod kind;
mod pair;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

pub use kind::Lie;

use super::bars::{Bar, bar};
use super::delay::LinkKind;

#[derive(Clone, Debug, Default)]
pub struct LieTally {
    pub games: u64,
    /// Events with a falsified time or content, and orders that the clock ignored.
    pub lies: u64,
    /// Games in which the hub gave an arbiter any sign of trouble.
    pub noted: u64,
    /// Games with a note that casts doubt on the clock's honesty.
    pub doubted: u64,
    /// Number of notes that much of a game's time is known only from the clock's own reports, by kind of link.
    pub remarks: BTreeMap<LinkKind, u64>,
    /// Events whose stamp the hub corrected, and jumps that it did not charge in full.
    pub moved: u64,
    /// The largest gain or loss from a single move before the hub gave any sign of trouble in the game, in microseconds.
    pub move_us: i64,
    /// The largest total gain or loss in a game before the hub gave any sign of trouble, in microseconds, by kind of link.
    pub game_us: BTreeMap<LinkKind, i64>,
    /// The largest final gain or loss in a game in which the hub gave a sign of trouble, in microseconds.
    pub noted_us: i64,
    pub notes: BTreeMap<&'static str, u64>,
}

#[derive(Clone, Debug, Default)]
pub struct Lies {
    /// The results for each kind, including the honest clocks of [`Lie::None`] and [`Lie::PairHonest`].
    pub kinds: BTreeMap<Lie, LieTally>,
    pub failures: Vec<String>,
}

impl Lies {
    pub fn told(&self) -> u64 {
        self.kinds.values().map(|kind| kind.lies).sum()
    }
}

impl LieTally {
    fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.lies += other.lies;
        self.noted += other.noted;
        self.doubted += other.doubted;
        for (link, count) in &other.remarks {
            *self.remarks.entry(*link).or_default() += count;
        }
        self.moved += other.moved;
        self.move_us = self.move_us.max(other.move_us);
        self.noted_us = self.noted_us.max(other.noted_us);
        for (link, us) in &other.game_us {
            let mine = self.game_us.entry(*link).or_default();
            *mine = (*mine).max(*us);
        }
        for (kind, count) in &other.notes {
            *self.notes.entry(kind).or_default() += count;
        }
    }
}

pub fn tell_lies(seed: u64, lies: u64, jobs: usize) -> Lies {
    let (next, told) = (AtomicU64::new(0), AtomicU64::new(0));
    let sum = Mutex::new(Lies::default());
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                while told.load(Ordering::Relaxed) < lies {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let index = usize::try_from(number).unwrap_or_default() % Lie::ALL.len();
                    let lie = Lie::ALL[index];
                    let game_seed = seed.wrapping_add(number);
                    let (tally, failure) = match lie.is_pair() {
                        true => pair::play(game_seed, lie),
                        false => game::play(game_seed, lie),
                    };
                    told.fetch_add(tally.lies, Ordering::Relaxed);
                    let mut sum = sum.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                    sum.kinds.entry(lie).or_default().add(&tally);
                    let failure =
                        failure.map(|what| format!("SEED={game_seed} {}: {what}", lie.name()));
                    sum.failures.extend(failure);
                }
            });
        }
    });
    sum.into_inner()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// The maximum that a single move may gain, in microseconds: the watermark interval of a board that is not short of time.
const HEARTBEAT_US: i64 = proto::watermark::WATERMARK_INTERVAL_US;
/// The maximum that a game may gain without a warning to the arbiter, in microseconds.
const GAME_US: i64 = 1_000_000;

pub fn lie_bars(lies: &Lies) -> Vec<Bar> {
    let mut honest = LieTally::default();
    for (_, kind) in lies.kinds.iter().filter(|(lie, _)| lie.is_honest()) {
        honest.add(kind);
    }
    let notes: u64 = honest.notes.values().sum();
    let mut bars = vec![
        bar(
            "events of honest clocks that were moved",
            format!("{} of {} games", honest.moved, honest.games),
            "0",
            honest.moved == 0 && honest.games > 0,
        ),
        bar(
            "notes that cast doubt on honest clocks",
            format!("{notes} in {} games", honest.games),
            "0",
            notes == 0,
        ),
    ];
    let liars = || lies.kinds.iter().filter(|(lie, _)| !lie.is_honest());
    let most = liars().map(|(_, kind)| kind.move_us).max().unwrap_or(0);
    bars.push(bar(
        "largest gain of a move before any warning to the arbiter",
        format!("{} ms over {} lies", most / 1_000, lies.told()),
        "≤ one heartbeat",
        most <= HEARTBEAT_US,
    ));
    for link in LinkKind::ALL {
        let gains = liars().filter_map(|(lie, kind)| Some((*kind.game_us.get(&link)?, *lie)));
        let (most, lie) = gains.max().unwrap_or((0, Lie::None));
        bars.push(bar(
            &format!(
                "largest gain of a game without a warning to the arbiter, {}",
                link.name()
            ),
            format!("{} ms ({})", most / 1_000, lie.name()),
            "≤ 1 s",
            most <= GAME_US,
        ));
    }
    bars
}
