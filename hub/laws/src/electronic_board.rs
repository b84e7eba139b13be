//! The moves on an electronic board, and what they add to the score of its game. A board never replaces a move that a
//! person wrote down, nor another game.

/// Half-moves that a board may take back. With more, it shows another game.
const MAX_BACK: usize = 4;

/// Moves to write down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardEntry {
    /// Number of half-moves that stay; all later ones are replaced.
    pub after: usize,
    /// The moves that follow them.
    pub moves: Vec<String>,
}

/// The reason for leaving a score as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoBoardEntry {
    /// A person wrote down another move.
    #[error(
        "the score was changed by hand from half-move {0} on: the board is followed again when its moves and the score agree"
    )]
    ChangedByHand(usize),
    /// The board shows another game than the score.
    #[error(
        "the board shows another game: the score has {score} half-moves, and {same} of them are on the board; set the next game at the hub first"
    )]
    OtherGame {
        /// Half-moves in the score.
        score: usize,
        /// Half-moves on the board that agree with them.
        same: usize,
    },
}

impl BoardEntry {
    /// Returns what `moves` on a board add to `score`; `None` if it has all of them. Both are written alike, in SAN or in UCI.
    /// `left` is the score as this board left it.
    ///
    /// # Errors
    /// [`NoBoardEntry`].
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
