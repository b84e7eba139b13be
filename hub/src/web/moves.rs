//! The moves of each board's game for the public pages, cached so that readers do not need the hall.
//!
//! A published board contains its newest moves. They continue the cached ones, unless the game began again, was set back, or has since had more moves
//! than the board contains. Without usable cached moves, one request at a time goes to the hall, however many readers there are.

use std::sync::Arc;

use super::BoardDetails;
use super::kept::Kept;
use crate::live::NewestMoves;
use hall::view::PressLine;

/// Limits the memory: a game has about a hundred moves of 48 bytes.
const MAX_KEPT: usize = 2048;

#[derive(Default)]
pub(super) struct Moves {
    kept: Kept<String, Known, MAX_KEPT>,
    /// Held during a request to the hall, so that concurrent readers cause only one request.
    asking: tokio::sync::Mutex<()>,
}

struct Known {
    newest: NewestMoves,
    moves: Arc<[PressLine]>,
}

impl Moves {
    /// Returns all moves of the game on `board`; `newest` are its newest published moves.
    pub(super) async fn of(
        &self,
        board: &str,
        newest: NewestMoves,
        source: &dyn BoardDetails,
    ) -> Arc<[PressLine]> {
        if let Some(moves) = self.continued(board, &newest) {
            return moves;
        }
        let _turn = self.asking.lock().await;
        if let Some(moves) = self.continued(board, &newest) {
            return moves;
        }
        let moves: Arc<[PressLine]> = source.presses(board).await.into();
        let known = Known {
            newest,
            moves: moves.clone(),
        };
        self.kept.keep(board.to_owned(), known);
        moves
    }

    /// Returns the cached moves, extended by the newest ones; `None` if there are none or the newest do not continue them.
    fn continued(&self, board: &str, newest: &NewestMoves) -> Option<Arc<[PressLine]>> {
        let with_newest = |known: &mut Known| {
            if !known.newest.is_same(newest) {
                let more = newer(&known.moves, newest.lines())?;
                if !more.is_empty() {
                    known.moves = known.moves.iter().chain(more).copied().collect();
                }
                known.newest = newest.clone();
            }
            Some(known.moves.clone())
        };
        self.kept.change(board, with_newest).flatten()
    }
}

/// Returns the lines of `newest` after the last line of `known`; `None` unless the earlier lines of `newest` are also the last lines of `known`.
fn newer<'a>(known: &[PressLine], newest: &'a [PressLine]) -> Option<&'a [PressLine]> {
    let last = known.last()?;
    let end = newest.iter().rposition(|line| line == last)? + 1;
    let (before, after) = newest.split_at(end);
    known.ends_with(before).then_some(after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hall::view::Side;
    use proto::ids::EventSeq;

    fn line(n: u32) -> PressLine {
        PressLine {
            n,
            side: Side::White,
            at_us: i64::from(n) * 1_000,
            used_us: 1,
            left_us: 2,
            event_seq: EventSeq(u64::from(n)),
        }
    }

    #[track_caller]
    fn check(known: &[u32], newest: &[u32], expected: Option<&[u32]>) {
        let lines = |numbers: &[u32]| numbers.iter().copied().map(line).collect::<Vec<_>>();
        let (known, newest) = (lines(known), lines(newest));
        let expected = expected.map(lines);
        assert_eq!(newer(&known, &newest), expected.as_deref());
    }

    #[test]
    fn published_moves_continue_the_cached_ones_where_they_overlap() {
        check(&[1, 2, 3], &[2, 3, 4], Some(&[4]));
        check(&[1, 2, 3], &[1, 2, 3, 4, 5], Some(&[4, 5]));
        check(&[1, 2, 3], &[3], Some(&[]));
        // These do not continue: a gap, a game set back, a new game, an empty cache, and moves that differ before the last cached one.
        check(&[1, 2, 3], &[5, 6], None);
        check(&[1, 2, 3], &[1, 2], None);
        check(&[1, 2, 3], &[], None);
        check(&[], &[1], None);
        check(&[1, 9, 3], &[2, 3, 4], None);
        check(&[2, 3], &[1, 2, 3, 4], None);
    }
}
