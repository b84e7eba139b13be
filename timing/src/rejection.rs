//! Why an arbiter's request was refused: the rule, in words for the arbiter.

use core::fmt;

/// A refused request. The board's state is untouched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rejection {
    /// The moment of the request lies before time the board has settled.
    Late,
    /// The game has a result.
    GameOver,
    /// The game has started already.
    AlreadyStarted,
    /// The game has not started.
    NotStarted,
    /// A game is going on.
    GameGoingOn,
    /// No clock runs.
    NotRunning,
    /// A clock runs.
    Running,
    /// The edit would leave no time.
    NoTimeLeft,
    /// Nobody edits a Triple Block clock.
    TripleBlock,
    /// Only Triple Block has a bank.
    NoBank,
    /// Only the side on move refills.
    NotOnMove,
    /// The side's flag is down.
    FlagDown,
    /// Nothing would move from the bank.
    NothingToRefill,
    /// The control is no double flag.
    NoDoubleFlag,
    /// The claimant holds no draw right.
    NoDrawRight,
    /// That flag is not down.
    FlagUp,
    /// That flag has been called already.
    AlreadyCalled,
    /// There is no result to lift.
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
            Self::NoDoubleFlag => "only the double flag knows this claim; see FIDE 9.2, 9.3 or Guideline III.5 with the arbiter",
            Self::NoDrawRight => "double flag: only a player with main time left may claim, once the opponent's is used up",
            Self::FlagUp => "FIDE 6.8: that flag is not down",
            Self::AlreadyCalled => "FIDE 6.8: that flag has been called already",
            Self::NoResult => "there is no result to lift",
        })
    }
}

impl core::error::Error for Rejection {}
