//! The hub of a hall of connected chess clocks: every board's authoritative clock, the log that proves it, and the interfaces that show it.
//! The crate `timing` owns the rules of the clocks; these modules transport, store and present the results.

#![expect(
    missing_docs,
    reason = "a program, not an API: only names that need a doc have one"
)]

pub mod api;
pub mod backup;
pub mod broadcast;
pub mod cli;
mod clock_text;
pub mod config;
mod connections;
pub mod discovery;
pub mod enrolment;
pub mod event_loop;
pub mod evidence;
pub mod fide_list;
pub mod games;
pub mod gateway;
pub mod gateways;
pub mod identity;
pub mod links;
pub mod live;
pub mod livechess;
mod lock;
pub mod metrics;
pub mod pairing;
mod paths;
pub mod replay;
pub mod server;
pub mod sessions;
pub mod time_source;
pub mod web;
