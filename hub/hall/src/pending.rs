//! Forces or withdraws, at an arbiter's request, a command that waits for a clock. Also forces the pending pauses of a
//! board that loses its clock.

use proto::ids::CommandId;
use timing::{Command, Duration, Hub, Instant};

use super::Hall;
use super::board::{Board, Keeper};
use super::board_id::BoardId;
use super::command::{Verdict, unknown};
use super::effect::OpenStep;
use super::entry::Entry;
use super::outcome::{Denied, Outcome};
use super::pair::on_board;
use super::refusal::Why;
use super::request::Request;

/// Time that a connected clock has to carry out a command. Afterwards the command may be forced.
const ORDER_ANSWER: Duration = Duration::from_secs(3);

impl Hall {
    pub(crate) fn force(
        &mut self,
        request: &Request,
        command: &CommandId,
        step: &mut OpenStep,
    ) -> Result<Verdict, Denied> {
        let now = step.now;
        let kept = self
            .fold
            .answers
            .get(command)
            .ok_or_else(|| unknown(command))?;
        if kept.outcome != Outcome::Pending {
            return Ok(Verdict::About(*command));
        }
        let (Ok(id), Some(board)) = (
            self.fold.pending_board(command),
            kept.board.as_ref().and_then(|id| self.fold.boards.get(id)),
        ) else {
            return Err(unknown(command));
        };
        let pending = board.pending(command);
        let ignored = pending.is_some_and(|pending| now - pending.since >= ORDER_ANSWER);
        if self.is_online(board) && !ignored {
            return Ok(Verdict::refused(Why::ClockCarriesItOut));
        }
        let at = match pending {
            // A board with two clocks runs on the hub's timeline. The command takes effect at the instant of its
            // request.
            Some(pending) if board.pair.is_some() => board.short_of_flag(on_board(pending.since)),
            Some(_) | None => self.instant_on_board(board, now),
        };
        let wanted = pending.and_then(|pending| pending.record.clock_command());
        if let Some(rejection) = wanted.and_then(|wanted| board.clock().check(at, wanted).err()) {
            return Ok(Verdict::refused(rejection));
        }
        let entry = Entry::Forced {
            id: *command,
            actor: request.actor.name.clone(),
            at,
        };
        self.log(Some(id), entry, step)?;
        Ok(Verdict::About(*command))
    }

    /// Forces the pending pauses of a board that loses its clock, so that the game is paused although no clock carries
    /// them out.
    pub(crate) fn keep_pause(&mut self, request: &Request, id: &BoardId, step: &mut OpenStep) {
        let Some(board) = self.fold.boards.get(id) else {
            return;
        };
        let records = board.pending.iter().map(|pending| &pending.record);
        let pauses = records.filter(|record| record.clock_command() == Some(&Command::Pause));
        let pauses: Vec<CommandId> = pauses.map(|record| record.id).collect();
        for pause in pauses {
            let Some(board) = self.fold.boards.get(id) else {
                return;
            };
            let at = self.instant_on_board(board, step.now);
            if board.clock().check(at, &Command::Pause).is_err() {
                continue;
            }
            let entry = Entry::Forced {
                id: pause,
                actor: request.actor.name.clone(),
                at,
            };
            // The command was pending just now, so the fold accepts the entry.
            let _ = self.log(Some(id.clone()), entry, step);
        }
    }

    /// Estimates the current time on a board's timeline. The estimate never passes a flag fall, which only the clock
    /// itself can confirm.
    pub(crate) fn instant_on_board(
        &self,
        board: &Board,
        now: Instant<Hub>,
    ) -> Instant<timing::Board> {
        let estimate = match board.keeper {
            Keeper::Hub { .. } => Some(on_board(now)),
            Keeper::Agent(agent) => self.board_now(agent, now),
        };
        board.short_of_flag(estimate.unwrap_or(board.clock().now()))
    }

    pub(crate) fn withdraw(
        &mut self,
        request: &Request,
        command: &CommandId,
        step: &mut OpenStep,
    ) -> Result<Verdict, Denied> {
        let kept = self
            .fold
            .answers
            .get(command)
            .ok_or_else(|| unknown(command))?;
        if kept.outcome != Outcome::Pending {
            return Ok(Verdict::About(*command));
        }
        let id = self
            .fold
            .pending_board(command)
            .map_err(|why| Denied::NotFound(why.into()))?;
        if self.was_delivered(&id, command) {
            return Ok(Verdict::refused(Why::LeftForClock));
        }
        if self.follows_result(&id, command) {
            return Ok(Verdict::refused(Why::ShowsResult));
        }
        let entry = Entry::Withdrawn {
            id: *command,
            actor: request.actor.name.clone(),
        };
        self.log(Some(id), entry, step)?;
        Ok(Verdict::About(*command))
    }

    /// Returns true if the order for a command was sent on a link in this run.
    fn was_delivered(&self, board: &BoardId, command: &CommandId) -> bool {
        let agent = self.fold.boards.get(board).and_then(|board| board.agent);
        let Some(agent) = agent else { return false };
        let session = self.live.sessions.get(&agent);
        let delivered = session.map_or(0, |session| session.delivered);
        let known = self.fold.agents.get(&agent);
        let number = known.and_then(|known| known.order_of(command));
        number.is_some_and(|number| number <= delivered)
    }
}
