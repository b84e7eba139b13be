//! Facts: what happened at the board. A fact is never refused.

use crate::{Button, Side};

/// Something that happened at a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fact {
    /// A button went down.
    Pressed(Button),
    /// The players stopped the clocks (both buttons held): the board asks for an arbiter or a result.
    Stopped,
    /// Nothing happened up to this instant: a deadline or a watermark was reached.
    TimePassed,
}

/// A [`Fact`] as a game understands it: the buttons have owners.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// A side pressed.
    Pressed {
        /// Who.
        side: Side,
        /// With which button, for the record.
        button: Button,
    },
    /// The players stopped the clocks.
    Stopped,
    /// Nothing happened up to this instant.
    TimePassed,
}
