//! Data that an exported file cannot hold. Owns the kinds of omission with their data and English text; other programs
//! build their own text from the data. Must never decide what a format can express.

use derive_more::Display;

use super::fault::{Faults, quoted};
use crate::{BoardNo, PlayerNo, Points, RoundNo};

/// Data that an exported file leaves out, shortens, or holds only for this program.
#[derive(Clone, Debug, Display, PartialEq, Eq)]
#[expect(missing_docs, reason = "the text of a variant says what it is")]
pub enum Omission {
    #[display("kept records that cannot be read: {_0}")]
    KeptRecords(Faults),
    #[display("player {player}: date of birth `{text}`")]
    Birth { player: PlayerNo, text: String },
    /// The full text of a record's field. The file holds it in shortened form, or leaves it out if it is a number of points.
    #[display("record {tag}: {}", quoted(text))]
    CutRecord { tag: String, text: String },
    #[display("player {player}: `{text}`")]
    CutPlayer { player: u16, text: String },
    #[display("team {team}: `{text}`")]
    CutTeam {
        /// The team's number, or its name in a format that does not number teams.
        team: String,
        text: String,
    },
    #[display("record {_0}, not part of TRF16: written as a comment that only Flagfall reads")]
    OnlyInComment(String),
    #[display("{_0} points: the record allows only one decimal")]
    Decimals(Points),
    #[display("{award}: {points} points; the file can only state {in_file}")]
    Points {
        award: Award,
        points: Points,
        in_file: Points,
    },
    #[display("moves that were not entered: the hub recorded only the presses")]
    Moves,
    #[display("byes in round {_0}")]
    Byes(RoundNo),
    #[display("round {round}, board {board}: {why}")]
    Game {
        round: RoundNo,
        board: BoardNo,
        why: NoGame,
    },
}

/// A result or bye for which points are awarded.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[expect(missing_docs, reason = "the text of a variant says what it is")]
pub enum Award {
    #[display("a full-point bye")]
    FullBye,
    #[display("a half-point bye")]
    HalfBye,
    #[display("a loss by forfeit")]
    ForfeitLoss,
}

/// The reason why PGN has no game for a board.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq)]
#[expect(missing_docs, reason = "the text of a variant says what it is")]
pub enum NoGame {
    #[display("only one player")]
    OnePlayer,
    #[display("a forfeit, not a game")]
    Forfeit,
    #[display("the result differs for the two players")]
    TwoResults,
}
