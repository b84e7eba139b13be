//! Counts of this run of the hub: the presses out of turn and the longest move of each game, and the pace of the hall.

use std::collections::BTreeMap;

use timing::{BySide, Duration, Hub, Instant, Side};

use crate::board_id::BoardId;

/// A press out of turn that follows the previous press within this time is not counted. It is taken for a bouncing
/// finger, or a hand that steadies the clock.
const BOUNCE: Duration = Duration::from_secs(2);

#[derive(Debug, Default)]
pub(crate) struct Watch {
    pub(super) plies: u64,
    pub(crate) games: BTreeMap<BoardId, Tally>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    /// Number of presses by the waiting side since the last completed move.
    pub(super) ignored_in_move: u32,
    /// Number of presses out of turn in the whole game, by side.
    pub(super) ignored_in_game: BySide<u32>,
    /// The longest time used for a completed move of either side.
    pub(super) longest: Duration,
    /// [`Watch::plies`] at the beginning of the current move.
    pub(super) plies_at_start: u64,
    /// Hub instant at which the hub learnt that the current move had begun.
    pub(super) began: Option<Instant<Hub>>,
    /// Instant of the last press, in microseconds on the timeline of the board's keeper.
    pub(super) last_press: Option<i64>,
}

impl Tally {
    pub(super) fn ignored(&mut self, side: Side, at: i64) {
        let twice = self
            .last_press
            .is_some_and(|last| at.saturating_sub(last) < BOUNCE.as_micros());
        if !twice {
            self.ignored_in_move = self.ignored_in_move.saturating_add(1);
            self.ignored_in_game[side] = self.ignored_in_game[side].saturating_add(1);
        }
        self.last_press = Some(at);
    }
}
