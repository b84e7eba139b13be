//! Requests: what an arbiter asks of a board. A request may be refused.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;

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

impl FromStr for Command {
    type Err = ParseCommandError;
    fn from_str(_text: &str) -> Result<Self, ParseCommandError> {
        todo!()
    }
}

impl fmt::Display for Command {
    fn fmt(&self, _f: &mut fmt::Formatter<'_>) -> fmt::Result {
        todo!()
    }
}
