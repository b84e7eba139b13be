//! Standings that a file states and the results do not explain: points, ranks, points of teams. Owns the remarks on them
//! and the choice of stated numbers that an event keeps; must never change a computed one.

use std::collections::BTreeMap;

use super::Draft;
use super::cells_read::number;
use super::export::{Totals, next_round, results_of, without_notes};
use super::scoring::{points as points_of, tenths};
use crate::formats::remark::{Counted, Entrant, RankRule, Remark, StandingsRemark, TeamPoints};
use crate::formats::trf::report::{Cell, Player, Report, Team};
use crate::formats::trf::value::{Letter, Tenths};
use crate::{
    Actor, Bye, Change, Contest, Participant, PlayerNo, Points, StatedRow, StatedStandings, TeamNo,
    Tournament,
};

/// Takes differing stated numbers into the draft, and returns remarks on them. Ranks share one remark.
pub(super) fn take(report: &Report, draft: &mut Draft) -> Vec<Remark> {
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

/// Returns the report without points if the file does not count them. Programs that leave points out write a column of
/// zeros.
fn counted(report: &Report) -> Report {
    let empty = |points: Option<Tenths>| points.is_none_or(|points| points == Tenths::default());
    let mut report = report.clone();
    if report.players.iter().all(|player| empty(player.points)) {
        report
            .players
            .iter_mut()
            .for_each(|player| player.points = None);
    }
    let teams = &mut report.teams;
    if teams
        .iter()
        .all(|team| empty(team.match_points) && empty(team.game_points))
    {
        for team in teams {
            (team.match_points, team.game_points) = (None, None);
        }
    }
    report
}

pub(super) fn restore(draft: &Draft, report: &mut Report) {
    let Some(stated) = &draft.stated else {
        return;
    };
    for player in &mut report.players {
        if let Some(row) = stated
            .rows
            .get(&Participant::Player(PlayerNo(number(player.number))))
        {
            player.rank = row.rank.map(u32::from).or(player.rank);
            player.points = row.points.and_then(tenths).or(player.points);
            if counts_ahead(draft, player, row.points) {
                let next = u32::from(next_round(draft).0);
                let byes = report.rules.byes.iter_mut();
                let asked = byes.filter(|byes| byes.round == next);
                asked.for_each(|byes| byes.who.retain(|who| *who != player.number));
            }
        }
    }
    report.rules.byes.retain(|byes| !byes.who.is_empty());
    for team in &mut report.teams {
        if let Some(row) = stated
            .rows
            .get(&Participant::Team(TeamNo(number(team.number))))
        {
            team.rank = row.rank.map(u32::from).or(team.rank);
            team.match_points = row.match_points.and_then(tenths).or(team.match_points);
            team.game_points = row.points.and_then(tenths).or(team.game_points);
        }
    }
}

/// Writes the bye of the next round into the line of a player whose stated points already include it, since programs
/// add up the line. Returns whether the player has such a bye.
fn counts_ahead(draft: &Draft, player: &mut Player, stated: Option<Points>) -> bool {
    let no = PlayerNo(number(player.number));
    let ahead = |stated| bye_ahead(draft, no, stated, results_of(draft, no));
    let Some(bye) = stated.and_then(ahead) else {
        return false;
    };
    let cell = usize::from(next_round(draft).0) - 1;
    if player.cells.len() <= cell {
        player.cells.resize(cell + 1, Cell::default());
    }
    player.cells[cell].letter = Some(Letter::Bye(bye));
    true
}

/// Returns the bye of the next round, if it alone makes the difference between the stated points and the player's own.
fn bye_ahead(draft: &Draft, no: PlayerNo, stated: Points, own: Points) -> Option<Bye> {
    let asked = draft
        .players
        .get(&no)?
        .byes
        .get(&next_round(draft))
        .copied();
    asked.filter(|bye| stated != own && bye.points(&draft.event.scoring) == stated - own)
}

/// Returns the file's places and points if any of them differs from the event's. All of one kind are then kept, so that
/// places which the file leaves out do not move either.
fn stated(
    report: &Report,
    ours: &Report,
    draft: &Draft,
    mut tournament: Tournament,
) -> Option<StatedStandings> {
    let mut stated = StatedStandings {
        file: String::new(),
        after: tournament.rounds_begun(),
        rows: stated_players(report, ours),
    };
    stated.rows.extend(stated_teams(report, ours));
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
    for (who, row) in &mut stated.rows {
        let rank = match who {
            Participant::Player(no) => arranged.player(no.0.into()).and_then(|player| player.rank),
            Participant::Team(no) => {
                let mut teams = arranged.teams.iter();
                let team = teams.find(|team| team.number == u32::from(no.0));
                team.and_then(|team| team.rank)
            }
        };
        row.rank = row.rank.or(rank.map(number));
    }
    Some(stated)
}

fn stated_players(report: &Report, ours: &Report) -> BTreeMap<Participant, StatedRow> {
    let mut differs = false;
    let mut rows = BTreeMap::new();
    for player in &report.players {
        let Some(own) = ours.player(player.number) else {
            continue;
        };
        let row = StatedRow {
            rank: rank_of(player.rank),
            match_points: None,
            points: other(player.points, own.points).map(points_of),
        };
        differs |= row.points.is_some() || other_rank(player.rank, own.rank);
        rows.insert(Participant::Player(PlayerNo(number(player.number))), row);
    }
    if differs { rows } else { BTreeMap::new() }
}

fn stated_teams(report: &Report, ours: &Report) -> BTreeMap<Participant, StatedRow> {
    let mut differs = false;
    let mut rows = BTreeMap::new();
    for team in &report.teams {
        let Some(own) = ours.teams.iter().find(|own| own.number == team.number) else {
            continue;
        };
        let row = StatedRow {
            rank: rank_of(team.rank),
            match_points: other(team.match_points, own.match_points).map(points_of),
            points: other(team.game_points, own.game_points).map(points_of),
        };
        let points = row.points.or(row.match_points);
        differs |= points.is_some() || other_rank(team.rank, own.rank);
        rows.insert(Participant::Team(TeamNo(number(team.number))), row);
    }
    if differs { rows } else { BTreeMap::new() }
}

fn rank_of(stated: Option<u32>) -> Option<u16> {
    stated.filter(|rank| *rank > 0).map(number)
}

fn other_rank(stated: Option<u32>, computed: Option<u32>) -> bool {
    rank_of(stated).is_some() && stated != computed
}

/// Returns a player's stated points if neither the standings nor the player's own line explain them. The line includes
/// a pairing-allocated bye of a round that has not begun, which deserves no remark.
fn unexplained(player: &Player, computed: Option<Tenths>, draft: &Draft) -> Option<Points> {
    let stated = other(player.points, computed).map(points_of)?;
    let line_counts = draft.event.abnormal_points.is_empty()
        && results_of(draft, PlayerNo(number(player.number))) == stated;
    (!line_counts).then_some(stated)
}

/// Returns the stated points if they differ from the computed ones.
fn other(stated: Option<Tenths>, computed: Option<Tenths>) -> Option<Tenths> {
    stated.filter(|stated| computed.is_some_and(|computed| computed != *stated))
}

/// Returns a remark for each stated number that differs; ranks share one remark.
fn remarks(report: &Report, ours: &Report, draft: &Draft) -> Vec<Remark> {
    let mut remarks = points(report, ours);
    remarks.extend(report.teams.iter().filter_map(|team| {
        let computed = ours.teams.iter().find(|ours| ours.number == team.number)?;
        of_team(team, computed)
    }));
    let in_teams = matches!(draft.event.contest, Contest::Teams { .. });
    let of_number = |player: &Player| Some((player.rank, ours.player(player.number)?.rank));
    let players = report.players.iter();
    let players = players.filter_map(|player| Some((player.number, of_number(player)?)));
    remarks.extend(ranks(Counted::Players, players, draft, in_teams));
    let of_number = |team: &Team| {
        let computed = ours.teams.iter().find(|ours| ours.number == team.number)?;
        Some((team.rank, computed.rank))
    };
    let teams = report.teams.iter();
    let teams = teams.filter_map(|team| Some((team.number, of_number(team)?)));
    remarks.extend(ranks(Counted::Teams, teams, draft, false));
    remarks.into_iter().map(Remark::from).collect()
}

/// Returns a remark on points that the results do not give.
fn kept_points(report: &Report, ours: &Report, draft: &Draft) -> Option<StandingsRemark> {
    let players = report.players.iter();
    let differing = players.filter(|player| {
        let no = PlayerNo(number(player.number));
        let own = ours.player(player.number).and_then(|own| own.points);
        let stated = unexplained(player, own, draft);
        let own = own.map(points_of).unwrap_or_default();
        stated.is_some_and(|stated| bye_ahead(draft, no, stated, own).is_none())
    });
    let players: Vec<PlayerNo> = differing
        .map(|player| PlayerNo(number(player.number)))
        .collect();
    (!players.is_empty()).then_some(StandingsRemark::PointsFromFile(players))
}

/// Returns the event as the hub would import it, or `None` if the hub would refuse it.
fn folded(draft: &Draft) -> Option<Tournament> {
    let mut tournament = Tournament::new(draft.event.clone());
    let actor = Actor::program("the file");
    for change in draft.changes("the file") {
        tournament.apply(&actor, change).ok()?;
    }
    Some(tournament)
}

/// Returns remarks on players' points in a file with records of points. Without such records, reading the file already
/// remarks on them.
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

/// Returns a remark on a team whose points do not follow from its boards.
fn of_team(team: &Team, computed: &Team) -> Option<StandingsRemark> {
    let differs = |stated: Option<Tenths>, computed: Option<Tenths>| {
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

/// A number with its stated and its computed rank.
type Ranks = (u32, (Option<u32>, Option<u32>));

/// Returns a remark on ranks that differ from the file's, with the tie-breaks that apply here.
fn ranks(
    of: Counted,
    ranks: impl Iterator<Item = Ranks>,
    draft: &Draft,
    by_points_alone: bool,
) -> Option<StandingsRemark> {
    let mut all = 0;
    let mut differing = Vec::new();
    for (number, (stated, computed)) in ranks {
        let Some(stated) = stated.filter(|stated| *stated > 0) else {
            continue;
        };
        all += 1;
        if let Some(computed) = computed.filter(|computed| *computed != stated) {
            differing.push((number, stated, computed));
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
