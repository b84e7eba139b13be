//! Whole-system tests: checks that the crates cannot make from inside themselves.
//!
//! Owns the rig, the attacks, the fuzzer, the generated halls and events, and the repository's rules. The tests and benches that use them are in the
//! neighbouring folders. The ticking oracle and the simulator are separate crates, so that they can be optimised. Must never be linked into anything
//! that is shipped.

#![expect(
    missing_docs,
    reason = "not an API: only names that need a doc have one"
)]

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
