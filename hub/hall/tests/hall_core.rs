//! Tests of the hall: each gives it inputs in virtual time and checks its records and effects.
#![expect(
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "a test ends at the first surprise, and looks for one kind of thing"
)]

#[path = "hall_core/admission.rs"]
mod admission;
#[path = "hall_core/adoption.rs"]
mod adoption;
#[path = "hall_core/anomaly.rs"]
mod anomaly;
#[path = "hall_core/commands.rs"]
mod commands;
#[path = "hall_core/corrections.rs"]
mod corrections;
#[path = "hall_core/delayed.rs"]
mod delayed;
#[path = "hall_core/event.rs"]
mod event;
#[path = "hall_core/event_imports.rs"]
mod event_imports;
#[path = "hall_core/event_kept.rs"]
mod event_kept;
#[path = "hall_core/event_parts.rs"]
mod event_parts;
#[path = "hall_core/event_property.rs"]
mod event_property;
#[path = "hall_core/event_removals.rs"]
mod event_removals;
#[path = "hall_core/event_rig.rs"]
mod event_rig;
#[path = "hall_core/event_undo.rs"]
mod event_undo;
#[path = "hall_core/events.rs"]
mod events;
#[path = "hall_core/flags.rs"]
mod flags;
#[path = "hall_core/floor.rs"]
mod floor;
#[path = "hall_core/held.rs"]
mod held;
#[path = "hall_core/history.rs"]
mod history;
#[path = "hall_core/honest.rs"]
mod honest;
#[path = "hall_core/lies.rs"]
mod lies;
#[path = "hall_core/mill.rs"]
mod mill;
#[path = "hall_core/offences.rs"]
mod offences;
#[path = "hall_core/options.rs"]
mod options;
#[path = "hall_core/pair.rs"]
mod pair;
#[path = "hall_core/properties.rs"]
mod properties;
#[path = "hall_core/replay.rs"]
mod replay;
#[path = "hall_core/restart.rs"]
mod restart;
#[path = "hall_core/rig.rs"]
mod rig;
#[path = "hall_core/round.rs"]
mod round;
#[path = "hall_core/round_between.rs"]
mod round_between;
#[path = "hall_core/round_play.rs"]
mod round_play;
#[path = "hall_core/round_property.rs"]
mod round_property;
#[path = "hall_core/round_results.rs"]
mod round_results;
#[path = "hall_core/round_rig.rs"]
mod round_rig;
#[path = "hall_core/round_seats.rs"]
mod round_seats;
#[path = "hall_core/round_silent.rs"]
mod round_silent;
#[path = "hall_core/rulings.rs"]
mod rulings;
#[path = "hall_core/seen.rs"]
mod seen;
#[path = "hall_core/time_chess.rs"]
mod time_chess;
#[path = "hall_core/truth.rs"]
mod truth;
#[path = "hall_core/zero_test.rs"]
mod zero_test;
