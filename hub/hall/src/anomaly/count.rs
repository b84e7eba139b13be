//! Counts moves and presses out of turn on each board, for the checks that need them.

use timing::{Duration, Effect, Effects, Ignored};

use crate::Hall;
use crate::anomaly::tally::Tally;
use crate::board::Keeper;
use crate::board_id::BoardId;
use crate::entry::{Entry, Logged};

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
                    let plies_at_start = watch.plies;
                    let tally = watch.games.entry(id.clone()).or_default();
                    let used = Duration::from_micros(used.unwrap_or_default());
                    tally.longest = tally.longest.max(used);
                    tally.plies_at_start = plies_at_start;
                    tally.ignored_in_move = 0;
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
                    let plies_at_start = watch.plies;
                    let tally = watch.games.entry(id.clone()).or_default();
                    *tally = Tally {
                        plies_at_start,
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
