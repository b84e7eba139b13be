//! What a file states of its standings and this event does not come to: points, ranks, points of teams. Owns those remarks; never takes
//! a stated number in the place of a computed one.

use super::Draft;
use super::export::{Totals, without_notes};
use crate::formats::fault::remark;
use crate::formats::trf::report::{Player, Report, Team};
use crate::formats::trf::value::Tenths;
use crate::tournament::{Actor, Contest, Tournament};

/// A remark for each number that the file states otherwise, ranks counted together.
pub(super) fn remarks(report: &Report, draft: &Draft) -> Vec<String> {
    let Some(tournament) = folded(draft) else {
        return Vec::new();
    };
    let (ours, _) = without_notes(draft, &Totals::of(&tournament));
    let mut remarks = points(report, &ours);
    remarks.extend(report.teams.iter().filter_map(|team| {
        let computed = ours.teams.iter().find(|ours| ours.number == team.number)?;
        of_team(team, computed)
    }));
    let in_teams = matches!(draft.event.contest, Contest::Teams { .. });
    let of_number = |player: &Player| Some((player.rank, ours.player(player.number)?.rank));
    let players = report.players.iter();
    let players = players.filter_map(|player| Some((player.number, of_number(player)?)));
    remarks.extend(ranks("players", players, draft, in_teams));
    let of_number = |team: &Team| {
        let computed = ours.teams.iter().find(|ours| ours.number == team.number)?;
        Some((team.rank, computed.rank))
    };
    let teams = report.teams.iter();
    let teams = teams.filter_map(|team| Some((team.number, of_number(team)?)));
    remarks.extend(ranks("teams", teams, draft, false));
    remarks
}

/// The event as the hub would have it; `None` if it would be refused.
fn folded(draft: &Draft) -> Option<Tournament> {
    let mut tournament = Tournament::new(draft.event.clone());
    let actor = Actor::program("the file");
    for change in draft.changes("the file") {
        tournament.apply(&actor, change).ok()?;
    }
    Some(tournament)
}

/// Points of players that records of points change: without those, a file whose points are not those of its own letters is remarked on
/// when it is read.
fn points(report: &Report, ours: &Report) -> Vec<String> {
    let abnormal = !report.rules.abnormal.is_empty();
    let extended = !report.extensions.points.is_empty() || !report.extensions.bbp_points.is_empty();
    if !abnormal && !extended {
        return Vec::new();
    }
    let besides = if abnormal { " and record 299" } else { "" };
    let players = report.players.iter();
    let differing = players.filter_map(|player| {
        let computed = ours.player(player.number)?.points?;
        let stated = player.points.filter(|stated| *stated != computed)?;
        let words = format!(
            "player {} has {stated} points in the file and {computed} by the results{besides}",
            player.number
        );
        Some(remark(player.line.0, 81, words))
    });
    differing.collect()
}

/// A team whose points do not follow from its boards.
fn of_team(team: &Team, computed: &Team) -> Option<String> {
    let differs = |stated: Option<Tenths>, computed: Option<Tenths>| {
        stated.is_some_and(|stated| Some(stated) != computed)
    };
    let matches = differs(team.match_points, computed.match_points);
    let games = differs(team.game_points, computed.game_points);
    if !matches && !games {
        return None;
    }
    let both = |team: &Team| {
        let shown = |points: Option<Tenths>| points.unwrap_or_default().to_string();
        let (matches, games) = (shown(team.match_points), shown(team.game_points));
        format!("{matches} match points and {games} game points")
    };
    Some(format!(
        "team {} {}: {} in the file, {} by its boards, forfeited matches and byes",
        team.number,
        team.name,
        both(team),
        both(computed)
    ))
}

/// Stated and computed rank, of each number.
type Ranks = (u32, (Option<u32>, Option<u32>));

/// A remark on ranks that are not the file's, with the list that decides here.
fn ranks(
    who: &str,
    ranks: impl Iterator<Item = Ranks>,
    draft: &Draft,
    by_points_alone: bool,
) -> Option<String> {
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
    let (number, stated, computed) = *differing.first()?;
    let list: Vec<String> = draft
        .event
        .tie_breaks
        .iter()
        .map(ToString::to_string)
        .collect();
    let why = match (by_points_alone, list.is_empty()) {
        (true, _) => "in an event of teams, their own points alone decide here".to_owned(),
        (false, true) => {
            "the file names no tie-breaks (202, 212), so points alone decide here and equals share a rank".to_owned()
        }
        (false, false) => format!("its tie-breaks decide here: {}", list.join(", ")),
    };
    Some(format!(
        "{} of {all} {who} have another rank in the file than here, the first of them {number}: {stated} there, {computed} here; {why}",
        differing.len()
    ))
}
