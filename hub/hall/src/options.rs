//! An event's settings in addition to the time control: default time, sound and notes; also the labels on a clock's
//! face. Holds these settings and the content of the labels; must never penalise a player.

mod labels;

use proto::log::Names;
use timing::{Board as BoardTime, Duration, Instant, Side};

use super::anomaly::Thresholds;

use super::board_id::BoardId;

/// An event's own settings, which apply to this run of the hub.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventOptions {
    /// The default time (FIDE 6.7.1), after which an absent player loses; `None` disables the check.
    pub default_time: Option<Duration>,
    pub sound: Sound,
    pub notes: Thresholds,
}

/// The occasions on which a clock makes a sound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sound {
    #[default]
    Off,
    /// A sound at each flag fall.
    Flag,
    /// A sound at each completed move and each flag fall.
    All,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Labels<'a> {
    pub(crate) board: &'a BoardId,
    pub(crate) names: &'a Names,
    pub(crate) draw_odds: Option<Side>,
    pub(crate) day: Option<time_chess::Phase>,
    /// The scheduled start, on the board's timeline.
    pub(crate) starts_at: Option<Instant<BoardTime>>,
    pub(crate) sound: Sound,
}
