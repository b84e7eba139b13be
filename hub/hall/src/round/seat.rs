//! Links a board to its game in the event, as part of the fold. Holds this state only; other modules decide on changes.

use std::collections::VecDeque;

use proto::ids::CommandId;

use crate::command_record::CommandRecord;
use crate::recent::push_recent;
use tournament::RoundNo;

/// Maximum number of pending commands stored; the oldest are dropped.
const MAX_ASKED: usize = 32;

/// The round for which a board's clock is set, and the board's pending commands for games of the event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seat {
    /// The round of the board's game; `None` for a game outside the event.
    pub(crate) round: Option<RoundNo>,
    /// The round for which the board must be set again because its players changed. The game on its clock belongs to no
    /// round.
    pub(crate) restart_round: Option<RoundNo>,
    /// Commands that the clock has not answered, oldest first, with the rounds of their games.
    pub(crate) asked: VecDeque<(CommandId, RoundNo)>,
}

impl Seat {
    pub(crate) fn ask(&mut self, record: &CommandRecord) {
        if let Some(round) = record.round {
            push_recent(&mut self.asked, MAX_ASKED, (record.id, round));
        }
    }

    pub(crate) fn any_round(&self) -> Option<RoundNo> {
        self.round.or(self.restart_round)
    }

    pub(crate) fn round_of(&self, command: &CommandId) -> Option<RoundNo> {
        let mut asked = self.asked.iter();
        let (_, round) = asked.find(|(id, _)| id == command)?;
        Some(*round)
    }

    pub(crate) fn answered(&mut self, command: &CommandId) -> Option<RoundNo> {
        let round = self.round_of(command)?;
        self.asked.retain(|(id, _)| id != command);
        Some(round)
    }

    /// Records that the players changed after the clock began, or may have begun, the game of a round.
    pub(crate) fn set_aside(&mut self, round: RoundNo) {
        if self.round == Some(round) {
            self.round = None;
            self.restart_round = Some(round);
        }
    }

    /// Records that a game was set on the board: a game of `round`, or a game outside the event if `round` is `None`.
    pub(crate) fn sit(&mut self, round: Option<RoundNo>) {
        self.round = round;
        self.restart_round = None;
    }

    pub(crate) fn leave_event(&mut self) {
        *self = Self::default();
    }

    pub(crate) fn leave(&mut self, round: RoundNo) {
        if self.round == Some(round) {
            self.round = None;
        }
        if self.restart_round == Some(round) {
            self.restart_round = None;
        }
        self.asked.retain(|(_, of)| *of != round);
    }
}
