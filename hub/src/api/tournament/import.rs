//! Imports files of pairing programs: reads a file, compares it with the event, and applies the differences as one set of changes. Owns the
//! order of these steps; [`tournament::formats`] finds the differences.

use prost::Message;
use proto::event::change::What;
use proto::grpc::import_request::Source;
use proto::grpc::{self as wire, DifferenceItem, FileFormat, ImportReply, ImportRequest};
use proto::refusal::RefusalCode;
use tonic::{Code, Result, Status};

use super::super::messages::expectation::with_faults;
use super::super::messages::remark;
use super::super::messages::table::renamed;
use super::super::pairings;
use super::super::service::refusal;
use super::super::status::{refused, with_number};
use super::events::counted;
use super::{TournamentService, computed, malformed, requests};
use hall::refusal::Why;
use hall::{
    AskOutcome, Purpose, Refusal, RequestDigest, TournamentNow, TournamentRequest, to_proto,
    with_changes,
};
use tournament::formats::difference::{
    Difference, DifferenceKind, IdentityMismatch, Item, compare, difference,
};
use tournament::formats::draft::{Draft, import_file};
use tournament::formats::expected::Expected;
use tournament::formats::fault::{Fault, Faults};
use tournament::formats::watch;
use tournament::{Actor, Change};

const MAX_FILE_BYTES: usize = 4 * 1024 * 1024;
const MAX_NAME_CHARS: usize = 100;
/// Maximum length of a file's name, limited because the reason in the log contains it.
const MAX_NAME_BYTES: usize = 280;

enum Read {
    Ours(Difference),
    /// A file of a different event: the differences, and the refusal.
    Foreign(Box<IdentityMismatch>, Refusal),
}

impl TournamentService {
    /// Imports a file. A dry run only returns the changes that the file would make.
    pub(super) async fn take_file(
        &self,
        actor: Actor,
        request: ImportRequest,
    ) -> Result<ImportReply> {
        let sent = RequestDigest::of("import", &actor.name, &request.encode_to_vec());
        let known = self.parts.hub.live().tournament();
        let open = request.set_aside.clone();
        let seen = known.clone().filter(|_| open.is_none());
        let file = self.file(&request)?;
        let (digest, name) = (watch::digest(&file.content), file.name.clone());
        let read = {
            let seen = seen.clone();
            computed(move || read(&file, seen.as_ref())).await??
        };
        let version = known.as_ref().map_or(0, |now| now.version);
        if request.dry_run {
            return shown(read, version, seen, actor).await;
        }
        let id = requests::command_id(&request.id).map_err(malformed)?;
        // A file without differences needs no request to the hall, except in a retry of an earlier import: the hall then repeats its answer.
        let asked = self.parts.hub.ask(AskOutcome(id)).await;
        let repeated = asked.map_err(refusal)?.is_some();
        let found = match read {
            Read::Ours(found) => found,
            Read::Foreign(..) if repeated => Difference::default(),
            Read::Foreign(_, why) => {
                return Err(with_number(Code::FailedPrecondition, &why));
            }
        };
        let mut reply = reply(&found, version);
        if !repeated {
            if found.is_empty() {
                return Ok(reply);
            }
            agreed(found.removed_pairings, request.remove_pairings)?;
        }
        let seen = request.seen_version.unwrap_or(version).min(version);
        let request = TournamentRequest {
            id,
            actor,
            seen: Some(seen),
            reason: format!("import of {name}"),
            changes: found.changes(),
            purpose: match open {
                Some(set_aside) => Purpose::Open {
                    file: name,
                    set_aside,
                },
                None => Purpose::Import { file: name },
            },
            digest: sent,
        };
        reply.version = self.change(request).await?;
        if let Some(folder) = &self.parts.pairing.folder {
            folder.settle(digest);
        }
        Ok(reply)
    }

