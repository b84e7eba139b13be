//! `flagfall forget-names`: conceals the names in the evidence files of an archive once the time to keep them is over. The proof of
//! each file stays as it is.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use prost::Message as _;
use proto::evidence::part;
use proto::log::Record;
use verify::{NotUnderstood, PartReader};

use super::export::write_new;
use super::output::{Result, after_change, changed, counted, failed, say, usage};
use crate::evidence::{Redaction, redact_file};
use crate::time_source::wall_now;

const DAY_US: i64 = 24 * 60 * 60 * 1_000_000;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall forget-names /srv/archive --older-than 730
  flagfall forget-names /srv/archive --older-than 730 --dry-run

Replaces each evidence file whose records are all older by a copy in which everyone's names, and the texts that people wrote, are
concealed for good: the salts are gone. Its records, its checkpoint and its proof stay the same.
Backups and data directories of hubs still have the names: remove them too, and proofs of single records and checkpoints that were kept
of the same log: with them, and with a list of likely names, a concealed name can be found by trying.")]
pub(super) struct Args {
    /// The directory of the archive, as `flagfall import --into` fills it
    dir: PathBuf,
    /// The time to keep names, in days since the newest record of a file
    #[arg(long, value_name = "DAYS")]
    older_than: u32,
    /// Only list the files
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let unread = |error| usage!("cannot read {}: {error}", args.dir.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(&args.dir).map_err(unread)? {
        let path = entry.map_err(unread)?.path();
        if path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    let span_us = i64::from(args.older_than).saturating_mul(DAY_US);
    let before = wall_now().unix_us().saturating_sub(span_us);
    let mut forgotten = 0;
    for path in files {
        let bytes =
            fs::read(&path).map_err(|error| failed!("cannot read {}: {error}", path.display()))?;
        let named = path.extension() == Some(OsStr::new("evidence"));
        let newest = match named_until(&bytes) {
            Ok(newest) => newest,
            // Other files may lie beside them.
            Err(NotUnderstood::NotEvidence) if !named => continue,
            Err(error) => return Err(failed!("{}: {error}", path.display())),
        };
        if newest.is_none_or(|newest_us| newest_us >= before) {
            continue;
        }
        if !args.dry_run {
            forget(&path, &bytes)?;
        }
        after_change(say!("{}", path.display()));
        forgotten += 1;
    }
    let files = counted(forgotten, "file");
    match args.dry_run {
        true => say!("The names in {files} would be concealed"),
        false => changed(say!("The names in {files} are concealed")),
    }
}

/// Returns the instant of the newest record of a file, in microseconds since 1970; `None` if it has no name that can be read. The file's
/// own description is not signed, so it decides nothing.
fn named_until(bytes: &[u8]) -> Result<Option<i64>, NotUnderstood> {
    let (_, mut parts) = PartReader::open(bytes)?;
    let (mut newest, mut named) = (i64::MIN, false);
    // A file that breaks off keeps what was read of it.
    while let Ok(Some(part)) = parts.next_part() {
        if let part::Part::Record(record) = part {
            named |= !record.openings.is_empty();
            let hub_us = Record::decode(record.content.as_slice()).map(|record| record.hub_us);
            newest = newest.max(hub_us.unwrap_or(newest));
        }
    }
    Ok(named.then_some(newest))
}

fn forget(path: &Path, bytes: &[u8]) -> Result<()> {
    write_new(path, |out| {
        redact_file(bytes, Redaction::Everyone, out)
            .map_err(|error| failed!("{}: {error}", path.display()))
    })?;
    let protected = fs::metadata(path).and_then(|metadata| {
        let mut permissions = metadata.permissions();
        permissions.set_readonly(true);
        fs::set_permissions(path, permissions)
    });
    protected.map_err(|error| failed!("cannot protect {}: {error}", path.display()))
}
