//! The moves written down on each board for the public pages, kept so that the hall is asked once for each published state of a board,
//! however many readers there are.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use super::BoardDetails;
use crate::lock::lock;
use hall::view::Written;

/// Maximum number of boards whose moves are kept.
const MAX_KEPT: usize = 2048;

#[derive(Default)]
pub(super) struct Scores {
    kept: Mutex<BTreeMap<String, Kept>>,
    /// Held while the hall is asked.
    asking: tokio::sync::Mutex<()>,
}

struct Kept {
    newest: Written,
    moves: Arc<[String]>,
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
        if let Some(moves) = self.known(board, newest) {
            return moves;
        }
        let _turn = self.asking.lock().await;
        if let Some(moves) = self.known(board, newest) {
            return moves;
        }
        let moves = source.score(board).await;
        // The hall may have gone on; the rest comes with the next published board.
        let moves: Arc<[String]> = moves.into_iter().take(newest.count as usize).collect();
        if moves.len() == newest.count as usize {
            self.keep(board, newest.clone(), moves.clone());
        }
        moves
    }

    /// Returns the kept moves, if they end with this one.
    fn known(&self, board: &str, newest: &Written) -> Option<Arc<[String]>> {
        let kept = lock(&self.kept);
        let known = kept.get(board).filter(|known| known.newest == *newest)?;
        Some(known.moves.clone())
    }

    fn keep(&self, board: &str, newest: Written, moves: Arc<[String]>) {
        let mut kept = lock(&self.kept);
        if kept.len() >= MAX_KEPT {
            kept.clear();
        }
        kept.insert(board.to_owned(), Kept { newest, moves });
    }
}
