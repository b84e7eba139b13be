//! The moments of a game: changes of a clock, actions, and other records about the board. Each has the clocks' state.

#![expect(
    missing_docs,
    reason = "a field without a comment is named after the one thing that it holds"
)]

use std::fmt;

use serde::{Serialize, Serializer};

use crate::Refusal;
use crate::view::{BoardState, Side, SideView};

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Moment {
    /// Index in the log of the record that contains the moment.
    pub record: u64,
    /// Estimated hub instant, in microseconds.
    pub at_us: i64,
    #[serde(flatten)]
    pub what: MomentDetail,
    pub clocks: Clocks,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Clocks {
    pub white: SideView,
    pub black: SideView,
    pub state: BoardState,
    /// The side to move; `None` before the game starts and once it is over.
    pub turn: Option<Side>,
    pub result: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum MomentDetail {
    /// The clocks were set for the game.
    Set {
        /// The time control, in Flagfall's notation.
        control: String,
    },
    /// The game started with this side's clock.
    Started {
        side: Side,
    },
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
    Ignored {
        /// The side of the button.
        side: Side,
        /// The engine's reason; in JSON, its text.
        #[serde(serialize_with = "as_text")]
        why: timing::Ignored,
        basis: Option<Basis>,
    },
    /// The players stopped both clocks.
    Stopped,
    ArbiterCalled,
    Flag {
        side: Side,
    },
    /// The hub expected a flag fall that the clock had not confirmed yet.
    FlagExpected {
        side: Side,
    },
    Period {
        side: Side,
        /// The number of the period, from 1.
        period: u32,
    },
    /// A command for the clocks or a ruling, carried out or refused.
    Action {
        command: String,
        actor: String,
        reason: String,
        /// Index in the log of the request's record. `None` for a correction at the clock itself, a supposed action, or
        /// a ruling that leaves the clocks unchanged.
        asked: Option<u64>,
        /// The reason for the refusal; `None` if the action was carried out. In JSON, its text.
        #[serde(serialize_with = "as_optional_text")]
        refused: Option<Refusal>,
    },
    /// An arbiter's request reached the hub and waits for the clock.
    Asked {
        command: String,
        actor: String,
        reason: String,
    },
    Note {
        /// The word for the kind of note.
        note: String,
        text: String,
    },
    /// The hub lost the signal of the board's clock, or regained it.
    Link {
        online: bool,
    },
    /// Any other entry of the log about the board.
    Other {
        text: String,
    },
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
    /// Returns true if the moment belongs to the game itself, so that a table of moves includes it.
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
