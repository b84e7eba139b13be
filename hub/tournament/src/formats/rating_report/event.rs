//! The event's own data in the rating report: game, place, dates, arbiters and rate of play. Owns the limits of FIDE
//! B.02.

use timing::{Duration, Length, Side, TimeControl};

use super::super::draft::control_of;
use super::finding::{Finding, Problem};
use crate::rate_of_play::time_for_sixty_moves;
use crate::{Event, Game, RateOfPlay, Tournament};

/// Minimum minutes for sixty moves at standard time control, as (rating, minutes). A game needs these minutes if one
/// of its players has at least this rating (B.02 1.1).
const STANDARD: [(u16, u16); 2] = [(2_400, 120), (1_800, 90)];
/// The minimum minutes for sixty moves of a rated blitz game.
const BLITZ: u16 = 5;
/// The minimum number of moves in the first period at standard time control (B.02 1.2).
const FIRST_PERIOD: u32 = 30;

pub(super) fn check(tournament: &Tournament, findings: &mut Vec<Finding>) {
    let event = tournament.event();
    let mut missing = |there: bool, problem: Problem| {
        if !there {
            findings.push(Finding::missing(problem));
        }
    };
    let said = |text: &str| !text.trim().is_empty();
    missing(event.game == Game::Chess, Problem::NotChess);
    missing(said(&event.city), Problem::NoCity);
    let federation = event.federation.trim();
    let code = federation.len() == 3 && federation.bytes().all(|byte| byte.is_ascii_alphabetic());
    missing(code, Problem::NoFederation(federation.to_owned()));
    missing(event.starts.is_some(), Problem::NoStart);
    missing(event.ends.is_some(), Problem::NoEnd);
    let days = event.starts.zip(event.ends);
    let in_order = days.is_none_or(|(from, to)| from <= to);
    missing(in_order, Problem::EndBeforeStart);
    let chief = event.chief_arbiter.trim();
    match chief {
        "" => missing(false, Problem::NoChiefArbiter),
        chief => {
            let known = arbiter_id(chief).is_some();
            missing(known, Problem::NoArbiterId(chief.to_owned()));
        }
    }
    for deputy in &event.deputies {
        if arbiter_id(deputy).is_none() {
            findings.push(Finding::remark(Problem::NoDeputyId(deputy.clone())));
        }
    }
    time_control(tournament, findings);
}

pub(super) fn rate(event: &Event) -> Option<RateOfPlay> {
    control_of(&event.time_control_code).map(|control| RateOfPlay::of(&control))
}

fn time_control(tournament: &Tournament, findings: &mut Vec<Finding>) {
    let event = tournament.event();
    let (code, text) = (event.time_control_code.trim(), event.time_control.trim());
    if code.is_empty() && text.is_empty() {
        findings.push(Finding::missing(Problem::NoTimeControl));
        return;
    }
    let Some(control) = control_of(code) else {
        let shown = if code.is_empty() { text } else { code }.to_owned();
        findings.push(Finding::remark(Problem::UnreadableTimeControl(shown)));
        return;
    };
    too_fast(tournament, &control, findings);
    let first = control.side(Side::White).periods().first();
    if let Some(Length::Moves(moves)) = first.map(|period| period.length)
        && moves < FIRST_PERIOD
        && RateOfPlay::of(&control) == RateOfPlay::Standard
    {
        findings.push(Finding::remark(Problem::FewMoves(moves)));
    }
    let sectors = event.sectors.values();
    let mut controls = sectors.filter_map(|sector| control_of(&sector.control));
    if controls.any(|other| RateOfPlay::of(&other) != RateOfPlay::of(&control)) {
        findings.push(Finding::remark(Problem::SeveralRates));
    }
}

fn too_fast(tournament: &Tournament, control: &TimeControl, findings: &mut Vec<Finding>) {
    let time = time_for_sixty_moves(control);
    let less_than = |minutes: u16| time < Duration::from_secs(i64::from(minutes) * 60);
    match RateOfPlay::of(control) {
        RateOfPlay::Standard => {
            for (rating, minutes) in STANDARD {
                let players = tournament.players().values();
                let rated = players.filter(|player| player.rating >= Some(rating));
                let players = rated.count();
                if less_than(minutes) && players > 0 {
                    findings.push(Finding::remark(Problem::TooFast {
                        players: u16::try_from(players).unwrap_or(u16::MAX),
                        rating,
                        minutes,
                    }));
                }
            }
        }
        RateOfPlay::Rapid => (),
        RateOfPlay::Blitz => {
            if less_than(BLITZ) {
                findings.push(Finding::remark(Problem::TooFast {
                    players: 0,
                    rating: 0,
                    minutes: BLITZ,
                }));
            }
        }
    }
}

/// Returns the FIDE ID that follows an arbiter's name in parentheses, as in `IA Doe, Jane (1500001)`.
#[must_use]
pub fn arbiter_id(name: &str) -> Option<u64> {
    let (_, rest) = name.rsplit_once('(')?;
    let (digits, _) = rest.split_once(')')?;
    let digits = digits.trim();
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| plain)
}
