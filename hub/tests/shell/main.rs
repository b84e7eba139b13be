//! The hub's outer shell over real sockets: links, enrolment, gRPC and the command line, as users see them.
#![expect(
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "a test that cannot go on has failed"
)]

mod agent;
mod any_hub;
mod api_commands;
mod api_event;
mod api_event_files;
mod api_event_imports;
mod api_floor;
mod api_held;
mod api_roles;
mod api_second;
mod api_web;
mod arbiter;
mod broadcast_event;
mod browser;
mod callers;
mod chromium;
mod cli_addresses;
mod cli_backup;
mod cli_broadcast;
mod cli_ctl;
mod cli_demo;
mod cli_edge;
mod cli_event;
mod cli_event_folder;
mod cli_event_hub;
mod cli_event_imports;
mod cli_event_pairing;
mod cli_fide;
mod cli_first_start;
mod cli_game;
mod cli_livechess;
mod cli_options;
mod cli_proof;
mod cli_rehearse;
mod cli_replace;
mod cli_serve;
mod cli_two_clocks;
mod cli_unread;
mod cli_zero_test;
mod data_damage;
mod data_owner;
mod data_parts;
mod enrolment_many;
mod floods;
mod hall;
mod identity_enrolment;
mod key_files;
mod keys;
mod lichess;
mod links_press;
mod links_refusals;
mod links_restart;
mod players;
mod privacy;
mod program;
mod session;
mod session_calls;
mod session_devices;
mod session_recovery;
mod session_table;
mod trust;
mod trust_outside;
mod trust_words;
