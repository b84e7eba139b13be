//! `flagfall forget-names`: conceals the names in an archive's evidence files once the retention period is over. Each file's proof stays valid.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use prost::Message as _;
use proto::evidence::part;
use proto::log::Record;
use verify::{CannotCheck, PartReader};

use super::export::write_new;
use super::output::{Result, after_change, changed, counted, failed, say, usage};
use crate::evidence::{Redaction, redact_file};
use crate::time_source::wall_now;

const DAY_US: i64 = 24 * 60 * 60 * 1_000_000;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall forget-names /srv/archive --older-than 730
  flagfall forget-names /srv/archive --older-than 730 --dry-run

Replaces each evidence file whose records are all older with a copy in which all names, and the texts that people wrote, are
concealed permanently: the salts are gone. The file's records, checkpoint and proof stay the same.
Hubs' backups and data directories still contain the names: remove these too. Also remove proofs of single records and checkpoints of the
same log: with these and a list of likely names, a concealed name can be guessed.")]
pub(super) struct Args {
    /// The archive's directory, as filled by `flagfall import --into`
    dir: PathBuf,
    /// How long to keep names, in days after a file's newest record
    #[arg(long, value_name = "DAYS")]
    older_than: u32,
    /// Only list the files, without changing them
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
            // The directory may also contain files that are not evidence.
            Err(CannotCheck::NotEvidence) if !named => continue,
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

/// Returns the instant of a file's newest record, in microseconds since 1970; `None` if the file has no readable name or text to
/// conceal. Reads the records, because the file's header is not signed.
fn named_until(bytes: &[u8]) -> Result<Option<i64>, CannotCheck> {
    let (_, mut parts) = PartReader::open(bytes)?;
    let (mut newest, mut named) = (i64::MIN, false);
    // Stop at the first damaged or missing part: only the records before it count.
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
