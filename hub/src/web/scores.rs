//! The moves written down on each board, cached for the public pages. Readers of the same published state of a board therefore share one request to
//! the hall.

use std::sync::Arc;

use super::BoardDetails;
use super::kept::Kept;
use hall::view::Written;

const MAX_KEPT: usize = 2048;

#[derive(Default)]
pub(super) struct Scores {
    /// For each board, the newest move and all moves up to it.
    kept: Kept<String, (Written, Arc<[String]>), MAX_KEPT>,
    /// Held during a request to the hall, so that concurrent readers cause only one request.
    asking: tokio::sync::Mutex<()>,
}

impl Scores {
    /// Returns all moves of the game on `board` in SAN, up to the `newest`.
    pub(super) async fn of(
        &self,
        board: &str,
        newest: Option<&Written>,
        source: &dyn BoardDetails,
    ) -> Arc<[String]> {
        let Some(newest) = newest else {
            return Arc::default();
        };
        if let Some(moves) = self.cached(board, newest) {
            return moves;
        }
        let _turn = self.asking.lock().await;
        if let Some(moves) = self.cached(board, newest) {
            return moves;
        }
        let moves = source.score(board).await;
        // The hall may have more moves by now. They will arrive with the next published state of the board.
        let moves: Arc<[String]> = moves.into_iter().take(newest.count as usize).collect();
        if moves.len() == newest.count as usize {
            let known = (newest.clone(), moves.clone());
            self.kept.keep(board.to_owned(), known);
        }
        moves
    }

    /// Returns the cached moves, if they end with `newest`.
    fn cached(&self, board: &str, newest: &Written) -> Option<Arc<[String]>> {
        let (last, moves) = self.kept.get(board)?;
        (last == *newest).then_some(moves)
    }
}
