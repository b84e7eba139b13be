//! The hall simulator: the real cores of hub and agents, in one thread and in virtual time. A single seed determines everything: drifting crystals,
//! lossy links, disks that lose data, careless players, crashes and lying clocks.
//!
//! [`simulate`] plays one hall and returns its measurements, and the first broken promise, if any. The same seed and options repeat a run exactly:
//! [`Outcome::trace`] is equal. Promises are checked during play (`world/check.rs`, `world/lies.rs`) and at the end (`world/finish.rs`);
//! measurements go to a [`Tally`].
//!
//! Smaller simulations play games over Bluetooth LE (`ble`), matches between two halls (`pair`) and games against lying clocks (`lies`), and measure
//! clock synchronisation (`sync`, `figures`).
//!
//! Must never read a clock, wait, or use any randomness except the seed's.

#![expect(
    missing_docs,
    reason = "not an API: only names that need a doc have one"
)]

mod bars;
mod ble;
mod crystal;
mod delay;
mod figures;
mod journal;
mod liar;
mod lies;
mod mix;
mod pair;
mod player;
mod queue;
mod random;
mod shell;
mod sync;
mod tally;
mod world;

pub use bars::{Bar, bars, doubts, honest_bars};
pub use ble::{BleGames, ble_bars, play_ble};
pub use delay::LinkKind;
pub use figures::ble_figures;
pub use lies::{Lie, LieTally, Lies, lie_bars, tell_lies};
pub use mix::Mix;
pub use pair::{Matches, match_bars, play_match, play_matches};
pub use sync::{sync_bars, synchronise};
pub use tally::Tally;

/// True time, nanoseconds since the simulation began.
pub type Ns = i64;

pub const SECOND: Ns = 1_000_000_000;

#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub boards: usize,
    /// The length of play, in minutes of virtual time, not counting the settling time at the end.
    pub minutes: f64,
    /// True for blitz on good Wi-Fi without faults, to measure speed.
    pub calm: bool,
    /// True for honest clocks on links that stay up: no outages, no faults, no lies.
    pub honest: bool,
    pub tell: bool,
}

#[derive(Clone, Debug)]
pub struct Outcome {
    pub seed: u64,
    pub mix: Mix,
    pub tally: Tally,
    /// A hash of the run's starts, links, events, frames and log records, in order.
    pub trace: u64,
    pub failure: Option<String>,
}

pub fn simulate(seed: u64, options: &Options) -> Outcome {
    let mix = if options.calm {
        Mix::calm()
    } else if options.honest {
        Mix::honest(seed, options.boards)
    } else {
        Mix::draw(seed, options.boards)
    };
    world::World::new(seed, mix, options).play()
}
