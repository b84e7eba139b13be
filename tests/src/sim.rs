//! The hall simulator: the hub's real core and the agents' real cores in one thread and in virtual time, with crystals that drift, links
//! that lose, disks that forget, people who err, machines that die and clocks that lie, all drawn from one seed.
//!
//! [`simulate`] plays one hall and gives what was seen, or the first thing that must not be. The same seed and the same options do the
//! same to the byte: [`Outcome::trace`] is equal. What is certain in a hall is checked while it plays (`world/check.rs`, `world/finish.rs`);
//! what is measured is counted in a [`Tally`].
//!
//! Must never read a clock, wait, or draw from anything but the seed.

mod bars;
mod ble;
mod crystal;
mod delay;
mod figures;
mod journal;
mod liar;
mod mix;
mod pair;
mod player;
mod queue;
mod random;
mod shell;
mod sync;
mod tally;
mod world;

pub use bars::{Bar, bars};
pub use ble::{BleGames, ble_bars, play_ble};
pub use delay::LinkKind;
pub use figures::ble_figures;
pub use mix::Mix;
pub use pair::{Matches, match_bars, play_match, play_matches};
pub use sync::{sync_bars, synchronise};
pub use tally::Tally;

/// True time, nanoseconds since the simulation began.
pub type Ns = i64;

/// A second of true time.
pub const SECOND: Ns = 1_000_000_000;

/// What to play.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Boards in the hall.
    pub boards: usize,
    /// How long they play, minutes of virtual time; what is needed to come to rest is added.
    pub minutes: f64,
    /// No faults, blitz, good Wi-Fi: for measuring speed.
    pub calm: bool,
    /// Tell on standard error what goes wrong in the hall and what follows.
    pub tell: bool,
}

/// How a hall went.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What it was drawn from.
    pub seed: u64,
    /// What it was like.
    pub mix: Mix,
    /// What was counted and measured.
    pub tally: Tally,
    /// Names everything that happened, in its order.
    pub trace: u64,
    /// The first thing that must not be, if there was one.
    pub failure: Option<String>,
}

/// Plays the hall of a seed.
pub fn simulate(seed: u64, options: &Options) -> Outcome {
    let mix = if options.calm {
        Mix::calm()
    } else {
        Mix::draw(seed, options.boards)
    };
    world::World::new(seed, mix, options).play()
}
