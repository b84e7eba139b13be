//! The pairing program and the watched folder from their users' viewpoint: a custom program, and files that come and go.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

#[path = "pairing/desk.rs"]
mod desk;
#[path = "pairing/folder.rs"]
mod folder;
#[path = "pairing/numbers.rs"]
mod numbers;
#[path = "pairing/program.rs"]
mod program;
#[path = "pairing/rig.rs"]
mod rig;
#[path = "pairing/rules.rs"]
mod rules;
#[path = "pairing/teams.rs"]
mod teams;
