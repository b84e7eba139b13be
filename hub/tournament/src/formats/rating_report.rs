//! Checks that FIDE can rate an event from its report, and gives a remedy for each finding.
//!
//! Owns the rules by which a rating officer refuses or queries a report. They follow from the mandatory columns
//! of TRF16 and the rates of play of FIDE B.02. Must never write a report; [`super::draft::export_for_rating`] does that.

mod event;
mod finding;
mod players;
mod rounds;

pub use event::arbiter_id;
pub use finding::{Finding, Problem};

use crate::Tournament;

/// Returns the problems for which a rating officer would refuse or query the report. Those of the event come first,
/// then those of the rounds and of the players.
#[must_use]
pub fn check(tournament: &Tournament) -> Vec<Finding> {
    let mut findings = Vec::new();
    event::check(tournament, &mut findings);
    rounds::check(tournament, &mut findings);
    players::check(tournament, &mut findings);
    findings
}
