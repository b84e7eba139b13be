//! `flagfall replay`: replays one game, or checks all records and prints them, from a stopped hub's log or an evidence file.

mod copy;
mod source;

use std::path::PathBuf;

use proto::grpc::Hall as Boards;
use serde_json::json;

use super::Settings;
use super::ctl::args::Games;
use super::ctl::show as ctl_show;
use super::game::{GameRecords, View, show};
use super::hall_time::HallTime;
use super::history::{RecordLine, decode, json_of};
use super::output::{Failure, Result, counted, failed, init_messages, print, say, stream, usage};
use crate::api::messages;
use crate::live::BoardOrder;
pub(super) use copy::LogCopy;
use durable_log::Log;
use hall::replay::{ClockCheck, RecordIndex};
use hall::{BoardId, GameCursor, Hall};
use source::Source;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall replay /var/lib/flagfall --board 7 --round 3
  flagfall replay /var/lib/flagfall --board 7 --at 14:03:22.5 --time-zone Europe/Berlin
  flagfall replay /var/lib/flagfall --board 7 --move 17w
  flagfall replay /var/lib/flagfall --board 7 --sees white      show a game of Time Chess as White saw it
  flagfall replay /var/lib/flagfall --board 7 --without 184
  flagfall replay /var/lib/flagfall --board 7 --add \"black +2m before 23w\"
  flagfall replay dispute.evidence --board 7 --move 17w
  flagfall replay /var/lib/flagfall --records
  flagfall replay /var/lib/flagfall --records --json | jq 'select(.board == \"7\")'

With --board, shows the board's newest game, or the game selected by --round or --game: each move with its time used and both clocks, each
action with its record. Without --board, or with --records, prints the records themselves.

Every record is applied, and the resulting clocks are compared with those in the log: a difference, a gap or an altered byte ends the
replay with exit code 1. The signatures of an evidence file are not checked here; use flagfall-verify. Times of day are in the zone of
--time-zone: on a machine elsewhere, name the hall's zone. The command reads a private copy of the log and changes nothing in the
directory, which must not be in use by a running hub: use `flagfall ctl game` and `flagfall ctl log` instead.")]
pub(super) struct Args {
    /// The data directory of a stopped hub, a copy of one, or an evidence file
    source: PathBuf,
    /// The board whose game is replayed; with --records, the board whose records are printed
    #[arg(long)]
    board: Option<String>,
    /// Show times of day in this zone, such as Europe/Berlin [default: the machine's zone]
    #[arg(long, value_name = "ZONE")]
    time_zone: Option<String>,
    #[command(flatten)]
    games: Games,
    #[command(flatten)]
    view: View,
    /// Print the records, with the clocks after each
    #[arg(long)]
    records: bool,
    /// Print JSON, for programs: one object for the game; with --records, one for each record, then the final state (not for an evidence file)
    #[arg(long)]
    json: bool,
}

impl Args {
    fn concerns(&self, board: &str) -> bool {
        self.board.as_ref().is_none_or(|only| only == board)
    }
}

pub(super) fn run(args: &Args) -> Result<()> {
    init_messages("warn");
    let settings = Settings::only("time_zone", args.time_zone.as_ref());
    let time = HallTime::in_zone(&settings.load()?.time_zone);
    let source = Source::open(&args.source)?;
    match &args.board {
        Some(board) if !args.records => game_of(args, &source, board, &time),
        None if !args.records && !args.view.is_default() => {
            Err(usage!("name the board of the game with --board"))
        }
        Some(_) | None => records(args, &source, &time),
    }
}

fn game_of(args: &Args, source: &Source, board: &str, time: &HallTime) -> Result<()> {
    let board: BoardId = board.parse().map_err(Failure::usage)?;
    let mut index = RecordIndex::default();
    let mut known_until_us = 0;
    for record in source.records() {
        let (at, payload) = record?;
        let record = decode(at, &payload)?;
        index.add(at, &record);
        known_until_us = record.hub_us;
    }
    let (game, round) = args.games.wanted();
    let place = index.find(&board, game, round).map_err(Failure::failed)?;
    let mut records = Vec::new();
    for at in index.needed(&board, place) {
        records.push((at, decode(at, &source.read(at)?)?));
    }
    let newest = index.games(&board).last().copied();
    let of = GameRecords {
        board,
        game: place.game,
        records,
        known_until_us: match newest {
            Some(last) if last.game.game == place.game => known_until_us,
            // A newer game has begun on the board, so the clocks of this game are known only up to its own last record.
            Some(_) | None => 0,
        },
    };
    show(&of, &args.view, time, args.json)
}

fn records(args: &Args, source: &Source, time: &HallTime) -> Result<()> {
    let (mut hall, mut clocks) = (Hall::new(), ClockCheck::new());
    let mut games = GameCursor::default();
    let (game, round) = args.games.wanted();
    let mut known = args.board.is_none();
    for record in source.records() {
        let (index, payload) = record?;
        let mut record = decode(index, &payload)?;
        // Use the changes found by this fold: older hubs did not record them, and newer hubs record the same changes.
        let changed = match source {
            Source::Log(_) => hall.apply_traced(record.clone()),
            // The hall cannot fold a file that conceals names or omits some boards' records, so check only the clocks.
            Source::Evidence(_) => clocks.apply(index, record.clone()),
        };
        let changed = changed.map_err(Failure::failed)?;
        let about = args.concerns(&record.board);
        known |= about;
        record.changed = (!record.board.is_empty()).then_some(changed);
        let of = games.place(&record);
        if about && of.is_in(game, round) {
            let line = RecordLine {
                time,
                index,
                record: &record,
                of,
            };
            match args.json {
                true => stream(json_of(&line))?,
                false => stream(line)?,
            }
        }
    }
    if !known {
        let board = args.board.as_deref().unwrap_or_default();
        return Err(failed!("the log has no records of a board {board}"));
    }
    match source {
        Source::Log(copy) => finish(args, &copy.log, &hall),
        Source::Evidence(_) => Ok(()),
    }
}

fn finish(args: &Args, log: &Log, hall: &Hall) -> Result<()> {
    let at = hall.newest().map_or(0, timing::Instant::as_micros);
    let now = timing::Instant::from_micros(at);
    let mut boards: Vec<_> = hall
        .board_ids()
        .filter(|id| args.concerns(id.as_str()))
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
            "boards": boards.boards.iter().map(ctl_show::json_of).collect::<Vec<_>>(),
            "event": hall.tournament().map(|now| json!({
                "version": now.version, "name": now.tournament.event().name,
                "players": now.tournament.players().len(), "rounds": now.tournament.rounds().len(),
            })),
        }));
    }
    say!(
        "\n{} records of {}, all unaltered; head {head}",
        hall.records(),
        boards.log_origin
    )?;
    if let Some(now) = hall.tournament() {
        let event = &now.tournament;
        say!(
            "the event {}: {}, {} of {} paired, version {}",
            event.event().name,
            counted(event.players().len(), "player"),
            event.rounds().len(),
            counted(event.event().rounds, "round"),
            now.version
        )?;
    }
    let all: Vec<_> = boards.boards.iter().collect();
    if all.is_empty() {
        return Ok(());
    }
    ctl_show::list(&boards, &all, false)
}
