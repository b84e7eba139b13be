//! Anomalies of the hall, noted for arbiters. Each note appears once and states the observation, the arbiter's options
//! and, where one applies, the rule. A note ends when its cause has gone, or, if it is a counted note, when an arbiter
//! has acknowledged it. Its beginning and its end are logged.
//!
//! Holds the current notes (part of the fold) and the regular checks that raise and end most of them. Never penalises,
//! stops or corrects anything. Notes are for arbiters alone: a player must not be told that a press is missing (FIDE
//! 12.6).

mod clock;
mod count;
mod counted;
mod game;
mod hall_figures;
mod look;
mod round;
pub(crate) mod tally;

pub(crate) use counted::Repeats;

use std::collections::BTreeMap;

use proto::ids::AgentId;
use proto::log::NoteFigures;
use timing::{Duration, Hub, Instant, TimeControl};

use super::arbiter_view::BoardNote;
use super::board_id::BoardId;
use super::entry::{LoggedNote, SeenNote};
use super::note_kind::NoteKind as Kind;

/// An arbiter's acknowledgement of counted notes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotesSeen {
    pub actor: String,
    /// The arbiter's reason; may be empty.
    pub reason: String,
    /// The board on which the arbiter saw the notes; `None` acknowledges the clocks' notes on every board.
    pub board: Option<BoardId>,
    /// The notes as the arbiter saw them: kind, clock and count.
    pub notes: Vec<(Kind, Option<AgentId>, u64)>,
}

/// The thresholds and settings that decide when a note is raised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// Number of presses by the waiting side during one move that raises a note. If 0, disables this note and the one
    /// about presses out of turn in a game.
    pub ignored_presses: u32,
    /// Percentage of the main time that one move must use to raise a note; 0 disables the note.
    pub long_think_percent: u32,
    /// How long a board may remain unstarted after most boards of its round have started, before it gets a note; `None`
    /// disables the note.
    pub not_started: Option<Duration>,
    /// How long a board may wait for an arbiter after the players stopped the clocks or a flag fell, before it gets a
    /// note; `None` disables the note.
    pub stopped: Option<Duration>,
    /// Battery charge in percent below which a clock gets a note; 0 disables the note.
    pub battery_percent: u32,
    /// Number of reconnections of one clock within `reconnects_within` that raises a note; 0 disables the note.
    pub reconnects: u32,
    pub reconnects_within: Duration,
    /// True if a board gets a note when its time control differs from that of the other boards of its round.
    pub other_control: bool,
    /// The event's time control; `None` if the event does not specify one.
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

#[derive(Clone, Debug, PartialEq, Eq)]
enum Verdict {
    /// The anomaly was observed; contains the note's text.
    Seen(String),
    Gone,
    /// Undecided: too little data, or a value between the limits. The current note, if there is one, stays.
    Unknown,
}

impl From<Option<String>> for Verdict {
    fn from(seen: Option<String>) -> Self {
        seen.map_or(Self::Gone, Self::Seen)
    }
}

/// The subject of a note: a board, a clock, a clock at a board, or the hall.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Subject {
    board: Option<BoardId>,
    agent: Option<AgentId>,
}

impl Subject {
    fn new(board: Option<&BoardId>, agent: Option<AgentId>) -> Self {
        let board = board.cloned();
        Self { board, agent }
    }

    fn board(id: &BoardId) -> Self {
        Self::new(Some(id), None)
    }

