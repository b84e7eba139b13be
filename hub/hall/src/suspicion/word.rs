//! Keeps the accounts of time that is known only from clocks' reports, and raises the notes about it.

use proto::ids::AgentId;
use timing::{Board as BoardTime, BySide, Command, Duration, Fact, Hub, Instant, Side};

use super::account::{Conclusion, Delay};
use crate::agent::OrderKind;
use crate::agent_frame::{EventFact, SignedEvent};
use crate::board::Board;
use crate::board_id::BoardId;
use crate::command::ANSWER_TIMEOUT;
use crate::effect::OpenStep;
use crate::{Hall, note};

#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival<'a> {
    pub(super) event: &'a SignedEvent,
    /// The instant at which the event counts.
    pub(super) at: Instant<BoardTime>,
    pub(super) received: Instant<Hub>,
    /// True if the event's delay exceeds [`Hall::report_limit`].
    pub(super) late: bool,
}

impl Hall {
    /// Adds an event of the board's clock to the account of the side that an early stamp would favour.
    pub(super) fn keep_account(
        &mut self,
        agent: AgentId,
        id: &BoardId,
        arrival: Arrival<'_>,
        step: &mut OpenStep,
    ) {
        let Arrival {
            event,
            at,
            received,
            late,
        } = arrival;
        // An event from before the settled time has no effect.
        let board = self.fold.boards.get(id);
        let Some(board) = board.filter(|board| at >= board.clock().now()) else {
            return;
        };
        let Some(side) = self.favoured(agent, board, event) else {
            return;
        };
        let begins = matches!(event.fact, EventFact::OrderTaken(number) if self.order_begins(agent, board, number).is_some());
        let Some(delay) = self.delay_of(agent, at, received) else {
            return;
        };
        // The clock may also have carried out the order late. If a player pressed during that delay, the opponent's
        // time then began late too.
        if let EventFact::OrderTaken(number) = event.fact
            && let Some(span) = self.waited(agent, number, received - delay.least, received)
        {
            for favoured in Side::BOTH {
                if begins || favoured != side {
                    let account = self.live.accounts.entry(id.clone()).or_default();
                    let found = account.entry(agent).or_default().wait(favoured, span);
                    self.conclude(agent, id, favoured, found, step);
                }
            }
        }
        self.add_delay(agent, id, (side, delay, late), step);
    }

    pub(super) fn add_delay(
        &mut self,
        agent: AgentId,
        id: &BoardId,
        (side, delay, late): (Side, Delay, bool),
        step: &mut OpenStep,
    ) {
        let Some(session) = self.live.sessions.get(&agent) else {
            return;
        };
        let usual = session.reports.usual();
        let account = self.live.accounts.entry(id.clone()).or_default();
        let account = account.entry(agent).or_default();
        let found = account.add(side, delay, usual, late);
        self.conclude(agent, id, side, found, step);
    }

    fn conclude(
        &mut self,
        agent: AgentId,
        id: &BoardId,
        side: Side,
        found: Conclusion,
        step: &mut OpenStep,
    ) {
        if let Some(lead) = found.lead {
            let accounts = self.live.accounts.get(id);
            let account = accounts.and_then(|accounts| accounts.get(&agent));
            let beyond = account.map_or_else(BySide::default, |account| {
                BySide::from_fn(|side| account.beyond(side))
            });
            self.note(step, note::word_alone(id, agent, side, lead, beyond));
        }
        if let Some(unchecked) = found.unchecked {
            self.note(step, note::unchecked_time(id, agent, unchecked));
        }
    }

    /// Returns, for each side, how much time in the current game is known only from the clocks' own reports.
    pub(crate) fn unverified_time(&self, id: &BoardId) -> BySide<Duration> {
        let mut sums = BySide::default();
        for account in self
            .live
            .accounts
            .get(id)
            .iter()
            .flat_map(|board| board.values())
        {
            for side in Side::BOTH {
                sums[side] += account.unverified(side);
            }
        }
        sums
    }

    /// Returns the side that an early stamp favours, because its time ends with the event or the opponent's begins.
    fn favoured(&self, agent: AgentId, board: &Board, event: &SignedEvent) -> Option<Side> {
        let mover = board.clock().state().running();
        match event.fact {
            EventFact::Players(Fact::Pressed(button)) => {
                mover.filter(|mover| board.clock().side_of(button) == *mover)
            }
            EventFact::Players(Fact::Stopped) => mover,
            EventFact::Correction => mover.or_else(|| {
                let correction = event.correction.as_ref()?;
                Some(begins(board, &correction.command)?.other())
            }),
            EventFact::OrderTaken(number) => {
                mover.or_else(|| Some(self.order_begins(agent, board, number)?.other()))
            }
            EventFact::Rebase { .. } | EventFact::ZeroTested(_) => None,
        }
    }

    fn order_begins(&self, agent: AgentId, board: &Board, number: u64) -> Option<Side> {
        let known = self.fold.agents.get(&agent)?;
        let order = known.orders.iter().find(|order| order.number == number)?;
        let OrderKind::Command { record, .. } = &order.what else {
            return None;
        };
        begins(board, record.clock_command()?)
    }

    /// Returns the time from an order's issue to the clock's stamp of its execution. Returns `None` if the order or its
    /// issue is unknown, or if the arbiter has already been told that the command is pending.
    fn waited(
        &self,
        agent: AgentId,
        number: u64,
        stamped: Instant<Hub>,
        received: Instant<Hub>,
    ) -> Option<Duration> {
        let known = self.fold.agents.get(&agent)?;
        let order = known.orders.iter().find(|order| order.number == number)?;
        let told = order.issued == Instant::MIN || received - order.issued >= ANSWER_TIMEOUT;
        (!told).then(|| stamped - order.issued)
    }
}

fn begins(board: &Board, command: &Command) -> Option<Side> {
    match command {
        Command::Start(side) => Some(side.unwrap_or(Side::White)),
        Command::Resume(side) => side.or_else(|| board.clock().state().on_move()),
        Command::Sequence(parts) => parts.iter().rev().find_map(|part| begins(board, part)),
        Command::Prepare(_)
        | Command::Pause
        | Command::Set { .. }
        | Command::Add { .. }
        | Command::Moves { .. }
        | Command::Refill { .. }
        | Command::End(_)
        | Command::ClaimDraw(_)
        | Command::CallFlag(_)
        | Command::WhiteIs(_)
        | Command::Swap
        | Command::ChangeControl(_)
        | Command::Restore(_) => None,
    }
}
