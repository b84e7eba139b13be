//! Facts and steps: all that can change the clock of a board.

use alloc::boxed::Box;

use crate::{Board, Button, Command, Instant, RulesVersion};

/// An action of the players at the buttons. A fact is never refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fact {
    /// A player pressed this button.
    Pressed(Button),
    /// The players held both buttons to stop the clocks, and are waiting for an arbiter or a result.
    Stopped,
}

/// A change of a board's clock, which [`BoardClock::apply`](crate::BoardClock::apply) applies.
///
/// Hub and agent apply the same steps in the same order, so their clocks agree to the microsecond.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ClockStep {
    /// An action of the players at the buttons.
    Fact {
        /// The instant at which the press or stop takes effect.
        at: Instant<Board>,
        /// The action: a press, or a stop.
        fact: Fact,
        /// The version of the rules that applies: the latest, except in some replays.
        rules: RulesVersion,
    },
    /// A request of an arbiter.
    Command {
        /// The instant at which the command takes effect.
        at: Instant<Board>,
        /// The request, which the board may refuse.
        command: Box<Command>,
    },
    /// Time passes up to this instant without a fact or command.
    TimePassed(Instant<Board>),
    /// The clock moves to another timeline, on which the settled instant is this one. The move is charged to neither side.
    Moved(Instant<Board>),
}

impl ClockStep {
    /// Returns the step for a fact at `at` under the latest rules.
    pub const fn fact(at: Instant<Board>, fact: Fact) -> Self {
        Self::Fact {
            at,
            fact,
            rules: RulesVersion::LATEST,
        }
    }

    /// Returns the step for an arbiter's request at `at`.
    pub fn command(at: Instant<Board>, command: Command) -> Self {
        Self::Command {
            at,
            command: Box::new(command),
        }
    }

    /// Returns the instant at which the step takes effect; `None` for a move to another timeline.
    pub const fn at(&self) -> Option<Instant<Board>> {
        match self {
            Self::Fact { at, .. } | Self::Command { at, .. } | Self::TimePassed(at) => Some(*at),
            Self::Moved(_) => None,
        }
    }
}