    fn agent(id: AgentId) -> Self {
        Self::new(None, Some(id))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Standing {
    pub(crate) text: String,
    pub(crate) since: Instant<Hub>,
    /// Number of occurrences of a note that stays until an arbiter acknowledges it; 0 for a note that ends with its
    /// cause.
    pub(crate) count: u64,
    pub(crate) latest: Instant<Hub>,
    pub(crate) figures: NoteFigures,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Anomalies {
    standing: BTreeMap<(Subject, Kind), Standing>,
}

fn lasting(word: &str) -> Option<Kind> {
    let kind = Kind::from_word(word)?;
    Kind::LASTING.contains(&kind).then_some(kind)
}

/// Returns the kind of a logged note that counts its repetitions. Returns `None` for such a note from an older hub,
/// because it has no count and would never end.
fn counted(word: &str, count: u64) -> Option<Kind> {
    Kind::from_word(word).filter(|kind| kind.is_counted() && count > 0)
}

impl Anomalies {
    /// Adds a logged note that stays until it is acknowledged, or until the end of its cause is logged. A repetition
    /// of a counted note keeps the time of its beginning.
    pub(crate) fn raise(&mut self, board: Option<&BoardId>, note: &LoggedNote, at: Instant<Hub>) {
        let counted = counted(&note.kind, note.count);
        let Some(kind) = counted.or_else(|| lasting(&note.kind)) else {
            return;
        };
        let key = (Subject::new(board, note.agent), kind);

        let before = self.standing.get(&key).filter(|_| counted.is_some());
        let standing = Standing {
            text: note.text.clone(),
            since: before.map_or(at, |before| before.since),
            count: note.count,
            latest: at,
            figures: note.figures.clone(),
        };
        self.standing.insert(key, standing);
    }

    /// Ends a counted note. If it has been counted again since the arbiter saw it, only the later occurrences remain.
    pub(crate) fn acknowledge(&mut self, board: Option<&BoardId>, seen: &SeenNote) {
        let Some(kind) = Kind::from_word(&seen.kind) else {
            return;
        };
        let key = (Subject::new(board, seen.agent), kind);

        match self.standing.get_mut(&key) {
            Some(note) if note.count > seen.count => {
                note.count -= seen.count;
                note.since = note.latest;
            }
            Some(note) if note.count > 0 => drop(self.standing.remove(&key)),
            // A note without a count ends only with its cause.
            Some(_) | None => (),
        }
    }

    pub(crate) fn end(&mut self, board: Option<&BoardId>, agent: Option<AgentId>, kind: &str) {
        if let Some(kind) = lasting(kind) {
            self.standing.remove(&(Subject::new(board, agent), kind));
        }
    }

    /// Removes the notes of a board that leaves the hall. Counted notes about its clocks stay with the clocks.
    pub(crate) fn forget_board(&mut self, board: &BoardId) {
        let of_board = |(subject, _): &(Subject, Kind), _: &mut Standing| {
            subject.board.as_ref() == Some(board)
        };
        let removed: Vec<_> = self.standing.extract_if(.., of_board).collect();
        for ((subject, kind), mut note) in removed {
            let Some(agent) = subject.agent.filter(|_| note.count > 0) else {
                continue;
            };
            let key = (Subject::agent(agent), kind);
            if let Some(before) = self.standing.get(&key) {
                note.count = note.count.saturating_add(before.count);
                note.since = note.since.min(before.since);
            }
            self.standing.insert(key, note);
        }
    }

    /// Returns every note, ordered by board, clock and kind.
    pub(crate) fn iter(
        &self,
    ) -> impl Iterator<Item = (Option<&BoardId>, Option<AgentId>, &'static str, &Standing)> {
        self.standing.iter().map(|((subject, kind), standing)| {
            let board = subject.board.as_ref();
            (board, subject.agent, kind.as_str(), standing)
        })
    }

    fn is_empty(&self) -> bool {
        self.standing.is_empty()
    }

    fn stands(&self, subject: &Subject, kind: Kind) -> bool {
        // Cheap when there are no notes, which is the usual case.
        !self.standing.is_empty() && self.standing.contains_key(&(subject.clone(), kind))
    }

    fn since(&self, subject: Subject, kind: Kind) -> Option<Instant<Hub>> {
        let standing = self.standing.get(&(subject, kind))?;
        Some(standing.since)
    }

    /// Returns the notes whose subject is this board, with or without a clock.
    fn of_board(&self, board: &BoardId) -> impl Iterator<Item = BoardNote> {
        self.entries_of_board(board).map(shown)
    }

    fn entries_of_board(
        &self,
        board: &BoardId,
    ) -> impl Iterator<Item = (&(Subject, Kind), &Standing)> {
        let first = (Subject::board(board), Kind::FIRST);
        let entries = self.standing.range(first..);
        entries.take_while(move |((subject, _), _)| subject.board.as_ref() == Some(board))
    }

    /// Returns findings that end a board's notes about unchecked time.
    fn unchecked_time_over(&self, board: &BoardId) -> Vec<Finding> {
        let keys = self.entries_of_board(board).map(|(key, _)| key);
        keys.filter(|(_, kind)| *kind == Kind::UncheckedTime)
            .map(|(subject, kind)| (subject.clone(), *kind, Verdict::Gone))
            .collect()
    }

    /// Returns every note about a clock, regardless of the board that it served at the time.
    fn of_agent(&self, agent: AgentId) -> impl Iterator<Item = BoardNote> {
        self.standing
            .iter()
            .filter(move |((subject, _), _)| subject.agent == Some(agent))
            .map(shown)
    }

    /// Returns the notes whose subject is this clock without a board.
    fn of_agent_alone(&self, agent: AgentId) -> impl Iterator<Item = BoardNote> {
        let subject = Subject::agent(agent);
        self.standing
            .range((subject.clone(), Kind::FIRST)..)
            .take_while(move |((one, _), _)| *one == subject)
            .map(shown)
    }
}

fn shown(((subject, kind), standing): (&(Subject, Kind), &Standing)) -> BoardNote {
    BoardNote {
        kind: *kind,
        text: standing.text.clone(),
        since: Some(standing.since),
        count: standing.count,
        latest: (standing.count > 0).then_some(standing.latest),
        agent: subject.agent,
        figures: standing.figures.clone(),
    }
}

type Finding = (Subject, Kind, Verdict);
