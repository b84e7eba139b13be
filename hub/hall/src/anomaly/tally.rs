//! Counts of this run: presses without effect, the longest think of each game, the pace of the hall. Owns counting only; what is
//! odd about a count is decided beside it.

use std::collections::BTreeMap;

use timing::{BySide, Duration, Effect, Effects, Hub, Ignored, Instant, Side};

use crate::Hall;
use crate::board::Keeper;
use crate::entry::{Entry, Logged};
use crate::input::BoardId;

/// A press so soon after another one is a finger that came down twice, or a hand that steadies the clock.
const TWICE: Duration = Duration::from_secs(2);

/// What was counted since this run began.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    /// Completed moves of all boards.
    pub(super) plies: u64,
    pub(crate) games: BTreeMap<BoardId, Tally>,
}

/// A game as far as this run has seen it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    /// Presses of the side that is not on move, since the last completed move.
    pub(super) in_think: u32,
    /// The same in the whole game.
    pub(super) in_game: BySide<u32>,
    /// The longest completed think of either side.
    pub(super) longest: Duration,
    /// [`Watch::plies`] when the present think began.
    pub(super) plies_then: u64,
    /// When the hub learned that the present think began.
    pub(super) began: Option<Instant<Hub>>,
    /// When a button was last pressed; microseconds of the timeline its board is kept on.
    last_press: Option<i64>,
}

impl Tally {
    fn ignored(&mut self, side: Side, at: i64) {
        let twice = self
            .last_press
            .is_some_and(|last| at.saturating_sub(last) < TWICE.as_micros());
        if !twice {
            self.in_think = self.in_think.saturating_add(1);
            self.in_game[side] = self.in_game[side].saturating_add(1);
        }
        self.last_press = Some(at);
    }
}

impl Hall {
    /// Counts what the engine of a board did.
    pub(crate) fn keep_tally(&mut self, id: &BoardId, logged: &Logged, effects: &Effects) {
        let Some(board) = self.fold.boards.get(id) else {
            return;
        };
        let at = match (&logged.entry, board.keeper) {
            (Entry::AgentEvent { event, .. }, Keeper::Agent(_)) => event.at.as_micros(),
            _ => logged.hub.as_micros(),
        };
        let used = board.play.lines.back().map(|line| line.used_us);
        let watch = &mut self.live.watch;
        for effect in effects.iter() {
            match effect {
                Effect::MoveCompleted { .. } => {
                    watch.plies += 1;
                    let plies_then = watch.plies;
                    let tally = watch.games.entry(id.clone()).or_default();
                    let used = Duration::from_micros(used.unwrap_or_default());
                    tally.longest = tally.longest.max(used);
                    tally.plies_then = plies_then;
                    tally.in_think = 0;
                    tally.began = Some(logged.hub);
                    tally.last_press = Some(at);
                }
                Effect::PressIgnored {
                    side,
                    why: Ignored::OutOfTurn,
                    ..
                } => {
                    let tally = watch.games.entry(id.clone()).or_default();
                    tally.ignored(*side, at);
                }
                Effect::Started { .. } => {
                    let plies_then = watch.plies;
                    let tally = watch.games.entry(id.clone()).or_default();
                    *tally = Tally {
                        plies_then,
                        began: Some(logged.hub),
                        ..Tally::default()
                    };
                }
                Effect::Prepared | Effect::Restored => {
                    watch.games.remove(id);
                }
                Effect::PressIgnored { .. }
                | Effect::FlagFell { .. }
                | Effect::Stopped
                | Effect::Ended { .. }
                | Effect::PeriodEntered { .. }
                | Effect::AllotmentEntered { .. }
                | Effect::Paused
                | Effect::Resumed { .. }
                | Effect::Edited { .. }
                | Effect::FlagCalled { .. }
                | Effect::ButtonsChanged { .. }
                | Effect::ControlChanged => (),
            }
        }
    }
}
