//! Consistency of a report's lines: opponents, colours, results, counts, teams. Decides which contradictions make a
//! report impossible (a fault) and which are only odd (a remark). Must never correct anything.

use std::collections::{BTreeMap, BTreeSet};

use super::lines::{Lines, line_of};
use super::report::{Cell, Player, Report};
use super::scoring::of_games;
use super::value::Letter;
use crate::formats::expected::Expected;
use crate::formats::fault::Fault;
use crate::formats::remark::{Entrant, PairingRemark, Remark, StandingsRemark};
use crate::{Bye, PlayerNo, Points, RoundNo, Side};

mod counts;
mod matches;

pub(super) fn faults(report: &Report, lines: &Lines) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut players: BTreeMap<u16, &Player> = BTreeMap::new();
    for player in &report.players {
        if let Some(first) = players.insert(player.number, player) {
            let found = format!("{}, which line {} has too", player.number, first.line.0);
            let expected = Expected::FreeNumber;
            faults.push(Fault::because(player.line.0, 5, expected, found));
        }
    }
    for player in &report.players {
        for (index, cell) in player.cells.iter().enumerate() {
            faults.extend(meeting(player, index, cell, &players));
        }
    }
    faults.extend(counts::faults(report, lines));
    teams(report, lines, &players, &mut faults);
    rules(report, lines, &players, &mut faults);
    faults.extend(matches::faults(report, lines));
    faults
}

pub(super) fn remarks(report: &Report, lines: &Lines) -> Vec<Remark> {
    let mut remarks = counts::remarks(report, lines);
    // In a team event, all players of the same team can have the pairing-allocated bye.
    let rounds = match report.team_count() {
        0 => report.rounds_reported(),
        _ => 0,
    };
    for round in 0..rounds {
        let byes = report.players.iter().filter(|player| {
            let letter = player.cells.get(round).and_then(|cell| cell.letter);
            letter == Some(Letter::Bye(Bye::PairingAllocated))
        });
        let players = byes.map(|player| Entrant::numbered(player.number));
        let players: Vec<Entrant> = players.collect();
        if players.len() > 1 {
            let round = RoundNo(u16::try_from(round + 1).unwrap_or(u16::MAX));
            remarks.push(PairingRemark::SharedBye { round, players }.into());
        }
    }
    if scores_by_letters(report) {
        let paired = paired(report);
        let players = report.players.iter();
        remarks.extend(players.filter_map(|player| points(report, player, paired)));
    }
    remarks
}

/// Returns true if a player's points depend only on the result letters and record 162.
fn scores_by_letters(report: &Report) -> bool {
    let plain = report.rules.abnormal.is_empty() && report.extensions.points.is_empty();
    plain && report.extensions.bbp_points.is_empty()
}

/// Returns the numbers of players whose stated points the results do not explain, each with the difference: stated
/// minus computed points.
pub(in crate::formats) fn unexplained_points(report: &Report) -> Vec<(u16, Points)> {
    if !scores_by_letters(report) {
        return Vec::new();
    }
    let paired = paired(report);
    let players = report.players.iter();
    let beyond = players.filter_map(|player| {
        let (stated, computed) = unexplained(report, player, paired)?;
        Some((player.number, stated - computed))
    });
    beyond.collect()
}

fn meeting(
    player: &Player,
    index: usize,
    cell: &Cell,
    players: &BTreeMap<u16, &Player>,
) -> Option<Fault> {
    let number = cell.opponent?;
    let round = index + 1;
    let column = 82 + 10 * round;
    let no = RoundNo(u16::try_from(round).unwrap_or(u16::MAX));
    let fault = |column: usize, expected: Expected, found: String| {
        Some(Fault::because(player.line.0, column, expected, found))
    };
    if number == player.number {
        let found = "the player's own number".to_owned();
        return fault(column, Expected::Opponent(no), found);
    }
    let Some(opponent) = players.get(&number) else {
        return fault(column, Expected::OpponentInFile(no), format!("{number}"));
    };
    let theirs = opponent.cells.get(index).copied().unwrap_or_default();
    if theirs.opponent != Some(player.number) {
        let expected = Expected::OpponentWhoMet {
            player: PlayerNo(player.number),
            round: no,
        };
        let met = theirs.opponent.map(|met| met.to_string());
        let (met, line) = (met.as_deref().unwrap_or("no one"), opponent.line.0);
        let found = format!("{number}, who met {met} (line {line})");
        return fault(column, expected, found);
    }
    if cell.colour != theirs.colour.map(Side::other) {
        let expected = Expected::OppositeColour {
            player: PlayerNo(number),
            round: no,
        };
        let found = format!("a different one (line {})", opponent.line.0);
        return fault(column + 5, expected, found);
    }
    let agree = match (cell.letter, theirs.letter) {
        (Some(ours), Some(theirs)) => ours.is_compatible_with(theirs),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    };
    if !agree {
        let expected = Expected::MatchingResult {
            player: PlayerNo(number),
            round: no,
        };
        let letters = [cell.letter, theirs.letter];
        let [own, other] = letters.map(|letter| letter.map_or(' ', Letter::letter));
        let found = format!("`{own}` against `{other}` (line {})", opponent.line.0);
        return fault(column + 7, expected, found);
    }
    None
}

