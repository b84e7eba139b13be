//! Tables of pairings for team events. Owns the inference of matches from the boards, and the refusal of a table that
//! would remove a board from a match.

use std::collections::{BTreeMap, BTreeSet};

use super::some_boards::same_pair;
use crate::formats::draft::{Draft, DraftRound, Seats};
use crate::formats::expected::{Expected, MatchRow};
use crate::formats::fault::Fault;
use crate::formats::wording::joined;
use crate::{BoardNo, Match, MatchNo, PlayerNo, RoundNo, TeamNo};

/// Assigns boards to matches. Two teams whose players meet have a match; matches are numbered in the order of their
/// boards.
pub(super) fn find_matches(known: &Draft, round: &mut DraftRound) {
    let mut places: BTreeMap<MatchNo, u16> = BTreeMap::new();
    for seats in round.boards.values_mut() {
        let pair = teams_at(known, seats);
        let mut matches = round.matches.iter();
        let found = matches.find(|(_, paired)| pair.iter().all(|team| paired.has(*team)));
        let no = match (found, pair.as_slice()) {
            (Some((no, _)), [_, ..]) => *no,
            (None, [white, black]) => {
                let last = round.matches.keys().next_back();
                let next = last.map_or(1, |last| last.0.saturating_add(1));
                let paired = Match {
                    white: *white,
                    black: *black,
                    forfeit: None,
                };
                round.matches.insert(MatchNo(next), paired);
                MatchNo(next)
            }
            (_, _) => continue,
        };
        let place = places.entry(no).or_default();
        *place += 1;
        seats.of_match = Some((no, *place));
    }
}

fn teams_at(known: &Draft, seats: &Seats) -> Vec<TeamNo> {
    let team = |player: PlayerNo| {
        let mut teams = known.teams.values();
        Some(teams.find(|team| team.players.contains(&player))?.no)
    };
    seats.players().filter_map(team).collect()
}

/// Returns true if a table names every board of a round's matches, and may therefore pair the whole round again.
pub(super) fn is_whole(before: &DraftRound, table: &DraftRound) -> bool {
    let named = table.boards.iter();
    let named = named.map(|(no, seats)| same_pair(before, seats).unwrap_or(*no));
    let named: BTreeSet<BoardNo> = named.collect();
    let mut boards = before.boards.keys();
    boards.clone().all(|no| named.contains(no)) || boards.all(|no| table.boards.contains_key(no))
}

pub(super) fn faults(
    known: &Draft,
    round: RoundNo,
    table: &DraftRound,
    line: impl Fn(BoardNo) -> usize,
) -> Vec<Fault> {
    let Some(before) = known.rounds.get(&round) else {
        return Vec::new();
    };
    if is_whole(before, table) {
        return Vec::new();
    }
    let rows = table.boards.iter();
    let changed = rows.filter(|(_, seats)| same_pair(before, seats).is_none());
    let fault = |(no, seats): (&BoardNo, &Seats)| {
        let (row, found) = breaks_match(known, before, table, (*no, seats))?;
        let expected = Expected::CompleteMatches { row, round };
        Some(Fault::because(line(*no), 1, expected, found))
    };
    changed.filter_map(fault).collect()
}

/// Returns what was expected and what was found in a row that breaks up a match, or `None` if the row keeps the matches
/// complete.
fn breaks_match(
    known: &Draft,
    before: &DraftRound,
    table: &DraftRound,
    (no, seats): (BoardNo, &Seats),
) -> Option<(MatchRow, String)> {
    if !table.numbered.contains(&no) {
        let found = "no board number".to_owned();
        return Some((MatchRow::BoardNumber, found));
    }
    let of_match = before.boards.get(&no).and_then(|at| at.of_match);
    let Some(paired) = of_match.and_then(|(no, _)| before.matches.get(&no)) else {
        let boards = before.boards.keys().copied().collect();
        return Some((MatchRow::BoardOfRound(boards), format!("board {no}")));
    };
    let name = |team: TeamNo| {
        let team = known.teams.get(&team);
        team.map_or_else(String::new, |team| team.name.clone())
    };
    let teams = teams_at(known, seats);
    let two_of_a_team = matches!(teams.as_slice(), [one, other] if one == other);
    if two_of_a_team || !teams.iter().all(|team| paired.has(*team)) {
        let wanted = MatchRow::PlayersOfTeams {
            teams: paired.teams().map(name),
            board: no,
        };
        let names = joined(teams.into_iter().map(name), " and ");
        return Some((wanted, format!("players of {names}")));
    }
    seats.players().find_map(|player| {
        let (left, at) = before.board_of(player)?;
        let named = table.boards.contains_key(&left) || table.board_with(at.pair()).is_some();
        let wanted = MatchRow::LeftBoard {
            player,
            board: left,
        };
        let found = format!("player {player} at board {no} only");
        (left != no && !named).then_some((wanted, found))
    })
}
