//! One side's clock: time in hand, kind of time, and move counts.
//!
//! Knows neither instants nor whose turn it is: callers say how long the clock ran and what happened. They must always pass the side's current
//! [`SideControl`](crate::SideControl).

use crate::{Duration, GameResult};

mod run;

/// The kind of time that a side is using, or was using when its flag fell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TimeKind {
    Main,
    ByoYomi { periods_left: u32 },
    Canadian { stones: u32 },
    Extra,
    Grace,
    Overtime,
}

/// A side's flag: down once the side has run out of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Flag {
    Up,
    Down,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PlayerClock {
    /// Time in hand, or time counted up. Includes a Bronstein delay. Zero while the flag is down.
    pub(crate) time: Duration,
    /// Time used for the current move so far.
    pub(crate) used: Duration,
    pub(crate) time_kind: TimeKind,
    pub(crate) flag: Flag,
    /// Index of the current period, from 0.
    pub(crate) period: u32,
    pub(crate) moves: u32,
    /// Moves that count towards the end of the current period.
    pub(crate) counted: u32,
    pub(crate) bank: Duration,
}

/// The consequence when a side has used up its current time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UsedUp {
    /// The side continues with another kind of time or the next byo-yomi period. If `first_flag` is true, this counts as the fall of its flag.
    Continues {
        first_flag: bool,
    },
    FlagFell,
    GameEnds(GameResult),
}
