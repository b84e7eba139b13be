//! Tournaments: the event's fold, its files, its standings.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

#[path = "tournament/abnormal_points.rs"]
mod abnormal_points;
#[path = "tournament/csv.rs"]
mod csv;
#[path = "tournament/differences.rs"]
mod differences;
#[path = "tournament/files.rs"]
mod files;
#[path = "tournament/identity.rs"]
mod identity;
#[path = "tournament/kinds.rs"]
mod kinds;
#[path = "tournament/mutations.rs"]
mod mutations;
#[path = "tournament/odd_files.rs"]
mod odd_files;
#[path = "tournament/rating_report.rs"]
mod rating_report;
#[path = "tournament/removals.rs"]
mod removals;
#[path = "tournament/round_trip.rs"]
mod round_trip;
#[path = "tournament/stated.rs"]
mod stated;
#[path = "tournament/team_round_trip.rs"]
mod team_round_trip;
#[path = "tournament/trf.rs"]
mod trf;

/// Returns the English texts of remarks or omissions.
fn said<T: ToString>(remarks: &[T]) -> Vec<String> {
    remarks.iter().map(ToString::to_string).collect()
}
