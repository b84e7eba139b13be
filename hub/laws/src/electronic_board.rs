//! Compares the moves on an electronic board with the score of its game, and finds the change to the score. A board
//! never replaces a move that a person wrote down, nor the score of a different game.

/// Maximum number of half-moves of the score that an electronic board may replace. If more of them differ, the board
/// shows a different game.
const MAX_BACK: usize = 4;

/// A change that brings the score up to date with an electronic board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardEntry {
    /// Number of half-moves at the start of the score to keep; all later ones are replaced.
    pub after: usize,
    /// The moves to write after the kept half-moves.
    pub moves: Vec<String>,
}

/// The reason for leaving a score unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum NoBoardEntry {
    #[error(
        "the score was changed by hand from half-move {0} on: the board is followed again when its moves and the score agree"
    )]
    ChangedByHand(usize),
    #[error(
        "the board shows a different game: the score has {score} half-moves, and {same} of them match the board; set the next game at the hub first"
    )]
    OtherGame { score: usize, same: usize },
}

impl BoardEntry {
    /// Returns the entry that brings `score` up to date with the `moves` on a board; `None` if the score has exactly these moves. All lists use the
    /// same notation, SAN or UCI. `left` is the score as this board last wrote it.
    ///
    /// # Errors
    /// Returns a [`NoBoardEntry`] if the score was changed by hand or the board shows a different game.
    pub fn of(
        moves: &[String],
        score: &[String],
        left: &[String],
    ) -> Result<Option<Self>, NoBoardEntry> {
        let same = moves.iter().zip(score).take_while(|(a, b)| a == b).count();
        let back = score.len() - same;
        if back > MAX_BACK {
            return Err(NoBoardEntry::OtherGame {
                score: score.len(),
                same,
            });
        }
        if back > 0 && score != left {
            return Err(NoBoardEntry::ChangedByHand(same + 1));
        }
        let added = &moves[same..];
        Ok((back > 0 || !added.is_empty()).then(|| Self {
            after: same,
            moves: added.to_vec(),
        }))
    }
}
