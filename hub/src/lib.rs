//! The hub of a hall of connected chess clocks: the authoritative clock of every board, the log that proves it,
//! and everything that shows it. `timing` decides; the modules here carry.

pub mod config;
pub mod identity;
pub mod live;
pub mod log;
pub mod metrics;
pub mod time_source;
pub mod view;
pub mod web;
