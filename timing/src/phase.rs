//! The phase of a game and the transitions between phases.

use crate::{GameResult, Instant, Side, Timeline};

/// The phase of a game.
///
/// | from | by | to |
/// | --- | --- | --- |
/// | `Ready` | start | `Running` |
/// | `Running` | a press by the side on move | `Running`, the other side on move |
/// | `Running` | pause, or the players' stop | `Paused` |
/// | `Running` | the second main time of a double flag used up | `Over` |
/// | `Paused` | resume | `Running` |
/// | any but `Over` | the end of the game, or a valid claim | `Over` |
/// | `Over` | the result is removed | `Paused`, or `Ready` if it never started |
///
/// A fallen flag does not change the phase: the clock of the side on move stays at zero. The time control (`runs on` or not) decides whether a press
/// still counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase<T: Timeline> {
    /// Set up, not started.
    Ready,
    /// This side is on move and its clock is running.
    Running {
        /// The side on move.
        mover: Side,
    },
    /// Both clocks are stopped.
    Paused {
        /// The side whose clock runs after a resume.
        next: Side,
        /// The instant at which the clocks stopped.
        since: Instant<T>,
        /// The party that stopped the clocks.
        by: PausedBy,
    },
    /// The game has a result.
    Over {
        /// The result.
        result: GameResult,
        /// The side that was on move; `None` if the game never started.
        next: Option<Side>,
    },
}

/// The party that stopped the clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PausedBy {
    /// The arbiter.
    Arbiter,
    /// The players, with both buttons; they are waiting for an arbiter or a result.
    Players,
}
