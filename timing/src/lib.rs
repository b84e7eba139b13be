//! The rules of time for chess clocks.
#![no_std]

extern crate alloc;

mod board_clock;
mod command;
mod effect;
mod event;
mod game;
mod method;
mod phase;
mod plan;
mod player_clock;
pub mod presets;
mod rejection;
pub mod script;
mod setup;
mod side;
mod snapshot;
pub mod sync;
mod time_control;
mod units;

pub use board_clock::{BoardClock, BoardState, FlagView, SideView};
pub use command::{Command, Ending, GameCommand, ParseCommandError};
pub use effect::{Allotment, Effect, Effects, GameResult, Ignored};
pub use event::{Event, Fact};
pub use game::Game;
pub use method::{
    Bonus, Bronstein, ByoYomi, Canadian, Delay, DoubleFlag, ExtraBonus, Flow, Grace, Guarantee,
    Increment, MoveTime, Overtime, Reserve, TripleBlock,
};
pub use phase::{PausedBy, Phase};
pub use plan::{Plan, Segment};
pub use rejection::Rejection;
pub use setup::{Setup, StartRule};
pub use side::{Button, BySide, Side};
pub use snapshot::{Snapshot, SnapshotError};
pub use time_control::{AfterFlag, Length, NotationError, Period, SideControl, TimeControl};
pub use units::{Board, Duration, Hub, Instant, ParseDurationError, Timeline};
