//! Counted notes ([`Kind::is_counted`]), most of which question a clock's honesty. A repetition raises the count
//! instead of adding another note, and the note stays until an arbiter has seen it.
//!
//! Both the beginning and the end of a note are records, so the note survives a restart of the hub. A dishonest clock
//! can raise a note many times a second. A repetition is logged only if the total is a power of two, or after a minute.

use proto::ids::AgentId;
use timing::Duration;

use super::{Kind, NotesSeen, Subject};
use crate::Hall;
use crate::board_id::BoardId;
use crate::effect::{HubEffect, OpenStep};
use crate::entry::{Entry, LoggedNote, SeenNote};
use crate::note::Notice;
use crate::outcome::Denied;

/// Repetitions within this time are logged only when the total reaches a power of two.
const REPEAT_INTERVAL: Duration = Duration::from_secs(60);

/// Repetitions that are not logged yet.
#[derive(Clone, Debug)]
pub(crate) struct Repeats {
    count: u64,
    newest: Notice,
}

impl Hall {
    /// Counts a note. Logs it if it is new, if its total has reached a power of two, or if its last entry is at least
    /// [`REPEAT_INTERVAL`] old.
    pub(crate) fn count_note(&mut self, notice: Notice, step: &mut OpenStep) {
        let board = self.shown_on(notice.board.as_ref(), notice.agent);
        let subject = Subject::new(board.as_ref(), notice.agent);
        let key = (subject, notice.kind);
        let repeats = self.live.repeats.remove(&key);
        let count = repeats.map_or(1, |repeats| repeats.count.saturating_add(1));
        let standing = self.fold.anomalies.standing.get(&key);
        let due = standing.is_none_or(|standing| {
            let total = standing.count.saturating_add(count);
            total.is_power_of_two() || step.now - standing.latest >= REPEAT_INTERVAL
        });
        let repeats = Repeats {
            count,
            newest: notice,
        };
        match due {
            true => self.log_counted(key, repeats, step),
            false => drop(self.live.repeats.insert(key, repeats)),
        }
    }

    /// Logs repetitions that have waited for long enough, and those of notes that an arbiter has since acknowledged.
    pub(super) fn log_repeats(&mut self, step: &mut OpenStep) {
        let standing = &self.fold.anomalies.standing;
        let due = |key: &(Subject, Kind)| {
            let known = standing.get(key);
            known.is_none_or(|known| step.now - known.latest >= REPEAT_INTERVAL)
        };
        let repeats = &mut self.live.repeats;
        let due: Vec<_> = repeats.extract_if(.., |key, _| due(key)).collect();
        for (key, repeats) in due {
            self.log_counted(key, repeats, step);
        }
    }

    fn log_counted(&mut self, key: (Subject, Kind), repeats: Repeats, step: &mut OpenStep) {
        let before = self.fold.anomalies.standing.get(&key);
        let count = before.map_or(0, |before| before.count);
        let (Subject { board, agent }, kind) = key;
        let notice = Notice {
            board: board.clone(),
            ..repeats.newest
        };
        let entry = Entry::Note(Box::new(LoggedNote {
            kind: kind.as_str().to_owned(),
            text: notice.text.clone(),
            agent,
            count: count.saturating_add(repeats.count),
            figures: notice.figures.clone(),
        }));
        if let Some(board) = &board {
            self.touch(board);
        }
        // A note changes no clock, so the fold always accepts it.
        let _ = self.log(board, entry, step);
        step.effect(HubEffect::Notice(notice));
    }

    /// Ends the notes that an arbiter has seen. A note that has already ended, or has been counted again since, is not
    /// an error.
    pub(crate) fn on_notes_seen(
        &mut self,
        seen: NotesSeen,
        step: &mut OpenStep,
    ) -> Result<(), Denied> {
        let NotesSeen {
            actor,
            reason,
            board,
            notes,
        } = seen;
        for (kind, agent, count) in notes {
            for of in self.boards_of_note(board.as_ref(), kind, agent) {
                let entry = Entry::NoteSeen(SeenNote {
                    kind: kind.as_str().to_owned(),
                    agent,
                    count,
                    actor: actor.clone(),
                    reason: reason.clone(),
                });
                self.log(of.clone(), entry, step)?;
                let shows = of.or_else(|| self.board_of(agent?));
                if let Some(board) = shows {
                    self.touch(&board);
                }
            }
        }
        Ok(())
    }

    /// Returns the board of each matching counted note of this kind; an element is `None` if its note concerns only a
    /// clock. If `board` is given, leaves out notes about other boards. Without `agent`, only notes about `board` match.
    fn boards_of_note(
        &self,
        board: Option<&BoardId>,
        kind: Kind,
        agent: Option<AgentId>,
    ) -> Vec<Option<BoardId>> {
        let standing = self.fold.anomalies.standing.iter();
        standing
            .filter(|((subject, one), note)| {
                let here = match (&subject.board, board) {
                    (Some(of), Some(board)) => of == board,
                    (None, _) | (Some(_), None) => agent.is_some(),
                };
                note.count > 0 && *one == kind && subject.agent == agent && here
            })
            .map(|((subject, _), _)| subject.board.clone())
            .collect()
    }
}
