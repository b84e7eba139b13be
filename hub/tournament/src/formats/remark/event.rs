//! Remarks on differences between a file and the event that do not lead to a change.

use derive_more::Display;

use super::entrant::Entrant;
use crate::formats::wording::{first_of, plural};
use crate::{BoardNo, GameResult, RoundNo};

/// A difference between a file and the event that does not lead to a change.
#[derive(Clone, Debug, Display, PartialEq, Eq)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum EventRemark {
    #[display(
        "the file has {in_file} rounds and the event {here}; the event keeps its number of rounds (change it with `flagfall event set --rounds`)"
    )]
    FewerRounds { in_file: u16, here: u16 },
    #[display("the event keeps its points per result; the file has the usual points, or none")]
    PointsKept,
    #[display(
        "{} in the event but not in the file: {}",
        plural(_0.len(), "player is", "players are"),
        first_of(_0.iter().map(ToString::to_string))
    )]
    MissingPlayers(Vec<Entrant>),
    #[display(
        "Round {round}, board {board}, {} – {}: the file still has {}; the arbiter's correction stays: {}",
        seat(pair[0].as_ref()),
        seat(pair[1].as_ref()),
        in_file.label(),
        entered(*here)
    )]
    CorrectedResult {
        round: RoundNo,
        board: BoardNo,
        /// White and Black; `None` for an empty seat.
        pair: [Option<Entrant>; 2],
        in_file: GameResult,
        here: Option<GameResult>,
    },
    #[display(
        "Round {round}, board {board}, {} – {}: {} adds up to more points than one game awards; an arbiter must decide (FIDE 12.9.6)",
        seat(pair[0].as_ref()),
        seat(pair[1].as_ref()),
        in_file.label()
    )]
    PointsAdded {
        round: RoundNo,
        board: BoardNo,
        pair: [Option<Entrant>; 2],
        in_file: GameResult,
    },
    #[display(
        "line {line}: the table puts a pairing of round {round} on board {in_file}, but it stays on board {here}{}",
        others(*more)
    )]
    BoardKept {
        line: usize,
        round: RoundNo,
        in_file: BoardNo,
        here: BoardNo,
        /// Number of other pairings that also keep a board different from the file's.
        more: usize,
    },
}

fn seat(player: Option<&Entrant>) -> String {
    match player {
        None => "no player".to_owned(),
        Some(player) if player.name.is_empty() => format!("player {}", player.number),
        Some(player) => player.name.clone(),
    }
}

fn entered(result: Option<GameResult>) -> String {
    match result {
        Some(result) => result.label(),
        None => "no result".to_owned(),
    }
}

fn others(more: usize) -> String {
    match more {
        0 => String::new(),
        more => format!("; {more} more like this"),
    }
}
