//! Tests of the core against a minimal hub that verifies and folds events.

mod bench;
mod correction;
mod hub;
mod journal;
mod kept;
mod link;
mod presses;
mod process;
mod property;
mod set_back;
mod zero_test;
