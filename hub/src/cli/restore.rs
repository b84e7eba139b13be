//! `flagfall restore`: creates a data directory from a backup.

use std::path::{Path, PathBuf};

use super::Settings;
use super::output::{Failure, Result, changed, init_messages, say, usage};
use crate::backup::{self, Manifest};
use crate::time_source::WallTime;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall restore /mnt/stick/round-3 --data-dir /srv/flagfall-2
  flagfall serve --data-dir /srv/flagfall-2

Checks every record and every file of the backup. The data directory must be new or empty. Permanently stop the hub
that the backup came from: two hubs with the same keys must never run.")]
pub(super) struct Args {
    /// The backup's directory, as written by `flagfall backup`
    backup: PathBuf,
    /// The new data directory
    #[arg(long, visible_alias = "data", value_name = "DIR")]
    data_dir: Option<String>,
}

pub(super) fn run(args: &Args) -> Result<()> {
    init_messages("warn");
    // No default: the usual directory may belong to the hub that has failed.
    if args.data_dir.is_none() {
        return Err(usage!("name the new data directory with --data-dir"));
    }
    let settings = Settings::only("data_dir", args.data_dir.as_ref());
    let dir = settings.load()?.data_dir;
    let restored = backup::restore(&args.backup, &dir).map_err(Failure::failed)?;
    changed(print_summary(&dir, &restored))
}

fn print_summary(dir: &Path, restored: &Manifest) -> Result<()> {
    say!("restored  {}", dir.display())?;
    say!("made      {}", WallTime::from_unix_us(restored.made_us))?;
    say!("records   {}, all unaltered", restored.records)?;
    say!("head      {}", restored.head)?;
    say!(
        "Start the hub with `flagfall serve --data-dir {}`. The hub from which the backup was made must never run again.",
        dir.display()
    )
}
