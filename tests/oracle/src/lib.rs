//! The ticking oracle: a second clock, written from the rules alone, which must give the engine's results.
//!
//! Owns generated games. It draws a control and a sequence of acts and moves a naive clock tick by tick. The clock's
//! faces become a script in the format of `tests/vectors`. The engine then runs the script. Must not share code
//! with `timing`: the text of the script is all that the two have in common.

mod clock;
mod control;
mod draw;
mod hand;
mod read;
mod script;

pub use read::{Verdict, run as run_naive};
pub use script::{Disagreement, Played, check, play};
