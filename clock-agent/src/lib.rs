//! The program on the clock beside a chess board: buttons, face, journal, link to the hub.

pub mod buttons;
pub mod cli;
pub mod config;
pub mod core;
pub mod correcting;
pub mod discovery;
pub mod enrol;
pub mod face;
pub mod face_state;
pub mod identity;
pub mod journal;
pub mod links;
pub mod run;
pub mod session;
pub mod speech;
pub mod swarm;
pub mod time_source;
