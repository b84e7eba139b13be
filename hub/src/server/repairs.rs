//! Opens the log, and creates the notes that tell arbiters of damaged records, lost lists and a restored backup.
//!
//! Owns the choice of notes. Never repairs anything itself: the log does, and does not open if it cannot.

use std::path::{Path, PathBuf};

use super::StartError;
use super::archive::MAX_NOTE_CHARS;
use crate::backup::RESTORED;
use crate::event_loop::EventLoopHandle;
use crate::identity::known_log_signer;
use crate::replay::{self, ReplayError};
use durable_log::{Log, NoteCheck, Notice as LogNotice, OpenError, Options, ReadError};
use hall::replay::RecordIndex;
use hall::{Hall, NoteKind, Notice};
use proto::checkpoint::{Checkpoint, LogEpoch};

/// Opens the log, and folds and indexes its records, which verifies each of them. If a record is damaged, opens the log again with a check of all
/// records, which repairs the log from the archive if possible.
pub(super) fn folded(
    dir: &Path,
    mirror: Option<PathBuf>,
) -> Result<(Log, Hall, RecordIndex), StartError> {
    for verify in [false, true] {
        let options = Options {
            verify,
            mirrors: mirror.iter().cloned().collect(),
            is_signed: Some(signed_by_key_in(dir)),
            ..Options::default()
        };
        let log = Log::open_with(dir, options)?;
        match replay::fold_indexed(&log) {
            Ok((hall, index)) => return Ok((log, hall, index)),
            Err(ReplayError::Read(_)) if !verify => (),
            Err(ReplayError::Read(error)) => return Err(OpenError::damaged(dir, error).into()),
            Err(error) => return Err(error.into()),
        }
    }
    Err(StartError::Internal("the log was not opened".to_owned()))
}

/// Returns a function that checks a checkpoint's signature against the log's current and former keys in the directory `dir`.
fn signed_by_key_in(dir: &Path) -> NoteCheck {
    let dir = dir.to_owned();
    Box::new(move |note| {
        let said = Checkpoint::open_unverified(note);
        let signer = said.map(|said| known_log_signer(&dir, &said.origin));
        let Ok(Ok(Some(signer))) = signer else {
            return false;
        };
        Checkpoint::open_by_any(note, &signer.verifiers()).is_ok()
    })
}

/// Returns the notes for arbiters about a log that has just been opened and folded.
pub(super) fn of(log: &Log, hall: &Hall) -> Result<Vec<(NoteKind, String)>, ReadError> {
    let repairs = log.notices().iter().filter(|notice| match notice {
        LogNotice::Rebuilt { .. }
        | LogNotice::TailRestored { .. }
        | LogNotice::CachesSetAside { .. } => true,
        LogNotice::BallastReleased
        | LogNotice::UnfinishedStoreRemoved
        | LogNotice::HalfWrittenSnapshotRemoved
        | LogNotice::HeadUnknown { .. } => false,
    });
    let text = |notice: &LogNotice| notice.to_string().chars().take(MAX_NOTE_CHARS).collect();
    let repairs = repairs.map(|notice| (NoteKind::LogRepaired, text(notice)));
    let restored = restored(log, hall)?.map(|text| (NoteKind::BackupRestored, text));
    Ok(repairs.chain(restored).collect())
}

/// Returns the note for arbiters about lost lists of enrolled identities.
pub(super) fn of_lists(lost: &[String]) -> Option<(NoteKind, String)> {
    (!lost.is_empty()).then(|| {
        let text = format!(
            "the hub started without {}: those enrolled in it must enrol again, and revocations in it are lost; if there is a backup, stop the \
             hub and copy it from there",
            lost.join(" and ")
        );
        (NoteKind::ListsLost, text)
    })
}

/// Returns the text of the note about a restored backup, which begins a new epoch of the log. Returns `None` if no backup was restored or its epoch
/// has already begun.
fn restored(log: &Log, hall: &Hall) -> Result<Option<String>, ReadError> {
    let Some(value) = log.meta(RESTORED)? else {
        return Ok(None);
    };
    let records = value.try_into().map_or(0, u64::from_be_bytes);
    let epoch = hall.log_epoch();
    if epoch.is_some_and(|epoch| epoch.begins >= records) {
        return Ok(None);
    }
    let LogEpoch { number, .. } = LogEpoch::after(epoch, records);
    let filled = log.notices().iter().find_map(|notice| {
        if let LogNotice::TailRestored { len, .. } = notice {
            return Some(*len);
        }
        None
    });
    let (since, missing) = match filled {
        None => (String::new(), "what was entered after the backup"),
        Some(len) => (
            format!(", continued from its archive to {len} records"),
            "what is missing at the end",
        ),
    };
    Ok(Some(format!(
        "this hub runs on a restored backup of {records} records{since}; epoch {number} of the log begins with it: enter {missing} again"
    )))
}

/// Shows the notes until the hub ends, and writes each to the log.
pub(super) fn tell(hub: &EventLoopHandle, notes: Vec<(NoteKind, String)>) {
    for kind in [
        NoteKind::ListsLost,
        NoteKind::LogRepaired,
        NoteKind::BackupRestored,
    ] {
        let texts = notes.iter().filter(|(of, _)| *of == kind);
        let texts: Vec<&str> = texts.map(|(_, text)| &**text).collect();
        if !texts.is_empty() {
            hub.live().note(kind, texts.join("; "));
        }
    }
    for (kind, text) in notes {
        hub.note(Notice::of_hall(kind, text));
    }
}
