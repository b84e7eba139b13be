//! What a step of the engine brought about, for whoever carries it on.

use alloc::vec::Vec;
use core::fmt;

use crate::{Board, Button, Instant, Side, Timeline};

/// What a side is living on: the word scripts call its phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Allotment {
    /// Main time.
    Main,
    /// A byo-yomi period.
    Byo,
    /// A Canadian block.
    Canadian,
    /// The extra time of the double flag.
    Extra,
    /// The Othello grace.
    Grace,
    /// Scrabble overtime, below zero.
    Overtime,
    /// Nothing: the flag is down.
    Flagged,
}

impl Allotment {
    /// Every allotment.
    pub const ALL: [Self; 7] = [
        Self::Main,
        Self::Byo,
        Self::Canadian,
        Self::Extra,
        Self::Grace,
        Self::Overtime,
        Self::Flagged,
    ];

    /// The word scripts, logs and wires use.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::Byo => "byo",
            Self::Canadian => "canadian",
            Self::Extra => "extra",
            Self::Grace => "grace",
            Self::Overtime => "overtime",
            Self::Flagged => "flagged",
        }
    }

    /// The allotment of that word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|allotment| allotment.as_str() == word)
    }
}

impl fmt::Display for Allotment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameResult {
    /// `1-0`.
    WhiteWins,
    /// `0-1`.
    BlackWins,
    /// `1/2-1/2`.
    Draw,
    /// `0-0`: both lose a game that was played.
    BothLose,
    /// `1-0f`: Black did not come.
    WhiteWinsByForfeit,
    /// `0-1f`: White did not come.
    BlackWinsByForfeit,
    /// `0-0f`: neither came.
    BothForfeit,
    /// `1/2-0`: half a point for White alone, as an arbiter may decide (FIDE 12.9.5).
    DrawForWhite,
    /// `0-1/2`: half a point for Black alone.
    DrawForBlack,
}

impl GameResult {
    /// Every result, in the order in which snapshots number them: new ones come last.
    pub const ALL: [Self; 9] = [
        Self::WhiteWins,
        Self::BlackWins,
        Self::Draw,
        Self::BothLose,
        Self::WhiteWinsByForfeit,
        Self::BlackWinsByForfeit,
        Self::BothForfeit,
        Self::DrawForWhite,
        Self::DrawForBlack,
    ];

    /// A win for `side` over the board.
    pub const fn win(side: Side) -> Self {
        match side {
            Side::White => Self::WhiteWins,
            Side::Black => Self::BlackWins,
        }
    }

    /// `1-0`, `0-1`, `1/2-1/2`, `0-0`, `1-0f`, `0-1f`, `0-0f`, `1/2-0` or `0-1/2`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::BothLose => "0-0",
            Self::WhiteWinsByForfeit => "1-0f",
            Self::BlackWinsByForfeit => "0-1f",
            Self::BothForfeit => "0-0f",
            Self::DrawForWhite => "1/2-0",
            Self::DrawForBlack => "0-1/2",
        }
    }

    /// The result of that word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|result| result.as_str() == word)
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Why a press changed nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ignored {
    /// The other side is on move.
    OutOfTurn,
    /// The game has not started.
    NotStarted,
    /// The clocks are stopped.
    ClocksStopped,
    /// That side's flag is down and the control does not run on.
    FlagDown,
    /// The game has a result.
    GameOver,
    /// The press is older than the time already settled; the arbiter may want to see it.
    Late,
}

impl fmt::Display for Ignored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::OutOfTurn => "the other side is on move",
            Self::NotStarted => "the game has not started",
            Self::ClocksStopped => "the clocks are stopped",
            Self::FlagDown => "that side's flag is down",
            Self::GameOver => "the game has a result",
            Self::Late => "the press is older than the time already settled",
        })
    }
}

/// One thing a step brought about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect<T: Timeline = Board> {
    /// The game began with this side's clock.
    Started {
        /// Whose clock runs.
        side: Side,
    },
    /// A press completed a move.
    MoveCompleted {
        /// Who moved.
        side: Side,
        /// Moves that side has completed, this one included.
        moves: u32,
    },
    /// A press changed nothing.
    PressIgnored {
        /// Which button.
        button: Button,
        /// Whose button it is.
        side: Side,
        /// Why nothing changed.
        why: Ignored,
    },
    /// A side's last time was used up.
    FlagFell {
        /// Whose flag.
        side: Side,
        /// At which instant, exactly.
        at: Instant<T>,
    },
    /// A side received its next period (or its repeating period once more).
    PeriodEntered {
        /// Who.
        side: Side,
        /// The period's number, from 1.
        period: u32,
        /// When.
        at: Instant<T>,
    },
    /// A side began to live on something else than before.
    AllotmentEntered {
        /// Who.
        side: Side,
        /// On what.
        allotment: Allotment,
        /// When.
        at: Instant<T>,
    },
    /// The arbiter stopped the clocks.
    Paused,
    /// A side's clock runs again.
    Resumed {
        /// Whose.
        side: Side,
    },
    /// The players stopped the clocks.
    Stopped,
    /// An arbiter corrected this side's time, counter or block.
    Edited {
        /// Whose.
        side: Side,
    },
    /// The arbiter called this side's fallen flag.
    FlagCalled {
        /// Whose.
        side: Side,
    },
    /// The game has a result, or (`None`) has none any more.
    Ended {
        /// The result.
        result: Option<GameResult>,
    },
    /// A new game was set on the board.
    Prepared,
    /// The game goes on under another time control.
    ControlChanged,
    /// The board was put back to an earlier state.
    Restored,
    /// The buttons changed owners.
    ButtonsChanged {
        /// Which button is White's now.
        white: Button,
    },
}

/// How many effects a step yields without touching the allocator; ordinary presses need two.
const INLINE: usize = 4;

/// The effects of one step, in the order they came about. At most a few for each period of the control.
#[derive(Clone, Debug)]
#[must_use]
pub struct Effects<T: Timeline = Board> {
    first: [Option<Effect<T>>; INLINE],
    rest: Vec<Effect<T>>,
}

impl<T: Timeline> Default for Effects<T> {
    fn default() -> Self {
        Self {
            first: [None; INLINE],
            rest: Vec::new(),
        }
    }
}

impl<T: Timeline> Effects<T> {
    /// Appends an effect.
    pub(crate) fn push(&mut self, effect: Effect<T>) {
        match self.first.iter_mut().find(|slot| slot.is_none()) {
            Some(slot) => *slot = Some(effect),
            None => self.rest.push(effect),
        }
    }

    /// Whether nothing came about.
    pub fn is_empty(&self) -> bool {
        self.first[0].is_none()
    }

    /// The effects in order, by reference.
    pub fn iter(&self) -> impl Iterator<Item = &Effect<T>> {
        self.first.iter().flatten().chain(&self.rest)
    }
}

impl<T: Timeline> PartialEq for Effects<T> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<T: Timeline> Eq for Effects<T> {}

impl<T: Timeline> IntoIterator for Effects<T> {
    type Item = Effect<T>;
    type IntoIter = core::iter::Chain<
        core::iter::Flatten<core::array::IntoIter<Option<Effect<T>>, INLINE>>,
        alloc::vec::IntoIter<Effect<T>>,
    >;
    fn into_iter(self) -> Self::IntoIter {
        self.first.into_iter().flatten().chain(self.rest)
    }
}
