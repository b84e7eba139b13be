//! `flagfall backup`: makes a consistent copy of a data directory, even while its hub runs.

use std::fs::File;
use std::path::{Path, PathBuf};

use proto::grpc::{GetHallRequest, ReadLogRequest};
use rustix::fs::{FlockOperation, flock};
use timing::Instant;

use super::Settings;
use super::client::{HubOptions, answer, connect};
use super::output::{Failure, Result, changed, failed, init_messages, say, usage};
use super::replay::LogCopy;
use crate::backup::{BackupWriter, Manifest};
use crate::event_loop::TIMELINE;
use crate::identity::AUTHORITY_FILE;
use crate::paths::is_inside;
use crate::time_source::{TimelineMark, wall_now};
use durable_log::stated_head;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall backup /mnt/stick/round-3 --data-dir /srv/flagfall
  flagfall restore /mnt/stick/round-3 --data-dir /srv/flagfall-2

The hub may be running: games go on. Run it on the hub's own machine, as a user who may read the data directory. The backup holds every
record of the log up to now and the hub's keys, so keep it as safe as the hub itself. It is checked while it is made: the records must
lead to the state that the hub has acknowledged. docs/backup.md says when to make one.")]
pub(super) struct Args {
    /// The new directory for the backup
    dir: PathBuf,
    #[command(flatten)]
    hub: HubOptions,
}

pub(super) fn run(args: &Args) -> Result<()> {
    init_messages("warn");
    let settings = Settings::only("data_dir", args.hub.data_dir.as_ref());
    let data_dir = settings.load()?.data_dir;
    if !data_dir.join(AUTHORITY_FILE).is_file() {
        return Err(failed!(
            "{} has no authority: name the data directory of a hub that has been started before",
            data_dir.display()
        ));
    }
    if is_inside(&args.dir, &data_dir) {
        return Err(usage!(
            "{} is inside the data directory, so the backup would contain itself: name a directory elsewhere, preferably on a different disk",
            args.dir.display()
        ));
    }
    let made = match is_in_use(&data_dir)? {
        true => super::serve::runtime()?.block_on(of_running(args, &data_dir))?,
        false => of_stopped(args, &data_dir)?,
    };
    changed(print_summary(args, &made))
}

fn print_summary(args: &Args, made: &Manifest) -> Result<()> {
    say!("backup    {}", args.dir.display())?;
    say!("records   {}, checked up to the newest", made.records)?;
    say!("head      {}", made.head)?;
    say!("files     {}", made.files.len())?;
    say!(
        "The backup holds the hub's keys: keep it as safe as the hub. `flagfall restore` makes a data directory from it."
    )
}

fn is_in_use(data_dir: &Path) -> Result<bool> {
    let Ok(lock) = File::open(data_dir.join("lock")) else {
        return Ok(false);
    };
    match flock(&lock, FlockOperation::NonBlockingLockShared) {
        Ok(()) => Ok(false),
        Err(rustix::io::Errno::WOULDBLOCK) => Ok(true),
        Err(error) => Err(failed!(
            "cannot check whether a hub uses {}: {error}",
            data_dir.display()
        )),
    }
}

async fn of_running(args: &Args, data_dir: &Path) -> Result<Manifest> {
    // Read the head before the records: the copied log must reach at least this head.
    let stated = stated_head(data_dir)
        .map_err(Failure::failed)?
        .ok_or_else(|| {
            failed!(
                "the file head in {} cannot be read: the log could not be checked against it",
                data_dir.display()
            )
        })?;
    let mut client = connect(&args.hub).await?;
    let hall = answer(client.get_hall(GetHallRequest {}).await)?;
    let timeline = TimelineMark::just_stated(Instant::from_micros(hall.hub_us));
    let mut writer = BackupWriter::create(&args.dir, stated).map_err(Failure::failed)?;
    let mut lines = client
        .read_log(ReadLogRequest::default())
        .await?
        .into_inner();
    while let Some(line) = lines.message().await? {
        writer
            .add(line.index, &line.record)
            .map_err(Failure::failed)?;
    }
    finished(writer, data_dir, timeline.to_bytes())
}

fn of_stopped(args: &Args, data_dir: &Path) -> Result<Manifest> {
    // Opening the copy checks every record, and checks the log's end against the file `head`.
    let copy = LogCopy::open(data_dir)?;
    let stated = (copy.log.len(), copy.log.head());
    let mut writer = BackupWriter::create(&args.dir, stated).map_err(Failure::failed)?;
    for record in copy.log.read(0) {
        let (index, payload) = record.map_err(Failure::failed)?;
        writer.add(index, &payload).map_err(Failure::failed)?;
    }
    let timeline = copy.log.meta(TIMELINE).map_err(Failure::failed)?;
    finished(writer, data_dir, timeline.unwrap_or_default())
}

fn finished(writer: BackupWriter, data_dir: &Path, timeline: Vec<u8>) -> Result<Manifest> {
    let timeline = String::from_utf8(timeline).map_err(Failure::failed)?;
    let made_us = wall_now().unix_us();
    writer
        .finish(data_dir, made_us, timeline)
        .map_err(Failure::failed)
}
