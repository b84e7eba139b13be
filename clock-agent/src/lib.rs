//! The program on the clock beside a chessboard: buttons, face, speech, journal, and the link to the hub. It can also run a swarm of
//! simulated clocks.

#![expect(
    missing_docs,
    reason = "a program, not an API: only names that need a doc have one"
)]

// The portable part of a clock, which firmware uses too.
pub use clock_core::{agent as core, face_state};

pub mod buttons;
pub mod cli;
pub mod config;
pub mod correcting;
#[cfg(feature = "dgt-board")]
pub mod dgt_board;
pub mod discovery;
pub mod enrol;
pub mod face;
pub mod identity;
pub mod journal;
pub mod links;
mod renewal;
pub mod run;
pub mod session;
pub mod speech;
pub mod swarm;
pub mod time_source;

pub use renewal::RenewalError;