fn teams(
    report: &Report,
    lines: &Lines,
    players: &BTreeMap<u16, &Player>,
    faults: &mut Vec<Fault>,
) {
    for (tag, column, teams) in [("310", 74, &report.teams), ("013", 37, &report.old_teams)] {
        let mut numbers = BTreeSet::new();
        let mut of_player: BTreeMap<u16, &str> = BTreeMap::new();
        for (index, team) in teams.iter().enumerate() {
            let line = line_of(lines, tag, index);
            if !numbers.insert(team.number) {
                let expected = Expected::FreeTeamNumber;
                faults.push(Fault::because(line, 5, expected, team.number.to_string()));
            }
            for (place, number) in team.players.iter().enumerate() {
                let mut fault = |expected: Expected, found: String| {
                    faults.push(Fault::because(line, column + 5 * place, expected, found));
                };
                if !players.contains_key(number) {
                    fault(Expected::PlayerInFile, number.to_string());
                }
                if let Some(other) = of_player.insert(*number, &team.name) {
                    let found = format!("{number}, who is in {other}");
                    fault(Expected::OneTeam, found);
                }
            }
        }
    }
}

fn rules(
    report: &Report,
    lines: &Lines,
    players: &BTreeMap<u16, &Player>,
    faults: &mut Vec<Fault>,
) {
    let teams = report.event_teams().iter();
    let teams: BTreeSet<u16> = teams.map(|team| team.number).collect();
    let is_player = |number: &u16| players.contains_key(number);
    let is_team = |number: &u16| teams.contains(number);
    let either = |number: &u16| match teams.is_empty() {
        true => is_player(number),
        false => is_team(number),
    };
    let mut named = |tag: &str, nth: usize, column: usize, known: bool, number: u16| {
        if !known {
            let expected = Expected::ParticipantInFile;
            let line = line_of(lines, tag, nth);
            faults.push(Fault::because(line, column, expected, number.to_string()));
        }
    };
    for (nth, national) in report.national.iter().enumerate() {
        let same = report.national.iter().take(nth);
        let same = same.filter(|other| other.federation == national.federation);
        let nth = same.count();
        let number = national.player.number;
        named(&national.federation, nth, 5, is_player(&number), number);
    }
    for (nth, byes) in report.rules.byes.iter().enumerate() {
        for (index, who) in byes.who.iter().enumerate() {
            named("240", nth, 11 + 5 * index, either(who), *who);
        }
    }
    for (nth, order) in report.rules.orders.iter().enumerate() {
        named("300", nth, 9, is_team(&order.team), order.team);
        named("300", nth, 13, is_team(&order.opponent), order.opponent);
        let players = order.players.iter().enumerate();
        for (index, player) in players.filter_map(|(index, player)| Some((index, (*player)?))) {
            named("300", nth, 17 + 5 * index, is_player(&player), player);
        }
    }
    for (nth, forfeit) in report.rules.forfeited.iter().enumerate() {
        named("330", nth, 12, is_team(&forfeit.white), forfeit.white);
        named("330", nth, 16, is_team(&forfeit.black), forfeit.black);
    }
    for (index, team) in report.rules.teams_with_byes() {
        named("320", 0, 15 + 4 * index, is_team(&team), team);
    }
    for (nth, (player, _)) in report.extensions.accelerations.iter().enumerate() {
        named("XXA", nth, 5, is_player(player), *player);
    }
}

/// Returns a player's cells up to round `last`, followed by the player's byes from record 240 for blank or missing
/// cells up to that round.
fn with_requested(report: &Report, player: &Player, last: usize) -> Vec<Cell> {
    let mut cells: Vec<Cell> = player.cells.iter().take(last).copied().collect();
    let mut rounds = BTreeSet::new();
    let byes = report.rules.byes.iter();
    let requested = byes.filter(|byes| {
        let index = usize::from(byes.round).saturating_sub(1);
        let open = player.cells.get(index).is_none_or(Cell::is_blank);
        let named = report.team_count() == 0 && byes.who.contains(&player.number);
        named && open && index < last && rounds.insert(index)
    });
    cells.extend(requested.map(|byes| Cell {
        letter: Some(Letter::Bye(byes.kind)),
        ..Cell::default()
    }));
    cells
}

fn points(report: &Report, player: &Player, paired: usize) -> Option<Remark> {
    let (in_file, computed) = unexplained(report, player, paired)?;
    let remark = StandingsRemark::UnexplainedPoints {
        line: player.line.0,
        player: player.number,
        in_file,
        computed,
        with_record_299: false,
    };
    Some(remark.into())
}

/// Returns a player's stated and computed points, or `None` if the results explain the stated points or the file states
/// none.
fn unexplained(report: &Report, player: &Player, paired: usize) -> Option<(Points, Points)> {
    let stated = player.points?;
    let scoring = of_games(report);
    let score = |cells: &[Cell]| {
        let letters = cells.iter().filter_map(|cell| cell.letter);
        letters.map(|letter| letter.points(&scoring)).sum()
    };
    let computed = score(&player.cells);
    // A bye granted for a later round earns no points yet, but some programs count it.
    let so_far = score(&with_requested(report, player, paired));
    let counted_ahead = score(&with_requested(report, player, usize::MAX));
    let explained = [computed, so_far, counted_ahead].contains(&stated);
    (!explained).then_some((stated, computed))
}

/// Returns the number of the last round in which any player has an opponent, or 0.
fn paired(report: &Report) -> usize {
    let met = |player: &Player| {
        let mut cells = player.cells.iter();
        cells.rposition(|cell| cell.opponent.is_some())
    };
    let last = report.players.iter().filter_map(met).max();
    last.map_or(0, |last| last + 1)
}
