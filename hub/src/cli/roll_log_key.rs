//! `flagfall roll-log-key`: replaces the key that signs a stopped hub's checkpoints.

use super::Settings;
use super::output::{Failure, Result, changed, failed, say};
use super::roll_authority::stopped_log;
use crate::identity::{LOG_KEY_FILE, log_signer, roll_log_key};
use crate::replay;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall roll-log-key --data-dir /srv/flagfall

Stop the hub first, and start it again afterwards. The former key signs the new one and is then destroyed. Clocks, apps and programs that
keep a checkpoint follow automatically, and the announced key still verifies every export and proof. After a theft, announce the new key
printed by this command: a thief could have signed a different one. Make a new backup: an older one contains the former key.")]
pub(super) struct Args {
    /// The hub's data directory
    #[arg(long, visible_alias = "data", value_name = "DIR")]
    data_dir: Option<String>,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let settings = Settings::only("data_dir", args.data_dir.as_ref());
    let dir = settings.load()?.data_dir;
    // Check first: opening the log would create its files even in a directory that does not belong to a hub.
    if !dir.join(LOG_KEY_FILE).is_file() {
        return Err(failed!(
            "{} has no {LOG_KEY_FILE}: name the data directory of a hub that has been started before",
            dir.display()
        ));
    }
    let log = stopped_log(&dir)?;
    let hall = replay::fold(&log).map_err(Failure::failed)?;
    let Some(origin) = hall.log_origin() else {
        return Err(failed!(
            "the log in {} is empty: no key has signed it yet, so none needs replacing",
            dir.display()
        ));
    };
    let key = || log_signer(&dir, origin).map_err(Failure::failed);
    let former = key()?;
    roll_log_key(&dir).map_err(Failure::failed)?;
    changed(say!(
        "former    {}\ncurrent   {}\nStart the hub, and make a new backup.",
        former.verifier(),
        key()?.verifier()
    ))
}
