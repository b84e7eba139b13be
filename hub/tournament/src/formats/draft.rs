//! An event as a file states it: the types of the tournament core, without the hall's history. Owns the translation
//! between a report and the core; must never change the hall's event or open a file.

mod abnormal;
mod cells;
mod cells_read;
mod export;
mod for_pairing;
mod import;
mod kind;
mod model;
mod notes;
mod pairing_rules;
mod rating;
mod requested;
mod stated;
mod teams;
mod totals;
mod unlettered;

pub use export::{export, report};
pub(super) use export::{kept_lines_as_trf16, player_as_written, team_as_written};
pub use for_pairing::export_for_pairing;
pub use import::{Imported, import, import_file};
pub use model::{Draft, DraftRound, Pair, Seats};
pub use pairing_rules::{renumbering, requested_by_teams};
pub use rating::{control_of, export_for_rating};
pub use totals::Totals;
