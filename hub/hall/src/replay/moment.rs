//! The moments of a game: one for each change of a clock and each action, with the clocks after it.

#![expect(
    missing_docs,
    reason = "a field without a comment is named after the one thing that it holds"
)]

use std::fmt;

use serde::{Serialize, Serializer};

use crate::Refusal;
use crate::view::{BoardState, Side, SideView};

/// One thing that happened in a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Moment {
    /// Index of the log's record that contains it.
    pub record: u64,
    /// Hub instant, in microseconds: when it happened, as estimated.
    pub at_us: i64,
    /// The kind of moment, with its data.
    #[serde(flatten)]
    pub what: What,
    /// The clocks after it.
    pub clocks: Clocks,
}

/// Both clocks at one instant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Clocks {
    pub white: SideView,
    pub black: SideView,
    pub state: BoardState,
    /// The side whose clock runs, or runs next.
    pub turn: Option<Side>,
    /// The result, once there is one.
    pub result: Option<String>,
}

/// The kind of a moment.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum What {
    /// The clocks were set for the game.
    Set {
        /// The notation of the control, as in the event's settings.
        control: String,
    },
    /// The game started with this side's clock.
    Started { side: Side },
    /// A press completed a move.
    Move {
        side: Side,
        /// The side's move, from 1.
        number: u32,
        /// Time used for it, in microseconds.
        used_us: i64,
        /// Time in hand as the button went down, before any addition for the move.
        pressed_us: i64,
        /// The stamp on which it rests.
        basis: Option<Basis>,
    },
    /// A press that had no effect.
    Ignored {
        /// The side of the button.
        side: Side,
        /// The engine's reason; in JSON, its words.
        #[serde(serialize_with = "as_text")]
        why: timing::Ignored,
        /// The stamp on which it rests.
        basis: Option<Basis>,
    },
    /// The players stopped both clocks.
    Stopped,
    /// A player called the arbiter.
    ArbiterCalled,
    /// A side's flag fell.
    Flag { side: Side },
    /// The hub expected a flag; the clock had not confirmed it yet.
    FlagExpected { side: Side },
    /// A side received its next period.
    Period {
        side: Side,
        /// The number of the period, from 1.
        period: u32,
    },
    /// An arbiter's action on the clocks.
    Action {
        command: String,
        actor: String,
        /// In the arbiter's words.
        reason: String,
        /// The record of the request; `None` for a correction at the clock itself.
        asked: Option<u64>,
        /// The rule that refused it; `None` if it was carried out. In JSON, its text.
        #[serde(serialize_with = "as_optional_text")]
        refused: Option<Refusal>,
    },
    /// An arbiter's request reached the hub and waits for the clock.
    Asked {
        command: String,
        actor: String,
        /// In the arbiter's words.
        reason: String,
    },
    /// The hub noticed something that an arbiter should know.
    Note {
        /// The word of its kind.
        note: String,
        text: String,
    },
    /// The hub lost the signal of the board's clock, or has it again.
    Link {
        /// True if the hub has the signal again.
        online: bool,
    },
    /// Anything else that the log has about the board.
    Other { text: String },
}

/// The stamp of a press, and its uncertainty.
///
/// Where one clock serves both sides, the time used is the difference of two stamps of the same crystal, and no
/// uncertainty is part of it. Where each side has a clock, the stamp lies on the hub's timeline within proven bounds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Basis {
    /// The record that contains the press.
    pub record: u64,
    /// The clock's key, in hexadecimal.
    pub agent: String,
    /// The place of the press in the clock's chain.
    pub event: u64,
    /// The clock's own stamp, in microseconds of its timeline.
    pub stamp_us: i64,
    /// The instant of that timeline at which the press counts, if that is not its stamp.
    pub counts_at_us: Option<i64>,
    /// Earliest and latest true instant on the hub's timeline, where each side has its own clock.
    pub bounds_us: Option<(i64, i64)>,
}

/// A command that waited for the clock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pending {
    /// The record of the request.
    pub record: u64,
    pub command: String,
    pub actor: String,
    /// Hub instant of the request, in microseconds.
    pub since_us: i64,
}

impl Moment {
    /// Returns true for a moment of the game itself, which a table of moves shows; the others concern devices.
    pub fn is_of_play(&self) -> bool {
        match self.what {
            What::Set { .. }
            | What::Started { .. }
            | What::Move { .. }
            | What::Ignored { .. }
            | What::Stopped
            | What::ArbiterCalled
            | What::Flag { .. }
            | What::Period { .. }
            | What::Action { .. } => true,
            What::FlagExpected { .. }
            | What::Asked { .. }
            | What::Note { .. }
            | What::Link { .. }
            | What::Other { .. } => false,
        }
    }
}

fn as_text<S: Serializer>(value: &impl fmt::Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

fn as_optional_text<S: Serializer>(
    value: &Option<impl fmt::Display>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let text = value.as_ref().map(ToString::to_string);
    text.serialize(serializer)
}
