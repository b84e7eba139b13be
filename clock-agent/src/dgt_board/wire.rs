//! The bytes of a DGT board. Owns the message format and the last reported pieces. Messages other than reports of squares, such as those of
//! a DGT clock, are skipped.

use shakmaty::{Board, Color, File, Piece, Rank, Role, Square};

/// The highest bit, which is set only in the first byte of a message. That byte is the message's kind.
const FIRST_BYTE: u8 = 0x80;
/// Kind of a message with all squares: a header of 3 bytes, then 64 squares of one byte each.
const DUMP: u8 = 0x86;
const DUMP_LEN: usize = 67;
/// Kind of a message with one square: a header of 3 bytes, then the square's number and the piece.
const ONE_SQUARE: u8 = 0x8e;
const ONE_SQUARE_LEN: usize = 5;
/// Maximum length of a message, in bytes. The 14-bit length field could announce more.
const MAX_MESSAGE: usize = 256;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// All squares, from a8 to h1.
    All([u8; 64]),
    /// One square changed: its index, counted from a8, and the code of the piece now on it.
    Square(usize, u8),
}

/// The pieces on a board, as the board's codes for the squares from a8 to h1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pieces([u8; 64]);

#[derive(Debug, Default)]
pub struct BoardReader {
    message: Vec<u8>,
    pieces: Option<Pieces>,
}

impl BoardReader {
    /// Handles a byte. If it completes a report, returns all pieces; `None` before the first report of all squares.
    pub fn push(&mut self, byte: u8) -> Option<Pieces> {
        let change = self.read(byte)?;
        match (change, &mut self.pieces) {
            (Change::All(codes), pieces) => *pieces = Some(Pieces(codes)),
            (Change::Square(square, code), Some(Pieces(codes))) => codes[square] = code,
            (Change::Square(..), None) => (),
        }
        self.pieces
    }

    fn read(&mut self, byte: u8) -> Option<Change> {
        if byte & FIRST_BYTE != 0 {
            self.message.clear();
        } else if self.message.is_empty() {
            return None;
        }
        self.message.push(byte);
        let [kind, high, low, data @ ..] = &self.message[..] else {
            return None;
        };
        let len = usize::from(*high) << 7 | usize::from(*low);
        if !(3..=MAX_MESSAGE).contains(&len) {
            self.message.clear();
            return None;
        }
        if self.message.len() < len {
            return None;
        }
        let change = match (*kind, len, data) {
            (DUMP, DUMP_LEN, _) => data.try_into().ok().map(Change::All),
            (ONE_SQUARE, ONE_SQUARE_LEN, [square @ 0..64, code]) => {
                Some(Change::Square(usize::from(*square), *code))
            }
            _ => None,
        };
        self.message.clear();
        change
    }
}

impl Pieces {
    /// Returns the position; `turned` is true if the board's first rank is on Black's side.
    pub fn board(&self, turned: bool) -> Board {
        let mut board = Board::empty();
        for (index, code) in (0_u32..).zip(self.0) {
            let index = if turned { 63 - index } else { index };
            let square = Square::from_coords(File::new(index % 8), Rank::new(7 - index / 8));
            if let Some(piece) = piece(code) {
                board.set_piece_at(square, piece);
            }
        }
        board
    }
}

/// Returns the piece for a code; `None` for an empty square, a special piece that only marks a result, or an unknown code.
fn piece(code: u8) -> Option<Piece> {
    let (role, color) = match code {
        1 => (Role::Pawn, Color::White),
        2 => (Role::Rook, Color::White),
        3 => (Role::Knight, Color::White),
        4 => (Role::Bishop, Color::White),
        5 => (Role::King, Color::White),
        6 => (Role::Queen, Color::White),
        7 => (Role::Pawn, Color::Black),
        8 => (Role::Rook, Color::Black),
        9 => (Role::Knight, Color::Black),
        10 => (Role::Bishop, Color::Black),
        11 => (Role::King, Color::Black),
        12 => (Role::Queen, Color::Black),
        _ => return None,
    };
    Some(Piece { color, role })
}
