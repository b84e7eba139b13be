//! Fuzzing of every decoder on stable Rust: the targets, the engine that mutates inputs, and the committed corpora.
//!
//! Owns no decoder. The engine keeps an input if the decoder's result is of a new kind, so no instrumented build is needed. Must never continue
//! after a crash: the input that caused it is the result.

mod corpus;
mod engine;
mod fingerprint;
mod mutate;
mod targets;

pub use corpus::{escaped, load, save, unescaped};
pub use engine::{Budget, Crash, Fuzzed, fuzz, replay};
pub use fingerprint::Fingerprint;
pub use targets::{TARGETS, Target};
