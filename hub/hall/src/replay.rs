//! The replay of one game. Computes, from the log's records, both clocks at every instant and every person's actions.
//! Also computes what the clocks would have shown under different actions, a different control or different rules.
//!
//! The hall's own fold applies the records, and the clock's own engine applies every step, so a replay equals live
//! operation. [`RecordIndex`] lists the records that a game needs; [`game`] turns them into a [`Timeline`]; [`suppose`]
//! computes the same presses under a [`Supposition`]. [`ClockCheck`] checks the clocks of exported records. Must never
//! read a log, a clock or a file itself.

mod beside;
mod chart;
mod clock_check;
mod compare;
mod day;
mod event_rules;
mod index;
mod moment;
mod reader;
mod standing;
mod supposition;
pub(crate) mod tap;
mod timeline;

pub use chart::chart;
pub use clock_check::ClockCheck;
pub use compare::{Comparison, FlagChange, MoveChange, MoveClocks, suppose};
pub use day::{DayMoment, SeenPieces, Turns};
pub use index::{NoGame, Place, RecordIndex};
pub use moment::{Basis, Moment, MomentDetail, Pending};
pub use reader::{ReplayError, game};
pub use standing::{MoveStanding, Standing};
pub use supposition::{Added, BadSupposition, MoveName, Supposition};
pub use timeline::Timeline;
