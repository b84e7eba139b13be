//! The ticking oracle: a second clock, written from the rules alone, whose results the engine must match.
//!
//! Owns generated games. The oracle draws a control and a sequence of actions, and advances a naive clock tick by tick. It writes the actions and
//! the clock's displays as a script in the format of `tests/vectors`, and the engine runs that script. The naive clock also runs the vectors. Must
//! not share code with `timing`: the two have only the script's text in common.

#![expect(
    missing_docs,
    reason = "not an API: only names that need a doc have one"
)]

mod clock;
mod control;
mod draw;
mod hand;
mod read;
mod script;

pub use read::{Verdict, run as run_naive};
pub use script::{Disagreement, Played, check, play};
