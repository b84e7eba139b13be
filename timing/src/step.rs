//! Facts and steps: everything that can change a board's clock.

use alloc::boxed::Box;

use crate::{Board, Button, Command, Instant, RulesVersion};

/// Something that the players did with the buttons. A fact is never refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fact {
    /// A button went down.
    Pressed(Button),
    /// The players stopped the clocks (both buttons held): the board asks for an arbiter or a result.
    Stopped,
}

/// One change of a board's clock, as [`BoardClock::apply`](crate::BoardClock::apply) makes it.
///
/// Hub and agent apply the same steps in the same order, so their clocks are equal to the microsecond.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ClockStep {
    /// The players did something.
    Fact {
        /// The instant at which it counts.
        at: Instant<Board>,
        /// The press or the stop.
        fact: Fact,
        /// The rules under which it counts: the latest ones, unless an older log is replayed.
        rules: RulesVersion,
    },
    /// An arbiter asks for a change.
    Command {
        /// The instant at which it counts.
        at: Instant<Board>,
        /// The request.
        command: Box<Command>,
    },
    /// Time passes up to this instant, and nothing else happens.
    TimePassed(Instant<Board>),
    /// The clock moves to another timeline, on which its present is this instant. No time is charged.
    Moved(Instant<Board>),
}

impl ClockStep {
    /// A fact that counts at `at` under the rules in force.
    pub const fn fact(at: Instant<Board>, fact: Fact) -> Self {
        Self::Fact {
            at,
            fact,
            rules: RulesVersion::LATEST,
        }
    }

    /// An arbiter's request that counts at `at`.
    pub fn command(at: Instant<Board>, command: Command) -> Self {
        Self::Command {
            at,
            command: Box::new(command),
        }
    }

    /// Returns the instant at which the step counts; `None` for a move to another timeline.
    pub const fn at(&self) -> Option<Instant<Board>> {
        match self {
            Self::Fact { at, .. } | Self::Command { at, .. } | Self::TimePassed(at) => Some(*at),
            Self::Moved(_) => None,
        }
    }
}
