//! `flagfall accept-log`: accepts a stopped hub's log as complete after its file `head` was lost.

use durable_log::{Log, Options};

use super::Settings;
use super::output::{Failure, Result, changed, failed, say};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall accept-log --data-dir /srv/flagfall

The file head beside the log states how many records were acknowledged. If it is lost, the hub does not start, because missing records
would go unnoticed. Copy it from a backup if there is one. Otherwise this command checks every record that is there and writes the file
again. When a clock connects that holds a later event than the log, the hub names it.")]
pub(super) struct Args {
    /// The hub's data directory
    #[arg(long, visible_alias = "data", value_name = "DIR")]
    data_dir: Option<String>,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let settings = Settings::only("data_dir", args.data_dir.as_ref());
    let dir = settings.load()?.data_dir;
    if !dir.join("sled").is_dir() {
        return Err(failed!(
            "{} holds no log; name the data directory of a hub",
            dir.display()
        ));
    }
    let options = Options {
        ballast_bytes: 0,
        accept_unknown_head: true,
        ..Options::default()
    };
    let log = Log::open_with(&dir, options).map_err(Failure::failed)?;
    changed(print_summary(&log))
}

fn print_summary(log: &Log) -> Result<()> {
    for notice in log.notices() {
        say!("{notice}")?;
    }
    say!("records   {}, all unaltered", log.len())?;
    say!("head      {}", proto::ids::hex(&log.head()))?;
    say!("Start the hub.")
}
