//! FEN with a seventh field, the phase: `… b KQkq - 0 1 dawn`.
//!
//! Owns reading and writing. An error names its column.

use std::fmt;
use std::str::FromStr;

use shakmaty::{Bitboard, Board, Color, File, Piece, Rank, Square};

use crate::position::ImpossiblePosition;
use crate::{Phase, Position};

const HIGHEST_COUNTER: u32 = 1_000_000;

/// An error in a FEN, with its column.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {problem}")]
pub struct FenError {
    /// Column of the error in characters, from 1.
    pub column: usize,
    /// The fault at `column`.
    pub problem: FenProblem,
}

/// The fault in a FEN that cannot be read, or whose position is impossible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum FenProblem {
    #[error(
        "the {0} is missing: write board, side, castling, en passant, two counters and the phase"
    )]
    Missing(&'static str),
    #[error("there is text after the phase: remove it")]
    TooLong,
    #[error("`{0}` is neither a piece nor a number from 1 to 8")]
    NotAPiece(char),
    #[error("this rank does not have eight squares")]
    RankLength,
    #[error("the board does not have eight ranks")]
    RankCount,
    #[error("the side is neither `b` nor `w`")]
    Side,
    #[error("{side} does not move at {phase}")]
    SideOfPhase { side: Color, phase: Phase },
    #[error("castling must be `-` or some of `KQkq`, each once and in this order")]
    CastlingText,
    #[error("en passant must be `-` or a square")]
    SquareText,
    #[error("a counter must be a number up to 1000000; the move number begins at 1")]
    Counter,
    #[error("{0}")]
    Phase(#[from] crate::UnknownPhase),
    #[error("{0}")]
    Impossible(#[from] ImpossiblePosition),
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rights: String = CASTLING
            .into_iter()
            .filter(|(_, rook)| self.rights.contains(*rook))
            .map(|(letter, _)| letter)
            .collect();
        let over = self.en_passant;
        write!(
            f,
            "{} {} {} {} {} {} {}",
            self.board.board_fen(),
            self.mover().char(),
            if rights.is_empty() { "-" } else { &rights },
            over.map_or_else(|| "-".to_owned(), |square| square.to_string()),
            self.halfmoves,
            self.fullmoves,
            self.phase
        )
    }
}

const CASTLING: [(char, Square); 4] = [
    ('K', Square::H1),
    ('Q', Square::A1),
    ('k', Square::H8),
    ('q', Square::A8),
];

impl FromStr for Position {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let mut fields = Fields { text, at: 0 };
        let (board_at, board) = fields.next("board")?;
        let board = read_board(board_at, board)?;
        let (side_at, side) = fields.next("side")?;
        let side = match side {
            "b" => Color::Black,
            "w" => Color::White,
            _ => return Err(fault(side_at, FenProblem::Side)),
        };
        let (rights_at, rights) = fields.next("castling")?;
        let rights = read_rights(rights).ok_or(fault(rights_at, FenProblem::CastlingText))?;
        let (over_at, over) = fields.next("en passant square")?;
        let square = (over != "-").then(|| over.parse()).transpose();
        let en_passant = square.map_err(|_| fault(over_at, FenProblem::SquareText))?;
        let halfmoves = fields.counter("first counter", 0)?;
        let fullmoves = fields.counter("move number", 1)?;
        let (phase_at, phase) = fields.next("phase")?;
        let phase = phase.parse::<Phase>();
        let phase = phase.map_err(|unknown| fault(phase_at, unknown.into()))?;
        fields.end()?;
        if phase.mover() != side {
            return Err(fault(side_at, FenProblem::SideOfPhase { side, phase }));
        }
        let position = Self {
            board,
            rights,
            en_passant,
            phase,
            halfmoves,
            fullmoves,
        };
        position.validate().map_err(|impossible| {
            let column = match impossible {
                ImpossiblePosition::Kings
                | ImpossiblePosition::PawnRank
                | ImpossiblePosition::Material
                | ImpossiblePosition::ExposedKing => board_at,
                ImpossiblePosition::Castling => rights_at,
                ImpossiblePosition::EnPassant => over_at,
            };
            fault(column, impossible.into())
        })?;
        Ok(position)
    }
}

fn fault(column: usize, problem: FenProblem) -> FenError {
    FenError { column, problem }
}

struct Fields<'a> {
    text: &'a str,
    /// Byte offset of the unread text.
    at: usize,
}

impl<'a> Fields<'a> {
    fn next(&mut self, name: &'static str) -> Result<(usize, &'a str), FenError> {
        self.skip_spaces();
        let rest = &self.text[self.at..];
        let column = self.column();
        let length = rest.find(' ').unwrap_or(rest.len());
        if length == 0 {
            return Err(fault(column, FenProblem::Missing(name)));
        }
        self.at += length;
        Ok((column, &rest[..length]))
    }

    fn counter(&mut self, name: &'static str, least: u32) -> Result<u32, FenError> {
        let (column, text) = self.next(name)?;
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok().filter(|_| digits);
        let number = number.filter(|number| (least..=HIGHEST_COUNTER).contains(number));
        number.ok_or(fault(column, FenProblem::Counter))
    }

    fn end(&mut self) -> Result<(), FenError> {
        self.skip_spaces();
        if self.at < self.text.len() {
            return Err(fault(self.column(), FenProblem::TooLong));
        }
        Ok(())
    }

    fn skip_spaces(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches(' ').len();
    }

    fn column(&self) -> usize {
        self.text[..self.at].chars().count() + 1
    }
}

fn read_board(column: usize, text: &str) -> Result<Board, FenError> {
    let mut board = Board::empty();
    let mut ranks = Rank::ALL.into_iter().rev();
    let mut at = column;
    for row in text.split('/') {
        let rank = ranks.next().ok_or(fault(at, FenProblem::RankCount))?;
        let start = at;
        let mut file: u32 = 0;
        for letter in row.chars() {
            match letter {
                '1'..='8' => file += letter.to_digit(10).unwrap_or(0),
                _ => {
                    let piece =
                        Piece::from_char(letter).ok_or(fault(at, FenProblem::NotAPiece(letter)))?;
                    if file >= 8 {
                        return Err(fault(start, FenProblem::RankLength));
                    }
                    board.set_piece_at(Square::from_coords(File::new(file), rank), piece);
                    file += 1;
                }
            }
            at += 1;
        }
        if file != 8 {
            return Err(fault(start, FenProblem::RankLength));
        }
        at += 1;
    }
    match ranks.next() {
        None => Ok(board),
        Some(_) => Err(fault(column, FenProblem::RankCount)),
    }
}

fn read_rights(text: &str) -> Option<Bitboard> {
    let mut rights = Bitboard::EMPTY;
    if text == "-" {
        return Some(rights);
    }
    let mut order = CASTLING.into_iter();
    for letter in text.chars() {
        rights |= order.find(|(known, _)| *known == letter)?.1;
    }
    Some(rights)
}
