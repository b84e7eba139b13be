//! The default time (FIDE 6.7): who has not completed a move when it has passed is noted for the arbiter.
//! Owns when to look and what the note says. Never ends a game: whether a player is at the board no clock can see, and the
//! time that White uses up when both are absent is simply on the clock (FIDE 6.7.2).

use proto::ids::AgentId;
use timing::{Duration, Hub, Instant, Side};

use super::board::{Board, Keeper};
use super::changes::{Change, capital};
use super::effect::Step;
use super::input::BoardId;
use super::wakes::Due;
use super::{Hall, note};

/// While a clock has not yet said what happened up to then, it is looked at again after this.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// A game in its beginning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Opening {
    /// When White's clock was first started, by the hub's reckoning.
    pub(crate) started: Option<Instant<Hub>>,
    /// Who had not completed a move when the default time had passed, and the note about it: one in a game.
    pub(crate) late: Option<Late>,
}

/// See [`Opening`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Late {
    pub(crate) side: Side,
    pub(crate) text: String,
}

impl Board {
    /// The side on move, if it has not completed a move of a game that has begun.
    fn awaited(&self) -> Option<Side> {
        let clock = self.clock();
        let side = clock.state().on_move()?;
        (self.fault.is_none() && clock.side(side, clock.now()).moves == 0).then_some(side)
    }

    /// Takes in a note that the default time has passed.
    pub(crate) fn note_late(&mut self, text: &str) {
        if let Some(side) = self.awaited() {
            self.opening.late = Some(Late {
                side,
                text: text.to_owned(),
            });
            self.changes.push(Change::Label);
        }
    }

    /// The note about a player who is still awaited.
    pub(crate) fn late_note(&self) -> Option<&str> {
        let late = self.opening.late.as_ref()?;
        (self.in_play() && self.awaited() == Some(late.side)).then_some(late.text.as_str())
    }
}

impl Hall {
    /// Enters into the calendar when a board's players have to be there, or strikes it out.
    pub(crate) fn plan_default_time(&mut self, now: Instant<Hub>, id: &BoardId) {
        let planned = self.live.absences.get(id).copied();
        match (self.default_due(id), planned) {
            (Some(due), None) => self.look_after(due.max(now), id),
            (None, Some(planned)) => {
                self.live.absences.remove(id);
                let due = Due::DefaultTime(id.clone());
                self.live.wakes.remove(planned, due);
            }
            (Some(_), Some(_)) | (None, None) => (),
        }
    }

    fn look_after(&mut self, at: Instant<Hub>, id: &BoardId) {
        self.live.absences.insert(id.clone(), at);
        self.live.wakes.add(at, Due::DefaultTime(id.clone()));
    }

    /// When the default time of the game on a board passes, if somebody is still awaited.
    fn default_due(&self, id: &BoardId) -> Option<Instant<Hub>> {
        let default = self.live.options.default_time?;
        let board = self.fold.boards.get(id)?;
        let started = board.opening.started?;
        board.awaited()?;
        board.opening.late.is_none().then(|| started + default)
    }

    /// Notes who is awaited, once the board's clock has said that no move was completed until then.
    pub(crate) fn on_default_time(&mut self, now: Instant<Hub>, id: &BoardId, step: &mut Step) {
        self.live.absences.remove(id);
        let (Some(due), Some(board)) = (self.default_due(id), self.fold.boards.get(id)) else {
            return;
        };
        let (Some(side), Some(default)) = (board.awaited(), self.live.options.default_time) else {
            return;
        };
        let certain = match board.keeper {
            Keeper::Agent(agent) => self.has_spoken_for(agent, due),
            Keeper::Hub { .. } => board
                .pair
                .as_ref()
                .and_then(|pair| pair.seats[side].as_ref())
                .is_some_and(|seat| self.has_spoken_for(seat.agent, due)),
        };
        if now < due || !certain {
            self.look_after(due.max(now + LOOK_AGAIN), id);
            return;
        }
        let text = words(id, side, default);
        self.note(now, step, note::default_time(id, text));
        self.touch(id);
    }

    /// Whether everything that happened at an agent's board up to `due` is in the log.
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
