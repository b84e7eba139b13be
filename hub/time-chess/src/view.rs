//! The view: everything that one viewer may know at one moment.
//!
//! Owns the filter. Every message to a player's or spectator's device must be a [`View`] or a
//! [`Refusal`](crate::Refusal); no other type of this crate is safe to send.

use std::fmt;

use shakmaty::{Bitboard, Board, Color, Role, Square};

use crate::{Attempt, Game, Outcome, Phase, Position, Turn, TurnResult};

/// A kind of viewer, which determines the pieces that a view shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// The player of this colour, who sees both sides' pieces except when blind.
    Player(Color),
    /// A spectator, who sees only the pieces that both players may see.
    Spectator,
    /// An arbiter, who sees everything.
    Arbiter,
}

impl Viewer {
    /// The four viewers of a game.
    pub const ALL: [Self; 4] = [
        Self::Player(Color::White),
        Self::Player(Color::Black),
        Self::Spectator,
        Self::Arbiter,
    ];

    /// Returns true if this viewer sees the pieces of this side in this phase.
    pub fn sees(self, side: Color, phase: Phase) -> bool {
        match self {
            Self::Arbiter => true,
            Self::Player(player) => player == side || phase.blind() != Some(player),
            Self::Spectator => phase.blind().is_none_or(|blind| blind == side),
        }
    }

    fn sees_all(self, phase: Phase) -> bool {
        self.sees(Color::White, phase) && self.sees(Color::Black, phase)
    }
}

/// A turn as a viewer knows it. Until the game is over, it shows only what the viewer could see during the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeenTurn {
    /// The viewer did not see the turn.
    Hidden,
    /// The turn was forfeited.
    Forfeited {
        /// The attempt, if the viewer knows it. During the game, only the mover and arbiters do.
        attempt: Option<Attempt>,
    },
    /// The viewer saw the move, or made it.
    Moved {
        /// Square that the piece left.
        from: Square,
        /// Square where the piece arrived.
        to: Square,
        /// Piece that a pawn became.
        promotion: Option<Role>,
        /// The captured piece, if the viewer saw it. A blind mover is not told about a capture.
        captured: Option<Role>,
        /// The attempt, if the viewer knows it. During the game, only the mover and arbiters do.
        attempt: Option<Attempt>,
    },
}

/// Everything that a viewer may know at this moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The viewer for whom the view was made.
    pub viewer: Viewer,
    /// The phase of the current turn.
    pub phase: Phase,
    /// The move number, as in a FEN.
    pub fullmoves: u32,
    /// True if the move has been made and waits for the press, and the viewer sees the mover's pieces.
    pub is_moved: bool,
    /// The pieces that the viewer sees.
    pub board: Board,
    /// Squares of the rooks that may still castle. A player sees their own rooks, an arbiter sees all of them, and a
    /// spectator sees none.
    pub castling_rights: Bitboard,
    /// Square that a pawn passed over in the previous turn; `None` for a viewer who does not see every piece.
    pub en_passant: Option<Square>,
    /// The player who makes the next move, if in check and if the viewer sees every piece.
    pub check: Option<Color>,
    /// The attempts open to the viewer; empty unless the viewer is the player to move and has not moved yet.
    pub attempts: Vec<Attempt>,
    /// The turns, as the viewer knows them. A hidden turn appears only after its press.
    pub turns: Vec<SeenTurn>,
    /// The outcome of a finished game; `None` while the game continues. After the end, everyone sees everything.
    pub outcome: Option<Outcome>,
}

