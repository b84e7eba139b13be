//! The keys of `expect` lines: their names, the form of their values, and how to read the values from a clock.

use alloc::string::{String, ToString};
use core::fmt;

use crate::units::{read_seconds, write_seconds};
use crate::{Allotment, Board, BoardClock, Duration, GameResult, Instant, Side, TimeControl};

/// The name of a value in an `expect` line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// `white=`, `black=`: the side's time in hand.
    Time(Side),
    /// `running=`: the side to move, `white` or `black`; `none` before the start, in a pause and after the end.
    Running,
    /// `first_flag=`: the side whose flag fell first, or `none`.
    FirstFlag,
    /// `result=`: the result of the game, or `*` if it has none.
    Result,
    /// `white.phase=` and similar: another property of a side.
    Side(Side, Field),
}

/// A property of a side other than its time in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Field {
    /// `phase`: the kind of time that the side is using.
    Phase,
    /// `moves`: the number of moves completed.
    Moves,
    /// `period`: the number of the current period, from 1.
    Period,
    /// `byo`: the number of byo-yomi periods left.
    Byo,
    /// `stones`: the number of moves left in the Canadian block.
    Stones,
    /// `bank`: the time in the Triple Block bank.
    Bank,
    /// `points`: the Scrabble penalty points, zero or negative.
    Points,
}

pub(super) const KEYS: &str = "white, black, running, first_flag, result, or white. or black. and phase, moves, period, byo, stones, bank or points";

impl Field {
    const ALL: [(Self, &'static str); 7] = [
        (Self::Phase, "phase"),
        (Self::Moves, "moves"),
        (Self::Period, "period"),
        (Self::Byo, "byo"),
        (Self::Stones, "stones"),
        (Self::Bank, "bank"),
        (Self::Points, "points"),
    ];
}

impl Key {
    pub(super) fn from_word(word: &str) -> Option<Self> {
        match word {
            "running" => Some(Self::Running),
            "first_flag" => Some(Self::FirstFlag),
            "result" => Some(Self::Result),
            _ => match word.split_once('.') {
                None => Side::from_word(word).map(Self::Time),
                Some((side, field)) => {
                    let (field, _) = Field::ALL.into_iter().find(|(_, name)| *name == field)?;
                    Some(Self::Side(Side::from_word(side)?, field))
                }
            },
        }
    }

    /// If this key has no value under `control`, returns the error's description of the expected input; otherwise `None`.
    pub(super) fn missing_in(self, control: &TimeControl) -> Option<&'static str> {
        let Self::Side(side, field) = self else {
            return None;
        };
        let clock = BoardClock::new(crate::Setup {
            control: control.clone(),
            start: crate::StartRule::Arbiter,
            white: crate::Button::Left,
        });
        let view = clock.side(side, Instant::MIN);
        match field {
            Field::Byo if view.byo_left.is_none() => {
                Some("a key this control has; this side has no byo-yomi")
            }
            Field::Stones if view.stones.is_none() => {
                Some("a key this control has; this side has no Canadian block")
            }
            Field::Bank if view.bank.is_none() => {
                Some("a key this control has; this side has no bank")
            }
            Field::Points if view.points.is_none() => {
                Some("a key this control has; this side has no overtime")
            }
            Field::Phase
            | Field::Moves
            | Field::Period
            | Field::Byo
            | Field::Stones
            | Field::Bank
            | Field::Points => None,
        }
    }

    /// Returns the form that `value` should have for this key; `None` if it has that form.
    pub(super) fn wants(self, value: &str) -> Option<&'static str> {
        match self {
            Self::Time(_) | Self::Side(_, Field::Bank) if !is_seconds(value) => {
                Some("seconds with up to six decimals and no trailing zeros")
            }
            Self::Running | Self::FirstFlag
                if value != "none" && Side::from_word(value).is_none() =>
            {
                Some("white, black or none")
            }
            Self::Result if !["*", "1-0", "0-1", "1/2-1/2"].contains(&value) => {
                Some("*, 1-0, 0-1 or 1/2-1/2")
            }
            Self::Side(_, Field::Phase) if Allotment::from_word(value).is_none() => {
                Some("main, byo, canadian, extra, grace, overtime or flagged")
            }
            Self::Side(
                _,
                Field::Moves | Field::Period | Field::Byo | Field::Stones | Field::Points,
            ) if !is_whole(value) => Some("a whole number"),
            Self::Time(_) | Self::Running | Self::FirstFlag | Self::Result | Self::Side(..) => None,
        }
    }

    /// Returns the clock's value for this key, in the form used in scripts. A side's values are those at `now`, all others those at the settled
    /// instant.
    pub fn read(self, clock: &BoardClock, now: Instant<Board>) -> String {
        let side_or_none = |side: Option<Side>| side.map_or("none", Side::as_str).to_string();
        match self {
            Self::Time(side) => in_seconds(clock.side(side, now).time),
            Self::Running => side_or_none(clock.running()),
            Self::FirstFlag => side_or_none(clock.first_flag()),
            Self::Result => clock.result().map_or("*", GameResult::as_str).to_string(),
            Self::Side(side, field) => {
                let view = clock.side(side, now);
                match field {
                    Field::Phase => view.allotment.to_string(),
                    Field::Moves => view.moves.to_string(),
                    Field::Period => view.period.to_string(),
                    Field::Byo => or_none(view.byo_left),
                    Field::Stones => or_none(view.stones),
                    Field::Bank => view.bank.map_or_else(|| "none".into(), in_seconds),
                    Field::Points => or_none(view.points),
                }
            }
        }
    }
}

fn or_none<V: ToString>(value: Option<V>) -> String {
    value.map_or_else(|| "none".into(), |value| value.to_string())
}

fn in_seconds(span: Duration) -> String {
    let mut text = String::new();
    // Writing to a `String` cannot fail.
    let _ = write_seconds(&mut text, span);
    text
}

/// Returns true if `value` is a span in exactly the form in which the engine prints seconds.
fn is_seconds(value: &str) -> bool {
    read_seconds(value, true).is_ok_and(|span| in_seconds(span) == value)
}

fn is_whole(value: &str) -> bool {
    value
        .parse::<i64>()
        .is_ok_and(|number| number.to_string() == value)
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time(side) => write!(f, "{side}"),
            Self::Running => f.write_str("running"),
            Self::FirstFlag => f.write_str("first_flag"),
            Self::Result => f.write_str("result"),
            Self::Side(side, field) => {
                let name = Field::ALL
                    .into_iter()
                    .find(|(other, _)| other == field)
                    .map_or("", |(_, name)| name);
                write!(f, "{side}.{name}")
            }
        }
    }
}
