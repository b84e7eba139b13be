//! A position with its phase: the complete position, as the arbiter knows it.
//!
//! Owns the board, castling rights, en passant, the counters, and the checks that a position is possible. `moves`
//! generates the moves, and `fen` reads and writes the text form.

use shakmaty::{Bitboard, Board, Color, File, Rank, Role, Square};

use crate::Phase;

/// A complete position of Time Chess, with its phase.
///
/// Each side has exactly one king. The player to move can attack the other king only at dawn and dusk, after a blind
/// turn. That king's owner could not see the check while blind, and must respond to it in their next turn.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub(crate) board: Board,
    pub(crate) rights: Bitboard,
    pub(crate) en_passant: Option<Square>,
    pub(crate) phase: Phase,
    pub(crate) halfmoves: u32,
    pub(crate) fullmoves: u32,
}

/// The reason why a position is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum ImpossiblePosition {
    #[error("each side needs exactly one king")]
    Kings,
    #[error("a pawn stands on the first or last rank")]
    PawnRank,
    #[error("a side has more than 16 pieces, or more promoted pieces than missing pawns")]
    Material,
    #[error("a castling right needs its king and rook on their original squares")]
    Castling,
    #[error("no double step of the previous turn passed over the en passant square")]
    EnPassant,
    #[error(
        "the player to move attacks the opponent's king, which is possible only at dawn or dusk, after a blind turn"
    )]
    ExposedKing,
}

impl Default for Position {
    fn default() -> Self {
        Self {
            board: Board::new(),
            rights: Bitboard::from(Square::A1) | Square::H1 | Square::A8 | Square::H8,
            en_passant: None,
            phase: Phase::Dawn,
            halfmoves: 0,
            fullmoves: 1,
        }
    }
}

impl Position {
    /// Returns every piece on the board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the squares of the rooks that may still castle.
    pub fn castling_rights(&self) -> Bitboard {
        self.rights
    }

    /// Returns the square that a pawn passed over in the previous turn, if any.
    pub fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Returns the phase, which decides the player to move.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Returns the number of turns, including forfeited turns, since the last capture or pawn move.
    pub fn halfmoves(&self) -> u32 {
        self.halfmoves
    }

    /// Returns the move number, which increases after each of Black's turns.
    pub fn fullmoves(&self) -> u32 {
        self.fullmoves
    }

    /// Returns the player to move.
    pub fn mover(&self) -> Color {
        self.phase.mover()
    }

    /// Returns true if the player's king is attacked.
    pub fn is_in_check(&self, player: Color) -> bool {
        is_attacked(&self.board, player)
    }

    pub(crate) fn validate(&self) -> Result<(), ImpossiblePosition> {
        for side in [Color::White, Color::Black] {
            let own = self.board.by_color(side);
            if (own & self.board.kings()).count() != 1 {
                return Err(ImpossiblePosition::Kings);
            }
            let count = |roles: Bitboard| (own & roles).count();
            let extra = count(self.board.queens()).saturating_sub(1)
                + count(self.board.rooks()).saturating_sub(2)
                + count(self.board.bishops()).saturating_sub(2)
                + count(self.board.knights()).saturating_sub(2);
            if extra + count(self.board.pawns()) > 8 {
                return Err(ImpossiblePosition::Material);
            }
        }
        if (self.board.pawns() & Bitboard::BACKRANKS).any() {
            return Err(ImpossiblePosition::PawnRank);
        }
        let at_home = |rook: Square| {
            let side = Color::from_white(rook.rank() == Rank::First);
            let king = Square::from_coords(File::E, rook.rank());
            self.board.piece_at(rook) == Some(Role::Rook.of(side))
                && self.board.piece_at(king) == Some(Role::King.of(side))
        };
        if !self.rights.into_iter().all(at_home) {
            return Err(ImpossiblePosition::Castling);
        }
        if self.en_passant.is_some_and(|over| !self.was_passed(over)) {
            return Err(ImpossiblePosition::EnPassant);
        }
        let after_blind_turn = matches!(self.phase, Phase::Dawn | Phase::Dusk);
        if !after_blind_turn && self.is_in_check(!self.mover()) {
            return Err(ImpossiblePosition::ExposedKing);
        }
        Ok(())
    }

    fn was_passed(&self, over: Square) -> bool {
        let opponent = !self.mover();
        let expected = opponent.fold_wb(Rank::Third, Rank::Sixth);
        let (Some(ahead), Some(behind)) = (
            over.offset(opponent.fold_wb(8, -8)),
            over.offset(opponent.fold_wb(-8, 8)),
        ) else {
            return false;
        };
        over.rank() == expected
            && self.board.piece_at(ahead) == Some(Role::Pawn.of(opponent))
            && self.board.piece_at(over).is_none()
            && self.board.piece_at(behind).is_none()
    }

    /// Returns true if neither player has the material to give checkmate by any series of moves (FIDE 5.2.2).
    ///
    /// Blind turns add no mating pattern: checkmate is decided only when the mated player sees the board, and then the
    /// kings are not adjacent.
    pub(crate) fn is_dead(&self) -> bool {
        let board = &self.board;
        if (board.pawns() | board.rooks_and_queens()).any() {
            return false;
        }
        let minors = board.knights() | board.bishops();
        let one_shade = (minors & Bitboard::LIGHT_SQUARES).is_empty()
            || (minors & Bitboard::DARK_SQUARES).is_empty();
        minors.count() <= 1 || (board.knights().is_empty() && one_shade)
    }
}

pub(crate) fn is_attacked(board: &Board, player: Color) -> bool {
    board
        .king_of(player)
        .is_some_and(|king| board.attacks_to(king, !player, board.occupied()).any())
}
