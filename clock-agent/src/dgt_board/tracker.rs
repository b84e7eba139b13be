//! Follows the game on a DGT board: finds the legal moves that lead to the position on the squares.
//!
//! A move counts once the position has been stable for half a second, because a piece sliding across a square briefly looks like a move. If a move
//! turns out to be only the first part of another move, the other move replaces it: in castling, for example, the rook may be moved first.

use shakmaty::{Board, CastlingMode, Chess, Move, Position};
use timing::{Board as BoardTime, Duration, Instant};

use super::wire::Pieces;

const STABLE_FOR: Duration = Duration::from_millis(500);
/// Maximum number of half-moves that can be taken back in one step, unless all pieces return to the starting position.
const MAX_TAKEN_BACK: usize = 4;

/// The game on one board, as derived from the positions of its pieces.
#[derive(Debug)]
pub struct Tracker {
    /// The positions from the starting position to the current one. There is one position more than there are `moves`.
    positions: Vec<Chess>,
    moves: Vec<Move>,
    /// True if the board's first rank is on Black's side.
    turned: bool,
    /// Moves that explain the position on the board, and the instant at which they count if the position stays stable.
    waiting: Option<(Found, Instant<BoardTime>)>,
}

/// The moves that explain a position: the first `keep` moves of the game, followed by `then`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Found {
    keep: usize,
    then: Vec<Move>,
}

impl Default for Tracker {
    fn default() -> Self {
        Self::new()
    }
}

impl Tracker {
    pub fn new() -> Self {
        Self {
            positions: vec![Chess::default()],
            moves: Vec::new(),
            turned: false,
            waiting: None,
        }
    }

    pub fn on_pieces(&mut self, pieces: Pieces, now: Instant<BoardTime>) {
        let start = Chess::default();
        // The players may sit on either side; the starting position shows which way round the board is.
        if pieces.board(!self.turned) == *start.board() {
            self.turned = !self.turned;
        }
        let board = pieces.board(self.turned);
        let found = self.explain(&board);
        match (&self.waiting, found) {
            (Some((waiting, _)), Some(found)) if *waiting == found => (),
            (_, found) => self.waiting = found.map(|found| (found, now + STABLE_FOR)),
        }
    }

    /// Returns the game's moves in UCI notation if they have changed and the position has been stable for long enough at `now`.
    pub fn settled(&mut self, now: Instant<BoardTime>) -> Option<Vec<String>> {
        let (found, _) = self.waiting.take_if(|(_, settled)| *settled <= now)?;
        self.moves.truncate(found.keep);
        self.positions.truncate(found.keep + 1);
        for played in found.then {
            let mut next = self.positions.last()?.clone();
            next.play_unchecked(played);
            self.positions.push(next);
            self.moves.push(played);
        }
        let uci = |played: &Move| played.to_uci(CastlingMode::Standard).to_string();
        Some(self.moves.iter().map(uci).collect())
    }

    /// Returns the moves that explain this position; `None` if none are found, or if it is already the game's current position.
    fn explain(&self, board: &Board) -> Option<Found> {
        let played = self.moves.len();
        let is_at = |keep: usize| {
            self.positions
                .get(keep)
                .is_some_and(|at| at.board() == board)
        };
        if is_at(played) {
            return None;
        }
        // The starting position means a new game.
        if is_at(0) {
            return Some(Found {
                keep: 0,
                then: Vec::new(),
            });
        }
        let last = self.positions.last()?;
        let next = one_move(last, board).or_else(|| two_moves(last, board));
        if let Some(then) = next {
            return Some(Found { keep: played, then });
        }
        let earlier = (played.saturating_sub(MAX_TAKEN_BACK)..played).rev();
        earlier.into_iter().find_map(|keep| {
            let then = if is_at(keep) {
                Some(Vec::new())
            } else if keep + 1 == played {
                one_move(&self.positions[keep], board)
            } else {
                None
            };
            then.map(|then| Found { keep, then })
        })
    }
}

fn one_move(from: &Chess, board: &Board) -> Option<Vec<Move>> {
    let legal = from.legal_moves();
    let found = legal
        .into_iter()
        .find(|played| after(from, *played).board() == board);
    found.map(|played| vec![played])
}

/// Returns a move and its reply if together they lead to the position. The position in between was not stable for long enough to be noticed.
fn two_moves(from: &Chess, board: &Board) -> Option<Vec<Move>> {
    from.legal_moves().into_iter().find_map(|first| {
        let mut both = vec![first];
        both.extend(one_move(&after(from, first), board)?);
        Some(both)
    })
}

fn after(from: &Chess, played: Move) -> Chess {
    let mut next = from.clone();
    next.play_unchecked(played);
    next
}
