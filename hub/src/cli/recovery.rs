//! `flagfall recovery`: prints a new recovery code, on the hub's own machine.

use super::Settings;
use super::output::{Failure, Result, failed, print_once};
use crate::identity::{AUTHORITY_FILE, Recovery};
use crate::time_source::TimeSource;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall recovery --data-dir /srv/flagfall
  flagfall recovery --data-dir /srv/flagfall | lp

The hub may be running. The new code replaces the previous one and is shown once: print it and lock it away from the hub.
If every device of the chief arbiter is lost or stolen, open https://HUB/recover in any browser and enter the code. This revokes all
devices and key files of chief arbiters, enrols one new device, records this in the log, and shows the next recovery code.
chief.pem in the data directory is replaced with a new one.")]
pub(super) struct Args {
    /// The hub's data directory
    #[arg(long, visible_alias = "data", value_name = "DIR")]
    data_dir: Option<String>,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let settings = Settings::only("data_dir", args.data_dir.as_ref());
    let dir = settings.load()?.data_dir;
    if !dir.join(AUTHORITY_FILE).is_file() {
        return Err(failed!(
            "{} has no authority: name the data directory of a hub that has been started before",
            dir.display()
        ));
    }
    let now_us = TimeSource::resume(None).0.wall_now().unix_us();
    let code = Recovery::in_dir(&dir)
        .replace(now_us)
        .map_err(Failure::failed)?;
    print_once(format_args!("recovery  {code}")).map_err(|failure| {
        failure.with_advice(
            "the previous code is no longer valid and the new one was not shown: run this command again",
        )
    })
}
