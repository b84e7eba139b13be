//! The team records of the export: 310, 013, 300, 320, 330, 240. Must never write a player's line.

use crate::formats::draft::totals::Totals;
use crate::formats::draft::{Draft, DraftRound, Seats};
use crate::formats::omission::Omission;
use crate::formats::trf::report::{self, Report};
use crate::formats::trf::scoring::{writable, writable_or_lost};
use crate::{Bye, MatchNo, PlayerNo, Points};

pub(super) fn teams(draft: &Draft, totals: &Totals, report: &mut Report, lost: &mut Vec<Omission>) {
    for team in draft.teams.values() {
        let total = totals.teams.get(&team.no);
        report.teams.push(report::Team {
            number: team.no.0,
            name: team.name.clone(),
            nickname: team.short_name.clone(),
            strength: strength(draft, &team.players),
            match_points: total.and_then(|(points, _, _)| writable(*points)),
            game_points: total.and_then(|(_, points, _)| writable(*points)),
            rank: total.map(|(_, _, rank)| *rank),
            players: team.players.iter().map(|no| no.0).collect(),
        });
    }
    if report.kept.has("013") {
        report.old_teams = report::old_teams(&report.teams);
    }
    for (no, round) in &draft.rounds {
        let round_no = no.0;
        for (match_no, paired) in &round.matches {
            orders(draft, round_no, round, *match_no, report);
            if let Some(winner) = paired.forfeit {
                report.rules.forfeited.push(report::ForfeitedMatch {
                    winner,
                    round: round_no,
                    white: paired.white.0,
                    black: paired.black.0,
                });
            }
        }
        team_byes(draft, round_no, round, report, lost);
    }
}

fn strength(draft: &Draft, players: &[PlayerNo]) -> Option<Points> {
    let players = players.iter();
    let ratings = players.filter_map(|no| draft.players.get(no)?.rating);
    let ratings: Vec<i64> = ratings.map(i64::from).collect();
    let count = i64::try_from(ratings.len()).ok()?;
    if count == 0 {
        return None;
    }
    let sum: i64 = ratings.iter().sum();
    Some(Points::whole((sum * 2 + count) / (2 * count)))
}

/// Adds record 300 for each team that played out of its board order or left a board empty.
fn orders(draft: &Draft, round_no: u16, round: &DraftRound, no: MatchNo, report: &mut Report) {
    let Some(paired) = round.matches.get(&no) else {
        return;
    };
    let boards = round.boards.values().filter_map(|seats| {
        let (_, place) = seats.of_match.filter(|(of, _)| *of == no)?;
        Some((place, seats))
    });
    let boards: Vec<(u16, &Seats)> = boards.collect();
    let last = boards.iter().map(|(place, _)| *place).max().unwrap_or(0);
    for (team, other) in [(paired.white, paired.black), (paired.black, paired.white)] {
        let Some(members) = draft.teams.get(&team).map(|team| &team.players) else {
            continue;
        };
        let at = |place: u16| {
            let (_, seats) = boards.iter().find(|(at, _)| *at == place)?;
            seats.players().find(|player| members.contains(player))
        };
        let seated: Vec<Option<PlayerNo>> = (1..=last).map(at).collect();
        let usual = members.iter().copied().map(Some);
        let usual: Vec<_> = usual.filter(|member| seated.contains(member)).collect();
        if seated != usual {
            report.rules.orders.push(report::BoardOrder {
                round: round_no,
                team: team.0,
                opponent: other.0,
                players: seated.iter().map(|player| player.map(|no| no.0)).collect(),
            });
        }
    }
}

fn team_byes(
    draft: &Draft,
    round_no: u16,
    round: &DraftRound,
    report: &mut Report,
    lost: &mut Vec<Omission>,
) {
    for kind in [Bye::Full, Bye::Half, Bye::Zero] {
        let who = round.team_byes.iter().filter(|(_, bye)| **bye == kind);
        let who: Vec<u16> = who.map(|(team, _)| team.0).collect();
        if !who.is_empty() {
            report.rules.byes.push(report::Byes {
                kind,
                round: round_no,
                who,
                line: report::LineNo::default(),
            });
        }
    }
    let mut byes = round.team_byes.iter();
    let given = byes.find(|(_, bye)| **bye == Bye::PairingAllocated);
    let points = draft.event.team_bye_points;
    let scoring = &draft.event.match_scoring;
    let unusual = points.is_some() || scoring.pairing_bye != scoring.win;
    if given.is_none() && !unusual && report.rules.team_byes.is_none() {
        return;
    }
    let record = || report::TeamByes {
        match_points: writable_or_lost(scoring.pairing_bye, lost),
        game_points: points.and_then(|points| writable_or_lost(points, lost)),
        teams: Vec::new(),
        line: report::LineNo::default(),
    };
    let byes = report.rules.team_byes.get_or_insert_with(record);
    byes.set(usize::from(round_no) - 1, given.map(|(team, _)| team.0));
}
