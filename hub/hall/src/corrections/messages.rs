//! The messages about corrections: the arbiters' keys for the clocks, and the notices to other arbiters.

use proto::ids::AgentId;
use proto::log::NoteFigures;

use super::{Arbiters, Corrected, Correction};
use crate::board_id::BoardId;
use crate::effect::OpenStep;
use crate::entry::{Entry, Logged};
use crate::note::{self, Notice};
use crate::note_kind::NoteKind;
use crate::{Hall, to_proto};

/// First minor version of the frame protocol that includes the list of arbiters.
const ARBITERS_SINCE_MINOR: u32 = 1;

/// A note is raised at this number of wrong PINs in a row at one clock, and again at each doubling of the number.
const WRONG_PINS: u32 = 3;

impl Hall {
    /// Sets the arbiters who may correct boards at their clocks. Call this before the first input of a run.
    pub fn set_arbiters(&mut self, arbiters: Arbiters) {
        self.live.arbiters = arbiters;
    }

    pub(crate) fn log_arbiters(&mut self, step: &mut OpenStep) {
        let list = &self.live.arbiters.list;
        if *list != self.fold.arbiters {
            let entry = Entry::Arbiters(list.clone());
            // The entry changes no board, so the fold always accepts it.
            let _ = self.log(None, entry, step);
        }
    }

    pub(crate) fn send_arbiters(&self, agent: AgentId, step: &mut OpenStep) {
        let Some(session) = self.live.sessions.get(&agent) else {
            return;
        };
        let wanted = session.minor >= ARBITERS_SINCE_MINOR && !session.no_corrections;
        if let Some(open) = session.link.filter(|_| wanted) {
            step.send(open.link, to_proto::arbiters(&self.live.arbiters));
        }
    }

    pub(crate) fn on_corrected(
        &mut self,
        board: Option<&BoardId>,
        logged: &Logged,
        correction: &Correction,
        what: &Corrected,
        step: &mut OpenStep,
    ) {
        let Entry::AgentEvent { agent, .. } = &logged.entry else {
            return;
        };
        let agent = *agent;
        let waiting = board
            .and_then(|board| self.fold.boards.get(board))
            .map_or(0, |board| board.pending.len());
        let text = said(agent, correction, what, waiting);
        let kind = match what {
            Corrected::Unproved(_) => NoteKind::ForgedCorrection,
            Corrected::Done | Corrected::Refused(_) | Corrected::Late => NoteKind::CorrectedAtClock,
        };
        let notice = Notice {
            kind,
            text,
            board: board.cloned(),
            agent: Some(agent),
            figures: NoteFigures {
                arbiter: correction.arbiter.clone(),
                command: correction.text.clone(),
                ..NoteFigures::default()
            },
        };
        self.note(step, notice);
    }

    pub(crate) fn check_pins(
        &mut self,
        agent: AgentId,
        before: u32,
        wrong: u32,
        step: &mut OpenStep,
    ) {
        let rank = |wrong: u32| (wrong / WRONG_PINS).checked_ilog2();
        if wrong > before && rank(wrong) > rank(before) {
            let board = self.board_of(agent);
            self.note(step, note::wrong_pins(board.as_ref(), agent, wrong));
        }
    }
}

fn said(agent: AgentId, correction: &Correction, what: &Corrected, waiting: usize) -> String {
    let Correction {
        text,
        arbiter,
        hub_away,
        ..
    } = correction;
    let when = if *hub_away {
        ", without a connection to the hub"
    } else {
        ""
    };
    let clock = agent.short();
    match what {
        Corrected::Done if waiting > 0 => format!(
            "corrected at the clock by {arbiter}{when}: {text}; {waiting} of the hub's own commands still wait for this \
             clock: withdraw those that are no longer needed"
        ),
        Corrected::Done => format!("corrected at the clock by {arbiter}{when}: {text}"),
        Corrected::Refused(rule) => {
            format!(
                "a correction at the clock by {arbiter}{when} was refused by the clock and the hub: {text}: {rule}"
            )
        }
        Corrected::Unproved(why) => format!(
            "clock {clock} sent a correction in the name of {arbiter}{when} without valid proof ({why}): {text}; it is kept but not \
             applied, and the clock adopts the hub's state of the board; please review"
        ),
        Corrected::Late => format!(
            "a correction at the clock by {arbiter}{when} ({text}; clock {clock}) arrived for a board whose time the hub had \
             taken over: it is kept but not applied; please review"
        ),
    }
}
