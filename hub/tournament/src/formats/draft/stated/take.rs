//! Standings that a file states but the results do not explain: points, ranks and team points. Owns the remarks on them
//! and the choice of stated numbers that an event keeps; must never change a computed number.

use std::collections::BTreeMap;

use super::bye_ahead;
use crate::formats::draft::export::without_notes;
use crate::formats::draft::model::Draft;
use crate::formats::draft::totals::{Totals, results_of};
use crate::formats::remark::{Counted, Entrant, RankRule, Remark, StandingsRemark, TeamPoints};
use crate::formats::trf::report::{Player, Report, Team};
use crate::{
    Actor, Change, Contest, Participant, PlayerNo, Points, StatedRow, StatedStandings, TeamNo,
    Tournament,
};

/// Stores the file's places and points in the draft if they differ from the computed ones, and returns remarks on them.
/// The players' ranks share one remark, and so do the teams'.
pub(in crate::formats::draft) fn take(report: &Report, draft: &mut Draft) -> Vec<Remark> {
    let Some(tournament) = folded(draft) else {
        return Vec::new();
    };
    let (ours, _) = without_notes(draft, &Totals::of(&tournament));
    let counted = counted(report);
    let mut remarks = remarks(report, &ours, draft);
    remarks.extend(kept_points(&counted, &ours, draft).map(StandingsRemark::into));
    draft.stated = stated(&counted, &ours, draft, tournament);
    remarks
}

/// Returns the report without its points if all of them are zero: programs that do not count points write a column
/// of zeros. The points of players and of teams are judged separately.
fn counted(report: &Report) -> Report {
    let empty = |points: Option<Points>| points.is_none_or(|points| points == Points::ZERO);
    let mut report = report.clone();
    let (players, teams) = (&mut report.players, &mut report.teams);
    if players.iter().all(|player| empty(player.points)) {
        for player in players {
            player.points = None;
        }
    }
    let of_team = |team: &Team| empty(team.match_points) && empty(team.game_points);
    if teams.iter().all(of_team) {
        for team in teams {
            (team.match_points, team.game_points) = (None, None);
        }
    }
    report
}

/// Returns the file's places and points if any of them differs from the event's. If a player's place or points differ,
/// every player gets a place, including those for whom the file states none; the same applies to teams.
fn stated(
    report: &Report,
    ours: &Report,
    draft: &Draft,
    mut tournament: Tournament,
) -> Option<StatedStandings> {
    let own = columns(ours).concat().into_iter().collect();
    let [players, teams] = columns(report);
    let mut stated = StatedStandings {
        file: String::new(),
        after: tournament.rounds_begun(),
        rows: differing(players, &own),
    };
    stated.rows.extend(differing(teams, &own));
    if !stated.holds() || stated.rows.values().all(|row| row.rank.is_some()) {
        return Some(stated).filter(StatedStandings::holds);
    }
    let change = Change::StateStandings(Some(Box::new(stated.clone())));
    tournament.apply(&Actor::program("the file"), change).ok()?;
    let draft = Draft {
        stated: Some(stated.clone()),
        ..draft.clone()
    };
    let (arranged, _) = without_notes(&draft, &Totals::of(&tournament));
    let arranged: Columns = columns(&arranged).concat().into_iter().collect();
    for (who, row) in &mut stated.rows {
        row.rank = row.rank.or(arranged.get(who).and_then(|own| own.rank));
    }
    Some(stated)
}

type Columns = BTreeMap<Participant, StatedRow>;

fn columns(report: &Report) -> [Vec<(Participant, StatedRow)>; 2] {
    let rank = |stated: Option<u16>| stated.filter(|rank| *rank > 0);
    let players = report.players.iter().map(|player| {
        let row = StatedRow {
            rank: rank(player.rank),
            match_points: None,
            points: player.points,
        };
        (Participant::Player(PlayerNo(player.number)), row)
    });
    let teams = report.teams.iter().map(|team| {
        let row = StatedRow {
            rank: rank(team.rank),
            match_points: team.match_points,
            points: team.game_points,
        };
        (Participant::Team(TeamNo(team.number)), row)
    });
    [players.collect(), teams.collect()]
}

/// Returns the file's ranks, and its points where they differ; an empty map if all numbers agree with the computed
/// numbers.
fn differing(file: Vec<(Participant, StatedRow)>, own: &Columns) -> Columns {
    let mut differs = false;
    let mut rows = BTreeMap::new();
    for (who, stated) in file {
        let Some(own) = own.get(&who) else {
            continue;
        };
        let row = StatedRow {
            rank: stated.rank,
            match_points: if_different(stated.match_points, own.match_points),
            points: if_different(stated.points, own.points),
        };
        let other_rank = row.rank.is_some() && row.rank != own.rank;
        differs |= other_rank || row.points.or(row.match_points).is_some();
        rows.insert(who, row);
    }
    if differs { rows } else { BTreeMap::new() }
}

