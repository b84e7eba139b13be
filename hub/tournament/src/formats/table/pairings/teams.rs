//! A table of a team event. Owns finding the matches of its boards, and refusing a table that would leave a match without one of its
//! boards.

use std::collections::{BTreeMap, BTreeSet};

use super::some_boards::{both, same_pair};
use crate::formats::draft::{Draft, DraftRound, Seats};
use crate::formats::fault::Fault;
use crate::{BoardNo, Match, MatchNo, PlayerNo, RoundNo, Team, TeamNo};

/// Finds the matches of a team event in its boards: two teams whose players meet are in one, in the order of the boards.
pub(super) fn find_matches(known: &Draft, round: &mut DraftRound) {
    let mut places: BTreeMap<MatchNo, u16> = BTreeMap::new();
    for seats in round.boards.values_mut() {
        let pair = teams_at(known, seats);
        let same = |paired: &Match| {
            pair.iter()
                .all(|team| [paired.white, paired.black].contains(team))
        };
        let found = round
            .matches
            .iter()
            .find(|(_, paired)| same(paired))
            .map(|(no, _)| *no);
        let no = match (found, pair.as_slice()) {
            (Some(no), [_, ..]) => no,
            (None, [white, black]) => {
                let next = round
                    .matches
                    .keys()
                    .next_back()
                    .map_or(1, |last| last.0.saturating_add(1));
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

/// Returns the teams of the players at a board, White's first.
fn teams_at(known: &Draft, seats: &Seats) -> Vec<TeamNo> {
    let team = |player: PlayerNo| {
        let mut teams = known.teams.values();
        let found = teams.find(|team: &&Team| team.players.contains(&player));
        found.map(|team| team.no)
    };
    let players = [seats.white, seats.black].into_iter().flatten();
    players.filter_map(team).collect()
}

/// Whether a table names every board of a round's matches, and so may pair the round again as a whole.
pub(super) fn is_whole(before: &DraftRound, said: &DraftRound) -> bool {
    let named: BTreeSet<BoardNo> = said
        .boards
        .iter()
        .map(|(no, seats)| same_pair(before, seats).unwrap_or(*no))
        .collect();
    let mut boards = before.boards.keys();
    boards.clone().all(|no| named.contains(no)) || boards.all(|no| said.boards.contains_key(no))
}

/// Returns the rows of a table of some boards that would break a match of a round that is paired already.
pub(super) fn faults(
    known: &Draft,
    round: RoundNo,
    said: &DraftRound,
    line: impl Fn(BoardNo) -> usize,
) -> Vec<Fault> {
    let Some(before) = known.rounds.get(&round) else {
        return Vec::new();
    };
    if is_whole(before, said) {
        return Vec::new();
    }
    let rows = said.boards.iter();
    let changed = rows.filter(|(_, seats)| same_pair(before, seats).is_none());
    let fault = |(no, seats): (&BoardNo, &Seats)| {
        let (wanted, found) = breaks_match(known, before, said, (*no, seats))?;
        let expected = format!(
            "{wanted}; to pair round {round} again, name every board of its matches, or change single boards with \
             `flagfall event round reseat`"
        );
        Some(Fault::because(line(*no), 1, expected, found))
    };
    changed.filter_map(fault).collect()
}

/// Returns what a row must be to leave the matches whole, and what it is; `None` if it leaves them whole.
fn breaks_match(
    known: &Draft,
    before: &DraftRound,
    said: &DraftRound,
    (no, seats): (BoardNo, &Seats),
) -> Option<(String, String)> {
    if !said.numbered.contains(&no) {
        let found = "no board number".to_owned();
        return Some(("the board where these players sit down".to_owned(), found));
    }
    let of_match = before.boards.get(&no).and_then(|at| at.of_match);
    let Some(paired) = of_match.and_then(|(no, _)| before.matches.get(&no)) else {
        let boards: Vec<String> = before.boards.keys().map(BoardNo::to_string).collect();
        let wanted = format!("a board of the round ({})", boards.join(", "));
        return Some((wanted, format!("board {no}")));
    };
    let name = |team: &TeamNo| {
        let team = known.teams.get(team);
        team.map_or_else(String::new, |team| team.name.clone())
    };
    let teams = teams_at(known, seats);
    let two_of_a_team = matches!(teams.as_slice(), [one, other] if one == other);
    if two_of_a_team || !teams.iter().all(|team| both(paired).contains(team)) {
        let wanted = format!(
            "players of {} and {}, who meet at board {no}",
            name(&paired.white),
            name(&paired.black)
        );
        let names: Vec<String> = teams.iter().map(name).collect();
        return Some((wanted, format!("players of {}", names.join(" and "))));
    }
    let mut players = [seats.white, seats.black].into_iter().flatten();
    players.find_map(|player| {
        let (left, at) = before.board_of(player)?;
        let named = said.boards.contains_key(&left)
            || said
                .boards
                .values()
                .any(|seats| (seats.white, seats.black) == (at.white, at.black));
        let wanted = format!("board {left} in the table too, which player {player} leaves");
        let found = format!("player {player} at board {no} alone");
        (left != no && !named).then_some((wanted, found))
    })
}
