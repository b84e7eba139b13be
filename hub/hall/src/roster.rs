//! The members of the hall: removal of boards; enrolment, assignment and revocation of clocks.

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
        let id = Some(board.id.clone());
        if board.in_play() {
            return Ok(Verdict::Refuse(id, Why::BoardInPlay.into()));
        }
        Ok(match stale(board, request.seen_seq, DependsOn::Decisions) {
            Some(why) => Verdict::Refuse(id, why.into()),
            None => Verdict::Accept(id, CommandKind::RemoveBoard),
        })
    }

    pub(crate) fn judge_assignment(
        &self,
        request: &Request,
        side: Option<Side>,
        key: &str,
    ) -> Result<Verdict, Denied> {
        let board = self.named(request)?;
        let id = Some(board.id.clone());
        let agent = if key.is_empty() {
            None
        } else {
            Some(self.agent_named(key)?)
        };
        if let Some(agent) = agent
            && let Some(known) = self.fold.agents.get(&agent)
        {
            if known.revoked {
                let why = Why::ClockShutOut(agent);
                return Ok(Verdict::Refuse(id, why.into()));
            }
            let busy = known
                .board
                .as_ref()
                .filter(|other| **other != board.id)
                .and_then(|other| self.fold.boards.get(other))
                .filter(|other| other.in_play());
            if let Some(other) = busy {
                let why = Why::ClockElsewhere {
                    clock: agent,
                    board: other.id.clone(),
                };
                return Ok(Verdict::Refuse(id, why.into()));
            }
        }
        let Some(side) = side else {
            return Ok(Verdict::Accept(id, CommandKind::Assign(agent)));
        };
        let served = agent.and_then(|agent| board.pair.as_ref()?.side_of(agent));
        if let (Some(agent), Some(served)) = (agent, served)
            && served != side
        {
            let why = Why::ClockOtherSide {
                clock: agent,
                side: served,
            };
            return Ok(Verdict::Refuse(id, why.into()));
        }
        Ok(Verdict::Accept(id, CommandKind::AssignSide(side, agent)))
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
            (Some(_), Some(_)) => Err(Denied::Unfit(Why::ClockAmbiguous(key).into())),
        }
    }

    pub(crate) fn revoke(
        &mut self,
        request: &Request,
        key: &str,
        step: &mut OpenStep,
    ) -> Result<Verdict, Denied> {
        let agent = self.agent_named(key)?;
        if self
            .fold
            .agents
            .get(&agent)
            .is_some_and(|known| known.revoked)
        {
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
            let board = self
                .fold
                .boards
                .get(id)
                .ok_or_else(|| Denied::NotFound(Why::NoBoard(id.clone()).into()))?;
            let by_another = board.agents().any(|agent| agent != enrolment.agent);
            if by_another && board.in_play() {
                let why = format!("board {id} has a clock, and a game is being played on it");
                return Err(Denied::Unavailable(why));
            }
        }
        let id = enrolment.board.clone();
        Ok(self.log(id, Entry::AgentEnrolled(Box::new(enrolment)), step)?)
    }
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