    fn file(&self, request: &ImportRequest) -> Result<File> {
        let content = match &request.source {
            Some(Source::Content(content)) => content.clone(),
            Some(Source::Watched(shown)) => pairings::watched(&self.parts.pairing, shown)?,
            None => return Err(Status::invalid_argument("the request has no file")),
        };
        if content.len() > MAX_FILE_BYTES {
            let found = format!("{} bytes", content.len());
            let fault = Fault::because(1, 1, Expected::FileSize(MAX_FILE_BYTES), found);
            return Err(faulty(&fault.into()));
        }
        let name = timing::text::without_hidden(&request.file_name);
        let mut name: String = name.chars().take(MAX_NAME_CHARS).collect();
        name.truncate(name.floor_char_boundary(MAX_NAME_BYTES));
        let format = FileFormat::try_from(request.format).map_err(|_| {
            Status::invalid_argument("this version of the hub does not know the file format")
        })?;
        Ok(File {
            name,
            format,
            content,
        })
    }
}

struct File {
    name: String,
    format: FileFormat,
    content: Vec<u8>,
}

fn reply(found: &Difference, version: u64) -> ImportReply {
    ImportReply {
        version,
        items: found.items.iter().map(item).collect(),
        remarks: remark::texts(&found.remarks),
        typed_remarks: remark::all(&found.remarks),
        counts: Some(counted(found)),
        ..ImportReply::default()
    }
}

/// Returns the answer to a dry run: the changes, and the reason if they would be refused. `seen` is the event compared with the file.
async fn shown(
    read: Read,
    version: u64,
    seen: Option<TournamentNow>,
    actor: Actor,
) -> Result<ImportReply> {
    let found = match read {
        Read::Ours(found) => found,
        Read::Foreign(foreign, why) => {
            return Ok(ImportReply {
                version,
                refusal: why.text().to_owned(),
                why: Some(why.without_text()),
                foreign: Some(pairings::foreign(&foreign)),
                ..ImportReply::default()
            });
        }
    };
    let mut reply = reply(&found, version);
    let changes = found.changes();
    if !changes.is_empty() {
        let before = seen.map(|now| now.tournament);
        let trial = move || with_changes(before.as_deref(), &actor, &changes).err();
        if let Some(why) = computed(trial).await? {
            why.text().clone_into(&mut reply.refusal);
            reply.why = Some(why.without_text());
        }
    }
    Ok(reply)
}

/// Checks that the arbiter agreed to remove exactly this number of pairings.
fn agreed(removed: usize, agreed: u32) -> Result<()> {
    if u32::try_from(removed) == Ok(agreed) {
        return Ok(());
    }
    let why = Refusal::from(Why::RemovesPairings {
        pairings: u32::try_from(removed).unwrap_or(u32::MAX),
    });
    Err(with_number(Code::FailedPrecondition, &why))
}

fn read(file: &File, known: Option<&TournamentNow>) -> Result<Read> {
    let known = known.map(|now| Draft::of(&now.tournament));
    if is_table(&file.name, &file.content, file.format) {
        let known = known.ok_or_else(|| {
            let text = "a table of pairings needs an event: open its report first".to_owned();
            refused(&Refusal::with_code(RefusalCode::NoEvent, text))
        })?;
        let table = watch::table(&file.content, &known).map_err(|faults| faulty(&faults))?;
        let found = difference(&known, &table.merged(&known), &file.name);
        let remarks = table.remarks().chain(found.remarks.iter().cloned());
        return Ok(Read::Ours(Difference {
            remarks: remarks.collect(),
            ..found
        }));
    }
    let imported = import_file(&file.content).map_err(|faults| faulty(&faults))?;
    let found = match &known {
        None => all_of(&imported.draft, &file.name),
        Some(known) => match compare(known, &imported.draft, &file.name) {
            Ok(found) => found,
            Err(foreign) => {
                let words = foreign.words(&known.event.name);
                let why = Refusal::with_code(RefusalCode::ForeignFile, words);
                return Ok(Read::Foreign(foreign, why));
            }
        },
    };
    let mut remarks = imported.remarks;
    remarks.extend(found.remarks.iter().cloned());
    Ok(Read::Ours(Difference { remarks, ..found }))
}

