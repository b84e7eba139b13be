//! The matches of a team event: each team meets at most one other team in a round.

use std::collections::BTreeMap;

use crate::RoundNo;
use crate::formats::expected::Expected;
use crate::formats::fault::Fault;
use crate::formats::trf::lines::{Lines, line_of};
use crate::formats::trf::report::{Report, Team};

fn by_player(report: &Report) -> BTreeMap<u16, u16> {
    let members = |team: &Team| {
        let (number, players) = (team.number, team.players.clone());
        players.into_iter().map(move |player| (player, number))
    };
    report.event_teams().iter().flat_map(members).collect()
}

pub(super) fn faults(report: &Report, lines: &Lines) -> Vec<Fault> {
    let teams = by_player(report);
    let mut faults = Vec::new();
    if teams.is_empty() {
        return faults;
    }
    let mut met: BTreeMap<(usize, u16), u16> = BTreeMap::new();
    for player in &report.players {
        for (index, cell) in player.cells.iter().enumerate() {
            let Some(opponent) = cell.opponent else {
                continue;
            };
            let column = 92 + 10 * index;
            let mut fault = |expected: Expected, found: String| {
                faults.push(Fault::because(player.line.0, column, expected, found));
            };
            let (Some(ours), Some(theirs)) = (teams.get(&player.number), teams.get(&opponent))
            else {
                fault(Expected::PlayersWithTeams, format!("{opponent}"));
                continue;
            };
            let before = *met.entry((index, *ours)).or_insert(*theirs);
            if ours == theirs {
                let found = format!("{opponent}, from the same team");
                fault(Expected::OtherTeam, found);
            } else if before != *theirs {
                let found = format!("{opponent}, from team {theirs}");
                let expected = Expected::OpponentOfTeam {
                    team: *ours,
                    opponent: before,
                };
                fault(expected, found);
            }
        }
    }
    for (nth, forfeit) in report.rules.forfeited.iter().enumerate() {
        let index = usize::from(forfeit.round) - 1;
        let pair = [
            (forfeit.white, forfeit.black),
            (forfeit.black, forfeit.white),
        ];
        for (team, other) in pair {
            let before = *met.entry((index, team)).or_insert(other);
            if before != other || team == other {
                let line = line_of(lines, "330", nth);
                let expected = Expected::OneMatch {
                    team,
                    opponent: before,
                    round: RoundNo(forfeit.round),
                };
                faults.push(Fault::because(line, 12, expected, format!("team {other}")));
            }
        }
    }
    faults
}
