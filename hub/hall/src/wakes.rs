//! The scheduled work of the hall. Holds the schedule only; other modules do the work.

use std::collections::BTreeSet;

use proto::ids::{AgentId, CommandId};
use timing::{Hub, Instant};

use super::board_id::BoardId;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum WakeReason {
    Probe(AgentId),
    Silence(AgentId),
    /// A predicted flag fall, which changes the board's view.
    Flag(BoardId),
    /// The deadline for the clock's answer to a command.
    Answer(CommandId),
    Schedule,
    /// The end of a board's default time (FIDE 6.7.1).
    DefaultTime(BoardId),
    Check,
    /// The deadline for the scripted press of a clock test; the number is the test's nonce.
    ZeroTest(AgentId, u64),
}

#[derive(Debug, Default)]
pub(crate) struct Wakes {
    due: BTreeSet<(Instant<Hub>, WakeReason)>,
}

impl Wakes {
    pub(crate) fn add(&mut self, at: Instant<Hub>, due: WakeReason) {
        self.due.insert((at, due));
    }

    pub(crate) fn remove(&mut self, at: Instant<Hub>, due: WakeReason) {
        self.due.remove(&(at, due));
    }

    pub(crate) fn next(&self) -> Option<Instant<Hub>> {
        self.due.first().map(|(at, _)| *at)
    }

    pub(crate) fn take(&mut self, now: Instant<Hub>) -> Option<WakeReason> {
        if self.next()? > now {
            return None;
        }
        self.due.pop_first().map(|(_, due)| due)
    }
}
