//! The hall as a test: checks that the crates cannot make from inside themselves.
//!
//! Owns the rig, the attacks, the fuzzer and the rules of the repository; the tests and benches that use them are beside it. The ticking
//! oracle and the simulator are crates of their own, which are optimised. Must never be linked into anything that is shipped.

#[path = "../../hub/tests/shell/any_hub.rs"]
mod any_hub;
pub mod attack;
pub mod fide_list;
pub mod floods;
pub mod fuzz;
pub mod large_open;
pub mod prompt_hall;
pub mod rig;
pub mod stopwatch;
pub mod swiss;
pub mod tidy;
