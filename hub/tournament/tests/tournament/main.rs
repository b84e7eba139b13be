//! Tournaments: the fold of the event, its files and its standings.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod abnormal_points;
mod csv;
mod differences;
mod files;
mod identity;
mod kinds;
mod mutations;
mod odd_files;
mod rating_report;
mod removals;
mod round_trip;
mod standings;
mod stated;
mod team_round_trip;
mod trf;

fn said<T: ToString>(remarks: &[T]) -> Vec<String> {
    remarks.iter().map(ToString::to_string).collect()
}
