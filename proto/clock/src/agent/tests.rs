//! Tests of the core against a hub of a page, which checks and folds what it gets exactly as the protocol says.

mod bench;
mod correction;
mod hub;
mod journal;
mod link;
mod presses;
mod process;
mod property;
mod zero_test;
