//! Changes the boards and clocks of the hall: removes boards; enrols, assigns and revokes clocks.

use proto::ids::AgentId;
use timing::Side;

use super::Hall;
use super::board::Board;
use super::changes::DependsOn;
use super::command::Verdict;
use super::command_record::CommandKind;
use super::effect::OpenStep;
use super::entry::Entry;
use super::outcome::{Denied, Outcome};
use super::refusal::Why;
use super::request::{Enrolment, Request};

impl Hall {
    pub(crate) fn judge_removal(&self, request: &Request) -> Result<Verdict, Denied> {
        let board = self.named(request)?;
        let refused = match board.in_play() {
            true => Some(Why::BoardInPlay),
            false => stale(board, request.seen_seq, DependsOn::Decisions),
        };
        let removed = refused.map_or(Ok(CommandKind::RemoveBoard), |why| Err(why.into()));
        Ok(Verdict::of(board, removed))
    }

    pub(crate) fn judge_assignment(
        &self,
        request: &Request,
        side: Option<Side>,
        key: &str,
    ) -> Result<Verdict, Denied> {
        let board = self.named(request)?;
        let agent = match key {
            "" => None,
            key => Some(self.agent_named(key)?),
        };
        let unfit = agent.and_then(|agent| self.unfit_for(board, side, agent));
        let kind = match side {
            Some(side) => CommandKind::AssignSide(side, agent),
            None => CommandKind::Assign(agent),
        };
        let judged = unfit.map_or(Ok(kind), |why| Err(why.into()));
        Ok(Verdict::of(board, judged))
    }

    /// Returns the reason why an agent cannot serve a board, or one side of it; `None` if it can.
    fn unfit_for(&self, board: &Board, side: Option<Side>, clock: AgentId) -> Option<Why> {
        let known = self.fold.agents.get(&clock);
        if known.is_some_and(|known| known.revoked) {
            return Some(Why::ClockRevoked(clock));
        }
        let other = self
            .fold
            .served_by(clock)
            .filter(|other| other.id != board.id);
        if let Some(other) = other.filter(|other| other.in_play()) {
            let board = other.id.clone();
            return Some(Why::ClockElsewhere { clock, board });
        }
        serves_other_side(board, side, clock)
    }

    fn agent_named(&self, key: &str) -> Result<AgentId, Denied> {
        let key = key.to_ascii_lowercase();
        let mut matching = self
            .fold
            .agents
            .keys()
            .filter(|agent| agent.to_string().starts_with(&key));
        match (matching.next(), matching.next()) {
            (Some(agent), None) => Ok(*agent),
            (None, _) => Err(Denied::NotFound(Why::ClockUnknown(key).into())),
            (Some(_), Some(_)) => Err(Denied::NotPossible(Why::ClockAmbiguous(key).into())),
        }
    }

    pub(crate) fn revoke(
        &mut self,
        request: &Request,
        key: &str,
        step: &mut OpenStep,
    ) -> Result<Verdict, Denied> {
        let agent = self.agent_named(key)?;
        let known = self.fold.agents.get(&agent);
        if known.is_some_and(|known| known.revoked) {
            return Ok(Verdict::Now(Outcome::Done));
        }
        if let Some(board) = self.board_of(agent) {
            self.keep_pause(request, &board, step);
        }
        let entry = Entry::AgentRevoked {
            agent,
            actor: request.actor.name.clone(),
            reason: request.reason.clone(),
        };
        self.log(None, entry, step)?;
        Ok(Verdict::Now(Outcome::Done))
    }

    pub(crate) fn enrol(
        &mut self,
        enrolment: Enrolment,
        step: &mut OpenStep,
    ) -> Result<(), Denied> {
        let known = self.fold.agents.get(&enrolment.agent);
        if known.is_some_and(|known| known.revoked) {
            let why = Why::ClockNotEnrolled(enrolment.agent);
            return Err(Denied::Forbidden(why.into()));
        }
        if let Some(id) = &enrolment.board {
            let board = self.board_called(id)?;
            let by_another = board.agents().any(|agent| agent != enrolment.agent);
            if by_another && board.in_play() {
                let why = format!("board {id} has a clock, and a game is in progress");
                return Err(Denied::Unavailable(why));
            }
            if let Some(why) = serves_other_side(board, enrolment.side, enrolment.agent) {
                return Err(Denied::NotPossible(why.into()));
            }
        }
        let id = enrolment.board.clone();
        Ok(self.log(id, Entry::AgentEnrolled(Box::new(enrolment)), step)?)
    }
}

fn serves_other_side(board: &Board, side: Option<Side>, clock: AgentId) -> Option<Why> {
    let served = board.pair.as_ref()?.side_of(clock)?;
    let side = side.filter(|side| *side != served).map(|_| served)?;
    Some(Why::ClockOtherSide { clock, side })
}

pub(crate) fn stale(board: &Board, seen: u64, depends_on: DependsOn) -> Option<Why> {
    let mut missed = board.changes.since(seen, depends_on)?;
    for change in &mut missed.changes {
        change.board = board.id.to_string();
    }
    Some(Why::BoardChanged {
        missed: Box::new(missed),
        press: board.changes.pressed_since(seen, depends_on),
    })
}
