//! Keeps the accounts of time that rests on clocks' words alone, and notes a side that leads.

use proto::ids::AgentId;
use timing::{Board as BoardTime, BySide, Duration, Fact, Hub, Instant, Side};

use crate::agent_frame::{EventFact, SignedEvent};
use crate::board::Board;
use crate::board_id::BoardId;
use crate::effect::Step;
use crate::{Hall, note};

impl Hall {
    /// Adds an event to the account of the side whose time it ends. `at` is the instant at which the event counts, and
    /// `late` is true if its delay has a note of its own.
    pub(crate) fn keep_account(
        &mut self,
        now: Instant<Hub>,
        agent: AgentId,
        (event, at): (&SignedEvent, Instant<BoardTime>),
        received: Instant<Hub>,
        late: bool,
        step: &mut Step,
    ) {
        let Some((id, side)) = self.keeps(&agent).and_then(|id| {
            let board = self.fold.boards.get(&id)?;
            // An event from before the settled time changes nothing.
            let counts = at >= board.clock().now();
            let side = side_of(board, event.fact).filter(|_| counts)?;
            Some((id, side))
        }) else {
            return;
        };
        let Some(delay) = self.delay_of(agent, at, received) else {
            return;
        };
        let Some(session) = self.live.sessions.get(&agent) else {
            return;
        };
        let usual = session.reports.usual();
        let account = self.live.accounts.entry(id.clone()).or_default();
        let lead = account.add(side, delay.likely, usual, late);
        let sums = account.sums;
        if let Some(lead) = lead {
            let notice = note::word_alone(&id, agent, side, lead, sums);
            self.note(now, step, notice);
        }
    }

    /// Returns the time of the present game that rests on the clock's word alone, for each side.
    pub(crate) fn word_alone(&self, id: &BoardId) -> BySide<Duration> {
        let account = self.live.accounts.get(id);
        account.map_or_else(BySide::default, |account| {
            BySide::from_fn(|side| account.sums[side].or_zero())
        })
    }
}

/// Returns the side whose time an event ends; `None` if it ends no side's.
fn side_of(board: &Board, fact: EventFact) -> Option<Side> {
    let mover = board.clock().state().running()?;
    let ends = match fact {
        EventFact::Players(Fact::Pressed(button)) => board.clock().side_of(button) == mover,
        EventFact::Players(Fact::Stopped) | EventFact::OrderTaken(_) | EventFact::Correction => {
            true
        }
        EventFact::Rebase { .. } | EventFact::ZeroTested(_) => false,
    };
    ends.then_some(mover)
}
