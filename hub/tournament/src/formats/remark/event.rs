//! Remarks on differences between a file and the event that change nothing.

use derive_more::Display;

use super::entrant::Entrant;
use crate::formats::wording::{first_of, plural};
use crate::{BoardNo, GameResult, RoundNo};

/// A difference between a file and the event that changes nothing.
#[derive(Clone, Debug, Display, PartialEq, Eq)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum EventRemark {
    #[display(
        "the file has {in_file} rounds and the event {here}: `flagfall event set --rounds` shortens the event"
    )]
    FewerRounds { in_file: u16, here: u16 },
    #[display("the event keeps its points for results: the file has the usual ones, or none")]
    PointsKept,
    #[display(
        "{} in the event but not in the file: {}",
        plural(_0.len(), "player is", "players are"),
        first_of(_0.iter().map(ToString::to_string))
    )]
    MissingPlayers(Vec<Entrant>),
    #[display(
        "Round {round}, board {board}, {} – {}: the file still says {}; {}, corrected by an arbiter",
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
        "Round {round}, board {board}, {} – {}: {} gives more than a game's points; that needs an arbiter's decision (FIDE 12.9.6)",
        seat(pair[0].as_ref()),
        seat(pair[1].as_ref()),
        in_file.label()
    )]
    PointsAdded {
        round: RoundNo,
        board: BoardNo,
        /// White and Black.
        pair: [Option<Entrant>; 2],
        in_file: GameResult,
    },
    #[display(
        "line {line}: the table puts a pairing of round {round} at board {in_file}, but it sits at board {here} and stays there{}",
        others(*more)
    )]
    BoardKept {
        line: usize,
        round: RoundNo,
        in_file: BoardNo,
        here: BoardNo,
        /// The number of further pairings of this kind.
        more: usize,
    },
}

/// Names the player of a seat.
fn seat(player: Option<&Entrant>) -> String {
    match player {
        None => "no player".to_owned(),
        Some(player) if player.name.is_empty() => format!("player {}", player.number),
        Some(player) => player.name.clone(),
    }
}

fn entered(result: Option<GameResult>) -> String {
    match result {
        Some(result) => format!("{} is entered", result.label()),
        None => "no result is entered".to_owned(),
    }
}

fn others(more: usize) -> String {
    match more {
        0 => String::new(),
        more => format!("; so do {more} more"),
    }
}
