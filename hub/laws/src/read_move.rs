//! Reads one move as an arbiter or scorer types it: in SAN, long algebraic notation, or UCI.
//!
//! Owns the accepted notations and the error messages. The chess library decides whether a move is legal.

use std::fmt;

use shakmaty::san::{San, SanPlus};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingSide, Chess, Move, Position, Role, Square, attacks};

/// A move that cannot be entered. The position is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum MoveError {
    #[error("{text:?} is not a move: write SAN such as Nf3 or exd5, or UCI such as g1f3")]
    Unreadable { text: String },
    #[error("{text} is ambiguous: write {}", or_list(candidates))]
    Ambiguous {
        text: String,
        /// Every legal move that matches, in SAN.
        candidates: Vec<String>,
    },
    /// A pawn reaches the last rank, but the text names no promotion piece (FIDE 3.7.3.3).
    #[error("{text} promotes a pawn: name the piece, {}", or_list(candidates))]
    NoPromotionPiece {
        text: String,
        /// The legal promotions, in SAN.
        candidates: Vec<String>,
    },
    #[error("{text} is not legal: {why}")]
    Illegal { text: String, why: Unplayable },
}

/// The reason why a readable move is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum Unplayable {
    /// No piece of that kind can reach the square (FIDE 3.1 to 3.8).
    NoSuchPiece {
        role: Role,
        to: Square,
    },
    KingInCheck,
    NothingToCapture(Square),
    NoCastling,
    GameEnded,
}

impl fmt::Display for Unplayable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchPiece { role, to } => {
                write!(f, "no {} can move to {to}", role_name(*role))
            }
            Self::KingInCheck => {
                f.write_str("it would leave the player's own king in check (FIDE 3.9.2)")
            }
            Self::NothingToCapture(to) => write!(f, "there is nothing to capture on {to}"),
            Self::NoCastling => f.write_str("castling is not available (FIDE 3.8.2)"),
            Self::GameEnded => f.write_str("the game has ended on the board"),
        }
    }
}

const fn role_name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

fn or_list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

#[derive(Clone, Copy)]
struct Written {
    role: Role,
    file: Option<shakmaty::File>,
    rank: Option<shakmaty::Rank>,
    capture: bool,
    to: Square,
    promotion: Option<Role>,
}

enum Parsed {
    Piece(Written),
    Castle(CastlingSide),
}

/// Reads `text` as a legal move of `position`.
///
/// Accepts SAN with or without check signs and annotations, `0-0`, a missing `x` or `=`, long algebraic notation
/// (`Ng1-f3`) and UCI (`g1f3`, `e7e8q`).
///
/// # Errors
/// Returns an error if the text is not a move, matches several legal moves (all of them are named), does not name the
/// promotion piece, or is illegal.
pub fn read_move(position: &Chess, text: &str) -> Result<Move, MoveError> {
    let text = text.trim();
    let legal = position.legal_moves();
    let bare = without_signs(text);
    let parsed = parse(position, &bare).ok_or_else(|| MoveError::Unreadable {
        text: text.to_owned(),
    })?;
    let illegal = |why| MoveError::Illegal {
        text: text.to_owned(),
        why,
    };
    if legal.is_empty() {
        return Err(illegal(Unplayable::GameEnded));
    }
    let written = match parsed {
        Parsed::Castle(side) => {
            let castling = legal.iter().find(|m| m.castling_side() == Some(side));
            return castling
                .copied()
                .ok_or_else(|| illegal(Unplayable::NoCastling));
        }
        Parsed::Piece(written) => written,
    };
    let reaching: Vec<Move> = legal
        .iter()
        .copied()
        .filter(|m| written.reaches(*m))
        .collect();
    let candidates = |moves: &[Move]| moves.iter().map(|m| san_of(position, *m)).collect();
    let fitting: Vec<Move> = reaching
        .iter()
        .copied()
        .filter(|m| m.promotion() == written.promotion)
        .collect();
    match fitting[..] {
        [only] if written.capture && !only.is_capture() => {
            Err(illegal(Unplayable::NothingToCapture(written.to)))
        }
        [only] => Ok(only),
        [] if written.promotion.is_none() && reaching.iter().any(|m| m.is_promotion()) => {
            Err(MoveError::NoPromotionPiece {
                text: text.to_owned(),
                candidates: candidates(&reaching),
            })
        }
        [] => Err(illegal(why_not(position, written))),
        _ => Err(MoveError::Ambiguous {
            text: text.to_owned(),
            candidates: candidates(&fitting),
        }),
    }
}

pub(crate) fn san_of(position: &Chess, m: Move) -> String {
    SanPlus::from_move(position.clone(), m).to_string()
}