impl Game {
    /// Returns everything that the viewer may know at this moment.
    pub fn view(&self, viewer: Viewer) -> View {
        let outcome = self.outcome();
        let shown = outcome.map_or(viewer, |_| Viewer::Arbiter);
        let phase = self.phase();
        // This viewer must not notice a hidden move before its press, which both players can hear.
        let is_hidden = self.is_moved() && !shown.sees(phase.mover(), phase);
        let truth = match is_hidden {
            true => self.position(),
            false => self.latest(),
        };
        let known = self.turns().len() - usize::from(is_hidden);
        let sees_all = shown.sees_all(phase);
        let is_moved = self.is_moved() && !is_hidden;
        let is_mover = viewer == Viewer::Player(phase.mover());
        let is_to_move = !self.is_moved() && outcome.is_none() && is_mover;
        View {
            viewer,
            phase,
            fullmoves: self.position().fullmoves(),
            is_moved,
            board: seen_board(truth, shown, phase),
            castling_rights: seen_rights(truth, shown),
            en_passant: truth.en_passant().filter(|_| sees_all),
            check: Some(truth.mover()).filter(|mover| sees_all && truth.is_in_check(*mover)),
            attempts: match is_to_move {
                true => truth.attempts(),
                false => Vec::new(),
            },
            turns: self
                .turns_with_phase()
                .take(known)
                .map(|(phase, turn)| seen_turn(shown, phase, turn))
                .collect(),
            outcome,
        }
    }
}

fn seen_board(truth: &Position, viewer: Viewer, phase: Phase) -> Board {
    let mut board = truth.board().clone();
    for side in [Color::White, Color::Black] {
        if !viewer.sees(side, phase) {
            for square in board.by_color(side) {
                board.discard_piece_at(square);
            }
        }
    }
    board
}

fn seen_rights(truth: &Position, viewer: Viewer) -> Bitboard {
    let rights = truth.castling_rights();
    match viewer {
        Viewer::Arbiter => rights,
        Viewer::Player(side) => rights & truth.board().by_color(side),
        Viewer::Spectator => Bitboard::EMPTY,
    }
}

fn seen_turn(viewer: Viewer, phase: Phase, turn: &Turn) -> SeenTurn {
    let mover = phase.mover();
    if !viewer.sees(mover, phase) {
        return SeenTurn::Hidden;
    }
    let knows_attempt = viewer == Viewer::Arbiter || viewer == Viewer::Player(mover);
    let attempt = knows_attempt.then_some(turn.attempt);
    match turn.result {
        TurnResult::Forfeited(_) => SeenTurn::Forfeited { attempt },
        TurnResult::Played(m) => {
            let ends = Attempt::of(m).unwrap_or(turn.attempt);
            SeenTurn::Moved {
                from: ends.from,
                to: ends.to,
                promotion: ends.promotion,
                captured: m.capture().filter(|_| viewer.sees(!mover, phase)),
                attempt,
            }
        }
    }
}

impl fmt::Display for SeenTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tried = |attempt: Option<Attempt>| {
            attempt.map_or_else(String::new, |attempt| format!(" (tried {attempt})"))
        };
        match *self {
            Self::Hidden => f.write_str("hidden"),
            Self::Forfeited { attempt } => write!(f, "forfeited{}", tried(attempt)),
            Self::Moved {
                from,
                to,
                promotion,
                captured,
                attempt,
            } => {
                let ends = Attempt {
                    from,
                    to,
                    promotion,
                };
                write!(f, "{ends}")?;
                if let Some(role) = captured {
                    write!(f, " takes {}", role.char())?;
                }
                f.write_str(&tried(attempt.filter(|attempt| *attempt != ends)))
            }
        }
    }
}

impl fmt::Display for View {
    /// Writes every field except `viewer` as lines of text, for logs and comparisons.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "board {}", self.board.board_fen())?;
        writeln!(f, "phase {} {}", self.phase, self.fullmoves)?;
        writeln!(f, "moved {}", self.is_moved)?;
        writeln!(f, "castling {}", list(self.castling_rights))?;
        writeln!(f, "passed {}", list(self.en_passant))?;
        writeln!(f, "check {}", list(self.check))?;
        writeln!(f, "attempts {}", list(&self.attempts))?;
        for turn in &self.turns {
            writeln!(f, "turn {turn}")?;
        }
        writeln!(f, "outcome {}", list(self.outcome))
    }
}

fn list(items: impl IntoIterator<Item: fmt::Display>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    match items.is_empty() {
        true => "-".to_owned(),
        false => items.join(" "),
    }
}
