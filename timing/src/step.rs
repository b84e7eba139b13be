//! Facts and steps: everything that can change the clock of a board.

use alloc::boxed::Box;

use crate::{Board, Button, Command, Instant, RulesVersion};

/// An action by the players on the buttons. A fact is never refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fact {
    /// A button was pressed.
    Pressed(Button),
    /// The players stopped the clocks by holding both buttons, and ask for an arbiter or a result.
    Stopped,
}

/// One change of a board's clock, applied by [`BoardClock::apply`](crate::BoardClock::apply).
///
/// Hub and agent apply the same steps in the same order, so their clocks agree to the microsecond.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ClockStep {
    /// An action by the players.
    Fact {
        /// The instant at which the fact takes effect.
        at: Instant<Board>,
        /// The press or stop.
        fact: Fact,
        /// The rules that apply: the latest version, except in the replay of an older log.
        rules: RulesVersion,
    },
    /// An arbiter's request.
    Command {
        /// The instant at which the command takes effect.
        at: Instant<Board>,
        /// The request.
        command: Box<Command>,
    },
    /// Time passes up to this instant without any other event.
    TimePassed(Instant<Board>),
    /// The clock moves to a different timeline, on which its current time is this instant. No time is charged.
    Moved(Instant<Board>),
}

impl ClockStep {
    /// Returns a fact at `at` under the current rules.
    pub const fn fact(at: Instant<Board>, fact: Fact) -> Self {
        Self::Fact {
            at,
            fact,
            rules: RulesVersion::LATEST,
        }
    }

    /// Returns an arbiter's request at `at`.
    pub fn command(at: Instant<Board>, command: Command) -> Self {
        Self::Command {
            at,
            command: Box::new(command),
        }
    }

    /// Returns the instant at which the step takes effect; `None` for a move to a different timeline.
    pub const fn at(&self) -> Option<Instant<Board>> {
        match self {
            Self::Fact { at, .. } | Self::Command { at, .. } | Self::TimePassed(at) => Some(*at),
            Self::Moved(_) => None,
        }
    }
}
