//! `flagfall import`: verifies an evidence file and keeps it read-only in an archive.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use verify::report::{self, Language};
use verify::{HubKey, Known, check};

use super::output::{Failure, Result, changed, failed, print, say, usage};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall import round3.evidence --key hub.key --into /srv/archive
  flagfall replay /srv/archive/round3.evidence --board 12 --move 17w

Keeps the file only if it passes verification. The copy is read-only; the verification report is stored beside it, as a page to print.")]
pub(super) struct Args {
    /// The evidence file
    file: PathBuf,
    /// The hub's public key (name+id+key), or a file that begins with it
    #[arg(long)]
    key: String,
    /// The archive's directory; it is created if needed
    #[arg(long, value_name = "DIR")]
    into: PathBuf,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let file = &args.file;
    let unread = |error| failed!("cannot read {}: {error}", file.display());
    let bytes = fs::read(file).map_err(unread)?;
    let key = key(&args.key)?;
    let findings = check(Cursor::new(&bytes), &Known::from(key.clone()))
        .map_err(|error| usage!("{}: {error}", file.display()))?;
    let text = report::text(&findings, &key, Language::default());
    if let Some(fault) = &findings.fault {
        print(text)?;
        return Err(failed!(
            "{} did not pass verification: {fault}",
            file.display()
        ));
    }
    let name = file
        .file_name()
        .ok_or_else(|| usage!("{} is not a file name", file.display()))?;
    let page = report::html(&findings, &key, Language::default());
    let kept = args.into.join(name);
    keep(&kept, &bytes, &page)?;
    changed(say!("{text}\nkept as {}", kept.display()))
}

/// Stores the file and its report, durably and read-only. Never replaces an existing file.
fn keep(path: &Path, bytes: &[u8], page: &str) -> Result<()> {
    let cannot = |error| failed!("cannot write {}: {error}", path.display());
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir).map_err(cannot)?;
    }
    let mut report = path.as_os_str().to_owned();
    report.push(".html");
    for (path, bytes) in [(path, bytes), (Path::new(&report), page.as_bytes())] {
        let mut file = fs::File::create_new(path).map_err(cannot)?;
        std::io::Write::write_all(&mut file, bytes).map_err(cannot)?;
        let mut permissions = file.metadata().map_err(cannot)?.permissions();
        permissions.set_readonly(true);
        file.set_permissions(permissions).map_err(cannot)?;
        file.sync_all().map_err(cannot)?;
    }
    Ok(())
}

fn key(text: &str) -> Result<HubKey> {
    let path = Path::new(text);
    let text = match path.is_file() {
        true => fs::read_to_string(path)
            .map_err(|error| failed!("cannot read {}: {error}", path.display()))?,
        false => text.to_owned(),
    };
    text.parse::<HubKey>().map_err(Failure::usage)
}
