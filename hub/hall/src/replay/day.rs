//! The board of a game of Time Chess in a replay, as each viewer saw it over time.

use serde::Serialize;
use time_chess::shakmaty::Color;
use time_chess::{Game, Viewer};
use timing::Side;

use super::timeline::Timeline;

/// The turns of a game of Time Chess, with everything that arbiters may see.
#[derive(Clone, Debug, PartialEq)]
pub struct Turns {
    pub game: Game,
    /// For each turn, the press that completed it: the side, and the number of the move on the clock.
    pub presses: Vec<(Side, u32)>,
}

/// The board from one instant until the next change that any viewer can see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DayMoment {
    /// Index of the record in the log that led to this state.
    pub record: u64,
    /// Hub instant, in microseconds.
    pub at_us: i64,
    /// English name of the phase of the day.
    pub phase: &'static str,
    /// True if the turn has been made and waits for the press.
    pub moved: bool,
    /// Notation of the newest turn, with its hidden parts, as arbiters see it; empty before the first turn.
    pub turn: String,
    #[serde(flatten)]
    pub pieces: SeenPieces,
}

/// The pieces that each viewer saw, as the first field of a FEN.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeenPieces {
    pub white: String,
    pub black: String,
    pub spectators: String,
    /// The whole position.
    pub all: String,
}

impl Timeline {
    /// Updates the turns after a record, and adds a moment if any view of the board changed. Without `turns`, the game
    /// is not Time Chess, and all moments are removed.
    pub(super) fn note_day(&mut self, turns: Option<Turns>, record: u64, at_us: i64) {
        self.turns = turns;
        let Some(turns) = &self.turns else {
            self.days.clear();
            return;
        };
        let day = DayMoment::of(&turns.game, record, at_us);
        let last = self.days.last();
        if last.is_none_or(|last| !last.looks_like(&day)) {
            self.days.push(day);
        }
    }
}

impl DayMoment {
    fn of(game: &Game, record: u64, at_us: i64) -> Self {
        let pieces = |viewer| game.view(viewer).board.board_fen().to_string();
        let all = game.view(Viewer::Arbiter);
        Self {
            record,
            at_us,
            phase: all.phase.name(),
            moved: all.is_moved,
            turn: all
                .turns
                .last()
                .map(ToString::to_string)
                .unwrap_or_default(),
            pieces: SeenPieces {
                white: pieces(Viewer::Player(Color::White)),
                black: pieces(Viewer::Player(Color::Black)),
                spectators: pieces(Viewer::Spectator),
                all: all.board.board_fen().to_string(),
            },
        }
    }

    fn looks_like(&self, other: &Self) -> bool {
        (self.phase, self.moved, &self.turn, &self.pieces)
            == (other.phase, other.moved, &other.turn, &other.pieces)
    }
}
