//! Counts since the hub started: presses without effect, the longest move of each game, the pace of the hall.

use std::collections::BTreeMap;

use timing::{BySide, Duration, Hub, Instant, Side};

use crate::board_id::BoardId;

/// A press this soon after the previous one comes from a bouncing finger, or from a hand that steadies the clock.
const BOUNCE: Duration = Duration::from_secs(2);

/// The counts of the hall and of each board since the hub started.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    pub(super) plies: u64,
    pub(crate) games: BTreeMap<BoardId, Tally>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    /// Number of presses by the waiting side since the last completed move.
    pub(super) in_think: u32,
    /// Number of presses out of turn in the whole game, by side.
    pub(super) in_game: BySide<u32>,
    /// The longest time used for a completed move of either side.
    pub(super) longest: Duration,
    /// [`Watch::plies`] at the beginning of the current move.
    pub(super) plies_then: u64,
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
            self.in_think = self.in_think.saturating_add(1);
            self.in_game[side] = self.in_game[side].saturating_add(1);
        }
        self.last_press = Some(at);
    }
}
