//! Attempts, their resolution on the true board, and ends of the game that follow from the position.
//!
//! Owns the moves that each player may try and their results. In a blind turn, the list of attempts must never depend
//! on the opponent's pieces.

use shakmaty::attacks::{attacks, between, king_attacks, pawn_attacks};
use shakmaty::{Bitboard, Board, CastlingSide, Color, Move, MoveList, Piece, Rank, Role, Square};

use crate::position::is_attacked;
use crate::{Attempt, Forfeit, Outcome, Position, Reason, Refusal, Turn, TurnResult};

const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

impl Position {
    /// Returns the moves that the player to move may try, in a fixed order.
    ///
    /// A player who sees the whole board has the legal moves. A blind player has the moves that their own pieces alone
    /// allow.
    pub fn attempts(&self) -> Vec<Attempt> {
        if self.phase.is_blind_turn() {
            return self.blind_attempts();
        }
        let moves = self.legal_moves().into_iter();
        moves.filter_map(Attempt::of).collect()
    }

    /// Returns the moves that can happen in this turn: the legal moves or, for a blind player, each move to which an
    /// attempt can lead.
    pub fn moves(&self) -> MoveList {
        if !self.phase.is_blind_turn() {
            return self.legal_moves();
        }
        let mut moves = MoveList::new();
        for attempt in self.blind_attempts() {
            if let TurnResult::Played(m) = self.resolve_blind(attempt)
                && !moves.contains(&m)
            {
                moves.push(m);
            }
        }
        moves
    }

    /// Returns the turn that an attempt becomes on the true board.
    ///
    /// # Errors
    /// Returns [`Refusal::NotPossible`] if the attempt is not among [`Position::attempts`].
    pub fn resolve(&self, attempt: Attempt) -> Result<Turn, Refusal> {
        let refused = Refusal::NotPossible(attempt);
        let result = if self.phase.is_blind_turn() {
            if !self.blind_attempts().contains(&attempt) {
                return Err(refused);
            }
            self.resolve_blind(attempt)
        } else {
            let legal = self.legal_moves().into_iter();
            let mut named = legal.filter(|m| Attempt::of(*m) == Some(attempt));
            TurnResult::Played(named.next().ok_or(refused)?)
        };
        Ok(Turn { attempt, result })
    }

    /// Returns the position after a turn with this result, at the next phase.
    #[must_use]
    pub fn after(&self, result: TurnResult) -> Self {
        let mut next = self.clone();
        next.en_passant = None;
        next.halfmoves += 1;
        next.fullmoves += u32::from(self.mover() == Color::Black);
        next.phase = self.phase.next();
        let TurnResult::Played(m) = result else {
            return next;
        };
        if m.role() == Role::Pawn || m.is_capture() {
            next.halfmoves = 0;
        }
        next.board = board_after(&self.board, self.mover(), m);
        next.rights.discard(m.to());
        match m {
            Move::Normal {
                role: Role::Pawn,
                from,
                to,
                ..
            } if from.distance(to) == 2 => next.en_passant = between(from, to).first(),
            Move::Normal {
                role: Role::King, ..
            }
            | Move::Castle { .. } => {
                next.rights &= !Bitboard::from_rank(home_rank(self.mover()));
            }
            Move::Normal { from, .. } => next.rights.discard(from),
            Move::EnPassant { .. } | Move::Put { .. } => (),
        }
        next
    }

    /// Returns the outcome if the position at the start of its turn ends the game; repetitions and move counts do not
    /// matter here.
    ///
    /// Only a player who sees the board can be checkmated or stalemated. If a blind player has no move, the game is
    /// drawn.
    pub fn outcome(&self) -> Option<Outcome> {
        let mover = self.mover();
        if self.moves().is_empty() {
            return Some(if self.phase.is_blind_turn() {
                Outcome::draw(Reason::NoMove)
            } else if self.is_in_check(mover) {
                Outcome::win(!mover, Reason::Checkmate)
            } else {
                Outcome::draw(Reason::Stalemate)
            });
        }
        self.is_dead().then(|| Outcome::draw(Reason::DeadPosition))
    }

    /// Returns the legal moves of a player who sees the board. A king is never captured, even if a blind turn exposed
    /// it.
    fn legal_moves(&self) -> MoveList {
        let mover = self.mover();
        let (own, occupied) = (self.board.by_color(mover), self.board.occupied());
        let targets = !own & !self.board.kings();
        let mut moves = MoveList::new();
        for from in own {
            let Some(role) = self.board.role_at(from) else {
                continue;
            };
            let reached = if role == Role::Pawn {
                let diagonal = pawn_attacks(mover, from);
                if let Some(to) = self.en_passant.filter(|over| diagonal.contains(*over)) {
                    moves.push(Move::EnPassant { from, to });
                }
                pushes(mover, from, occupied) | (diagonal & occupied & targets)
            } else {
                attacks(from, Piece { color: mover, role }, occupied) & targets
            };
            for to in reached {
                for promotion in promotions(role, to) {
                    moves.push(Move::Normal {
                        role,
                        from,
                        capture: self.board.role_at(to),
                        to,
                        promotion,
                    });
                }
            }
        }
        let castling = self.castling_attempts(occupied).into_iter();
        moves.extend(castling.map(|(m, _)| m).filter(|m| self.may_castle(*m)));
        moves.retain(|m| !self.is_attacked_after(*m));
        moves
    }

