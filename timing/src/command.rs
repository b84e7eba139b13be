//! The requests of an arbiter, which a board may refuse.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::{fmt, slice};

pub(crate) mod text;

use crate::{Button, Duration, GameResult, Setup, Side, Snapshot, TimeControl};

/// An arbiter's request for one board.
///
/// `Display` writes its text form, and `FromStr` reads that form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the doc of a variant covers its plain fields")]
pub enum Command {
    /// `prepare left arbiter 5m+3s`: set up a new game. States White's button, the start rule and the time control.
    Prepare(Setup),
    /// `start`, `start black`: start this side's clock, by default White's, in a game that has not started.
    Start(Option<Side>),
    /// `pause`: stop both clocks.
    Pause,
    /// `resume`, `resume white`: restart the clock that was running, or this side's clock.
    Resume(Option<Side>),
    /// `set white 3s`: set the time in hand.
    Set { side: Side, to: Duration },
    /// `add black -120s`: add to the time in hand.
    Add {
        side: Side,
        /// The time to add; negative to subtract.
        by: Duration,
    },
    /// `moves white 41`: set the number of completed moves.
    Moves {
        side: Side,
        /// Number of completed moves, according to the score sheets.
        to: u32,
    },
    /// `refill white`, `refill white 3d`: move Triple Block time from the bank to the clock.
    Refill {
        side: Side,
        /// The time to move; by default as much as fits.
        amount: Option<Duration>,
    },
    /// `end mate white`, `end resign white`, `end draw`, `end result 1-0`, `end result *`: end the game, or correct or remove its result.
    End(Ending),
    /// `claim draw white`: this side claims a draw under the double flag.
    ClaimDraw(Side),
    /// `flag white`: call this side's fallen flag (FIDE 6.8).
    CallFlag(Side),
    /// `button left`: White presses this button from now on.
    WhiteIs(Button),
    /// `swap`: exchange the players' buttons.
    Swap,
    /// `control 40/2h : 20/1h`: change the time control.
    ChangeControl(TimeControl),
    /// `restore 01ab…`: return the board, except its buttons, to the state in a snapshot, with the clocks stopped.
    Restore(Box<Snapshot>),
    /// `pause; add black 2m; resume white`: several commands at the same instant. Either all of them take effect, or none does. The text form allows
    /// neither [`Command::Prepare`] nor [`Command::Restore`] in a sequence.
    Sequence(Vec<Command>),
}

/// The end of a game as reported by a player or the arbiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// This side has checkmated the opponent.
    Mate(Side),
    /// This side has resigned.
    Resign(Side),
    /// The game is drawn, for example by agreement or stalemate.
    Draw,
    /// A result entered by the arbiter; with `None`, the current result is removed.
    Result(Option<GameResult>),
}

/// An arbiter's request that concerns only a game, not its board. [`Game::on_command`](crate::Game::on_command) applies it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the doc of a variant covers its plain fields")]
pub enum GameCommand {
    /// See [`Command::Start`].
    Start(Option<Side>),
    /// See [`Command::Pause`].
    Pause,
    /// See [`Command::Resume`].
    Resume(Option<Side>),
    /// See [`Command::Set`].
    Set { side: Side, to: Duration },
    /// See [`Command::Add`].
    Add { side: Side, by: Duration },
    /// See [`Command::Moves`].
    Moves { side: Side, to: u32 },
    /// See [`Command::Refill`].
    Refill {
        side: Side,
        amount: Option<Duration>,
    },
    /// See [`Command::End`].
    End(Ending),
    /// See [`Command::ClaimDraw`].
    ClaimDraw(Side),
}

impl Command {
    /// Returns the commands of a sequence, or the command itself as a slice of one.
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

    /// Returns the command as a request to the game; `None` if the board itself must apply it.
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

/// A syntax error in the text form of a command.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ParseCommandError {
    /// Column of the error, from 1, in characters of the whole line.
    pub column: usize,
    /// Description of the input expected there, or of the fault.
    pub expected: String,
}

impl fmt::Display for ParseCommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.expected)
    }
}

impl core::error::Error for ParseCommandError {}
