//! `flagfall roll-authority`: replaces the authority of a stopped hub.

use std::path::Path;

use durable_log::{Log, Options};
use proto::enrolment::fingerprint_text;

use super::Settings;
use super::output::{Failure, Result, changed, failed, say};
use crate::identity::{
    AUTHORITY_FILE, AuthorityRollover, LogIdentity, OVERLAP_DAYS, replace_lost_authority,
    roll_authority,
};
use crate::replay;
use crate::time_source::{TimeSource, WallTime};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall roll-authority --data-dir /srv/flagfall
  flagfall roll-authority --data-dir /srv/flagfall --days 7

Stop the hub first, and start it again afterwards. The former authority vouches for the new one until it expires. Each clock that
connects within the given days receives the new authority over its own link, without an interruption; a clock that stays away longer
must enrol again. chief.pem is replaced. Other key files, gateways and the Flagfall app must enrol again before the former authority
expires. Codes made before are no longer valid. Browsers are not affected. Make a new backup: an older one contains the former authority.

With --lost: makes an authority for a log whose own authority is lost or belongs to a different hub. No clock knows it, so every clock,
gateway and key file must enrol again; the event and its games are kept.")]
pub(super) struct Args {
    /// Days until the former authority expires
    #[arg(long, value_name = "DAYS", default_value_t = OVERLAP_DAYS, value_parser = clap::value_parser!(u32).range(1..=400))]
    days: u32,
    /// Create an authority that no clock knows yet, because the log's authority is lost or belongs to a different hub
    #[arg(long, conflicts_with = "days")]
    lost: bool,
    /// The hub's data directory
    #[arg(long, visible_alias = "data", value_name = "DIR")]
    data_dir: Option<String>,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let settings = Settings::only("data_dir", args.data_dir.as_ref());
    let dir = settings.load()?.data_dir;
    if args.lost {
        return replace_lost(&dir);
    }
    // Check first: opening the log would create its files even in a directory that does not belong to a hub.
    if !dir.join(AUTHORITY_FILE).is_file() {
        return Err(failed!(
            "{} has no authority: name the data directory of a hub that has been started before",
            dir.display()
        ));
    }
    let _log = stopped_log(&dir)?;
    let now_us = TimeSource::resume(None).0.wall_now().unix_us();
    let rolled = roll_authority(&dir, now_us, args.days).map_err(Failure::failed)?;
    changed(print_summary(&rolled))
}

/// Opens a stopped hub's log. The log holds the directory's lock until it is dropped.
pub(super) fn stopped_log(dir: &Path) -> Result<Log> {
    let options = Options {
        ballast_bytes: 0,
        verify: false,
        ..Options::default()
    };
    Log::open_with(dir, options).map_err(Failure::failed)
}

fn print_summary(rolled: &AuthorityRollover) -> Result<()> {
    say!("former    {}", fingerprint_text(&rolled.former))?;
    say!("current   {}", fingerprint_text(&rolled.current))?;
    say!("until     {}", WallTime::from_unix_us(rolled.until_us))?;
    say!(
        "Start the hub. Clocks that connect before then switch to the new authority automatically."
    )
}

fn replace_lost(dir: &Path) -> Result<()> {
    if !dir.join("sled").is_dir() {
        return Err(failed!(
            "{} holds no log; name the data directory of a hub",
            dir.display()
        ));
    }
    let log = stopped_log(dir)?;
    let hall = replay::fold(&log).map_err(Failure::failed)?;
    let owner = LogIdentity {
        records: hall.records(),
        origin: hall.log_origin(),
        authority: hall.authority(),
    };
    if owner.records == 0 {
        return Err(failed!(
            "the log in {} is empty: start the hub, which makes an authority",
            dir.display()
        ));
    }
    let now_us = TimeSource::resume(None).0.wall_now().unix_us();
    let current = replace_lost_authority(dir, owner, now_us).map_err(Failure::failed)?;
    changed(say!(
        "current   {}\nStart the hub, and enrol every clock, gateway and key file again. The previous keys are in set-aside.",
        fingerprint_text(&current)
    ))
}