/// Returns a report's whole content as differences from an empty event, for a report that is opened as a new event.
fn all_of(draft: &Draft, name: &str) -> Difference {
    let nothing = Draft::empty(draft.event.clone());
    let event = Item {
        kind: DifferenceKind::Event,
        words: format!(
            "New event: {}, {} {}",
            draft.event.name,
            draft.event.rounds,
            if draft.event.rounds == 1 {
                "round"
            } else {
                "rounds"
            }
        ),
        changes: vec![Change::SetEvent(Box::new(draft.event.clone()))],
    };
    let mut found = difference(&nothing, draft, name);
    found.items.insert(0, event);
    found
}

/// Returns true if the file is a table, judged by `format`, or else by its name, or else by its first line. In a report, a line begins with a tag
/// and a space.
fn is_table(name: &str, content: &[u8], format: FileFormat) -> bool {
    match format {
        FileFormat::Report => return false,
        FileFormat::Table => return true,
        FileFormat::Unspecified => {}
    }
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let is = |known: &[&str]| known.iter().any(|known| ending.eq_ignore_ascii_case(known));
    if is(&["csv", "tsv"]) || is(&["trf", "trfx"]) {
        return is(&["csv", "tsv"]);
    }
    let content = content
        .strip_prefix("\u{feff}".as_bytes())
        .unwrap_or(content);
    let mut lines = content.split(|byte| matches!(byte, b'\n' | b'\r'));
    let first = lines.find(|line| !line.trim_ascii().is_empty());
    first.is_some_and(|first| {
        let tagged = first.len() < 4
            || first[..3].iter().all(|byte| byte.is_ascii_digit())
            || first[3] == b' ';
        !tagged && first.iter().any(|byte| matches!(byte, b',' | b';' | b'\t'))
    })
}

fn faulty(faults: &Faults) -> Status {
    let why = Refusal::with_code(RefusalCode::FileUnreadable, faults.to_string());
    let why = why.with_details(|refusal| with_faults(refusal, faults));
    with_number(Code::InvalidArgument, &why)
}

/// Converts a change for the arbiter's screen, without the file's lines that are kept only for a later export.
fn shown_change(change: &Change) -> proto::event::Change {
    let mut change = to_proto::tournament::change(change);
    if let Some(What::SetEvent(event)) = &mut change.what {
        event.kept_lines.clear();
    }
    if let Some(What::EnterPlayer(player)) = &mut change.what {
        player.kept_lines.clear();
    }
    if let Some(What::Renumber(numbers)) = &mut change.what {
        numbers.kept_lines.clear();
    }
    change
}

fn item(item: &Item) -> DifferenceItem {
    let kind = renamed!(item.kind, DifferenceKind => wire::DifferenceKind {
        Event, NewPlayer, ChangedPlayer, Team, NewRound, ChangedRound, NewResult, ChangedResult, Bye
    });
    let changes = item.changes.iter().map(shown_change);
    DifferenceItem {
        kind: kind.into(),
        words: item.words.clone(),
        changes: changes.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_whose_name_says_nothing_is_recognised_by_its_first_line() {
        let table =
            |name, content: &str| is_table(name, content.as_bytes(), FileFormat::Unspecified);
        for name in ["-", "standard input", "r3.txt"] {
            assert!(table(name, "Round,Board,White,Black\n3,1,1,3\n"), "{name}");
            assert!(table(name, "\u{feff}\r\nWhite;Black\r\n1;3"), "{name}");
            for report in [
                "012 Open, 2026\n",
                "\u{feff}012 Cup; A",
                "XXR 9\n",
                "### a, b",
                "",
            ] {
                assert!(!table(name, report), "{report}");
            }
        }
        assert!(table("r3.CSV", "012 Open"));
        assert!(!table("r3.trf", "White,Black"));
        let said = is_table("r3.csv", b"White,Black", FileFormat::Report);
        assert!(!said);
    }
}
