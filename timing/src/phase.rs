//! What a game is doing, and what moves it from one phase to another.

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
/// | any but `Over` | end, a valid claim | `Over` |
/// | `Over` | the result is lifted | `Paused`, or `Ready` if it never started |
///
/// A fallen flag changes no phase: the clock of the side on move stands at zero, and whether its press counts is the
/// control's word (`runs on`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase<T: Timeline> {
    /// Set, not started.
    Ready,
    /// This side is on move and its clock runs.
    Running {
        /// Who.
        mover: Side,
    },
    /// Both clocks stand.
    Paused {
        /// Who runs when they resume.
        next: Side,
        /// Since when they stand.
        since: Instant<T>,
        /// Who stopped them.
        by: PausedBy,
    },
    /// The game has a result.
    Over {
        /// The result.
        result: GameResult,
        /// Who was on move; `None` if the game never started.
        next: Option<Side>,
    },
}

/// Who stopped the clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PausedBy {
    /// The arbiter.
    Arbiter,
    /// The players, with both buttons: they wait for an arbiter or a result.
    Players,
}
