//! Counts of this run: presses without effect, the longest move of each game, the pace of the hall. Counts only; other
//! modules judge the counts.

use std::collections::BTreeMap;

use timing::{BySide, Duration, Effect, Effects, Hub, Ignored, Instant, Side};

use crate::Hall;
use crate::board::Keeper;
use crate::entry::{Entry, Logged};
use crate::input::BoardId;

/// A press so soon after another one is a bouncing finger, or a hand that steadies the clock.
const TWICE: Duration = Duration::from_secs(2);

/// The counts since this run began.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    pub(super) plies: u64,
    pub(crate) games: BTreeMap<BoardId, Tally>,
}

/// The counts of a game in this run.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    /// Presses of the side that is not on move, since the last completed move.
    pub(super) in_think: u32,
    /// Presses out of turn in the whole game.
    pub(super) in_game: BySide<u32>,
    /// The longest time used for a completed move of either side.
    pub(super) longest: Duration,
    /// [`Watch::plies`] at the beginning of the present move.
    pub(super) plies_then: u64,
    /// Hub instant at which the hub learnt that the present move began.
    pub(super) began: Option<Instant<Hub>>,
    /// Instant of the last press, in microseconds of the timeline that keeps the board.
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
