//! `flagfall forget-names`: conceals the names in the evidence files of an archive once the time to keep them is over. The proof of
//! each file stays as it is.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use verify::PartReader;

use super::export::write_new;
use super::output::{Failure, after_change, changed, counted, failed, say, usage};
use crate::evidence::{Redaction, redact_file};
use crate::time_source::wall_now;

const DAY_US: i64 = 24 * 60 * 60 * 1_000_000;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall forget-names /srv/archive --older-than 730
  flagfall forget-names /srv/archive --older-than 730 --dry-run

Replaces each evidence file (*.evidence) that was made earlier by a copy in which everyone's names, and the texts that people wrote, are
concealed for good: the salts are gone, so a name cannot be found by trying. Its records, its checkpoint and its proof stay the same.
Backups and data directories of hubs still have the names: remove them too.")]
pub(super) struct Args {
    /// The directory of the archive, as `flagfall import --into` fills it
    dir: PathBuf,
    /// The time to keep names, in days since a file was exported
    #[arg(long, value_name = "DAYS")]
    older_than: u32,
    /// Only list the files
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let unread = |error| usage!("cannot read {}: {error}", args.dir.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(&args.dir).map_err(unread)? {
        let path = entry.map_err(unread)?.path();
        if path.extension() == Some(OsStr::new("evidence")) {
            files.push(path);
        }
    }
    files.sort();
    let before = wall_now().unix_us() - i64::from(args.older_than) * DAY_US;
    let mut forgotten = 0;
    for path in files {
        let bytes =
            fs::read(&path).map_err(|error| failed!("cannot read {}: {error}", path.display()))?;
        let (header, _) = PartReader::open(bytes.as_slice())
            .map_err(|error| failed!("{}: {error}", path.display()))?;
        if header.made_us >= before || header.redaction() == Redaction::Everyone {
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

fn forget(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
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
