//! The ticking oracle: a second clock, written from the rules alone, that the engine must agree with.
//!
//! Owns generated games: it draws a control and what happens, moves a naive clock tick by tick, and writes down what it
//! shows as a script in the format of `tests/vectors`. The engine then runs the script. Nothing here may share code
//! with `timing`: the only thing the two have in common is the text of the script.

mod clock;
mod control;
mod draw;
mod hand;
mod read;
mod script;

pub use read::{Verdict, run as run_naive};
pub use script::{Disagreement, Played, check, play};
