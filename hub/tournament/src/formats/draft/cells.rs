//! What a file had in a player's cell where this program would write the same otherwise: a forfeit without colours, a forfeit without an
//! opponent, the letters of players in a team event who do not sit in any match. The event carries them as kept lines,
//! `cells ROUND PLAYER=COLOURLETTER ...`, and the report has them again as long as they say what holds. Never changes what a round is.

use std::collections::BTreeMap;

use super::Draft;
use crate::formats::trf::report::{self, Cell};
use crate::formats::trf::value::{Colour, Letter};
use crate::{Contest, Event, Points, RoundNo, Scoring};

const PREFIX: &str = "cells ";

/// The lines for the cells that a file has otherwise than the report that the event makes.
pub(super) fn kept(file: &[report::Player], ours: &[report::Player], event: &Event) -> Vec<String> {
    let of_number: BTreeMap<u32, &report::Player> =
        ours.iter().map(|player| (player.number, player)).collect();
    let mut rounds: BTreeMap<usize, String> = BTreeMap::new();
    // By number, as the lines of a report may come in any order.
    let file: BTreeMap<u32, &report::Player> =
        file.iter().map(|player| (player.number, player)).collect();
    for player in file.values() {
        let Some(ours) = of_number.get(&player.number) else {
            continue;
        };
        for (index, (cell, own)) in player.cells.iter().zip(&ours.cells).enumerate() {
            if cell != own && says_the_same(*cell, *own, event) {
                let line = rounds.entry(index).or_default();
                line.push_str(&format!(" {}={}", player.number, written(*cell)));
            }
        }
    }
    rounds
        .into_iter()
        .map(|(index, cells)| format!("{PREFIX}{}{cells}", index + 1))
        .collect()
}

/// Returns a line of kept cells with the players' new numbers; `None` for any other line.
pub(super) fn renumbered(line: &str, renumber: impl Fn(&mut u32)) -> Option<String> {
    let (round, cells) = line.strip_prefix(PREFIX)?.split_once(' ')?;
    let cells = cells.split(' ').filter_map(|word| {
        let (player, cell) = word.split_once('=')?;
        let mut player = player.parse().ok()?;
        renumber(&mut player);
        Some(format!(" {player}={cell}"))
    });
    Some(format!("{PREFIX}{round}{}", cells.collect::<String>()))
}

/// Puts the kept cells into a report wherever they still say what holds. Letters of players who sit in no match count for their own
/// points, which are those of the report if no standings know them.
pub(super) fn restore(draft: &Draft, players: &mut [report::Player]) {
    let event = &draft.event;
    let lines = event
        .kept_lines
        .iter()
        .filter_map(|line| line.strip_prefix(PREFIX));
    let mut kept: BTreeMap<(u32, usize), Cell> = BTreeMap::new();
    for line in lines {
        let mut words = line.split(' ');
        let Some(round) = words.next().and_then(|round| round.parse::<u16>().ok()) else {
            continue;
        };
        if !draft.rounds.contains_key(&RoundNo(round)) {
            continue;
        }
        let cells = words.filter_map(|word| {
            let (player, cell) = word.split_once('=')?;
            Some((player.parse().ok()?, read(cell)?))
        });
        kept.extend(cells.map(|(player, cell)| ((player, usize::from(round) - 1), cell)));
    }
    for player in players {
        let mut more = Points::ZERO;
        for (index, own) in player.cells.iter_mut().enumerate() {
            let Some(cell) = kept.get(&(player.number, index)) else {
                continue;
            };
            let cell = Cell {
                opponent: own.opponent,
                ..*cell
            };
            if says_the_same(cell, *own, event) {
                if own.letter.is_none() {
                    more += points(cell.letter, &event.scoring);
                }
                *own = cell;
            }
        }
        if let Some(points) = &mut player.points {
            points.0 += super::scoring::tenths(more).map_or(0, |tenths| tenths.0);
        }
    }
}

/// Whether two cells are one thing in this program's eyes.
fn says_the_same(cell: Cell, own: Cell, event: &Event) -> bool {
    if cell.opponent != own.opponent {
        return false;
    }
    match cell.opponent {
        // A board has two sides, whether or not anybody ever sat down.
        Some(_) => {
            let unplayed = cell.letter.is_none_or(Letter::is_forfeit);
            cell.colour.is_none() && cell.letter == own.letter && unplayed
        }
        // Only matches have byes in a team event.
        None if matches!(event.contest, Contest::Teams { .. }) => own.letter.is_none(),
        None => match cell.letter {
            Some(Letter::ForfeitWin) => own.letter == Some(Letter::FullBye),
            Some(Letter::ForfeitLoss) => own.letter == Some(Letter::ZeroBye),
            Some(_) | None => false,
        },
    }
}

/// What a letter without an opponent is worth to its player.
fn points(letter: Option<Letter>, scoring: &Scoring) -> Points {
    match letter {
        Some(Letter::ForfeitWin) => scoring.win,
        Some(Letter::FullBye) => scoring.full_bye,
        Some(Letter::HalfBye) => scoring.half_bye,
        Some(Letter::PairingBye) => scoring.pairing_bye,
        Some(Letter::ForfeitLoss) => scoring.forfeit_loss,
        Some(Letter::ZeroBye) => scoring.zero_bye,
        Some(
            Letter::Win
            | Letter::Draw
            | Letter::Loss
            | Letter::UnratedWin
            | Letter::UnratedDraw
            | Letter::UnratedLoss,
        )
        | None => Points::ZERO,
    }
}

fn written(cell: Cell) -> String {
    let colour = cell.colour.map_or('-', Colour::letter);
    let letter = cell.letter.map_or('_', Letter::letter);
    format!("{colour}{letter}")
}

fn read(text: &str) -> Option<Cell> {
    let mut chars = text.chars();
    let (colour, letter) = (chars.next()?, chars.next()?);
    Some(Cell {
        opponent: None,
        colour: Colour::read(&colour.to_string()),
        letter: Letter::read(&letter.to_string()),
    })
}
