//! The moves of one game, as on a scoresheet (FIDE 8), and the counts that follow from them.
//!
//! Owns the positions and their repetitions. Does not judge claims.

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, PositionError};
use timing::{BySide, Side};

use crate::read_move::{MoveError, read_move, san_of};
use crate::side_of;

/// One move of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// The move as the chess library represents it.
    pub played: Move,
    /// The move in SAN, with its check sign.
    pub san: String,
    /// The position after the move.
    pub after: Chess,
}

impl PlayedMove {
    /// Returns the move in UCI. Castling is written as the king's move.
    pub fn uci(&self) -> String {
        self.played.to_uci(CastlingMode::Standard).to_string()
    }
}

/// A starting position that cannot be set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{fen:?} is not a position: {why}")]
pub struct StartError {
    /// The FEN as given.
    pub fen: String,
    /// The reason why the position cannot be set up.
    pub why: String,
}

/// An error in the movetext of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {number}{}: {error}", if *side == Side::White { "." } else { "..." })]
pub struct MovetextError {
    /// Number of the move, from 1.
    pub number: u32,
    /// The side to move.
    pub side: Side,
    /// The reason why the move cannot be played.
    pub error: MoveError,
}

/// The moves of a game from its starting position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scoresheet {
    start: Chess,
    moves: Vec<PlayedMove>,
}

impl Scoresheet {
    /// Returns an empty scoresheet at the starting position of chess.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a scoresheet that begins at the position of a FEN. The FEN's half-move clock counts towards the
    /// fifty-move rule.
    ///
    /// # Errors
    /// Returns an error if the text is not a FEN or its position cannot be set up.
    pub fn from_fen(fen: &str) -> Result<Self, StartError> {
        let failed = |why: String| StartError {
            fen: fen.to_owned(),
            why,
        };
        let parsed: Fen = fen.parse().map_err(|error| failed(format!("{error}")))?;
        let start = parsed
            .into_position(CastlingMode::Standard)
            // Diagrams and tests may show a check that no previous move can have given; the legal moves are still well
            // defined.
            .or_else(PositionError::ignore_impossible_check)
            .map_err(|error| failed(error.to_string()))?;
        Ok(Self {
            start,
            moves: Vec::new(),
        })
    }

    /// Writes down one move, in any notation that [`read_move`] accepts, and plays it.
    ///
    /// # Errors
    /// Returns the error of [`read_move`]; the scoresheet is then unchanged.
    pub fn play(&mut self, text: &str) -> Result<&PlayedMove, MoveError> {
        let next = self.read_without_playing(text)?;
        let last = self.moves.len();
        self.moves.push(next);
        Ok(&self.moves[last])
    }

    /// Returns the move as it would be written on the scoresheet, without playing it. A player writes down such a move
    /// for a claim (FIDE 9.2.1, 9.3.1).
    pub fn read_without_playing(&self, text: &str) -> Result<PlayedMove, MoveError> {
        let position = self.position();
        Ok(written(position, read_move(position, text)?))
    }

    /// Returns every legal move as it would be written on the scoresheet.
    pub fn legal_moves(&self) -> Vec<PlayedMove> {
        let position = self.position();
        let legal = position.legal_moves();
        legal.iter().map(|m| written(position, *m)).collect()
    }

    /// Plays the movetext of a PGN. Skips move numbers, comments, variations, NAGs and the result.
    ///
    /// # Errors
    /// Returns the first move that cannot be played. The preceding moves stay on the scoresheet.
    pub fn play_movetext(&mut self, text: &str) -> Result<(), MovetextError> {
        for word in words_of(text) {
            let (number, side) = (self.move_number(), self.turn());
            self.play(&word).map_err(|error| MovetextError {
                number,
                side,
                error,
            })?;
        }
        Ok(())
    }

    /// Removes and returns the last move; `None` if there is none.
    pub fn take_back(&mut self) -> Option<PlayedMove> {
        self.moves.pop()
    }