/// Returns a player's stated points if neither the standings nor the player's own line explain them. The line includes
/// a pairing-allocated bye of a round that has not begun, which deserves no remark.
fn unexplained(player: &Player, computed: Option<Points>, draft: &Draft) -> Option<Points> {
    let stated = if_different(player.points, computed)?;
    let line_counts = draft.event.abnormal_points.is_empty()
        && results_of(draft, PlayerNo(player.number)) == stated;
    (!line_counts).then_some(stated)
}

fn if_different(stated: Option<Points>, computed: Option<Points>) -> Option<Points> {
    stated.filter(|stated| computed.is_some_and(|computed| computed != *stated))
}

fn remarks(report: &Report, ours: &Report, draft: &Draft) -> Vec<Remark> {
    let mut remarks = points(report, ours);
    remarks.extend(report.teams.iter().filter_map(|team| {
        let computed = ours.teams.iter().find(|ours| ours.number == team.number)?;
        of_team(team, computed)
    }));
    let own = columns(ours).concat().into_iter().collect();
    let [players, teams] = columns(report);
    let in_teams = matches!(draft.event.contest, Contest::Teams { .. });
    remarks.extend(ranks(Counted::Players, &players, &own, draft, in_teams));
    remarks.extend(ranks(Counted::Teams, &teams, &own, draft, false));
    remarks.into_iter().map(Remark::from).collect()
}

fn kept_points(report: &Report, ours: &Report, draft: &Draft) -> Option<StandingsRemark> {
    let players = report.players.iter();
    let differing = players.filter(|player| {
        let no = PlayerNo(player.number);
        let own = ours.player(player.number).and_then(|own| own.points);
        let stated = unexplained(player, own, draft);
        let own = own.unwrap_or_default();
        stated.is_some_and(|stated| bye_ahead(draft, no, stated, own).is_none())
    });
    let players: Vec<PlayerNo> = differing.map(|player| PlayerNo(player.number)).collect();
    (!players.is_empty()).then_some(StandingsRemark::PointsFromFile(players))
}

fn folded(draft: &Draft) -> Option<Tournament> {
    let mut tournament = Tournament::new(draft.event.clone());
    let actor = Actor::program("the file");
    for change in draft.changes("the file") {
        tournament.apply(&actor, change).ok()?;
    }
    Some(tournament)
}

/// Returns remarks on players' points in a file with records that change points, such as 299. Without such records,
/// reading the file has already produced these remarks.
fn points(report: &Report, ours: &Report) -> Vec<StandingsRemark> {
    let abnormal = !report.rules.abnormal.is_empty();
    let extended = !report.extensions.points.is_empty() || !report.extensions.bbp_points.is_empty();
    if !abnormal && !extended {
        return Vec::new();
    }
    let players = report.players.iter();
    let differing = players.filter_map(|player| {
        let computed = ours.player(player.number)?.points?;
        let in_file = player.points.filter(|stated| *stated != computed)?;
        Some(StandingsRemark::UnexplainedPoints {
            line: player.line.0,
            player: player.number,
            in_file,
            computed,
            with_record_299: abnormal,
        })
    });
    differing.collect()
}

fn of_team(team: &Team, computed: &Team) -> Option<StandingsRemark> {
    let differs = |stated: Option<Points>, computed: Option<Points>| {
        stated.is_some_and(|stated| Some(stated) != computed)
    };
    let matches = differs(team.match_points, computed.match_points);
    let games = differs(team.game_points, computed.game_points);
    if !matches && !games {
        return None;
    }
    let both = |team: &Team| TeamPoints {
        matches: team.match_points.unwrap_or_default(),
        games: team.game_points.unwrap_or_default(),
    };
    Some(StandingsRemark::TeamPoints {
        team: Entrant::named(team.number, &team.name),
        in_file: both(team),
        computed: both(computed),
    })
}

fn ranks(
    of: Counted,
    file: &[(Participant, StatedRow)],
    own: &Columns,
    draft: &Draft,
    by_points_alone: bool,
) -> Option<StandingsRemark> {
    let mut all = 0;
    let mut differing = Vec::new();
    for (who, stated) in file {
        let (Some(stated), Some(own)) = (stated.rank, own.get(who)) else {
            continue;
        };
        all += 1;
        if let Some(computed) = own.rank.filter(|computed| *computed != stated) {
            differing.push((who.number(), stated, computed));
        }
    }
    let (first, in_file, here) = *differing.first()?;
    let list = &draft.event.tie_breaks;
    let rule = match (by_points_alone, list.is_empty()) {
        (true, _) => RankRule::OwnPoints,
        (false, true) => RankRule::NoTieBreaks,
        (false, false) => RankRule::TieBreaks(list.iter().map(ToString::to_string).collect()),
    };
    Some(StandingsRemark::Ranks {
        of,
        differing: differing.len(),
        all,
        first,
        in_file,
        here,
        rule,
    })
}
