//! What the FIDE rating report of an event still needs: each finding with what to do about it.
//!
//! Owns what a rating officer refuses and what he asks about: the columns that TRF16 marks as mandatory for ratings, and the rates of
//! play of FIDE B.02. Pure; writes no report ([`super::draft::export_for_rating`] does).

mod event;
mod finding;
mod players;
mod rounds;

pub use finding::{Finding, Problem};

use crate::Tournament;

/// Everything that is missing or that a rating officer may ask about, in the order of the report.
#[must_use]
pub fn check(tournament: &Tournament) -> Vec<Finding> {
    let mut findings = Vec::new();
    event::check(tournament, &mut findings);
    rounds::check(tournament, &mut findings);
    players::check(tournament, &mut findings);
    findings
}

/// The FIDE number of an arbiter: `IA Doe, Jane (1500001)`.
#[must_use]
pub fn arbiter_id(name: &str) -> Option<u64> {
    let (_, rest) = name.rsplit_once('(')?;
    let (digits, _) = rest.split_once(')')?;
    let digits = digits.trim();
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if plain { digits.parse().ok() } else { None }
}
