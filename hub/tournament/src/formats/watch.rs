//! Watches a folder into which a pairing program writes its files. Owns the decision about what each file means; the
//! caller reads the folder, shows the changes that need confirmation, and applies them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use super::difference::{Difference, IdentityMismatch, compare};
use super::draft::{Draft, import_file};
use super::fault::Faults;
use super::remark::Remark;
use super::table::pairings::{self, PairingTable};
use crate::RoundNo;

/// The files of a watched folder as last seen, and the contents that were applied or dismissed.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    files: BTreeMap<String, WatchedFile>,
    /// Digests of files that were applied or dismissed, under any name.
    settled: BTreeSet<Digest>,
}

/// The SHA-256 digest of a file's content.
pub type Digest = [u8; 32];

/// Returns the digest of a file's content.
pub fn digest(bytes: &[u8]) -> Digest {
    Sha256::digest(bytes).into()
}

#[derive(Clone, Debug)]
struct WatchedFile {
    bytes: Vec<u8>,
    digest: Digest,
    /// The event for which this content was last examined. An `Arc`, since all files share one event.
    examined_for: Option<Arc<Draft>>,
    reported: Option<Difference>,
    reported_foreign: Option<Box<IdentityMismatch>>,
}

/// The current status of a file in a watched folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileStatus {
    /// The name has no supported extension, or is that of a temporary file.
    Unsupported,
    /// New or changed, and possibly incomplete: examine it again later.
    Settling,
    /// The same result as at the last report, content that was applied or dismissed, or nothing new at a later
    /// examination.
    AlreadyReported,
    /// Unreadable, and therefore ignored.
    Refused(Faults),
    /// About a different event, or with different player numbers, and therefore ignored.
    Foreign(Box<IdentityMismatch>),
    /// Nothing new for the event.
    UpToDate,
    /// Changes for an arbiter to confirm.
    News(Box<News>),
}

/// The changes in a file, with remarks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct News {
    /// The difference between the file and the event.
    pub difference: Difference,
    /// Remarks on the file and its changes.
    pub remarks: Vec<Remark>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Report,
    Table,
}

impl Watch {
    /// Creates the state of a folder that has not been examined yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Examines a file. New or changed content gives [`FileStatus::Settling`]; the next call with the same content
    /// gives the result. Gives [`FileStatus::AlreadyReported`] if there is nothing further to report.
    pub fn observe(&mut self, name: &str, bytes: &[u8], known: &Arc<Draft>) -> FileStatus {
        let Some(form) = form(name) else {
            return FileStatus::Unsupported;
        };
        let file = self.files.get_mut(name).filter(|file| file.bytes == bytes);
        let Some(file) = file else {
            let new = WatchedFile {
                bytes: bytes.to_vec(),
                digest: digest(bytes),
                examined_for: None,
                reported: None,
                reported_foreign: None,
            };
            self.files.insert(name.to_owned(), new);
            return FileStatus::Settling;
        };
        let before = file.examined_for.replace(known.clone());
        if before.as_ref() == Some(known) || self.settled.contains(&file.digest) {
            return FileStatus::AlreadyReported;
        }
        let first = before.is_none();
        let status = status(form, name, bytes, known);
        let reported = match &status {
            // A refused report stays refused, but a table may name players who have been entered since.
            FileStatus::Refused(_) => !first && form == Form::Report,
            // An up-to-date file is reported only at its first examination, even if the event changes later.
            FileStatus::UpToDate => !first,
            FileStatus::News(news) => file.reported.as_ref() == Some(&news.difference),
            FileStatus::Foreign(foreign) => file.reported_foreign.as_ref() == Some(foreign),
            FileStatus::Unsupported | FileStatus::Settling | FileStatus::AlreadyReported => false,
        };
        (file.reported, file.reported_foreign) = match &status {
            FileStatus::News(news) => (Some(news.difference.clone()), None),
            FileStatus::Foreign(foreign) => (None, Some(foreign.clone())),
            FileStatus::Unsupported
            | FileStatus::Settling
            | FileStatus::AlreadyReported
            | FileStatus::Refused(_)
            | FileStatus::UpToDate => (None, None),
        };
        match reported {
            true => FileStatus::AlreadyReported,
            false => status,
        }
    }

    /// Returns true if files with this name are examined.
    pub fn supports(name: &str) -> bool {
        form(name).is_some()
    }

