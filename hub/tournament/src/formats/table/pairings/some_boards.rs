//! A table about a round that is paired. Owns which boards it changes: those it names, and those that lose a player to them.

use std::collections::{BTreeMap, BTreeSet};

use super::teams::is_whole;
use crate::formats::draft::{Draft, DraftRound, Seats};
use crate::{BoardNo, Match, PlayerNo, RoundNo};

/// The boards a table names, by the numbers they have or take in the round.
#[derive(Default)]
struct Named {
    boards: BTreeMap<BoardNo, Seats>,
    /// Those whose numbers the table states.
    numbered: BTreeSet<BoardNo>,
}

/// Returns the round that is known with the boards a table names.
pub(super) fn with_boards(before: &DraftRound, said: &DraftRound) -> DraftRound {
    let round = match before.matches.is_empty() && said.matches.is_empty() {
        true => some_boards(before, said, boards(before, said)),
        // Boards of teams are numbered by their matches.
        false if is_whole(before, said) => Some(DraftRound {
            numbered: BTreeSet::new(),
            ..said.clone()
        }),
        false => some_boards(before, said, boards_of_teams(before, said)),
    };
    let mut round = round.unwrap_or_else(|| said.clone());
    let seated: BTreeSet<PlayerNo> = players(&round).collect();
    let byes = before.byes.iter().chain(&said.byes);
    let byes = byes.filter(|(player, _)| !seated.contains(player));
    round.byes = byes.map(|(player, bye)| (*player, *bye)).collect();
    let plays = |no| {
        let mut matches = round.matches.values();
        matches.any(|paired| [paired.white, paired.black].contains(no))
    };
    let team_byes = before.team_byes.iter().chain(&said.team_byes);
    let team_byes = team_byes.filter(|(team, _)| !plays(team));
    round.team_byes = team_byes.map(|(team, bye)| (*team, *bye)).collect();
    round
}

/// Returns the boards of a table by the numbers they have or take in the round. A pairing that is known keeps its board unless the table
/// states that board's number for other players.
fn boards(before: &DraftRound, said: &DraftRound) -> Named {
    let displaced = displaced(before, said);
    let mut named = Named::default();
    let mut unnumbered = Vec::new();
    for (no, seats) in &said.boards {
        match same_pair(before, seats).filter(|known| !displaced.contains(known)) {
            Some(known) => {
                named.boards.insert(known, *seats);
            }
            None if said.numbered.contains(no) => {
                named.boards.insert(*no, *seats);
                named.numbered.insert(*no);
            }
            None => unnumbered.push(*seats),
        }
    }
    for seats in unnumbered {
        let taken = before.boards.keys().chain(named.boards.keys());
        let last = taken.max().map_or(0, |last| last.0);
        named.boards.insert(BoardNo(last.saturating_add(1)), seats);
    }
    named
}

/// Returns the boards whose pairing a table names and whose number it states for other players.
fn displaced(before: &DraftRound, said: &DraftRound) -> BTreeSet<BoardNo> {
    let rows: Vec<(BoardNo, Option<BoardNo>)> = said
        .boards
        .iter()
        .map(|(no, seats)| (*no, same_pair(before, seats)))
        .collect();
    let mut displaced = BTreeSet::new();
    // A pairing that moves can displace the next one.
    loop {
        let moves = |known: &Option<BoardNo>| known.is_none_or(|known| displaced.contains(&known));
        let claimed: BTreeSet<BoardNo> = rows
            .iter()
            .filter(|(no, known)| said.numbered.contains(no) && moves(known))
            .map(|(no, _)| *no)
            .collect();
        let stated_here = |(no, known): &(BoardNo, Option<BoardNo>)| {
            known.filter(|known| known != no && claimed.contains(known))
        };
        let now: BTreeSet<BoardNo> = rows.iter().filter_map(stated_here).collect();
        if now == displaced {
            return displaced;
        }
        displaced = now;
    }
}

/// Likewise in an event of teams, for a table that leaves every match whole.
fn boards_of_teams(before: &DraftRound, said: &DraftRound) -> Named {
    let mut named = Named::default();
    for (no, seats) in &said.boards {
        let known = same_pair(before, seats).unwrap_or(*no);
        let of_match = before.boards.get(&known).and_then(|at| at.of_match);
        let seats = Seats { of_match, ..*seats };
        named.boards.insert(known, seats);
    }
    named
}

/// The two teams of a match, whichever has White at its first board.
pub(super) fn both(paired: &Match) -> BTreeSet<crate::TeamNo> {
    BTreeSet::from([paired.white, paired.black])
}

/// The round with these boards, without those that lose a player to them; `None` if the table leaves no pairing of the round.
fn some_boards(before: &DraftRound, said: &DraftRound, named: Named) -> Option<DraftRound> {
    let moved: BTreeSet<PlayerNo> = players(said).chain(said.byes.keys().copied()).collect();
    let mut stay = before.boards.clone();
    stay.retain(|no, seats| {
        let mut both = [seats.white, seats.black].into_iter().flatten();
        !named.boards.contains_key(no) && !both.any(|player| moved.contains(&player))
    });
    let mut pairings = said.boards.values();
    if stay.is_empty() && pairings.all(|seats| same_pair(before, seats).is_none()) {
        return None;
    }
    Some(DraftRound {
        boards: stay.into_iter().chain(named.boards).collect(),
        numbered: named.numbered,
        ..before.clone()
    })
}

/// Returns a remark if pairings that are known keep other board numbers than those the table states.
pub(super) fn kept_number(
    known: &Draft,
    round: RoundNo,
    said: &DraftRound,
    line: impl Fn(BoardNo) -> usize,
) -> Option<String> {
    let before = known.rounds.get(&round)?;
    let displaced = displaced(before, said);
    let rows = said.boards.iter();
    let kept = rows.filter(|(no, _)| said.numbered.contains(no));
    let mut kept = kept.filter_map(|(no, seats)| {
        let here = same_pair(before, seats)?;
        (here != *no && !displaced.contains(&here)).then_some((*no, here))
    });
    let (stated, here) = kept.next()?;
    let more = match kept.count() {
        0 => String::new(),
        more => format!("; {more} more likewise"),
    };
    Some(format!(
        "line {}: board {stated} of round {round} is stated for a pairing that sits at board {here}, where it stays{more}",
        line(stated)
    ))
}

pub(super) fn same_pair(round: &DraftRound, seats: &Seats) -> Option<BoardNo> {
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
