//! Anomalies of the hall, noted for arbiters. Each note appears once and says the board, the observation, the arbiter's
//! options and the rule. It ends when its cause is gone. Beginning and end are logged.
//!
//! Holds the current notes (part of the fold) and the regular checks that raise and end them. Never penalises, stops or
//! corrects anything. Notes are for arbiters alone: a player must not be told that a press is missing (FIDE 12.6).

mod clock;
mod count;
mod game;
mod hall_sight;
mod look;
mod round;
pub(crate) mod tally;

use std::collections::BTreeMap;

use proto::ids::AgentId;
use timing::{Duration, Hub, Instant, TimeControl};

use super::arbiter_view::BoardNote;
use super::board_id::BoardId;

/// The thresholds for notes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// Presses of the side that is not on move during one move; 0 disables the note.
    pub ignored_presses: u32,
    /// Share of the main time used for one move, in percent; 0 disables the note.
    pub long_think_percent: u32,
    /// Time without a start after most boards of the round have begun.
    pub not_started: Option<Duration>,
    /// Time without an arbiter after the players stopped the clocks or a flag fell.
    pub stopped: Option<Duration>,
    /// Battery charge in percent, below which a clock gets a note; 0 disables the note.
    pub battery_percent: u32,
    /// New links of one clock within `reconnects_within`; 0 disables the note.
    pub reconnects: u32,
    /// The time window for `reconnects`.
    pub reconnects_within: Duration,
    /// True to note a board whose control differs from the other boards of its round.
    pub other_control: bool,
    /// The expected time control, if the event specifies one.
    pub control: Option<TimeControl>,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            ignored_presses: 3,
            long_think_percent: 33,
            not_started: Some(Duration::from_secs(300)),
            stopped: Some(Duration::from_secs(600)),
            battery_percent: 20,
            reconnects: 5,
            reconnects_within: Duration::from_secs(600),
            other_control: true,
            control: None,
        }
    }
}

/// The kinds of anomalies, most urgent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// The presses of one side do not seem to register.
    MissedPress,
    /// The board has an unexpected time control.
    OtherControl,
    Stopped,
    /// The round is in progress, but this board has not started.
    NotStarted,
    Counters,
    /// One side presses out of turn repeatedly.
    IgnoredPresses,
    /// A crystal is out of tolerance.
    Crystal,
    LowBattery,
    /// A link drops and returns repeatedly.
    Flapping,
}

impl Kind {
    const ALL: [Self; 9] = [
        Self::MissedPress,
        Self::OtherControl,
        Self::Stopped,
        Self::NotStarted,
        Self::Counters,
        Self::IgnoredPresses,
        Self::Crystal,
        Self::LowBattery,
        Self::Flapping,
    ];

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::MissedPress => "missed_press",
            Self::OtherControl => "other_control",
            Self::Stopped => "stopped",
            Self::NotStarted => "not_started",
            Self::Counters => "move_counters",
            Self::IgnoredPresses => "ignored_presses",
            Self::Crystal => "crystal",
            Self::LowBattery => "low_battery",
            Self::Flapping => "flapping",
        }
    }

    fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Verdict {
    /// The anomaly is present; the text is the note's.
    Seen(String),
    Gone,
    /// This run cannot tell.
    Unknown,
}

impl From<Option<String>> for Verdict {
    fn from(seen: Option<String>) -> Self {
        seen.map_or(Self::Gone, Self::Seen)
    }
}

/// The subject of a note: a board, a clock, or the hall.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Subject {
    board: Option<BoardId>,
    agent: Option<AgentId>,
}

impl Subject {
    fn board(id: &BoardId) -> Self {
        Self {
            board: Some(id.clone()),
            agent: None,
        }
    }

    fn agent(id: AgentId) -> Self {
        Self {
            board: None,
            agent: Some(id),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Standing {
    pub(crate) text: String,
    pub(crate) since: Instant<Hub>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Anomalies {
    standing: BTreeMap<(Subject, Kind), Standing>,
}

impl Anomalies {
    /// Adds a note from the log, if [`Kind`] has its kind.
    pub(crate) fn raise(
        &mut self,
        board: Option<&BoardId>,
        agent: Option<AgentId>,
        kind: &str,
        text: &str,
        since: Instant<Hub>,
    ) {
        if let Some(kind) = Kind::from_word(kind) {
            let subject = Subject {
                board: board.cloned(),
                agent,
            };
            let standing = Standing {
                text: text.to_owned(),
                since,
            };
            self.standing.insert((subject, kind), standing);
        }
    }

    pub(crate) fn end(&mut self, board: Option<&BoardId>, agent: Option<AgentId>, kind: &str) {
        if let Some(kind) = Kind::from_word(kind) {
            let subject = Subject {
                board: board.cloned(),
                agent,
            };
            self.standing.remove(&(subject, kind));
        }
    }

    pub(crate) fn forget_board(&mut self, board: &BoardId) {
        self.standing
            .retain(|(subject, _), _| subject.board.as_ref() != Some(board));
    }

    /// Returns every note in order: board, clock, kind and the note.
    pub(crate) fn iter(
        &self,
    ) -> impl Iterator<Item = (Option<&BoardId>, Option<AgentId>, &'static str, &Standing)> {
        self.standing.iter().map(|((subject, kind), standing)| {
            let board = subject.board.as_ref();
            (board, subject.agent, kind.as_str(), standing)
        })
    }

    fn stands(&self, subject: &Subject, kind: Kind) -> bool {
        // Cheap when there are no notes, which is the usual case.
        !self.standing.is_empty() && self.standing.contains_key(&(subject.clone(), kind))
    }

    fn since(&self, subject: &Subject, kind: Kind) -> Option<Instant<Hub>> {
        if self.standing.is_empty() {
            return None;
        }
        let standing = self.standing.get(&(subject.clone(), kind))?;
        Some(standing.since)
    }

    fn about(&self, subject: &Subject) -> Vec<(Kind, BoardNote)> {
        if self.standing.is_empty() {
            return Vec::new();
        }
        Kind::ALL
            .into_iter()
            .filter_map(|kind| {
                let standing = self.standing.get(&(subject.clone(), kind))?;
                let note = BoardNote {
                    kind: kind.as_str(),
                    text: standing.text.clone(),
                    since: Some(standing.since),
                };
                Some((kind, note))
            })
            .collect()
    }
}

/// A verdict that changes the current notes.
type Finding = (Subject, Kind, Verdict);
