//! FIDE's tournament report, TRF16 and TRF26, with the extensions of JaVaFo and bbpPairings.
//!
//! Owns everything about the format. [`read()`] accepts a whole file or refuses it with line and column. [`write()`]
//! writes a report and keeps other programs' lines in their places. Must never open a file, or decide what a report
//! means for an event.

mod check;
pub mod control;
mod extension;
mod header;
mod line;
mod lines;
mod player;
mod read;
pub mod report;
mod rules;
pub(super) mod scoring;
mod team;
pub mod value;
mod write;

pub(super) use check::unexplained_points;
pub(super) use read::records;
pub use read::{Read, read};
pub use report::Report;
pub use write::{Edition, Written, write, write_for_rating};
pub(super) use write::{plain_order, record_lines};
