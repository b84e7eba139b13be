//! Requests: what an arbiter asks of a board. A request may be refused.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

pub(crate) mod text;

use crate::{Button, Duration, GameResult, Setup, Side, Snapshot, TimeControl};

/// An arbiter's request, as data.
///
/// `Display` and `FromStr` are its one text form, used in logs, on wires and on the command line.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// `prepare left arbiter 5m+3s`: a new game on this board.
    Prepare(Setup),
    /// `start`, `start black`: that side's clock starts (White's if unnamed); once.
    Start(Option<Side>),
    /// `pause`: both clocks stop.
    Pause,
    /// `resume`, `resume white`: the side that ran, or the one named, runs again.
    Resume(Option<Side>),
    /// `set white 3s`: the time in hand becomes this.
    Set {
        /// Whose.
        side: Side,
        /// The new time in hand.
        to: Duration,
    },
    /// `add black -120s`: the time in hand changes by this.
    Add {
        /// Whose.
        side: Side,
        /// How much is added; negative takes.
        by: Duration,
    },
    /// `moves white 41`: the counter of completed moves.
    Moves {
        /// Whose.
        side: Side,
        /// Moves completed, as the score sheets say.
        to: u32,
    },
    /// `refill white`, `refill white 3d`: Triple Block, from the bank to the clock.
    Refill {
        /// Whose.
        side: Side,
        /// How much; as much as fits if unnamed.
        amount: Option<Duration>,
    },
    /// `end mate white`, `end resign white`, `end draw`, `end result 1-0`, `end result *`.
    End(Ending),
    /// `claim draw white`: double flag.
    ClaimDraw(Side),
    /// `flag white`: the arbiter observes a fallen flag (FIDE 6.8).
    CallFlag(Side),
    /// `button left`: the left button is White's.
    WhiteIs(Button),
    /// `swap`: the buttons change owners.
    Swap,
    /// `control 40/2h : 20/1h`: the game goes on under another time control.
    ChangeControl(TimeControl),
    /// `restore 01ab…`: the board as that snapshot has it, with the clocks stopped.
    Restore(Box<Snapshot>),
}

/// How a game is said to have ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// This side has mated.
    Mate(Side),
    /// This side has resigned.
    Resign(Side),
    /// Drawn on the board: agreed, stalemate, dead position.
    Draw,
    /// The arbiter enters this result, or (`None`) lifts the one that stands.
    Result(Option<GameResult>),
}

/// What an arbiter asks of the clocks themselves: the commands that need neither buttons nor snapshots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameCommand {
    /// See [`Command::Start`].
    Start(Option<Side>),
    /// See [`Command::Pause`].
    Pause,
    /// See [`Command::Resume`].
    Resume(Option<Side>),
    /// See [`Command::Set`].
    Set {
        /// Whose.
        side: Side,
        /// The new time in hand.
        to: Duration,
    },
    /// See [`Command::Add`].
    Add {
        /// Whose.
        side: Side,
        /// How much is added; negative takes.
        by: Duration,
    },
    /// See [`Command::Moves`].
    Moves {
        /// Whose.
        side: Side,
        /// Moves completed.
        to: u32,
    },
    /// See [`Command::Refill`].
    Refill {
        /// Whose.
        side: Side,
        /// How much; as much as fits if unnamed.
        amount: Option<Duration>,
    },
    /// See [`Command::End`].
    End(Ending),
    /// See [`Command::ClaimDraw`].
    ClaimDraw(Side),
}

impl Command {
    /// The part of it that is about the clocks themselves, if it is.
    pub(crate) fn for_game(&self) -> Option<GameCommand> {
        match *self {
            Self::Start(side) => Some(GameCommand::Start(side)),
            Self::Pause => Some(GameCommand::Pause),
            Self::Resume(side) => Some(GameCommand::Resume(side)),
            Self::Set { side, to } => Some(GameCommand::Set { side, to }),
            Self::Add { side, by } => Some(GameCommand::Add { side, by }),
            Self::Moves { side, to } => Some(GameCommand::Moves { side, to }),
            Self::Refill { side, amount } => Some(GameCommand::Refill { side, amount }),
            Self::End(ending) => Some(GameCommand::End(ending)),
            Self::ClaimDraw(side) => Some(GameCommand::ClaimDraw(side)),
            Self::Prepare(_)
            | Self::CallFlag(_)
            | Self::WhiteIs(_)
            | Self::Swap
            | Self::ChangeControl(_)
            | Self::Restore(_) => None,
        }
    }
}

impl From<GameCommand> for Command {
    fn from(command: GameCommand) -> Self {
        match command {
            GameCommand::Start(side) => Self::Start(side),
            GameCommand::Pause => Self::Pause,
            GameCommand::Resume(side) => Self::Resume(side),
            GameCommand::Set { side, to } => Self::Set { side, to },
            GameCommand::Add { side, by } => Self::Add { side, by },
            GameCommand::Moves { side, to } => Self::Moves { side, to },
            GameCommand::Refill { side, amount } => Self::Refill { side, amount },
            GameCommand::End(ending) => Self::End(ending),
            GameCommand::ClaimDraw(side) => Self::ClaimDraw(side),
        }
    }
}

/// Why a text is no command.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ParseCommandError {
    /// Column of the fault, from 1, in characters.
    pub column: usize,
    /// What was expected there.
    pub expected: String,
}

impl fmt::Display for ParseCommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.expected)
    }
}

impl core::error::Error for ParseCommandError {}
