//! Starts the log's archive, requests a checkpoint at each game's end, and shows the archive's findings as notes for arbiters. A finding never stops
//! the hub.

use std::path::Path;

use prost::Message as _;
use proto::log::Record;
use proto::merkle::leaf_hash;
use proto::names;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::StartError;
use crate::config::Config;
use crate::event_loop::EventLoopHandle;
use crate::identity::{LogKeys, log_signer};
use crate::live::LiveHall;
use crate::paths::is_inside;
use durable_log::{
    ARCHIVE_DIR, Archive, ArchiveCopy, ArchiveFinding, ArchiveHandle, ArchiveReport,
    ArchiveSettings, CHECKPOINT_EVERY, Conceal, Epochs, LogReader,
};
use hall::{Hall, NoteKind, Notice, begins_log_epoch};

/// Maximum length of a note, in characters: a log record is bounded, but a path in the text is not.
pub(super) const MAX_NOTE_CHARS: usize = 1_000;

pub(super) fn start(
    config: &Config,
    origin: &str,
    log: LogReader,
    epochs: Epochs,
    hub: EventLoopHandle,
) -> Result<Archive, StartError> {
    let dir = config.data_dir.join(ARCHIVE_DIR);
    if let Some(mirror) = &config.mirror
        && is_inside(mirror, &dir)
    {
        return Err(StartError::MirrorInside(mirror.clone()));
    }
    let settings = ArchiveSettings {
        dir,
        mirror: config.mirror.clone(),
        signer: log_signer(&config.data_dir, origin)?,
        every: CHECKPOINT_EVERY,
        conceal: Some(conceal(&config.data_dir)?),
        epochs,
    };
    let report = move |report: ArchiveReport| {
        let notice = notice(&report);
        show(hub.live(), &report, &notice);
        hub.note(notice);
    };
    Ok(Archive::start(settings, log, report)?)
}

/// Returns the epochs of a log up to the last folded record.
pub(super) fn epochs(hall: &Hall) -> Epochs {
    let begins =
        |record: &[u8]| Record::decode(record).is_ok_and(|record| begins_log_epoch(&record));
    Epochs::new(hall.log_epoch(), hall.records(), Box::new(begins))
}

/// Returns the function that computes a leaf of the log's tree from a record, with names concealed as in evidence files.
fn conceal(data_dir: &Path) -> Result<Conceal, StartError> {
    let secret = LogKeys::read(data_dir)?.name_secret();
    Ok(Box::new(move |index, record| {
        let (content, _) = names::conceal(record, index, &secret).ok()?;
        Some(leaf_hash(&content))
    }))
}

fn notice(report: &ArchiveReport) -> Notice {
    let copy = match report.copy {
        ArchiveCopy::Archive => "the log's archive",
        ArchiveCopy::Mirror => "the second copy of the log (mirror)",
    };
    let dir = report.dir.display();
    let (kind, text) = match &report.finding {
        ArchiveFinding::Failed(error) if error.is_contradiction() => {
            let text =
                format!("{copy} contradicts the log; no further checkpoint is signed: {error}");
            (NoteKind::LogContradicted, text)
        }
        ArchiveFinding::Failed(error) => (
            NoteKind::ArchiveFailed,
            format!("{copy} cannot be written: {error}; games and the log continue"),
        ),
        ArchiveFinding::Recovered => (
            NoteKind::ArchiveWorking,
            format!("{copy} is written again: {dir}"),
        ),
        ArchiveFinding::Repaired { files } => (
            NoteKind::ArchiveRepaired,
            format!(
                "{files} files of {copy} in {dir} were damaged and were written again from the log: check this disk"
            ),
        ),
    };
    Notice::of_hall(kind, text.chars().take(MAX_NOTE_CHARS).collect())
}

/// Shows as a note about the hub that the archive failed, or that a copy contradicts the log. Removes the note about a failed archive once the
/// archive is written again. Other failures of the mirror appear only in the log, because they put nothing at risk.
fn show(live: &LiveHall, report: &ArchiveReport, notice: &Notice) {
    match (&report.finding, report.copy) {
        (ArchiveFinding::Failed(error), copy)
            if copy == ArchiveCopy::Archive || error.is_contradiction() =>
        {
            live.note(notice.kind, notice.text.clone());
        }
        (ArchiveFinding::Recovered, ArchiveCopy::Archive) => live.end_note(NoteKind::ArchiveFailed),
        (
            ArchiveFinding::Failed(_) | ArchiveFinding::Recovered | ArchiveFinding::Repaired { .. },
            _,
        ) => (),
    }
}

/// Requests a checkpoint whenever a game ends, which includes the end of a round. Runs until `ending` is cancelled.
pub(super) fn at_games_ends(
    archive: ArchiveHandle,
    live: &LiveHall,
    ending: CancellationToken,
) -> JoinHandle<()> {
    let mut games_over = live.follow_games_over();
    tokio::spawn(async move {
        while let Some(Ok(())) = ending.run_until_cancelled(games_over.changed()).await {
            archive.checkpoint_now();
        }
    })
}
