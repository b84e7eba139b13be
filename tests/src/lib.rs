//! The hall as a test: checks that the crates cannot make from inside themselves.
//!
//! Owns the ticking oracle and the rules of the repository; the tests and benches that use them are beside it. Must
//! never be linked into anything that is shipped.

#[path = "../../hub/tests/shell/any_hub.rs"]
mod any_hub;
pub mod attack;
pub mod fide_list;
pub mod floods;
pub mod fuzz;
pub mod large_open;
pub mod oracle;
pub mod prompt_hall;
pub mod rig;
pub mod sim;
pub mod stopwatch;
pub mod swiss;
pub mod tidy;
