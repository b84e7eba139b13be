//! A table about a round that is paired. Owns which boards it changes: those it names, and those that lose a player to them.

use std::collections::{BTreeMap, BTreeSet};

use crate::formats::draft::{DraftRound, Seats};
use crate::tournament::{BoardNo, Match, MatchNo, PlayerNo};

/// Returns the round that is known with the boards a table names. `numbered`: the table says that board's number.
pub(super) fn with_boards(
    before: &DraftRound,
    said: &DraftRound,
    numbered: impl Fn(BoardNo) -> bool,
) -> DraftRound {
    let named = match before.matches.is_empty() && said.matches.is_empty() {
        true => Some(boards(before, said, numbered)),
        false => boards_of_teams(before, said),
    };
    let round = named.and_then(|named| some_boards(before, said, named));
    let mut round = round.unwrap_or_else(|| said.clone());
    let seated: BTreeSet<PlayerNo> = players(&round).collect();
    let byes = before.byes.iter().chain(&said.byes);
    let byes = byes.filter(|(player, _)| !seated.contains(player));
    round.byes = byes.map(|(player, bye)| (*player, *bye)).collect();
    let plays = |no| {
        let mut matches = round.matches.values();
        matches.any(|paired| [paired.white, paired.black].contains(&no))
    };
    let team_byes = before.team_byes.iter().chain(&said.team_byes);
    let team_byes: Vec<_> = team_byes.filter(|(team, _)| !plays(**team)).collect();
    round.team_byes = team_byes
        .into_iter()
        .map(|(team, bye)| (*team, *bye))
        .collect();
    round
}

/// The boards of a table by the numbers they have or take in the round; a pairing that is known keeps its number.
fn boards(
    before: &DraftRound,
    said: &DraftRound,
    numbered: impl Fn(BoardNo) -> bool,
) -> BTreeMap<BoardNo, Seats> {
    let mut named = BTreeMap::new();
    let mut fresh = Vec::new();
    for (no, seats) in &said.boards {
        match same_pair(before, seats) {
            Some(known) => {
                named.insert(known, *seats);
            }
            None => fresh.push((*no, *seats)),
        }
    }
    let last = before.boards.keys().next_back().copied();
    let mut last = last.unwrap_or(BoardNo(0));
    for (wanted, seats) in fresh {
        let no = match numbered(wanted) && !named.contains_key(&wanted) {
            true => wanted,
            false => BoardNo(last.0.saturating_add(1)),
        };
        last = last.max(no);
        named.insert(no, seats);
    }
    named
}

/// Likewise in an event of teams: `None` if teams meet that do not meet in the round, which is then paired as a whole.
fn boards_of_teams(before: &DraftRound, said: &DraftRound) -> Option<BTreeMap<BoardNo, Seats>> {
    let named = said.boards.iter().map(|(no, seats)| {
        if let Some(known) = same_pair(before, seats) {
            let of_match = before.boards.get(&known)?.of_match;
            return Some((known, Seats { of_match, ..*seats }));
        }
        let of_match = before.boards.get(no)?.of_match?;
        let teams = |round: &DraftRound, no: MatchNo| round.matches.get(&no).map(both);
        let same = teams(before, of_match.0) == teams(said, seats.of_match?.0);
        let of_match = Some(of_match);
        same.then_some((*no, Seats { of_match, ..*seats }))
    });
    named.collect()
}

/// The two teams of a match, whichever has White at its first board.
fn both(paired: &Match) -> BTreeSet<crate::tournament::TeamNo> {
    BTreeSet::from([paired.white, paired.black])
}

/// The round with these boards, without those that lose a player to them; `None` if the table leaves no other board, or breaks a match.
fn some_boards(
    before: &DraftRound,
    said: &DraftRound,
    named: BTreeMap<BoardNo, Seats>,
) -> Option<DraftRound> {
    let moved: BTreeSet<PlayerNo> = players(said).chain(said.byes.keys().copied()).collect();
    let (vacated, stay): (Vec<_>, Vec<_>) = before
        .boards
        .iter()
        .filter(|(no, _)| !named.contains_key(no))
        .partition(|(_, seats)| {
            let mut both = [seats.white, seats.black].into_iter().flatten();
            both.any(|player| moved.contains(&player))
        });
    let breaks_match = !before.matches.is_empty() && !vacated.is_empty();
    if stay.is_empty() || breaks_match {
        return None;
    }
    let stay = stay.into_iter().map(|(no, seats)| (*no, *seats));
    Some(DraftRound {
        boards: stay.chain(named).collect(),
        ..before.clone()
    })
}

fn same_pair(round: &DraftRound, seats: &Seats) -> Option<BoardNo> {
    let mut boards = round.boards.iter();
    let same = |known: &Seats| (known.white, known.black) == (seats.white, seats.black);
    boards.find(|(_, known)| same(known)).map(|(no, _)| *no)
}

fn players(round: &DraftRound) -> impl Iterator<Item = PlayerNo> + '_ {
    let boards = round.boards.values();
    boards
        .flat_map(|seats| [seats.white, seats.black])
        .flatten()
}
