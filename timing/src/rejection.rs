//! The rules by which an arbiter's request is refused, with a text for the arbiter.

use core::fmt;

/// A refused request. The state of the board is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rejection {
    /// The instant of the request is earlier than the settled time of the board.
    Late,
    /// The game has a result.
    GameOver,
    /// The game has already started.
    AlreadyStarted,
    /// The game has not started.
    NotStarted,
    /// A game is in progress.
    GameGoingOn,
    /// No clock is running.
    NotRunning,
    /// A clock is running.
    Running,
    /// The edit would leave no time on the clock.
    NoTimeLeft,
    /// A Triple Block clock cannot be edited.
    TripleBlock,
    /// Only Triple Block has a bank.
    NoBank,
    /// Only the side on move can refill.
    NotOnMove,
    /// The side's flag is down.
    FlagDown,
    /// There is nothing to move from the bank.
    NothingToRefill,
    /// The control has no double flag.
    NoDoubleFlag,
    /// The claimant has no right to a draw.
    NoDrawRight,
    /// The flag to be called is not down.
    FlagUp,
    /// The flag has already been called.
    AlreadyCalled,
    /// There is no result to remove.
    NoResult,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Late => "the board's time has already passed this moment: ask again",
            Self::GameOver => "the game has a result: lift it first (end result *)",
            Self::AlreadyStarted => "the game has started: a game starts once",
            Self::NotStarted => "the game has not started: start it first",
            Self::GameGoingOn => "a game is going on here: enter its result first",
            Self::NotRunning => "no clock is running",
            Self::Running => "the clock is running: pause it first",
            Self::NoTimeLeft => "an edit that would leave no time is refused whole (FIDE 6.10.2: correct times are entered)",
            Self::TripleBlock => "ICCF Triple Block 4: clocks are never reset",
            Self::NoBank => "only Triple Block has a bank to refill from",
            Self::NotOnMove => "ICCF Triple Block d: a clock is refilled only while it is the player's move",
            Self::FlagDown => "ICCF Triple Block 7: the flag is down, the bank cannot help any more",
            Self::NothingToRefill => "ICCF Triple Block 5: nothing fits the clock, or the bank is empty",
            Self::NoDoubleFlag => "only the double flag allows this claim; for others, see FIDE 9.2, 9.3 or Guideline III.5",
            Self::NoDrawRight => "double flag: only a player with main time left may claim, once the opponent's is used up",
            Self::FlagUp => "FIDE 6.8: that flag is not down",
            Self::AlreadyCalled => "FIDE 6.8: that flag has been called already",
            Self::NoResult => "there is no result to lift",
        })
    }
}

impl core::error::Error for Rejection {}
