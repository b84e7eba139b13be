//! `flagfall credential`: makes a key file for an arbiter or a display, on the hub's machine, with the authority's key.

use std::path::PathBuf;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};

use super::Settings;
use super::output::{Failure, Result, changed, failed, say};
use crate::identity::{
    AUTHORITY_FILE, Arbiter, Authority, Credentials, Role, Sector, record_key_file,
};
use crate::time_source::wall_now;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall credential --role floor --name \"Anna Berg\" anna.pem
  flagfall credential --role floor --sector 1-20 --name \"Per Lind\" per.pem
  flagfall credential --role viewer --name \"hall screen\" --days 10 screen.pem --data-dir /srv/flagfall

A viewer sees the hall; a floor arbiter acts on boards, or on those of a sector; a chief arbiter also sets up the hall,
enrols and revokes; a broadcaster reads boards, standings and games; an auditor reads everything, including the log.
The hub need not be stopped. `flagfall ctl devices` lists the file, and `flagfall ctl revoke k-…` revokes it.
The holder of the file acts under that name: hand it over on a stick, not by mail.")]
pub(super) struct Args {
    /// The holder's role: viewer, floor, chief, broadcaster or auditor
    #[arg(long)]
    role: Role,
    /// The boards on which a floor arbiter may act, such as 1-20,A3 [default: all]
    #[arg(long, value_name = "BOARDS")]
    sector: Option<Sector>,
    /// The holder's name, which the log shows beside every command
    #[arg(long)]
    name: String,
    /// Days until the file expires
    #[arg(long, value_name = "DAYS", default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..=3650))]
    days: u16,
    /// The file to write; it must not exist
    file: PathBuf,
    /// The hub's data directory
    #[arg(long, visible_alias = "data", value_name = "DIR")]
    data_dir: Option<String>,
}

pub(super) fn run(args: &Args) -> Result<()> {
    if args.name.trim().is_empty() || timing::text::hidden_in(&args.name).is_some() {
        return Err(Failure::usage(
            "--name is empty or contains invisible characters: give a printable name",
        ));
    }
    let arbiter = Arbiter::new(args.role, args.name.trim());
    let arbiter = arbiter.in_sector(args.sector.clone().unwrap_or_default());
    let arbiter = arbiter.map_err(|why| Failure::usage(&why))?;
    if args.file.exists() {
        return Err(failed!(
            "{} exists: choose a different file",
            args.file.display()
        ));
    }
    let settings = Settings::only("data_dir", args.data_dir.as_ref());
    let dir = settings.load()?.data_dir;
    let path = dir.join(AUTHORITY_FILE);
    let pem = std::fs::read_to_string(&path).map_err(|error| {
        failed!("cannot read the hub's authority {}: {error}; run this on the hub's machine, as the hub's user, after its first start",
            path.display())
    })?;
    let authority =
        Authority::from_pem(&pem).map_err(|what| failed!("{}: {what}", path.display()))?;
    let now_us = wall_now().unix_us();
    let expires = last_day(now_us, args.days)?;
    let credentials =
        Credentials::issue_until(&authority, &arbiter, Some(expires)).map_err(Failure::failed)?;
    // Record the key file before writing it: a key file that is not listed could not be revoked.
    let certificate = credentials.certificate();
    let recorded = record_key_file(&dir, certificate, &arbiter, now_us, "flagfall credential");
    let recorded = recorded.map_err(Failure::failed)?;
    credentials.save(&args.file).map_err(Failure::failed)?;
    changed(say!(
        "{}: {}, for `flagfall ctl --key`; {}, expires {expires}",
        args.file.display(),
        args.role.title(),
        recorded.id
    ))
}

/// Returns the day on which a key file that is valid for `days` expires, at 00:00 UTC.
fn last_day(now_us: i64, days: u16) -> Result<Date> {
    let now = Timestamp::from_microsecond(now_us).map_err(Failure::failed)?;
    let today = now.to_zoned(TimeZone::UTC).date();
    today
        .checked_add(Span::new().days(i64::from(days) + 1))
        .map_err(Failure::failed)
}