    /// Returns the name, content and status of each examined file that is news, foreign or refused. Includes files
    /// already reported, but not those applied or dismissed.
    pub fn pending(&self, known: &Draft) -> Vec<(&str, &[u8], FileStatus)> {
        let settled = self.files.iter().filter(|(_, file)| {
            file.examined_for.is_some() && !self.settled.contains(&file.digest)
        });
        let statuses = settled.filter_map(|(name, file)| {
            let status = status(form(name)?, name, &file.bytes, known);
            let pending = matches!(
                status,
                FileStatus::News(_) | FileStatus::Foreign(_) | FileStatus::Refused(_)
            );
            pending.then_some((name.as_str(), file.bytes.as_slice(), status))
        });
        statuses.collect()
    }

    /// Returns the content of a file that was unchanged when seen a second time; `None` for any other file.
    pub fn examined(&self, name: &str) -> Option<&[u8]> {
        let file = self.files.get(name)?;
        file.examined_for.is_some().then_some(&file.bytes)
    }

    /// Marks content as applied or dismissed. It is never reported again, even if an arbiter corrects the event
    /// afterwards.
    pub fn settle(&mut self, content: Digest) {
        self.settled.insert(content);
    }

    /// Returns true if content was applied or dismissed.
    pub fn is_settled(&self, content: &Digest) -> bool {
        self.settled.contains(content)
    }

    /// Forgets a file that no longer exists.
    pub fn remove(&mut self, name: &str) {
        self.files.remove(name);
    }

    /// Returns the names of the files seen.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }
}

fn form(name: &str) -> Option<Form> {
    let (stem, ending) = name.rsplit_once('.')?;
    // Editors and copying programs give temporary files names that begin with `.` or `~`.
    let stem = stem.rsplit(['/', '\\']).next();
    let hidden = stem.is_some_and(|stem| stem.starts_with(['.', '~']));
    match ending.to_ascii_lowercase().as_str() {
        _ if hidden => None,
        "trf" | "trfx" | "trf16" | "trf26" | "fid" => Some(Form::Report),
        "csv" | "tsv" => Some(Form::Table),
        _ => None,
    }
}

fn status(form: Form, name: &str, bytes: &[u8], known: &Draft) -> FileStatus {
    let (file, mut remarks): (Draft, Vec<Remark>) = match form {
        Form::Report => match import_file(bytes) {
            Ok(imported) => (imported.draft, imported.remarks),
            Err(faults) => return FileStatus::Refused(faults),
        },
        Form::Table => match table(bytes, known) {
            Ok(table) => (table.merged(known), table.remarks().collect()),
            Err(faults) => return FileStatus::Refused(faults),
        },
    };
    let difference = match compare(known, &file, name) {
        Ok(difference) => difference,
        Err(foreign) => return FileStatus::Foreign(foreign),
    };
    remarks.extend(difference.remarks.iter().cloned());
    match difference.is_empty() {
        true => FileStatus::UpToDate,
        false => FileStatus::News(Box::new(News {
            difference,
            remarks,
        })),
    }
}

/// Reads a table of pairings for the current event. A table without a round column is about the last paired round if
/// one of that round's games has no result. It is also about that round if it contains only pairings of it. Otherwise
/// it is about the next round.
///
/// # Errors
/// Returns the errors with their lines and columns; the table is then refused as a whole.
pub fn table(bytes: &[u8], known: &Draft) -> Result<PairingTable, Faults> {
    let next = next(known);
    let table = pairings::read(bytes, known, next)?;
    let old = match (known.rounds.last_key_value(), table.rounds.get(&next)) {
        (Some((last, before)), Some(round)) if *last < next && table.rounds.len() == 1 => {
            let pairs = round.pairs();
            let same = !pairs.is_empty() && pairs.is_subset(&before.pairs());
            same.then_some(*last)
        }
        (Some(_) | None, Some(_) | None) => None,
    };
    match old {
        Some(last) => pairings::read(bytes, known, last),
        None => Ok(table),
    }
}

/// Returns the last paired round, or the one after it if every game has a result. Returns round 1 if no round is
/// paired.
fn next(known: &Draft) -> RoundNo {
    let Some((no, round)) = known.rounds.last_key_value() else {
        return RoundNo(1);
    };
    let open = round.boards.values().any(|seats| seats.result.is_none());
    if open { *no } else { no.next() }
}
