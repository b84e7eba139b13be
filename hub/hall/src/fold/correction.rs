//! Corrections at a board's own clock in the fold.

use proto::ids::AgentId;
use proto::pin::CorrectionClaim;
use timing::{ClockStep, Command};

use super::event::Sender;
use super::{Applied, Fold, FoldOutcome};
use crate::agent_frame::SignedEvent;
use crate::board_id::BoardId;
use crate::corrections::{Corrected, Correction};

impl Fold {
    /// Processes a correction. `kept` is the board whose time this clock keeps, if any.
    pub(super) fn correction(
        &mut self,
        id: AgentId,
        kept: Option<&BoardId>,
        event: &SignedEvent,
        applied: &mut Applied,
    ) {
        let Some(correction) = event.correction.as_deref() else {
            return;
        };
        let what = match kept {
            None => Corrected::Late,
            Some(board) => match self.proved(id, board, correction) {
                Ok(()) => self.correct(id, board, event, correction, applied),
                Err(why) => {
                    let step = ClockStep::TimePassed(event.at);
                    // A step of time alone is never refused.
                    let _ = self.step_event(board, event, step, None, applied);
                    Corrected::Unproved(why)
                }
            },
        };
        let board = self.agents.get(&id).and_then(|agent| agent.board.clone());
        applied.add(FoldOutcome::Corrected(board, correction.clone(), what));
    }

    fn correct(
        &mut self,
        id: AgentId,
        board: &BoardId,
        event: &SignedEvent,
        correction: &Correction,
        applied: &mut Applied,
    ) -> Corrected {
        if let Some(agent) = self.agents.get_mut(&id) {
            agent.corrected = Some(correction.made_us);
        }
        let by = format!("{}, at the clock", correction.arbiter);
        let step = ClockStep::command(event.at, correction.command.clone());
        let by = Sender {
            actor: &by,
            command: None,
        };
        match self.step_event(board, event, step, Some(by), applied) {
            Ok(()) => Corrected::Done,
            Err(rule) => Corrected::Refused(rule),
        }
    }

    /// Checks that an arbiter made the correction at this clock and for this board, later than the last proved one. Its
    /// command must be one that is allowed at a clock.
    fn proved(
        &self,
        id: AgentId,
        board: &BoardId,
        correction: &Correction,
    ) -> Result<(), &'static str> {
        let arbiter = self
            .arbiters
            .iter()
            .find(|arbiter| arbiter.name == correction.arbiter)
            .ok_or("no arbiter of that name may now correct boards at their clocks")?;
        let made = CorrectionClaim {
            agent: &id,
            made_us: correction.made_us,
            board: board.as_str(),
            command: &correction.text,
        };
        if !made.is_proved_by(&arbiter.key, &correction.proof) {
            return Err("it was not made with the arbiter's current PIN");
        }
        let last = self.agents.get(&id).and_then(|agent| agent.corrected);
        if last.is_some_and(|last| correction.made_us <= last) {
            return Err("it was already received");
        }
        match correction.command {
            Command::Set { .. }
            | Command::Add { .. }
            | Command::Moves { .. }
            | Command::Pause
            | Command::Resume(_) => Ok(()),
            Command::Prepare(_)
            | Command::Start(_)
            | Command::Refill { .. }
            | Command::End(_)
            | Command::ClaimDraw(_)
            | Command::CallFlag(_)
            | Command::WhiteIs(_)
            | Command::Swap
            | Command::ChangeControl(_)
            | Command::Restore(_)
            | Command::Sequence(_) => Err("it is not a correction of times or moves"),
        }
    }
}
