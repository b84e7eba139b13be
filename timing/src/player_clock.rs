//! One side's clock: time in hand, kind of time, and moves.
//!
//! Knows neither instants nor the opponent's moves, and never decides whose turn it is. Callers say how long the clock ran and what happened. They
//! must always pass the [`SideControl`](crate::SideControl) with which they created the clock.

use crate::{Duration, GameResult};

mod run;

/// The kind of time a side is using, or was using when its flag fell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LivingOn {
    Main,
    ByoYomi { periods_left: u32 },
    Canadian { stones: u32 },
    Extra,
    Grace,
    Overtime,
}

/// The flag: down once the last time is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Flag {
    Up,
    Down,
}

/// One side's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PlayerClock {
    /// Time in hand, or time counted up. Includes a Bronstein delay. Zero while the flag is down.
    pub(crate) time: Duration,
    /// Time used so far for the current move.
    pub(crate) used: Duration,
    pub(crate) living_on: LivingOn,
    pub(crate) flag: Flag,
    /// Index of the period, from 0.
    pub(crate) period: u32,
    /// Moves completed.
    pub(crate) moves: u32,
    /// Moves counted towards the end of the period.
    pub(crate) counted: u32,
    /// The Triple Block bank.
    pub(crate) bank: Duration,
}

/// Outcome for a side whose time has been used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UsedUp {
    /// The side continues with a different kind of time; `first_flag` says whether its first flag counts as fallen from now on.
    LivesOn { first_flag: bool },
    /// The side's flag fell.
    FlagFell,
    /// The game has ended.
    GameEnds(GameResult),
}
