//! Follows the moves on one board and adds them to the score of its game.
//!
//! A single new move is written down immediately. Anything else waits until it has been stable for a while, because a piece that slides
//! across a square briefly looks like a move. Moves that a person has written down or changed are never replaced.

use laws::{BoardEntry, NoBoardEntry, Scoresheet};
use timing::{Duration, Hub, Instant};

/// Time for which any change other than a single new move must be stable before it is written down.
const SETTLED_AFTER: Duration = Duration::from_micros(2_500_000);

#[derive(Debug, Default)]
pub struct Follower {
    /// The moves on the board that this follower last entered in the score, or found there.
    written: Vec<String>,
    /// All moves on the board, if they have not been compared with the score yet: in SAN as on a score sheet, with the instant from which they count
    /// as stable.
    on_board: Option<(Vec<String>, Instant<Hub>)>,
    /// The first unreadable or illegal move in the newest message from the board.
    illegal: Option<String>,
}

impl Follower {
    /// Takes in the moves that the board shows, from its starting position.
    pub fn on_moves(&mut self, moves: &[String], now: Instant<Hub>) {
        let mut score = Scoresheet::new();
        self.illegal = moves.iter().find(|text| score.play(text).is_err()).cloned();
        let played = score.moves().iter();
        let played: Vec<String> = played.map(|played| played.san.clone()).collect();
        // Ignore a board without moves: its pieces are being set up again.
        if played.is_empty() || self.is_on_board(&played) {
            return;
        }
        let is_next = played.len() == self.written.len() + 1 && played.starts_with(&self.written);
        let certain = if is_next { now } else { now + SETTLED_AFTER };
        self.on_board = Some((played, certain));
    }

    fn is_on_board(&self, moves: &[String]) -> bool {
        match &self.on_board {
            Some((waiting, _)) => waiting == moves,
            None => self.written == moves,
        }
    }

    /// Returns the instant from which the moves on the board can be written down; `None` if there are no new moves.
    pub fn due(&self) -> Option<Instant<Hub>> {
        self.on_board.as_ref().map(|(_, certain)| *certain)
    }

    /// Returns the entry that changes `score`, the current score in SAN, to the moves on the board; `None` if no entry is needed. Call this when an
    /// entry is [`due`](Self::due).
    ///
    /// # Errors
    /// Returns [`NoBoardEntry`] if the moves cannot be entered. Nothing is then written down; the next message from the board starts another attempt.
    pub fn entry(&mut self, score: &[String]) -> Result<Option<BoardEntry>, NoBoardEntry> {
        let Some((moves, _)) = self.on_board.take() else {
            return Ok(None);
        };
        let entry = BoardEntry::of(&moves, score, &self.written)?;
        self.written = moves;
        Ok(entry)
    }

    /// Returns the first unreadable or illegal move in the newest message, and clears it; `None` if there is none.
    pub fn take_illegal(&mut self) -> Option<String> {
        self.illegal.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    struct Board {
        follower: Follower,
        score: Vec<String>,
        now: Instant<Hub>,
    }

    impl Board {
        fn new() -> Self {
            Self {
                follower: Follower::default(),
                score: Vec::new(),
                now: Instant::from_micros(0),
            }
        }

        /// Shows moves on the board, waits `wait_ms` milliseconds, and applies the entry to the score if one is due.
        fn shows(&mut self, text: &str, wait_ms: i64) -> Result<Option<BoardEntry>, NoBoardEntry> {
            self.follower.on_moves(&moves(text), self.now);
            self.now = self.now + Duration::from_micros(wait_ms * 1_000);
            if self.follower.due().is_none_or(|due| due > self.now) {
                return Ok(None);
            }
            let entry = self.follower.entry(&self.score)?;
            if let Some(entry) = &entry {
                self.score.truncate(entry.after);
                self.score.extend(entry.moves.iter().cloned());
            }
            Ok(entry)
        }
    }

    #[test]
    fn one_new_move_is_written_immediately_and_two_once_they_are_stable() {
        let mut board = Board::new();
        let one = board.shows("e4", 0).unwrap().unwrap();
        assert_eq!((one.after, one.moves), (0, moves("e4")));
        assert_eq!(board.shows("e4", 0), Ok(None));
        assert_eq!(board.shows("e4 e5 Nf3", 2_000), Ok(None));
        // Repeating the message does not postpone the entry.
        let two = board.shows("e4 e5 Nf3", 500).unwrap().unwrap();
        assert_eq!((two.after, two.moves), (1, moves("e5 Nf3")));
    }

    #[test]
    fn a_piece_that_slides_on_leaves_no_move_behind() {
        let mut board = Board::new();
        board.shows("e3", 0).unwrap();
        assert_eq!(board.score, moves("e3"));
        assert_eq!(board.shows("e4", 100), Ok(None));
        let settled = board.shows("e4", 2_400).unwrap().unwrap();
        assert_eq!((settled.after, settled.moves), (0, moves("e4")));
        // The third move is taken back before the moves are stable, which leaves one new move.
        assert_eq!(board.shows("e4 e6 Nf3", 1_000), Ok(None));
        let one = board.shows("e4 e6", 0).unwrap().unwrap();
        assert_eq!((one.after, one.moves), (1, moves("e6")));
    }

    #[test]
    fn moves_are_compared_in_score_sheet_notation() {
        let mut board = Board::new();
        board.score = moves("e4 e5 Qh5 Nc6 Bc4 Nf6");
        let mate = board.shows("e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7", 2_500);
        let mate = mate.unwrap().unwrap();
        assert_eq!((mate.after, mate.moves), (6, moves("Qxf7#")));
    }

    #[test]
    fn a_persons_changes_are_kept() {
        let mut board = Board::new();
        board.shows("e4", 0).unwrap();
        board.shows("e4 e5", 0).unwrap();
        board.score = moves("e4 c5");
        assert_eq!(
            board.shows("e4 e5 Nf3", 0),
            Err(NoBoardEntry::ChangedByHand(2))
        );
        assert_eq!(board.score, moves("e4 c5"));
        board.score = moves("e4 e5 Nf3");
        assert_eq!(
            board.shows("e4 e5 Nf3 Nc6", 2_500).unwrap().unwrap().after,
            3
        );
    }

    #[test]
    fn a_new_game_on_the_board_never_replaces_a_played_one() {
        let mut board = Board::new();
        let game = "e4 e5 Nf3 Nc6 Bb5 a6";
        board.shows(game, 2_500).unwrap();
        assert_eq!(board.shows("", 5_000), Ok(None));
        assert_eq!(
            board.shows("d4", 2_500),
            Err(NoBoardEntry::OtherGame { score: 6, same: 0 })
        );
        assert_eq!(board.score, moves(game));
        // The next game is set at the hub.
        board.score.clear();
        let next = board.shows("d4 d5", 2_500).unwrap().unwrap();
        assert_eq!((next.after, next.moves), (0, moves("d4 d5")));
        // Two moves are taken back after a slip.
        board.shows("d4 d5 c4", 0).unwrap();
        let back = board.shows("d4", 2_500).unwrap().unwrap();
        assert_eq!((back.after, back.moves), (1, Vec::new()));
    }

    #[test]
    fn moves_before_an_illegal_one_are_written() {
        let mut board = Board::new();
        let some = board.shows("e4 e5 Ke3", 2_500).unwrap().unwrap();
        assert_eq!(some.moves, moves("e4 e5"));
        assert_eq!(board.follower.take_illegal().as_deref(), Some("Ke3"));
        assert_eq!(board.follower.take_illegal(), None);
    }
}