    /// Returns the moves that the mover's own pieces allow. Does not look at any other piece.
    fn blind_attempts(&self) -> Vec<Attempt> {
        let mover = self.mover();
        let own = self.board.by_color(mover);
        let mut attempts = Vec::new();
        for from in own {
            let Some(role) = self.board.role_at(from) else {
                continue;
            };
            let reached = if role == Role::Pawn {
                pushes(mover, from, own) | (pawn_attacks(mover, from) & !own)
            } else {
                attacks(from, Piece { color: mover, role }, own) & !own
            };
            for to in reached {
                attempts.extend(promotions(role, to).map(|promotion| Attempt {
                    from,
                    to,
                    promotion,
                }));
            }
        }
        attempts.extend(self.castling_attempts(own).into_iter().map(|(_, a)| a));
        attempts
    }

    /// Resolves an attempt from [`Self::blind_attempts`] on the true board.
    fn resolve_blind(&self, attempt: Attempt) -> TurnResult {
        let Attempt {
            from,
            to,
            promotion,
        } = attempt;
        let (mover, occupied) = (self.mover(), self.board.occupied());
        let role = self.board.role_at(from).unwrap_or(Role::Pawn);
        let is_push = from.file() == to.file();
        let to = match role {
            Role::Pawn if is_push && !pushes(mover, from, occupied).contains(to) => {
                return TurnResult::Forfeited(Forfeit::PawnBlocked);
            }
            Role::Pawn if !is_push && !occupied.contains(to) => {
                return TurnResult::Forfeited(Forfeit::NothingToCapture);
            }
            Role::King if !king_attacks(from).contains(to) => {
                let castling = self.castling_attempts(occupied).into_iter();
                let mut named = castling.filter(|(m, a)| *a == attempt && self.may_castle(*m));
                let prevented = TurnResult::Forfeited(Forfeit::CastlingPrevented);
                return named
                    .next()
                    .map_or(prevented, |(m, _)| TurnResult::Played(m));
            }
            Role::Pawn | Role::King | Role::Knight => to,
            Role::Bishop | Role::Rook | Role::Queen => {
                let way = between(from, to) & occupied;
                let stop = if from < to { way.first() } else { way.last() };
                stop.unwrap_or(to)
            }
        };
        TurnResult::Played(Move::Normal {
            role,
            from,
            capture: self.board.role_at(to),
            to,
            promotion,
        })
    }

    fn castling_attempts(&self, occupied: Bitboard) -> Vec<(Move, Attempt)> {
        let mover = self.mover();
        let rank = Bitboard::from_rank(home_rank(mover));
        let Some(king) = self.board.king_of(mover) else {
            return Vec::new();
        };
        (self.rights & rank)
            .into_iter()
            .filter(|rook| (between(king, *rook) & occupied).is_empty())
            .filter_map(|rook| {
                let m = Move::Castle { king, rook };
                Some((m, Attempt::of(m)?))
            })
            .collect()
    }

    /// Returns true if the king neither stands on an attacked square nor crosses one.
    fn may_castle(&self, m: Move) -> bool {
        let (Some(Attempt { from, to, .. }), mover) = (Attempt::of(m), self.mover()) else {
            return false;
        };
        let occupied = self.board.occupied();
        let is_safe = |square| self.board.attacks_to(square, !mover, occupied).is_empty();
        (between(from, to) | from).into_iter().all(is_safe)
    }

    fn is_attacked_after(&self, m: Move) -> bool {
        let mover = self.mover();
        is_attacked(&board_after(&self.board, mover, m), mover)
    }
}

fn pushes(mover: Color, from: Square, occupied: Bitboard) -> Bitboard {
    let step = mover.fold_wb(8, -8);
    let free = |from: Square| from.offset(step).filter(|to| !occupied.contains(*to));
    let Some(one) = free(from) else {
        return Bitboard::EMPTY;
    };
    let start = mover.fold_wb(Rank::Second, Rank::Seventh);
    let two = free(one).filter(|_| from.rank() == start);
    Bitboard::from(one) | two.map_or(Bitboard::EMPTY, Bitboard::from)
}

fn promotions(role: Role, to: Square) -> impl Iterator<Item = Option<Role>> {
    let promotes = role == Role::Pawn && Bitboard::BACKRANKS.contains(to);
    let plain = (!promotes).then_some(None);
    let pieces = PROMOTIONS.into_iter().filter(move |_| promotes).map(Some);
    plain.into_iter().chain(pieces)
}

fn home_rank(side: Color) -> Rank {
    side.fold_wb(Rank::First, Rank::Eighth)
}

fn board_after(board: &Board, mover: Color, m: Move) -> Board {
    let mut board = board.clone();
    match m {
        Move::Normal {
            role,
            from,
            to,
            promotion,
            ..
        } => {
            board.discard_piece_at(from);
            board.set_piece_at(to, promotion.unwrap_or(role).of(mover));
        }
        Move::EnPassant { from, to } => {
            board.discard_piece_at(from);
            board.discard_piece_at(Square::from_coords(to.file(), from.rank()));
            board.set_piece_at(to, Role::Pawn.of(mover));
        }
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_king_side(rook.file() > king.file());
            board.discard_piece_at(king);
            board.discard_piece_at(rook);
            let on = |file| Square::from_coords(file, king.rank());
            board.set_piece_at(on(side.king_to_file()), Role::King.of(mover));
            board.set_piece_at(on(side.rook_to_file()), Role::Rook.of(mover));
        }
        Move::Put { role, to } => board.set_piece_at(to, role.of(mover)),
    }
    board
}
