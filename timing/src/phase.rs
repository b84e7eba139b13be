//! The phases of a game and the transitions between them.

use crate::{GameResult, Instant, Side, Timeline};

/// The phase of a game, from set-up to result.
///
/// | from | by | to |
/// | --- | --- | --- |
/// | `Ready` | start | `Running` |
/// | `Running` | a press by the side to move | `Running`, the other side to move |
/// | `Running` | pause, or the players' stop | `Paused` |
/// | `Running` | the second main time of a double flag used up | `Over` |
/// | `Paused` | resume | `Running` |
/// | any but `Over` | the end of the game, or a valid claim | `Over` |
/// | `Over` | the arbiter corrects the result | `Over`, with the new result |
/// | `Over` | the result is removed | `Paused`, or `Ready` if it never started |
///
/// A fallen flag does not change the phase: the clock of the side to move stays at zero. The time control (`runs on` or not) decides whether presses
/// still count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "a name without a doc says what it is")]
pub enum Phase<T: Timeline> {
    /// The clocks are set and the game has not started.
    Ready,
    Running {
        mover: Side,
    },
    Paused {
        /// The side whose clock a resume restarts, unless the arbiter names the other side.
        next: Side,
        since: Instant<T>,
        by: PausedBy,
    },
    Over {
        result: GameResult,
        /// The side to move at the end; `None` if the game never started.
        next: Option<Side>,
    },
}

/// The party that stopped the clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PausedBy {
    /// An arbiter, with a command.
    Arbiter,
    /// The players, by holding both buttons. They are waiting for an arbiter or a result.
    Players,
}
