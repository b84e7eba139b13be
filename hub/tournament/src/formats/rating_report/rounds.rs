//! Checks the rounds of a rating report: their dates, results and confirmation.

use std::collections::BTreeMap;

use super::event;
use super::finding::{Finding, Problem};
use crate::{Date, RateOfPlay, RoundNo, RoundPhase, Tournament};

/// Maximum number of rounds a day at standard time control.
const MAX_ROUNDS_A_DAY: u16 = 2;

pub(super) fn check(tournament: &Tournament, findings: &mut Vec<Finding>) {
    let event = tournament.event();
    let mut previous: Option<Date> = None;
    let mut days: BTreeMap<Date, u16> = BTreeMap::new();
    for no in (1..=event.rounds).map(RoundNo) {
        match event.round_dates.get(&no).copied() {
            None => findings.push(Finding::missing(Problem::NoRoundDate(no))),
            Some(day) => {
                *days.entry(day).or_default() += 1;
                let outside = event.starts.is_some_and(|first| day < first)
                    || event.ends.is_some_and(|last| day > last);
                if outside {
                    findings.push(Finding::missing(Problem::RoundDateOutside(no, day)));
                }
                if previous.is_some_and(|previous| day < previous) {
                    findings.push(Finding::missing(Problem::RoundDateOrder(no, day)));
                }
                previous = Some(day);
            }
        }
        played(tournament, no, findings);
    }
    if event::rate(event) == Some(RateOfPlay::Standard) {
        let days = days.into_iter();
        let many = days.filter(|(_, rounds)| *rounds > MAX_ROUNDS_A_DAY);
        let many = many.map(|(day, rounds)| Problem::ManyRoundsADay(day, rounds));
        findings.extend(many.map(Finding::remark));
    }
}

fn played(tournament: &Tournament, no: RoundNo, findings: &mut Vec<Finding>) {
    let Some(round) = tournament.rounds().get(&no) else {
        findings.push(Finding::missing(Problem::RoundNotPaired(no)));
        return;
    };
    let match_forfeited = |board: &crate::Board| {
        let of_match = board.of_match.and_then(|(no, _)| round.matches.get(&no));
        of_match.is_some_and(|paired| paired.forfeit.is_some())
    };
    let open = round.boards.iter().filter(|(_, board)| {
        let no_game = board.white.is_none() || board.black.is_none();
        let decided = board.result.is_some_and(|result| result.is_final());
        !decided && !no_game && !match_forfeited(board)
    });
    let open = open.map(|(board, _)| Problem::NoResult(no, *board));
    let open: Vec<Finding> = open.map(Finding::missing).collect();
    // A round with missing results cannot be confirmed yet, so only the missing results are reported.
    if open.is_empty() && round.phase() != RoundPhase::Confirmed {
        findings.push(Finding::missing(Problem::RoundNotConfirmed(no)));
    }
    findings.extend(open);
}
