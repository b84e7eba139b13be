//! The check of an event's FIDE rating report: each finding, with its remedy.
//!
//! Owns the rules by which a rating officer refuses or queries a report: the mandatory columns of TRF16, and the rates
//! of play of FIDE B.02. Must never write a report; [`super::draft::export_for_rating`] does.

mod event;
mod finding;
mod players;
mod rounds;

pub use event::arbiter_id;
pub use finding::{Finding, Problem};

use crate::Tournament;

/// Returns everything that is missing or that a rating officer may query, in the order of the report.
#[must_use]
pub fn check(tournament: &Tournament) -> Vec<Finding> {
    let mut findings = Vec::new();
    event::check(tournament, &mut findings);
    rounds::check(tournament, &mut findings);
    players::check(tournament, &mut findings);
    findings
}
