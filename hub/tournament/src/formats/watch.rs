//! A folder where a pairing program leaves its files: what each sight of a file means. Owns the decision; the shell looks into
//! the folder, shows what is to be confirmed, and applies it.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest as _, Sha256};

use super::difference::{Difference, Foreign, compare};
use super::draft::{Draft, DraftRound, import_file};
use super::fault::Faults;
use super::table::pairings::{self, PairingTable};
use crate::RoundNo;

/// What the files of a folder were when they were last seen, by name.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    files: BTreeMap<String, Seen>,
    /// Contents that were taken or dismissed, under whatever name.
    dealt_with: BTreeSet<Digest>,
}

/// What tells one content from another (SHA-256).
pub type Digest = [u8; 32];

/// The digest of a content.
pub fn digest(bytes: &[u8]) -> Digest {
    Sha256::digest(bytes).into()
}

#[derive(Clone, Debug)]
struct Seen {
    /// The content: files are small, and equality of bytes needs no proof.
    bytes: Vec<u8>,
    /// Its digest.
    digest: Digest,
    /// Whether something was decided about this content, and about which event.
    decided: Option<Draft>,
    /// What was told as news.
    told: Option<Difference>,
    /// The differences that were told of it as another event's file.
    told_foreign: Option<Box<Foreign>>,
}

/// What a sight of a file means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sight {
    /// Not a kind of file this program reads, by its name.
    NotOurs,
    /// New or changed: it may be half written. Look again.
    Settling,
    /// Nothing that was not told before.
    Told,
    /// It cannot be read; nothing of it is taken.
    Refused(Faults),
    /// It is another event's, or numbers the players otherwise: nothing of it is taken.
    Foreign(Box<Foreign>),
    /// It says what is known.
    Known,
    /// It says something new, for an arbiter to confirm.
    News(Box<News>),
}

/// What a file says that is new.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct News {
    /// What it would change.
    pub difference: Difference,
    /// What is odd about the file.
    pub remarks: Vec<String>,
}

/// What kind of file a name promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Report,
    Table,
}

impl Watch {
    /// A folder of which nothing was seen.
    pub fn new() -> Self {
        Self::default()
    }

    /// Decides what a file is: at the second sight of the same content, once for that content and that event.
    pub fn seen(&mut self, name: &str, bytes: &[u8], known: &Draft) -> Sight {
        let Some(form) = form(name) else {
            return Sight::NotOurs;
        };
        let file = self.files.get_mut(name).filter(|file| file.bytes == bytes);
        let Some(file) = file else {
            let seen = Seen {
                bytes: bytes.to_vec(),
                digest: digest(bytes),
                decided: None,
                told: None,
                told_foreign: None,
            };
            self.files.insert(name.to_owned(), seen);
            return Sight::Settling;
        };
        if file.decided.as_ref() == Some(known) {
            return Sight::Told;
        }
        if self.dealt_with.contains(&file.digest) {
            file.decided = Some(known.clone());
            return Sight::Told;
        }
        let first = file.decided.is_none();
        file.decided = Some(known.clone());
        let sight = sight(form, name, bytes, known);
        let told = match &sight {
            // A refusal depends on the file alone in a report; a table may name players who came since.
            Sight::Refused(_) => !first && form == Form::Report,
            // An event that goes on is no news about an old file, unless the file now says something else.
            Sight::Known => !first,
            Sight::News(news) => file.told.as_ref() == Some(&news.difference),
            Sight::Foreign(foreign) => file.told_foreign.as_ref() == Some(foreign),
            Sight::NotOurs | Sight::Settling | Sight::Told => false,
        };
        (file.told, file.told_foreign) = match &sight {
            Sight::News(news) => (Some(news.difference.clone()), None),
            Sight::Foreign(foreign) => (None, Some(foreign.clone())),
            Sight::NotOurs | Sight::Settling | Sight::Told | Sight::Refused(_) | Sight::Known => {
                (None, None)
            }
        };
        if told { Sight::Told } else { sight }
    }

    /// Whether files of that name are looked at.
    pub fn reads(name: &str) -> bool {
        form(name).is_some()
    }

