#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

// In reading order: the vocabulary, the state machine, its parts, and everything around it.
mod step;

mod effect;

mod phase;

mod rules;

mod game;

mod player_clock;

mod method;

mod time_control;

mod command;

mod rejection;

mod setup;

mod board_clock;

mod plan;

mod snapshot;

pub mod presets;

pub mod script;

pub mod sync;

pub mod text;

mod side;

mod units;

pub use board_clock::{BoardClock, BoardState, FlagView, SideView};
pub use command::{Command, Ending, GameCommand, ParseCommandError};
pub use effect::{Allotment, Effect, Effects, GameResult, Ignored};
pub use game::Game;
pub use method::{
    Bonus, Bronstein, ByoYomi, Canadian, Delay, DoubleFlag, ExtraBonus, Flow, Grace, Guarantee,
    Increment, MoveTime, Overtime, Reserve, TripleBlock,
};
pub use phase::{PausedBy, Phase};
pub use plan::{Plan, Segment};
pub use rejection::Rejection;
pub use rules::RulesVersion;
pub use setup::{Setup, StartRule};
pub use side::{Button, BySide, Side};
pub use snapshot::{Snapshot, SnapshotError};
pub use step::{ClockStep, Fact};
pub use time_control::{AfterFlag, Length, NotationError, Period, SideControl, TimeControl};
pub use units::{Board, Duration, Hub, Instant, ParseDurationError, Timeline};
