//! The rules by which an arbiter's request is refused, each with a message for the arbiter.

use core::fmt;

/// The reason why a request was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the message of a variant says what it is")]
pub enum Rejection {
    /// Time on the board is already settled beyond the instant of the request.
    Late,
    GameOver,
    AlreadyStarted,
    NotStarted,
    GameInProgress,
    NotRunning,
    Running,
    NoTimeLeft,
    TripleBlock,
    NoBank,
    NotOnMove,
    FlagDown,
    NothingToRefill,
    NoDoubleFlag,
    NoDrawRight,
    FlagUp,
    AlreadyCalled,
    NoResult,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Late => "the board's clock has moved on: send the command again",
            Self::GameOver => "the game has a result: remove it first (end result *)",
            Self::AlreadyStarted => "the game has already started: a game can start only once",
            Self::NotStarted => "the game has not started: start it first",
            Self::GameInProgress => "a game is in progress on this board: enter its result first",
            Self::NotRunning => "no clock is running",
            Self::Running => "the clock is running: pause it first",
            Self::NoTimeLeft => "an edit must leave time on the clock (FIDE 6.10.2: enter the correct times)",
            Self::TripleBlock => "ICCF Triple Block 4: clocks are never reset",
            Self::NoBank => "only Triple Block has a bank from which to refill",
            Self::NotOnMove => "ICCF Triple Block d: a clock can be refilled only while it is the player's move",
            Self::FlagDown => "ICCF Triple Block 7: the flag is down, so the bank can no longer be used",
            Self::NothingToRefill => "ICCF Triple Block 5: the clock is full, or the bank is empty",
            Self::NoDoubleFlag => "only the double flag allows this claim; for other claims, see FIDE 9.2, 9.3 or Guideline III.5",
            Self::NoDrawRight => "double flag: only a player with main time left may claim a draw, once the opponent's is used up",
            Self::FlagUp => "FIDE 6.8: the flag is not down",
            Self::AlreadyCalled => "FIDE 6.8: the flag has already been called",
            Self::NoResult => "there is no result to remove",
        })
    }
}

impl core::error::Error for Rejection {}
