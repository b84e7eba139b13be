//! The effects of a step on a board's clock, with the kinds of time, the results of games, and the reasons for ignoring a press.

use alloc::vec::Vec;
use core::fmt;

use crate::{Board, Button, Instant, Side, Timeline};

/// The kind of time that a side is using. Scripts call it the phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Allotment {
    /// Main time.
    Main,
    /// Time of a byo-yomi period.
    Byo,
    /// Time of a Canadian block.
    Canadian,
    /// The extra time of the double flag.
    Extra,
    /// Othello's grace: extra time, granted once when the main time is used up.
    Grace,
    /// Scrabble overtime: the time continues below zero.
    Overtime,
    /// No time left: the flag is down.
    Flagged,
}

impl Allotment {
    /// Every kind of time, in the order of the variants.
    pub const ALL: [Self; 7] = [
        Self::Main,
        Self::Byo,
        Self::Canadian,
        Self::Extra,
        Self::Grace,
        Self::Overtime,
        Self::Flagged,
    ];

    /// Returns the word for this kind of time, as in scripts.
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

    /// Returns the kind of time for a word that [`Allotment::as_str`] returns.
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

/// The result of a game: each side's points, and whether they come from play or from a forfeit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameResult {
    /// `1-0`: White won over the board.
    WhiteWins,
    /// `0-1`: Black won over the board.
    BlackWins,
    /// `1/2-1/2`: a draw.
    Draw,
    /// `0-0`: both players lose a game that was played.
    BothLose,
    /// `1-0f`: White wins because Black did not appear.
    WhiteWinsByForfeit,
    /// `0-1f`: Black wins because White did not appear.
    BlackWinsByForfeit,
    /// `0-0f`: neither player appeared.
    BothForfeit,
    /// `1/2-0`: half a point for White and none for Black, as an arbiter may decide (FIDE 12.9.5).
    DrawForWhite,
    /// `0-1/2`: half a point for Black and none for White.
    DrawForBlack,
}

impl GameResult {
    /// Every result. The index of a result is its number in snapshots, so new results must be added at the end.
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

    /// Returns a win for `side` over the board.
    pub const fn win(side: Side) -> Self {
        match side {
            Side::White => Self::WhiteWins,
            Side::Black => Self::BlackWins,
        }
    }

    /// Returns the notation of the result: `1-0`, `0-1`, `1/2-1/2`, `0-0`, `1-0f`, `0-1f`, `0-0f`, `1/2-0` or `0-1/2`.
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

    /// Returns the result for a notation that [`GameResult::as_str`] returns.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|result| result.as_str() == word)
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The reason why a press was ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ignored {
    /// The other side is to move.
    OutOfTurn,
    /// The game has not started.
    NotStarted,
    /// The clocks are stopped.
    ClocksStopped,
    /// The side's fallen flag has frozen the clocks.
    FlagDown,
    /// The game has a result.
    GameOver,
    /// The press is earlier than the instant up to which time is already settled.
    Late,
}

impl fmt::Display for Ignored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::OutOfTurn => "the other side is to move",
            Self::NotStarted => "the game has not started",
            Self::ClocksStopped => "the clocks are stopped",
            Self::FlagDown => "that side's flag is down",
            Self::GameOver => "the game has a result",
            Self::Late => "the press is older than the time already settled",
        })
    }
}

/// An effect of a step on a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "a name without a doc says what it is")]
pub enum Effect<T: Timeline = Board> {
    Started {
        side: Side,
    },
    MoveCompleted {
        side: Side,
        /// Moves completed by that side, including this one.
        moves: u32,
    },
    PressIgnored {
        button: Button,
        side: Side,
        why: Ignored,
    },
    /// A side ran out of time, and its flag fell.
    FlagFell {
        side: Side,
        /// The exact instant of the fall, which can be before that of the step. Other effects use `at` in the same way.
        at: Instant<T>,
    },
    /// A side entered its next period, or entered its last period again.
    PeriodEntered {
        side: Side,
        /// The period's number, from 1.
        period: u32,
        at: Instant<T>,
    },
    /// A side began to use another kind of time, or another byo-yomi period.
    AllotmentEntered {
        side: Side,
        allotment: Allotment,
        at: Instant<T>,
    },
    /// An arbiter stopped the clocks.
    Paused,
    Resumed {
        side: Side,
    },
    /// The players stopped the clocks.
    Stopped,
    /// An arbiter corrected a side's time or move count, or refilled its clock from the bank.
    Edited {
        side: Side,
    },
    FlagCalled {
        side: Side,
    },
    Ended {
        /// The new result; `None` if the result was removed.
        result: Option<GameResult>,
    },
    Prepared,
    ControlChanged,
    Restored,
    ButtonsChanged {
        /// The button that White presses from now on.
        white: Button,
    },
}

/// Number of effects that need no allocation. An ordinary press has at most two.
const INLINE: usize = 4;

/// The effects of one step, in order.
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
    pub(crate) fn push(&mut self, effect: Effect<T>) {
        match self.first.iter_mut().find(|slot| slot.is_none()) {
            Some(slot) => *slot = Some(effect),
            None => self.rest.push(effect),
        }
    }

    pub(crate) fn extend(&mut self, later: Self) {
        for effect in later {
            self.push(effect);
        }
    }

    /// Returns true if there are no effects.
    pub fn is_empty(&self) -> bool {
        self.first[0].is_none()
    }

    /// Iterates over the effects in the order in which they occurred.
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
