//! Merges a table into a paired round. Owns the choice of boards that change: those that the table names, and those
//! that lose a player.

use std::collections::{BTreeMap, BTreeSet};

use super::teams::is_whole;
use crate::formats::draft::{Draft, DraftRound, Seats};
use crate::formats::remark::EventRemark;
use crate::{BoardNo, PlayerNo, RoundNo, TeamNo};

/// The boards that a table names, by their numbers after the merge.
#[derive(Default)]
struct Named {
    boards: BTreeMap<BoardNo, Seats>,
    numbered: BTreeSet<BoardNo>,
}

pub(super) fn with_boards(before: &DraftRound, table: &DraftRound) -> DraftRound {
    let round = match before.matches.is_empty() && table.matches.is_empty() {
        true => some_boards(before, table, boards(before, table)),
        // In a team event, the matches determine the board numbers.
        false if is_whole(before, table) => Some(DraftRound {
            numbered: BTreeSet::new(),
            ..table.clone()
        }),
        false => some_boards(before, table, boards_of_teams(before, table)),
    };
    let mut round = round.unwrap_or_else(|| table.clone());
    let seated: BTreeSet<PlayerNo> = round.players().collect();
    let byes = before.byes.iter().chain(&table.byes);
    let byes = byes.filter(|(player, _)| !seated.contains(player));
    round.byes = byes.map(|(player, bye)| (*player, *bye)).collect();
    let plays = |team: TeamNo| round.matches.values().any(|paired| paired.has(team));
    let team_byes = before.team_byes.iter().chain(&table.team_byes);
    let team_byes = team_byes.filter(|(team, _)| !plays(**team));
    round.team_byes = team_byes.map(|(team, bye)| (*team, *bye)).collect();
    round
}

/// Returns the boards of a table by their numbers after the merge. A known pairing keeps its board unless the table
/// gives that board's number to different players.
fn boards(before: &DraftRound, table: &DraftRound) -> Named {
    let displaced = displaced(before, table);
    let mut named = Named::default();
    let mut unnumbered = Vec::new();
    for (no, seats) in &table.boards {
        match same_pair(before, seats).filter(|known| !displaced.contains(known)) {
            Some(known) => {
                named.boards.insert(known, *seats);
            }
            None if table.numbered.contains(no) => {
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

/// Returns the boards of `before` that lose their numbers: the table lists the board's own pairing under a different
/// number, and gives the board's number to a new pairing or to another displaced one.
fn displaced(before: &DraftRound, table: &DraftRound) -> BTreeSet<BoardNo> {
    let rows = table.boards.iter();
    let rows = rows.map(|(no, seats)| (*no, same_pair(before, seats)));
    let rows: Vec<(BoardNo, Option<BoardNo>)> = rows.collect();
    let mut displaced = BTreeSet::new();
    // A displaced pairing can displace the next one.
    loop {
        let moves = |known: &Option<BoardNo>| known.is_none_or(|known| displaced.contains(&known));
        let claimed = rows.iter();
        let claimed = claimed.filter(|(no, known)| table.numbered.contains(no) && moves(known));
        let claimed: BTreeSet<BoardNo> = claimed.map(|(no, _)| *no).collect();
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

/// Returns the boards of a team event by their numbers after the merge, for a table that keeps every match complete.
fn boards_of_teams(before: &DraftRound, table: &DraftRound) -> Named {
    let mut named = Named::default();
    for (no, seats) in &table.boards {
        let known = same_pair(before, seats).unwrap_or(*no);
        let of_match = before.boards.get(&known).and_then(|at| at.of_match);
        let seats = Seats { of_match, ..*seats };
        named.boards.insert(known, seats);
    }
    named
}

/// Returns the round `before` with the named boards added or replaced. Removes the other boards of players whom the table
/// seats or gives a bye. Returns `None` if no pairing of `before` would remain.
fn some_boards(before: &DraftRound, table: &DraftRound, named: Named) -> Option<DraftRound> {
    let moved: BTreeSet<PlayerNo> = table.players().chain(table.byes.keys().copied()).collect();
    let mut stay = before.boards.clone();
    stay.retain(|no, seats| {
        let moves = seats.players().any(|player| moved.contains(&player));
        !named.boards.contains_key(no) && !moves
    });
    let mut pairings = table.boards.values();
    if stay.is_empty() && pairings.all(|seats| same_pair(before, seats).is_none()) {
        return None;
    }
    Some(DraftRound {
        boards: stay.into_iter().chain(named.boards).collect(),
        numbered: named.numbered,
        ..before.clone()
    })
}

pub(super) fn kept_number(
    known: &Draft,
    round: RoundNo,
    table: &DraftRound,
    line: impl Fn(BoardNo) -> usize,
) -> Option<EventRemark> {
    let before = known.rounds.get(&round)?;
    let displaced = displaced(before, table);
    let rows = table.boards.iter();
    let kept = rows.filter(|(no, _)| table.numbered.contains(no));
    let mut kept = kept.filter_map(|(no, seats)| {
        let here = same_pair(before, seats)?;
        (here != *no && !displaced.contains(&here)).then_some((*no, here))
    });
    let (stated, here) = kept.next()?;
    Some(EventRemark::BoardKept {
        line: line(stated),
        round,
        in_file: stated,
        here,
        more: kept.count(),
    })
}

pub(super) fn same_pair(round: &DraftRound, seats: &Seats) -> Option<BoardNo> {
    round.board_with(seats.pair()).map(|(no, _)| no)
}