    /// The files that say something new about this event, or cannot be read, told or not; each with its content.
    pub fn pending(&self, known: &Draft) -> Vec<(&str, &[u8], Sight)> {
        let settled = self
            .files
            .iter()
            .filter(|(_, file)| file.decided.is_some() && !self.dealt_with.contains(&file.digest));
        let sights = settled.filter_map(|(name, file)| {
            let sight = sight(form(name)?, name, &file.bytes, known);
            let pending = matches!(
                sight,
                Sight::News(_) | Sight::Foreign(_) | Sight::Refused(_)
            );
            pending.then_some((name.as_str(), file.bytes.as_slice(), sight))
        });
        sights.collect()
    }

    /// The content of a file that was seen twice.
    pub fn settled(&self, name: &str) -> Option<&[u8]> {
        let file = self.files.get(name)?;
        file.decided.is_some().then_some(&file.bytes)
    }

    /// Somebody has decided about a content: it was taken, or is not wanted. It is no news again, whatever becomes of the event: an
    /// arbiter may since have corrected what it said.
    pub fn deal_with(&mut self, content: Digest) {
        self.dealt_with.insert(content);
    }

    /// Forgets a file that is no longer there.
    pub fn gone(&mut self, name: &str) {
        self.files.remove(name);
    }

    /// The names of the files that were seen.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }
}

fn form(name: &str) -> Option<Form> {
    let (stem, ending) = name.rsplit_once('.')?;
    // Editors and copying programs leave files that begin so.
    let hidden = stem
        .rsplit(['/', '\\'])
        .next()
        .is_some_and(|stem| stem.starts_with(['.', '~']));
    match ending.to_ascii_lowercase().as_str() {
        _ if hidden => None,
        "trf" | "trfx" | "trf16" | "trf26" | "fid" => Some(Form::Report),
        "csv" | "tsv" => Some(Form::Table),
        _ => None,
    }
}

fn sight(form: Form, name: &str, bytes: &[u8], known: &Draft) -> Sight {
    let (file, mut remarks): (Draft, Vec<String>) = match form {
        Form::Report => match import_file(bytes) {
            Ok(imported) => (imported.draft, imported.remarks),
            Err(faults) => return Sight::Refused(faults),
        },
        Form::Table => match table(bytes, known) {
            Ok(table) => (table.merged(known), table.remarks().collect()),
            Err(faults) => return Sight::Refused(faults),
        },
    };
    let difference = match compare(known, &file, name) {
        Ok(difference) => difference,
        Err(foreign) => return Sight::Foreign(foreign),
    };
    remarks.extend(difference.remarks.iter().cloned());
    match difference.is_empty() {
        true => Sight::Known,
        false => Sight::News(Box::new(News {
            difference,
            remarks,
        })),
    }
}

/// Reads a table of pairings for the event as it is. Without a column for its round it is about the next one; if it has nothing but
/// boards of the round before, it is still about that, though that round may be over by now.
///
/// # Errors
/// What is wrong, with line and column; then nothing of the table is taken.
pub fn table(bytes: &[u8], known: &Draft) -> Result<PairingTable, Faults> {
    let next = next(known);
    let table = pairings::read(bytes, known, next)?;
    let pairs = |round: &DraftRound| -> BTreeSet<_> {
        let boards = round.boards.values();
        boards.map(|seats| (seats.white, seats.black)).collect()
    };
    let old = match (known.rounds.last_key_value(), table.rounds.get(&next)) {
        (Some((last, before)), Some(round)) if *last < next && table.rounds.len() == 1 => {
            let pairs_of_table = pairs(round);
            let same = !pairs_of_table.is_empty() && pairs_of_table.is_subset(&pairs(before));
            same.then_some(*last)
        }
        (Some(_) | None, Some(_) | None) => None,
    };
    match old {
        Some(last) => pairings::read(bytes, known, last),
        None => Ok(table),
    }
}

/// The round a table without a column for it is about: the one behind the last that has results, if it is not over.
fn next(known: &Draft) -> RoundNo {
    let mut rounds = known.rounds.iter().rev();
    match rounds.next() {
        None => RoundNo(1),
        Some((no, round)) => {
            let open = round.boards.values().any(|seats| seats.result.is_none());
            if open { *no } else { no.next() }
        }
    }
}
