//! The rules of time for chess clocks.
#![no_std]

extern crate alloc;

mod board_clock;
mod command;
mod effect;
mod event;
mod plan;
mod rejection;
mod setup;
mod side;
mod snapshot;
pub mod sync;
mod time_control;
mod units;

pub use board_clock::{BoardClock, BoardState, FlagView, SideView};
pub use command::{Command, Ending, ParseCommandError};
pub use effect::{Allotment, Effect, Effects, GameResult, Ignored};
pub use event::Fact;
pub use plan::{Plan, Segment};
pub use rejection::Rejection;
pub use setup::{Setup, StartRule};
pub use side::{Button, BySide, Side};
pub use snapshot::{Snapshot, SnapshotError};
pub use time_control::{NotationError, TimeControl};
pub use units::{Board, Duration, Hub, Instant, ParseDurationError, Timeline};
