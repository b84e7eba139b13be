//! The default time (FIDE 6.7): a note tells the arbiter if a player has not completed a move within that time. Decides
//! when to check and defines the note. Never ends a game: no clock can see whether a player is at the board. If both
//! players are absent, White's time runs on the clock (FIDE 6.7.2).

use proto::ids::AgentId;
use timing::{Duration, Hub, Instant, Side};

use super::board::{Board, Keeper, Late};
use super::board_id::BoardId;
use super::changes::Change;
use super::effect::OpenStep;
use super::wakes::WakeReason;
use super::words::capital;
use super::{Hall, note};

/// Interval between further checks while a clock has not reported everything up to the deadline.
const RECHECK_INTERVAL: Duration = Duration::from_secs(1);

impl Board {
    /// Returns the side to move, if the game has begun and that side has not completed a move.
    fn awaited(&self) -> Option<Side> {
        let clock = self.clock();
        let side = clock.state().on_move()?;
        (self.fault.is_none() && clock.side(side, clock.now()).moves == 0).then_some(side)
    }

    pub(crate) fn note_late(&mut self, text: &str) {
        if let Some(side) = self.awaited() {
            self.opening.late = Some(Late {
                side,
                text: text.to_owned(),
            });
            self.changes.push(Change::Label);
        }
    }

    pub(crate) fn late_note(&self) -> Option<&str> {
        let late = self.opening.late.as_ref()?;
        (self.in_play() && self.awaited() == Some(late.side)).then_some(late.text.as_str())
    }
}

impl Hall {
    /// Returns the time since the start of play, and the default time, if a player still has not completed a move.
    pub(crate) fn absence_on(
        &self,
        board: &Board,
        now: Instant<Hub>,
    ) -> Option<(Duration, Duration)> {
        let default = self.live.options.default_time?;
        let started = board.opening.started?;
        let clock = board.clock();
        let is_awaited = |side| clock.side(side, clock.now()).moves == 0;
        (board.in_play() && Side::BOTH.into_iter().any(is_awaited))
            .then(|| (now - started, default))
    }

    pub(crate) fn plan_default_time(&mut self, now: Instant<Hub>, id: &BoardId) {
        let planned = self.live.absences.get(id).copied();
        match (self.default_due(id), planned) {
            (Some(due), None) => self.schedule_default_time_check(due.max(now), id),
            (None, Some(planned)) => {
                self.live.absences.remove(id);
                let due = WakeReason::DefaultTime(id.clone());
                self.live.wakes.remove(planned, due);
            }
            (Some(_), Some(_)) | (None, None) => (),
        }
    }

    fn schedule_default_time_check(&mut self, at: Instant<Hub>, id: &BoardId) {
        self.live.absences.insert(id.clone(), at);
        self.live.wakes.add(at, WakeReason::DefaultTime(id.clone()));
    }

    fn default_due(&self, id: &BoardId) -> Option<Instant<Hub>> {
        let default = self.live.options.default_time?;
        let board = self.fold.boards.get(id)?;
        let started = board.opening.started?;
        board.awaited()?;
        board.opening.late.is_none().then(|| started + default)
    }

    /// Adds a note about a late player once the board's clock has reported that no move was completed in time.
    pub(crate) fn on_default_time(&mut self, id: &BoardId, step: &mut OpenStep) {
        let now = step.now;
        self.live.absences.remove(id);
        let (Some(due), Some(board)) = (self.default_due(id), self.fold.boards.get(id)) else {
            return;
        };
        let (Some(side), Some(default)) = (board.awaited(), self.live.options.default_time) else {
            return;
        };
        let certain = match board.keeper {
            Keeper::Agent(agent) => self.has_spoken_for(agent, due),
            Keeper::Hub { .. } => {
                let pair = board.pair.as_ref();
                let seat = pair.and_then(|pair| pair.seats[side].as_ref());
                seat.is_some_and(|seat| self.has_spoken_for(seat.agent, due))
            }
        };
        if now < due || !certain {
            self.schedule_default_time_check(due.max(now + RECHECK_INTERVAL), id);
            return;
        }
        let text = words(id, side, default);
        self.note(step, note::default_time(id, text));
        self.touch(id);
    }

    /// Returns true if the log contains every event that an agent stamped up to `due`.
    fn has_spoken_for(&self, agent: AgentId, due: Instant<Hub>) -> bool {
        let Some(known) = self.fold.agents.get(&agent) else {
            return false;
        };
        let Some(session) = self.live.sessions.get(&agent) else {
            return false;
        };
        let Some(due) = session.to_board(due) else {
            return false;
        };
        let by_promise = session
            .promised
            .is_some_and(|promise| promise.at >= due && promise.seq <= known.seq);
        by_promise || known.at.is_some_and(|at| at > due)
    }
}

fn words(id: &BoardId, side: Side, default: Duration) -> String {
    let (who, at) = (capital(side), "FIDE 6.7");
    let after = match default {
        Duration::ZERO => "the default time is zero, and".to_owned(),
        default => format!("the default time of {default} has passed, and"),
    };
    format!("board {id}: {after} {who} has not completed a move: is {who} at the board? ({at})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_note_names_board_side_and_article() {
        assert_eq!(
            words(
                &"7".parse().unwrap(),
                Side::White,
                Duration::from_secs(1_800)
            ),
            "board 7: the default time of 30m has passed, and White has not completed a move: is White at the board? (FIDE 6.7)"
        );
        assert_eq!(
            words(&"A".parse().unwrap(), Side::Black, Duration::ZERO),
            "board A: the default time is zero, and Black has not completed a move: is Black at the board? (FIDE 6.7)"
        );
    }
}