fn without_signs(text: &str) -> String {
    let text = text.strip_suffix("e.p.").unwrap_or(text).trim_end();
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    text.replace(['-', '–'], "").replace('0', "O")
}

fn parse(position: &Chess, bare: &str) -> Option<Parsed> {
    match bare {
        "OO" | "oo" => return Some(Parsed::Castle(CastlingSide::KingSide)),
        "OOO" | "ooo" => return Some(Parsed::Castle(CastlingSide::QueenSide)),
        _ => (),
    }
    if let Ok(UciMove::Normal {
        from,
        to,
        promotion,
    }) = bare.parse()
    {
        return from_uci(position, from, to, promotion);
    }
    let san = San::from_ascii(with_equals_sign(bare).as_bytes()).ok()?;
    match san {
        San::Normal {
            role,
            file,
            rank,
            capture,
            to,
            promotion,
        } => Some(Parsed::Piece(Written {
            role,
            file,
            rank,
            capture,
            to,
            promotion,
        })),
        San::Castle(side) => Some(Parsed::Castle(side)),
        San::Put { .. } | San::Null => None,
    }
}

/// Rewrites `e8Q` and `e8(Q)` as `e8=Q`.
fn with_equals_sign(bare: &str) -> String {
    let text = bare.replace(['(', ')'], "");
    let mut letters = text.chars().rev();
    match (letters.next(), letters.next()) {
        (Some(piece @ ('Q' | 'R' | 'B' | 'N')), Some('1' | '8')) => {
            format!("{}={piece}", &text[..text.len() - 1])
        }
        _ => text,
    }
}

fn from_uci(position: &Chess, from: Square, to: Square, promotion: Option<Role>) -> Option<Parsed> {
    let role = position.board().role_at(from).unwrap_or(Role::Pawn);
    let written = Written {
        role,
        file: Some(from.file()),
        rank: Some(from.rank()),
        capture: false,
        to,
        promotion,
    };
    let castling = position
        .legal_moves()
        .into_iter()
        .filter(|m| m.is_castle())
        .find(|m| {
            let uci = UciMove::from_standard(*m);
            matches!(uci, UciMove::Normal { from: king, to: end, .. } if king == from && end == to)
        });
    match castling.and_then(Move::castling_side) {
        Some(side) => Some(Parsed::Castle(side)),
        None => Some(Parsed::Piece(written)),
    }
}

impl Written {
    /// Returns true if the move has this piece, origin and destination, regardless of the promotion.
    fn reaches(&self, m: Move) -> bool {
        let Some(from) = m.from() else {
            return false;
        };
        !m.is_castle()
            && m.role() == self.role
            && m.to() == self.to
            && self.fits_origin(from)
            // A pawn capture names its file, as in `ed5`; `d5` is a push.
            && (self.role != Role::Pawn || self.file.is_some() || !m.is_capture())
    }

    fn fits_origin(&self, from: Square) -> bool {
        self.file.is_none_or(|file| file == from.file())
            && self.rank.is_none_or(|rank| rank == from.rank())
    }
}

fn why_not(position: &Chess, written: Written) -> Unplayable {
    let board = position.board();
    let us = position.us();
    let moves_so = (us & board.by_role(written.role)).into_iter().any(|from| {
        written.fits_origin(from) && !us.contains(written.to) && moves_so(position, written, from)
    });
    if moves_so {
        return Unplayable::KingInCheck;
    }
    let taken = position.them().contains(written.to)
        || position.pseudo_legal_ep_square() == Some(written.to);
    if written.capture && !taken {
        return Unplayable::NothingToCapture(written.to);
    }
    Unplayable::NoSuchPiece {
        role: written.role,
        to: written.to,
    }
}

fn moves_so(position: &Chess, written: Written, from: Square) -> bool {
    let board = position.board();
    let turn = position.turn();
    if written.role != Role::Pawn {
        let reached = attacks::attacks(from, written.role.of(turn), board.occupied());
        return reached.contains(written.to);
    }
    let takes = attacks::pawn_attacks(turn, from).contains(written.to)
        && (position.them().contains(written.to)
            || position.pseudo_legal_ep_square() == Some(written.to));
    let (one, two) = if turn.is_white() { (8, 16) } else { (-8, -16) };
    let free = |square: Option<Square>| square.filter(|at| !board.occupied().contains(*at));
    let single = free(from.offset(one));
    let double = single.and_then(|_| free(from.offset(two)));
    let pushes = single == Some(written.to)
        || (double == Some(written.to)
            && from.rank() == turn.fold_wb(shakmaty::Rank::Second, shakmaty::Rank::Seventh));
    takes || pushes
}
