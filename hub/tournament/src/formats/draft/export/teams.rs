//! The records of teams for the export: 310, 013, 300, 320, 330, 240. Must never write a player's line.

use crate::formats::draft::totals::Totals;
use crate::formats::draft::{Draft, DraftRound, Seats};
use crate::formats::trf::report::{self, Report};
use crate::formats::trf::scoring::writable;
use crate::{Bye, MatchNo, PlayerNo, Points};

/// Adds the teams and the records of their rounds that the players' lines do not hold.
pub(super) fn teams(draft: &Draft, totals: &Totals, report: &mut Report) {
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
    if report.kept.order.iter().any(|tag| tag == "013") {
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
        team_byes(draft, round_no, round, report);
    }
}

fn strength(draft: &Draft, players: &[PlayerNo]) -> Option<Points> {
    let ratings = players
        .iter()
        .filter_map(|no| draft.players.get(no)?.rating);
    let ratings: Vec<i64> = ratings.map(i64::from).collect();
    let count = i64::try_from(ratings.len())
        .ok()
        .filter(|count| *count > 0)?;
    let sum: i64 = ratings.iter().sum();
    Some(Points::whole((sum * 2 + count) / (2 * count)))
}

/// Adds record 300 for each team that played out of its board order or left a board empty.
fn orders(draft: &Draft, round_no: u16, round: &DraftRound, no: MatchNo, report: &mut Report) {
    let Some(paired) = round.matches.get(&no) else {
        return;
    };
    let boards: Vec<(u16, &Seats)> = {
        let of_match = |seats: &&Seats| seats.of_match.is_some_and(|(of, _)| of == no);
        let seats = round.boards.values().filter(of_match);
        let mut boards: Vec<_> = seats
            .filter_map(|seats| seats.of_match.map(|(_, place)| (place, seats)))
            .collect();
        boards.sort_by_key(|(place, _)| *place);
        boards
    };
    let last = boards.iter().map(|(place, _)| *place).max().unwrap_or(0);
    for (team, other) in [(paired.white, paired.black), (paired.black, paired.white)] {
        let Some(members) = draft.teams.get(&team).map(|team| &team.players) else {
            continue;
        };
        let at = |place: u16| {
            let seats = boards.iter().find(|(at, _)| *at == place)?.1;
            let players = seats.white.into_iter().chain(seats.black);
            players.into_iter().find(|player| members.contains(player))
        };
        let seated: Vec<Option<PlayerNo>> = (1..=last).map(at).collect();
        let playing = members
            .iter()
            .filter(|member| seated.contains(&Some(**member)));
        let usual: Vec<Option<PlayerNo>> = playing.map(|member| Some(*member)).collect();
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

fn team_byes(draft: &Draft, round_no: u16, round: &DraftRound, report: &mut Report) {
    for kind in [Bye::Full, Bye::Half, Bye::Zero] {
        let who = round.team_byes.iter().filter(|(_, bye)| **bye == kind);
        let who: Vec<u16> = who.map(|(team, _)| team.0).collect();
        if !who.is_empty() {
            report.rules.byes.push(report::Byes {
                kind,
                round: round_no,
                who,
                line: report::Place::default(),
            });
        }
    }
    let given = round
        .team_byes
        .iter()
        .find(|(_, bye)| **bye == Bye::PairingAllocated);
    let points = draft.event.team_bye_points;
    let unusual =
        points.is_some() || draft.event.match_scoring.pairing_bye != draft.event.match_scoring.win;
    if given.is_none() && !unusual && report.rules.team_byes.is_none() {
        return;
    }
    let byes = report
        .rules
        .team_byes
        .get_or_insert_with(|| report::TeamByes {
            match_points: writable(draft.event.match_scoring.pairing_bye),
            game_points: points.and_then(writable),
            teams: Vec::new(),
            line: report::Place::default(),
        });
    let index = usize::from(round_no);
    byes.teams.resize(byes.teams.len().max(index), None);
    if let Some(place) = byes.teams.get_mut(index - 1) {
        *place = given.map(|(team, _)| team.0);
    }
}
