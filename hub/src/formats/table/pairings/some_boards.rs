//! A table that names some boards of a round, or some more. Owns which boards are meant; never guesses when players of the others sit
//! elsewhere in it.

use std::collections::BTreeSet;

use crate::formats::draft::{DraftRound, Seats};
use crate::tournament::{BoardNo, PlayerNo};

/// The round that is known with what a table says of some of its boards; `None` if the table is about the whole round. `numbered`: it
/// says that board's number.
pub(super) fn some_boards(
    before: &DraftRound,
    said: &DraftRound,
    numbered: impl Fn(BoardNo) -> bool,
) -> Option<DraftRound> {
    // Boards of teams belong to matches, which are paired as a whole.
    if !(before.matches.is_empty() && said.matches.is_empty()) {
        return None;
    }
    let mut round = before.clone();
    let mut named: BTreeSet<BoardNo> = BTreeSet::new();
    let mut fresh = Vec::new();
    for (no, seats) in &said.boards {
        let same = |(_, known): &(&BoardNo, &Seats)| {
            (known.white, known.black) == (seats.white, seats.black)
        };
        match before.boards.iter().find(same) {
            Some((known, _)) => {
                named.insert(*known);
                round.boards.insert(*known, *seats);
            }
            None => fresh.push((*no, seats)),
        }
    }
    for (no, seats) in fresh {
        let no = match round.boards.keys().next_back() {
            Some(last) if !numbered(no) || named.contains(&no) => BoardNo(last.0.saturating_add(1)),
            Some(_) | None => no,
        };
        named.insert(no);
        round.boards.insert(no, *seats);
    }
    let others = round.boards.iter().filter(|(no, _)| !named.contains(no));
    let others: Vec<&Seats> = others.map(|(_, seats)| seats).collect();
    let mut of_table = said
        .boards
        .values()
        .flat_map(|seats| [seats.white, seats.black])
        .flatten()
        .chain(said.byes.keys().copied());
    let sits = |player: PlayerNo| {
        others
            .iter()
            .any(|seats| [seats.white, seats.black].contains(&Some(player)))
    };
    if others.is_empty() || of_table.any(sits) {
        return None;
    }
    let seated = |player: &PlayerNo| {
        round
            .boards
            .values()
            .any(|seats| [seats.white, seats.black].contains(&Some(*player)))
    };
    round.byes.retain(|player, _| !seated(player));
    round.byes.extend(said.byes.clone());
    Some(round)
}
