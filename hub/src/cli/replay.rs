//! `flagfall replay`: the log of a stopped hub, or of a copy, folded again from its first record.

use std::path::PathBuf;

use proto::grpc::Hall as Boards;
use serde_json::json;

use super::Settings;
use super::ctl::args::Games;
use super::ctl::show;
use super::hall_time::HallTime;
use super::history::{RecordLine, decode, json_of};
use super::output::{Failure, failed, init_messages, print, say};
use crate::api::messages;
use crate::live::BoardOrder;
use durable_log::{Log, Options};
use hall::{GameCursor, Hall};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall replay /var/lib/flagfall
  flagfall replay copy-of-the-log --board 7
  flagfall replay copy-of-the-log --board 7 --round 3
  flagfall replay copy-of-the-log --json | jq 'select(.board == \"7\")'

The table names the side and the move of each press, flags, and what each correction changed, from what to what.

Every record is applied from the first one on, and the clocks it leads to are compared with those in the log: a
difference, a gap or an altered byte ends the replay with code 1. A hub that runs keeps its directory to itself: ask it with
`flagfall ctl log`, or copy the directory.")]
pub(super) struct Args {
    /// The data directory of a stopped hub, or a copy of one
    dir: PathBuf,
    /// Only the records of this board
    #[arg(long)]
    board: Option<String>,
    /// Show times of day in this zone, such as Europe/Berlin [default: the machine's zone]
    #[arg(long, value_name = "ZONE")]
    time_zone: Option<String>,
    #[command(flatten)]
    games: Games,
    /// One JSON object a line; the last one is the final state
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    init_messages("warn");
    let settings = Settings::only("time_zone", args.time_zone.as_ref());
    let time = HallTime::in_zone(&settings.load()?.time_zone);
    let log = open(args)?;
    let mut hall = Hall::new();
    let mut games = GameCursor::default();
    let (game, round) = args.games.wanted();
    let mut known = args.board.is_none();
    for record in log.read(0) {
        let (index, payload) = record.map_err(Failure::failed)?;
        let mut record = decode(index, &payload)?;
        // The changes that this fold finds: logs of older hubs do not record them, and newer logs record the same.
        let changed = hall.apply_traced(record.clone()).map_err(Failure::failed)?;
        let about = args
            .board
            .as_deref()
            .is_none_or(|board| record.board == board);
        known |= about;
        record.changed = (!record.board.is_empty()).then_some(changed);
        let of = games.place(&record);
        if about && of.is_in(game, round) {
            let line = RecordLine {
                time: &time,
                index,
                record: &record,
                of,
            };
            match args.json {
                true => print(json_of(&line))?,
                false => print(line)?,
            }
        }
    }
    if !known {
        let board = args.board.as_deref().unwrap_or_default();
        return Err(failed!("the log says nothing about a board {board}"));
    }
    finish(args, &log, &hall)
}

fn open(args: &Args) -> Result<Log, Failure> {
    let dir = &args.dir;
    // Opening creates missing files: a replay must not turn a wrong path into an empty log.
    if !dir.join("sled").is_dir() {
        return Err(failed!(
            "{} holds no log; name the data directory of a hub",
            dir.display()
        ));
    }
    let options = Options {
        ballast_bytes: 0,
        ..Options::default()
    };
    Log::open_with(dir, options).map_err(Failure::failed)
}

fn finish(args: &Args, log: &Log, hall: &Hall) -> Result<(), Failure> {
    let at = hall.newest().map_or(0, timing::Instant::as_micros);
    let now = timing::Instant::from_micros(at);
    let mut boards: Vec<_> = hall
        .board_ids()
        .filter(|id| {
            args.board
                .as_deref()
                .is_none_or(|board| id.as_str() == board)
        })
        .filter_map(|id| hall.detail(id, now))
        .map(|detail| messages::board(&detail, at))
        .collect();
    boards.sort_by_cached_key(|board| BoardOrder::of(&board.board));
    let boards = Boards {
        boards,
        event_name: hall.event_name().to_owned(),
        hub_us: at,
        log_origin: hall.log_origin().unwrap_or_default().to_owned(),
        ..Boards::default()
    };
    let head = proto::ids::hex(&log.head());
    if args.json {
        return print(json!({
            "records": hall.records(), "head": head, "origin": boards.log_origin, "hub_us": at,
            "boards": boards.boards.iter().map(show::json_of).collect::<Vec<_>>(),
            "event": hall.tournament().map(|now| json!({
                "version": now.version, "name": now.tournament.event().name,
                "players": now.tournament.players().len(), "rounds": now.tournament.rounds().len(),
            })),
        }));
    }
    say!(
        "\n{} records of {}, all of them as they were written; head {head}",
        hall.records(),
        boards.log_origin
    )?;
    if let Some(now) = hall.tournament() {
        let event = &now.tournament;
        say!(
            "the event {}: {} players, {} of {} rounds paired, version {}",
            event.event().name,
            event.players().len(),
            event.rounds().len(),
            event.event().rounds,
            now.version
        )?;
    }
    let all: Vec<_> = boards.boards.iter().collect();
    if all.is_empty() {
        return Ok(());
    }
    show::list(&boards, &all, false)
}
