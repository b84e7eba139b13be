//! Cells of a player's line that a file writes differently from this program. Examples are forfeits without colours or
//! without an opponent, and letters of team players who play in no match.
//!
//! Owns the kept lines `cells ROUND PLAYER=COLOURLETTER ...`, in which the event stores them. The report restores them
//! as long as they agree with the event. Must never change the meaning of a round.

use std::collections::BTreeMap;

use super::model::Draft;
use crate::formats::trf::report::{self, Cell, Report};
use crate::formats::trf::scoring::writable;
use crate::formats::trf::value::{Letter, colour_letter, read_colour};
use crate::{Bye, Contest, Event, Points, RoundNo};

const PREFIX: &str = "cells ";

pub(super) fn kept(file: &Report, ours: &Report, event: &Event) -> Vec<String> {
    let ours = ours.by_number();
    let mut rounds: BTreeMap<usize, String> = BTreeMap::new();
    // Players are matched by number, because the lines of a report may come in any order.
    for player in file.by_number().values() {
        let Some(ours) = ours.get(&player.number) else {
            continue;
        };
        for (index, (cell, own)) in player.cells.iter().zip(&ours.cells).enumerate() {
            if cell != own && says_the_same(*cell, *own, event) {
                let line = rounds.entry(index).or_default();
                line.push_str(&format!(" {}={}", player.number, written(*cell)));
            }
        }
    }
    let lines = rounds.into_iter();
    let lines = lines.map(|(index, cells)| format!("{PREFIX}{}{cells}", index + 1));
    lines.collect()
}

pub(super) fn renumbered(line: &str, renumber: impl Fn(&mut u16)) -> Option<String> {
    let (round, cells) = line.strip_prefix(PREFIX)?.split_once(' ')?;
    let cells = cells.split(' ').filter_map(|word| {
        let (player, cell) = word.split_once('=')?;
        let mut player = player.parse().ok()?;
        renumber(&mut player);
        Some(format!(" {player}={cell}"))
    });
    Some(format!("{PREFIX}{round}{}", cells.collect::<String>()))
}

/// Restores the kept cells that still agree with the event. The letter of a player who plays in no match adds to the
/// points in that player's line.
pub(super) fn restore(draft: &Draft, players: &mut [report::Player]) {
    let event = &draft.event;
    let lines = event.kept_lines.iter();
    let mut kept: BTreeMap<(u16, usize), Cell> = BTreeMap::new();
    for line in lines.filter_map(|line| line.strip_prefix(PREFIX)) {
        let mut words = line.split(' ');
        let round = words.next().and_then(|round| round.parse::<u16>().ok());
        let paired = |round: &u16| draft.rounds.contains_key(&RoundNo(*round));
        let Some(round) = round.filter(paired) else {
            continue;
        };
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
                if let (None, Some(letter)) = (own.letter, cell.letter) {
                    more += letter.points(&event.scoring);
                }
                *own = cell;
            }
        }
        if let Some(points) = &mut player.points {
            *points += writable(more).unwrap_or_default();
        }
    }
}

fn says_the_same(cell: Cell, own: Cell, event: &Event) -> bool {
    if cell.opponent != own.opponent {
        return false;
    }
    match cell.opponent {
        // The event gives both players a colour, even if the file's forfeit has none.
        Some(_) => {
            let unplayed = cell.letter.is_none_or(Letter::is_forfeit);
            cell.colour.is_none() && cell.letter == own.letter && unplayed
        }
        // In a team event only teams have byes.
        None if matches!(event.contest, Contest::Teams { .. }) => own.letter.is_none(),
        None => match cell.letter {
            Some(Letter::ForfeitWin) => own.letter == Some(Letter::Bye(Bye::Full)),
            Some(Letter::ForfeitLoss) => own.letter == Some(Letter::Bye(Bye::Zero)),
            Some(_) | None => false,
        },
    }
}

fn written(cell: Cell) -> String {
    let colour = cell.colour.map_or('-', colour_letter);
    let letter = cell.letter.map_or('_', Letter::letter);
    format!("{colour}{letter}")
}

fn read(text: &str) -> Option<Cell> {
    let mut chars = text.chars();
    let (colour, letter) = (chars.next()?, chars.next()?);
    Some(Cell {
        opponent: None,
        colour: read_colour(&colour.to_string()),
        letter: Letter::read(&letter.to_string()),
    })
}
