//! The moments of a game: one for each change of a clock and each action, with the clocks after it.

#![expect(
    missing_docs,
    reason = "a field without a comment is named after the one thing that it holds"
)]

use std::fmt;

use serde::{Serialize, Serializer};

use crate::Refusal;
use crate::view::{BoardState, Side, SideView};

/// An occurrence in a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Moment {
    /// Index in the log of the record that contains the moment.
    pub record: u64,
    /// Estimated hub instant, in microseconds.
    pub at_us: i64,
    /// The kind of moment, with its data.
    #[serde(flatten)]
    pub what: MomentDetail,
    /// The clocks after the moment.
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
pub enum MomentDetail {
    /// The clocks were set for the game.
    Set {
        /// The time control, in the notation of the event's settings.
        control: String,
    },
    /// The game started with this side's clock.
    Started { side: Side },
    /// A press completed a move.
    Move {
        side: Side,
        /// Number of the side's move, from 1.
        number: u32,
        /// Time used for the move, in microseconds.
        used_us: i64,
        /// Time in hand as the button went down, before any addition for the move, in microseconds.
        pressed_us: i64,
        /// The stamp that determines these times.
        basis: Option<Basis>,
    },
    /// A press that had no effect.
    Ignored {
        /// The side of the button.
        side: Side,
        /// The engine's reason; in JSON, its text.
        #[serde(serialize_with = "as_text")]
        why: timing::Ignored,
        /// The stamp of the press.
        basis: Option<Basis>,
    },
    /// The players stopped both clocks.
    Stopped,
    /// A player called the arbiter.
    ArbiterCalled,
    /// A side's flag fell.
    Flag { side: Side },
    /// The hub expected a flag fall that the clock had not confirmed yet.
    FlagExpected { side: Side },
    /// A side entered its next period.
    Period {
        side: Side,
        /// The number of the period, from 1.
        period: u32,
    },
    /// An arbiter's action on the clocks.
    Action {
        command: String,
        actor: String,
        /// The reason, in the arbiter's words.
        reason: String,
        /// Index in the log of the request's record. `None` for a correction at the clock itself, or if the moment's
        /// own record is the request.
        asked: Option<u64>,
        /// The rule that refused the action; `None` if it was carried out. In JSON, its text.
        #[serde(serialize_with = "as_optional_text")]
        refused: Option<Refusal>,
    },
    /// An arbiter's request reached the hub and waits for the clock.
    Asked {
        command: String,
        actor: String,
        /// The reason, in the arbiter's words.
        reason: String,
    },
    /// A note of the hub for arbiters.
    Note {
        /// The word for the kind of note.
        note: String,
        text: String,
    },
    /// The hub lost the signal of the board's clock, or regained it.
    Link {
        /// True if the hub regained the signal.
        online: bool,
    },
    /// Any other entry of the log about the board.
    Other { text: String },
}

/// The stamp of a press, and its uncertainty.
///
/// If one clock serves both sides, the time used is the difference between two stamps of the same crystal, so it has no
/// uncertainty. If each side has a clock, the stamp is on the hub's timeline within proven bounds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Basis {
    /// Index in the log of the record that contains the press.
    pub record: u64,
    /// The clock's key, in hexadecimal.
    pub agent: String,
    /// The event number of the press in the clock's chain.
    pub event: u64,
    /// The clock's own stamp, in microseconds on its timeline.
    pub stamp_us: i64,
    /// The instant, in microseconds on the clock's timeline, at which the press counts, if it differs from the stamp.
    pub counts_at_us: Option<i64>,
    /// Earliest and latest true instant, in microseconds on the hub's timeline, if each side has its own clock.
    pub bounds_us: Option<(i64, i64)>,
}

/// A command that waited for the clock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pending {
    /// Index in the log of the request's record.
    pub record: u64,
    pub command: String,
    pub actor: String,
    /// Hub instant of the request, in microseconds.
    pub since_us: i64,
}

impl Moment {
    /// Returns true if the moment belongs to the game itself, so that a table of moves includes it. The other moments
    /// concern devices.
    pub fn is_of_play(&self) -> bool {
        match self.what {
            MomentDetail::Set { .. }
            | MomentDetail::Started { .. }
            | MomentDetail::Move { .. }
            | MomentDetail::Ignored { .. }
            | MomentDetail::Stopped
            | MomentDetail::ArbiterCalled
            | MomentDetail::Flag { .. }
            | MomentDetail::Period { .. }
            | MomentDetail::Action { .. } => true,
            MomentDetail::FlagExpected { .. }
            | MomentDetail::Asked { .. }
            | MomentDetail::Note { .. }
            | MomentDetail::Link { .. }
            | MomentDetail::Other { .. } => false,
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
