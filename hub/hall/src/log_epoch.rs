//! The epochs of the log. A new epoch begins with the record that reports a restored backup, or that confirms the
//! permanent loss of a clock's events.
//!
//! Defines which records begin an epoch, for the fold and for the checkpoints.

use proto::checkpoint::LogEpoch;
use proto::log::Record;
use proto::log::record::Input;

use super::entry::SeenNote;
use super::fold::Fold;
use super::note_kind::NoteKind;

pub fn begins_log_epoch(record: &Record) -> bool {
    match &record.input {
        Some(Input::Note(note)) => is(&note.kind, NoteKind::BackupRestored),
        Some(Input::NoteAcknowledged(seen)) => is(&seen.kind, NoteKind::LogSetBack),
        Some(_) | None => false,
    }
}

fn is(word: &str, kind: NoteKind) -> bool {
    NoteKind::from_word(word) == Some(kind)
}

impl Fold {
    /// Begins a new epoch if the acknowledged note reports that the log was set back. Then also records that the
    /// clock's events after the last logged one are lost.
    pub(crate) fn confirm_loss(&mut self, seen: &SeenNote) {
        if !is(&seen.kind, NoteKind::LogSetBack) {
            return;
        }
        self.begin_log_epoch();
        let agent = seen.agent;
        if let Some(agent) = agent.and_then(|agent| self.agents.get_mut(&agent)) {
            agent.loss_confirmed = Some(agent.seq);
        }
    }

    pub(crate) fn begin_log_epoch(&mut self) {
        self.log_epoch = Some(LogEpoch::after(self.log_epoch, self.records));
    }
}
