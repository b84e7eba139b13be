//! Pairing as users see it: a separate program, a watched folder in which files appear and disappear, and the event's numbers, rules and teams.
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
