//! An arbiter's requests, which a board can refuse.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::{fmt, slice};

pub(crate) mod text;

use crate::{Button, Duration, GameResult, Setup, Side, Snapshot, TimeControl};

/// An arbiter's request, as data.
///
/// `Display` and `FromStr` are its only text form, used in logs, protocols and command lines.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// `prepare left arbiter 5m+3s`: set up a new game on this board.
    Prepare(Setup),
    /// `start`, `start black`: start this side's clock, White's by default. Possible once per game.
    Start(Option<Side>),
    /// `pause`: stop both clocks.
    Pause,
    /// `resume`, `resume white`: restart the clock that was running, or the named one.
    Resume(Option<Side>),
    /// `set white 3s`: set the time in hand.
    Set {
        /// The side to edit.
        side: Side,
        /// The new time in hand.
        to: Duration,
    },
    /// `add black -120s`: change the time in hand.
    Add {
        /// The side to edit.
        side: Side,
        /// The time to add; a negative span is subtracted.
        by: Duration,
    },
    /// `moves white 41`: set the number of completed moves.
    Moves {
        /// The side to edit.
        side: Side,
        /// Completed moves according to the score sheets.
        to: u32,
    },
    /// `refill white`, `refill white 3d`: move Triple Block time from the bank to the clock.
    Refill {
        /// The side to refill.
        side: Side,
        /// The amount; by default as much as fits.
        amount: Option<Duration>,
    },
    /// `end mate white`, `end resign white`, `end draw`, `end result 1-0`, `end result *`.
    End(Ending),
    /// `claim draw white`: claim a draw under the double flag.
    ClaimDraw(Side),
    /// `flag white`: record that the arbiter has observed a fallen flag (FIDE 6.8).
    CallFlag(Side),
    /// `button left`: make the left button White's.
    WhiteIs(Button),
    /// `swap`: exchange the players' buttons.
    Swap,
    /// `control 40/2h : 20/1h`: continue the game with a different time control.
    ChangeControl(TimeControl),
    /// `restore 01ab…`: restore the board from that snapshot, with the clocks stopped.
    Restore(Box<Snapshot>),
    /// `pause; add black 2m; resume white`: several commands at one instant. All of them take effect, or none does.
    /// [`Command::Prepare`] and [`Command::Restore`] cannot be part of a sequence.
    Sequence(Vec<Command>),
}

/// The end of a game as reported by a player or the arbiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// This side has checkmated.
    Mate(Side),
    /// This side has resigned.
    Resign(Side),
    /// Drawn on the board: by agreement, stalemate or dead position.
    Draw,
    /// The arbiter enters this result or, with `None`, removes the current one.
    Result(Option<GameResult>),
}

/// An arbiter's request that affects only the game's clocks, not buttons or snapshots.
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
        /// The side to edit.
        side: Side,
        /// The new time in hand.
        to: Duration,
    },
    /// See [`Command::Add`].
    Add {
        /// The side to edit.
        side: Side,
        /// The time to add; a negative span is subtracted.
        by: Duration,
    },
    /// See [`Command::Moves`].
    Moves {
        /// The side to edit.
        side: Side,
        /// Moves completed.
        to: u32,
    },
    /// See [`Command::Refill`].
    Refill {
        /// The side to refill.
        side: Side,
        /// The amount; by default as much as fits.
        amount: Option<Duration>,
    },
    /// See [`Command::End`].
    End(Ending),
    /// See [`Command::ClaimDraw`].
    ClaimDraw(Side),
}

impl Command {
    /// Returns the commands of a sequence, or the command itself.
    pub fn parts(&self) -> &[Self] {
        if let Self::Sequence(parts) = self {
            return parts;
        }
        slice::from_ref(self)
    }

    /// Returns one command that applies `parts` in order; `None` if `parts` is empty.
    pub fn of_parts(mut parts: Vec<Self>) -> Option<Self> {
        match parts.len() {
            0 | 1 => parts.pop(),
            _ => Some(Self::Sequence(parts)),
        }
    }

    /// Returns the command as a request for the game's clocks; `None` if it affects more than the clocks.
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
            | Self::Restore(_)
            | Self::Sequence(_) => None,
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

/// A syntax error in the text of a command.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ParseCommandError {
    /// Column of the error, from 1, in characters.
    pub column: usize,
    /// The expected input at that column.
    pub expected: String,
}

impl fmt::Display for ParseCommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.expected)
    }
}

impl core::error::Error for ParseCommandError {}
