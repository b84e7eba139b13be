//! When the hall has something to do by itself. Owns the calendar; what is due is done elsewhere.

use std::collections::BTreeSet;

use proto::ids::{AgentId, CommandId};
use timing::{Hub, Instant};

use super::input::BoardId;

/// Something that falls due.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Due {
    /// The next time probe to an agent.
    Probe(AgentId),
    /// A look whether an agent has fallen silent.
    Silence(AgentId),
    /// A flag is expected to fall: the board looks different from here.
    Flag(BoardId),
    /// Whoever waits for this command has waited long enough.
    Answer(CommandId),
    /// The round begins.
    Schedule,
    /// Whoever is not at the board by now comes after the default time.
    DefaultTime(BoardId),
    /// A look round the hall for what is wrong.
    Look,
    /// The scripted press of this agent's zero test has to be there.
    ZeroTest(AgentId, u64),
}

/// The calendar.
#[derive(Debug, Default)]
pub(crate) struct Wakes {
    due: BTreeSet<(Instant<Hub>, Due)>,
}

impl Wakes {
    /// Enters something.
    pub(crate) fn add(&mut self, at: Instant<Hub>, due: Due) {
        self.due.insert((at, due));
    }

    /// Strikes something out.
    pub(crate) fn remove(&mut self, at: Instant<Hub>, due: Due) {
        self.due.remove(&(at, due));
    }

    /// When the next thing is due.
    pub(crate) fn next(&self) -> Option<Instant<Hub>> {
        self.due.first().map(|(at, _)| *at)
    }

    /// Takes the next thing that is due at `now`.
    pub(crate) fn take(&mut self, now: Instant<Hub>) -> Option<Due> {
        if self.next()? > now {
            return None;
        }
        self.due.pop_first().map(|(_, due)| due)
    }
}
