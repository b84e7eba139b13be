//! The lines of teams: records 013, 310, 300, 320, 330. Owns their columns; must never compare teams.

use super::line::{Field, Layout, Line};
use super::player::{MAX_NUMBER, points};
use super::report::{BoardOrder, ForfeitedMatch, LineNo, Team, TeamByes};
use super::rules::{numbers, round, within, write_numbers};
use crate::Side;
use crate::fold::MAX_TEAM_NO;
use crate::formats::expected::Expected;
use crate::formats::fault::Fault;
use crate::formats::omission::Omission;
use crate::formats::wording::shown;

pub(super) fn read(line: &Line) -> Result<Team, Fault> {
    line.gaps(&[4, 8, 41, 47, 54, 61, 68, 72, 73])?;
    let name = line.field(9, 40);
    Ok(Team {
        number: team(&line.field(5, 7))?,
        name: named(&name)?,
        nickname: line.field(42, 46).text,
        strength: points(&line.field(48, 53))?,
        match_points: points(&line.field(55, 60))?,
        game_points: points(&line.field(62, 67))?,
        rank: line.field(69, 71).number("a rank", 0, MAX_TEAM_NO)?,
        players: players(line, 74)?,
    })
}

pub(super) fn write(team: &Team, lost: &mut Vec<Omission>) -> String {
    let mut layout = Layout::new("310");
    layout.right(5, 7, team.number);
    layout.left(9, 40, &team.name);
    layout.left(42, 46, &team.nickname);
    let strength = shown(team.strength);
    layout.right(48, 53, strength.strip_suffix(".0").unwrap_or(&strength));
    layout.points(55, 60, team.match_points);
    layout.points(62, 67, team.game_points);
    layout.right(69, 71, shown(team.rank));
    write_numbers(&mut layout, 74, &team.players);
    layout.done(lost, |text| Omission::CutTeam {
        team: team.number.to_string(),
        text,
    })
}

/// Reads record 013, which does not number the team.
pub(super) fn read_old(line: &Line) -> Result<Team, Fault> {
    line.blank(4, 4)?;
    Ok(Team {
        name: named(&line.field(5, 36))?,
        players: players(line, 37)?,
        ..Team::default()
    })
}

pub(super) fn write_old(team: &Team, lost: &mut Vec<Omission>) -> String {
    let mut layout = Layout::new("013");
    layout.left(5, 36, &team.name);
    write_numbers(&mut layout, 37, &team.players);
    layout.done(lost, |text| Omission::CutTeam {
        team: team.name.clone(),
        text,
    })
}

pub(super) fn read_order(line: &Line) -> Result<BoardOrder, Fault> {
    line.gaps(&[4, 8, 12, 16])?;
    let players = members(line, 17)?;
    Ok(BoardOrder {
        round: round(&line.field(5, 7))?,
        team: team(&line.field(9, 11))?,
        opponent: team(&line.field(13, 15))?,
        players: players.into_iter().map(or_none).collect(),
    })
}

pub(super) fn write_order(order: &BoardOrder, lost: &mut Vec<Omission>) -> String {
    let mut layout = Layout::new("300");
    layout.right(5, 7, order.round);
    layout.right(9, 11, order.team);
    layout.right(13, 15, order.opponent);
    let players = order.players.iter().map(|player| player.unwrap_or(0));
    write_numbers(&mut layout, 17, &players.collect::<Vec<u16>>());
    layout.record("300", lost)
}

pub(super) fn read_byes(line: &Line) -> Result<TeamByes, Fault> {
    line.gaps(&[4, 9, 14])?;
    let mut teams = Vec::new();
    while 15 + 4 * teams.len() <= line.width() {
        let from = 15 + 4 * teams.len();
        within(line, teams.len(), from)?;
        let field = line.field(from, from + 2);
        let number = field.number("a team", 0, MAX_TEAM_NO)?;
        line.blank(from + 3, from + 3)?;
        teams.push(number.and_then(or_none));
    }
    Ok(TeamByes {
        match_points: points(&line.field(5, 8))?,
        game_points: points(&line.field(10, 13))?,
        teams,
        line: LineNo(line.number),
    })
}

pub(super) fn write_byes(byes: &TeamByes, lost: &mut Vec<Omission>) -> String {
    let mut layout = Layout::new("320");
    layout.points(5, 8, byes.match_points);
    layout.points(10, 13, byes.game_points);
    for (index, team) in byes.teams.iter().enumerate() {
        let from = 15 + 4 * index;
        layout.right(from, from + 2, format!("{:03}", team.unwrap_or(0)));
    }
    layout.record("320", lost)
}

pub(super) fn read_forfeit(line: &Line) -> Result<ForfeitedMatch, Fault> {
    line.gaps(&[4, 7, 11, 15])?;
    let kind = line.field(5, 6);
    let winner = match kind.text.as_str() {
        "+-" => Some(Side::White),
        "-+" => Some(Side::Black),
        "--" => None,
        _ => return Err(kind.fault(Expected::OneOf(&["+-", "-+", "--"]))),
    };
    Ok(ForfeitedMatch {
        winner,
        round: round(&line.field(8, 10))?,
        white: team(&line.field(12, 14))?,
        black: team(&line.field(16, 18))?,
    })
}

pub(super) fn write_forfeit(forfeit: &ForfeitedMatch, lost: &mut Vec<Omission>) -> String {
    let kind = match forfeit.winner {
        Some(Side::White) => "+-",
        Some(Side::Black) => "-+",
        None => "--",
    };
    let mut layout = Layout::new("330");
    layout.left(5, 6, kind);
    layout.right(8, 10, forfeit.round);
    layout.right(12, 14, forfeit.white);
    layout.right(16, 18, forfeit.black);
    layout.record("330", lost)
}

/// Converts 0, which files write for a missing number, to `None`.
fn or_none(number: u16) -> Option<u16> {
    Some(number).filter(|number| *number > 0)
}

fn team(field: &Field) -> Result<u16, Fault> {
    field.required("a team's number", 1, MAX_TEAM_NO)
}

fn players(line: &Line, from: usize) -> Result<Vec<u16>, Fault> {
    let mut players = members(line, from)?;
    players.retain(|number| *number > 0);
    Ok(players)
}

const MAX_TEAM_SIZE: usize = 200;

fn members(line: &Line, from: usize) -> Result<Vec<u16>, Fault> {
    let players = numbers(line, from, "a player's number", 0, MAX_NUMBER)?;
    if players.len() <= MAX_TEAM_SIZE {
        return Ok(players);
    }
    let expected = Expected::TeamSize(MAX_TEAM_SIZE);
    let found = format!("{} players", players.len());
    Err(Fault::because(line.number, from, expected, found))
}

fn named(field: &Field) -> Result<String, Fault> {
    match field.is_blank() || field.text.contains('\t') {
        true => Err(field.fault(Expected::TeamName)),
        false => Ok(field.text.clone()),
    }
}
