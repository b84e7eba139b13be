//! Which game of the event a board has: part of the fold. Owns the memory of it; who may ask for it is decided beside this.

use std::collections::VecDeque;

use proto::ids::CommandId;

use crate::command_record::CommandRecord;
use tournament::RoundNo;

/// Commands on their way that are remembered: more than a clock is ever behind with.
const MOST_ASKED: usize = 32;

/// The game that a board is set for, and commands for games of the event that wait for its clock.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seat {
    /// The round whose game it is; `None`: a game that is not the event's.
    pub(crate) round: Option<RoundNo>,
    /// The round for whose game it is to be set anew, because others sit there now: what its clock has is nobody's game.
    pub(crate) anew: Option<RoundNo>,
    /// Commands that its clock has not answered, oldest first, and for which round's game each was given.
    pub(crate) asked: VecDeque<(CommandId, RoundNo)>,
}

impl Seat {
    /// Remembers a command that was given for a game of the event.
    pub(crate) fn ask(&mut self, record: &CommandRecord) {
        if let Some(round) = record.round {
            if self.asked.len() >= MOST_ASKED {
                self.asked.pop_front();
            }
            self.asked.push_back((record.id, round));
        }
    }

    /// For which round's game a command was given.
    pub(crate) fn round_of(&self, command: &CommandId) -> Option<RoundNo> {
        let mut asked = self.asked.iter();
        let (_, round) = asked.find(|(id, _)| id == command)?;
        Some(*round)
    }

    /// Forgets a command that has its answer; says for which round's game it was given.
    pub(crate) fn answered(&mut self, command: &CommandId) -> Option<RoundNo> {
        let round = self.round_of(command)?;
        self.asked.retain(|(id, _)| id != command);
        Some(round)
    }

    /// Others sit down for the game of a round that its clock has begun.
    pub(crate) fn set_aside(&mut self, round: RoundNo) {
        if self.round == Some(round) {
            self.round = None;
            self.anew = Some(round);
        }
    }

    /// A game was set on the board: the one of that round, or none of the event's.
    pub(crate) fn sit(&mut self, round: Option<RoundNo>) {
        self.round = round;
        self.anew = None;
    }

    /// Another event stands in the hall.
    pub(crate) fn leave_event(&mut self) {
        *self = Self::default();
    }

    /// A round is no longer paired.
    pub(crate) fn leave(&mut self, round: RoundNo) {
        if self.round == Some(round) {
            self.round = None;
        }
        if self.anew == Some(round) {
            self.anew = None;
        }
        self.asked.retain(|(_, of)| *of != round);
    }
}
