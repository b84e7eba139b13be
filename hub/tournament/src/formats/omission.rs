//! Data that an exported file cannot hold. Owns the kinds of omission with their data, from which the English text follows; other
//! programs word the data themselves. Must never decide what a format can express.

use std::fmt;

use super::fault::{Faults, quoted};
use crate::{BoardNo, PlayerNo, Points, RoundNo};

/// Something that an exported file leaves out, cuts, or holds only for this program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Omission {
    /// Kept records of other programs that cannot be read again.
    KeptRecords(Faults),
    /// A date of birth in an unknown form.
    Birth {
        /// The player.
        player: PlayerNo,
        /// The date.
        text: String,
    },
    /// A text that is cut because its field of a record is too short.
    CutRecord {
        /// The record's tag.
        tag: String,
        /// The whole text.
        text: String,
    },
    /// A text of a player that is cut because its field is too short.
    CutPlayer {
        /// The player's number.
        player: u32,
        /// The whole text.
        text: String,
    },
    /// A text of a team that is cut because its field is too short.
    CutTeam {
        /// The team's number, or its name in a format that does not number teams.
        team: String,
        /// The whole text.
        text: String,
    },
    /// A record that TRF16 does not have: it is written as a comment that only this program reads.
    OnlyInComment(String),
    /// Points with more decimals than the record has.
    Decimals(Points),
    /// Points that the file cannot give separately.
    Points {
        /// The reason for the points.
        award: Award,
        /// The points of the event.
        points: Points,
        /// The points in the file.
        in_file: Points,
    },
    /// The moves of the games: the hub only knows the presses.
    Moves,
    /// The byes of a round.
    Byes(RoundNo),
    /// A board without a game.
    Game {
        /// The round.
        round: RoundNo,
        /// The board.
        board: BoardNo,
        /// The reason.
        why: NoGame,
    },
}

/// The reason for points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Award {
    /// A full-point bye.
    FullBye,
    /// A half-point bye.
    HalfBye,
    /// A loss by forfeit.
    ForfeitLoss,
}

/// The reason why PGN has no game for a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoGame {
    /// The board has only one player.
    OnePlayer,
    /// The game was forfeited.
    Forfeit,
    /// The result differs for the two players.
    TwoResults,
}

impl fmt::Display for Omission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::KeptRecords(faults) => write!(f, "kept records that cannot be read: {faults}"),
            Self::Birth { player, text } => write!(f, "player {player}: date of birth `{text}`"),
            Self::CutRecord { tag, text } => write!(f, "record {tag}: {}", quoted(text)),
            Self::CutPlayer { player, text } => write!(f, "player {player}: `{text}`"),
            Self::CutTeam { team, text } => write!(f, "team {team}: `{text}`"),
            Self::OnlyInComment(tag) => write!(
                f,
                "record {tag}, which TRF16 does not have: it is written as a comment that only this program reads"
            ),
            Self::Decimals(points) => {
                write!(f, "{points} points: the record has only one decimal")
            }
            Self::Points {
                award,
                points,
                in_file,
            } => write!(
                f,
                "{points} points for {award}: the file can only give {in_file}"
            ),
            Self::Moves => f.write_str("the moves: the hub only knows the presses of the clocks"),
            Self::Byes(round) => write!(f, "byes of round {round}"),
            Self::Game { round, board, why } => write!(f, "round {round}, board {board}: {why}"),
        }
    }
}

impl fmt::Display for Award {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::FullBye => "a full-point bye",
            Self::HalfBye => "a half-point bye",
            Self::ForfeitLoss => "a loss by forfeit",
        })
    }
}

impl fmt::Display for NoGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OnePlayer => "only one player",
            Self::Forfeit => "a forfeit, not a game",
            Self::TwoResults => "a result that differs for the two players",
        })
    }
}
