//! Remarks on differences between a file and the event that change nothing.

use std::fmt;

use super::Entrant;
use crate::formats::difference::{first_of, plural};
use crate::{BoardNo, GameResult, RoundNo};

/// A difference between a file and the event that changes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventRemark {
    /// The file has fewer rounds than the event, which keeps its own.
    FewerRounds {
        /// The rounds of the file.
        in_file: u16,
        /// The rounds of the event.
        here: u16,
    },
    /// The event keeps its points for results, since the file has the usual ones or none.
    PointsKept,
    /// Active players of the event are not in the file.
    MissingPlayers(Vec<Entrant>),
    /// The file has another result than the one that an arbiter corrected, which stays.
    CorrectedResult {
        /// The round.
        round: RoundNo,
        /// The board.
        board: BoardNo,
        /// White and Black; `None` for an empty seat.
        pair: [Option<Entrant>; 2],
        /// The result in the file.
        in_file: GameResult,
        /// The result of the event.
        here: Option<GameResult>,
    },
    /// A known pairing keeps its board although the table states another.
    BoardKept {
        /// The line of the table.
        line: usize,
        /// The round.
        round: RoundNo,
        /// The board in the table.
        in_file: BoardNo,
        /// The board that it keeps.
        here: BoardNo,
        /// The number of further pairings of this kind.
        more: usize,
    },
}

impl fmt::Display for EventRemark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FewerRounds { in_file, here } => write!(
                f,
                "the file has {in_file} rounds and the event {here}: `flagfall event set --rounds` shortens the event"
            ),
            Self::PointsKept => f.write_str(
                "the event keeps its points for results: the file has the usual ones, or none",
            ),
            Self::MissingPlayers(players) => write!(
                f,
                "{} in the event but not in the file: {}",
                plural(players.len(), "player is", "players are"),
                first_of(players.iter().map(ToString::to_string))
            ),
            Self::CorrectedResult {
                round,
                board,
                pair: [white, black],
                in_file,
                here,
            } => {
                write!(
                    f,
                    "Round {round}, board {board}, {} – {}: the file still says {}; ",
                    seat(white.as_ref()),
                    seat(black.as_ref()),
                    in_file.label()
                )?;
                match here {
                    Some(result) => write!(f, "{} is entered", result.label()),
                    None => f.write_str("no result is entered"),
                }?;
                f.write_str(", corrected by an arbiter")
            }
            Self::BoardKept {
                line,
                round,
                in_file,
                here,
                more,
            } => {
                write!(
                    f,
                    "line {line}: the table puts a pairing of round {round} at board {in_file}, but it sits at board {here} and stays there"
                )?;
                match more {
                    0 => Ok(()),
                    more => write!(f, "; so do {more} more"),
                }
            }
        }
    }
}

/// Names the player of a seat.
fn seat(player: Option<&Entrant>) -> String {
    match player {
        None => "no player".to_owned(),
        Some(player) if player.name.is_empty() => format!("player {}", player.number),
        Some(player) => player.name.clone(),
    }
}