    /// Returns the starting position.
    pub fn start(&self) -> &Chess {
        &self.start
    }

    /// Returns the moves in order.
    pub fn moves(&self) -> &[PlayedMove] {
        &self.moves
    }

    /// Returns the current position.
    pub fn position(&self) -> &Chess {
        self.moves.last().map_or(&self.start, |last| &last.after)
    }

    /// Returns the current position as FEN, with an en passant square only if the en passant capture is legal.
    pub fn fen(&self) -> String {
        Fen::from_position(self.position(), EnPassantMode::Legal).to_string()
    }

    /// Returns the side that has the move.
    pub fn turn(&self) -> Side {
        side_of(self.position().turn())
    }

    /// Returns the number of the next move, counted as in PGN.
    pub fn move_number(&self) -> u32 {
        self.position().fullmoves().get()
    }

    /// Returns the number of moves that each side has made on this scoresheet.
    pub fn moves_made(&self) -> BySide<u32> {
        let first = side_of(self.start.turn());
        let total = u32::try_from(self.moves.len()).unwrap_or(u32::MAX);
        BySide::from_fn(|side| match side == first {
            true => total.div_ceil(2),
            false => total / 2,
        })
    }

    /// Returns, for each side, the number of moves made minus the number of presses: 1 after a move and before its
    /// press.
    pub fn difference(&self, presses: BySide<u32>) -> BySide<i64> {
        let made = self.moves_made();
        BySide::from_fn(|side| i64::from(made[side]) - i64::from(presses[side]))
    }

    /// Returns the number of half-moves since the last capture or pawn move (FIDE 9.3).
    pub fn quiet_plies(&self) -> u32 {
        self.position().halfmoves()
    }

    /// Returns how often the current position has appeared, including now (FIDE 9.2, 9.6.1).
    pub fn occurrences(&self) -> u32 {
        self.occurrences_of(self.position())
    }

    /// Returns how often `position` has appeared so far. Positions are the same if the same player has the move, the
    /// same pieces stand on the same squares, and all possible moves are the same. A legal en passant capture and
    /// castling rights count (FIDE 9.2.3).
    pub fn occurrences_of(&self, position: &Chess) -> u32 {
        let times = std::iter::once(&self.start)
            .chain(self.moves.iter().map(|made| &made.after))
            .filter(|earlier| *earlier == position)
            .count();
        u32::try_from(times).unwrap_or(u32::MAX)
    }
}

fn written(position: &Chess, played: Move) -> PlayedMove {
    let mut after = position.clone();
    after.play_unchecked(played);
    PlayedMove {
        played,
        san: san_of(position, played),
        after,
    }
}

fn words_of(text: &str) -> Vec<String> {
    let mut plain = String::new();
    let (mut comment, mut variations, mut rest_of_line) = (false, 0_u32, false);
    for letter in text.chars() {
        match letter {
            '\n' => rest_of_line = false,
            '}' if comment => comment = false,
            _ if comment || rest_of_line => continue,
            '{' => comment = true,
            ';' => rest_of_line = true,
            '(' => variations += 1,
            ')' => variations = variations.saturating_sub(1),
            _ if variations == 0 => {
                plain.push(letter);
                continue;
            }
            _ => (),
        }
        plain.push(' ');
    }
    plain
        .split_whitespace()
        .map(|word| {
            let number_end = word.rfind('.').map_or(0, |dot| dot + 1);
            let (number, rest) = word.split_at(number_end);
            let is_number = number.chars().all(|c| c.is_ascii_digit() || c == '.');
            if is_number { rest } else { word }
        })
        .filter(|word| !word.is_empty() && !word.starts_with('$'))
        .filter(|word| !["1-0", "0-1", "1/2-1/2", "½-½", "*", "e.p."].contains(word))
        .filter(|word| !word.chars().all(|c| c.is_ascii_digit()))
        .map(str::to_owned)
        .collect()
}
