//! Compares the time charged to both sides of a game with the time that passed at the hub while the game's clock ran.
//! If they differ by more than the uncertainty, a note gives both to the arbiter. A clock thus cannot create time
//! unnoticed by manipulating its stamps.
//!
//! Keeps the sums of this run only. After a restart of the hub or a change of clocks, a game's sum begins again with
//! the next turn. Must never change a time.

mod compare;

use proto::ids::AgentId;
use timing::{Board as BoardTime, BySide, Duration, Hub, Instant, Side};

#[derive(Clone, Debug, Default)]
pub(crate) struct Sum {
    running: Option<Span>,
    /// A completed span that cannot be placed on the hub's timeline yet, and its end in board time.
    ended: Option<(Span, Instant<BoardTime>)>,
    charged: BySide<Duration>,
    /// Lower bound of the time that passed at the hub.
    least: Duration,
    most: Duration,
    /// Total uncertainty of the clock's jumps, as stated by the clock, with a limit for each jump.
    jumps: Duration,
    noted: bool,
}

#[derive(Clone, Copy, Debug)]
struct Span {
    agent: AgentId,
    mover: Side,
    /// Lower bound of the span's beginning on the hub's timeline.
    lo: Instant<Hub>,
    hi: Instant<Hub>,
    /// Time used on the current turn before the span began.
    carried: Duration,
}
