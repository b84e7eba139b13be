//! Replays a game on the command line, from a running hub, a stopped hub's directory or an evidence file: table of moves, clocks at an
//! instant or a move, what-if comparison, playback, board of Time Chess, JSON and chart.

mod day;
mod playback;
mod screen;
mod table;

use std::path::PathBuf;

use proto::grpc::GameSelector;
use proto::log::Record;
use serde_json::{Value, json};
use timing::{RulesVersion, TimeControl};

use super::client::{HubOptions, connect_to_archive};
use super::control;
use super::hall_time::HallTime;
use super::history::decode;
use super::output::{Failure, Result, failed, print, say, usage};
use hall::BoardId;
use hall::replay::{Added, MoveName, Supposition, Timeline, chart, game, suppose};

/// docs/disputes.md describes the schema.
const SCHEMA: &str = "flagfall.game.v1";

/// Options that select the view of a game, and the changes of a what-if comparison.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct View {
    /// Show the clocks at this time of day in the hall, such as 14:03:22.5
    #[arg(long, value_name = "TIME", conflicts_with = "at_move")]
    at: Option<String>,
    /// Show the clocks at the press of this move, such as 17w or 17b
    #[arg(long = "move", value_name = "MOVE")]
    at_move: Option<MoveName>,
    /// Compare with the same presses, but leave out the action that this record contains (repeatable)
    #[arg(long, value_name = "RECORD")]
    without: Vec<u64>,
    /// Compare with the same presses, but add this action at the start of a turn, such as "black +2m before 23w" (repeatable)
    #[arg(long, value_name = "ACTION")]
    add: Vec<Added>,
    /// Compare with the same presses under this time control from the start
    #[arg(long, value_name = "CONTROL", value_parser = control::parse)]
    control: Option<TimeControl>,
    /// Compare with the same presses under this version of the timing rules
    #[arg(long, value_name = "N", value_parser = rules)]
    rules: Option<RulesVersion>,
    /// Show the board of a game of Time Chess as one viewer saw it: every change, or with --at the diagram at that time
    #[arg(long, value_enum, value_name = "VIEWER", conflicts_with_all = ["play", "at_move"])]
    sees: Option<day::Sees>,
    /// Write the chart of time used to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Also show entries that are not part of play: notes, lost signals, unconfirmed flags, pending commands
    #[arg(long)]
    all: bool,
    /// Play the game in the terminal: step, jump to a move, flag or action, play at 1x to 100x
    #[arg(long, conflicts_with_all = ["at", "at_move"])]
    play: bool,
}

fn rules(text: &str) -> Result<RulesVersion, String> {
    let number = text.parse().ok();
    let rules = number.and_then(RulesVersion::from_number);
    let latest = RulesVersion::LATEST.number();
    rules.ok_or_else(|| format!("unknown rules version: give 1 to {latest}"))
}

impl View {
    fn supposition(&self) -> Supposition {
        Supposition {
            without: self.without.clone(),
            add: self.add.clone(),
            control: self.control.clone(),
            rules: self.rules,
        }
    }

    pub(super) fn is_default(&self) -> bool {
        let asked = self.at.is_some() || self.at_move.is_some() || self.svg.is_some();
        let asked = asked || self.play || self.sees.is_some() || self.all;
        !asked && self.supposition().is_empty()
    }
}

pub(super) struct GameRecords {
    pub(super) board: BoardId,
    pub(super) game: u32,
    pub(super) records: Vec<(u64, Record)>,
    /// Hub instant, in microseconds, up to which the state of the clocks is known.
    pub(super) known_until_us: i64,
}

/// Replays a game from a running hub's records, independently of the hub's own computation.
pub(super) async fn of_hub(
    hub: &HubOptions,
    of: GameSelector,
    view: &View,
    (time, now_us): (&HallTime, i64),
    as_json: bool,
) -> Result<()> {
    let board: BoardId = of.board.parse().map_err(Failure::usage)?;
    let mut client = connect_to_archive(hub).await?;
    let mut lines = client.read_game(of).await?.into_inner();
    let (mut game, mut records) = (0, Vec::new());
    while let Some(line) = lines.message().await? {
        game = line.game;
        records.push((line.index, decode(line.index, &line.record)?));
    }
    let of = GameRecords {
        board,
        game,
        records,
        known_until_us: now_us,
    };
    show(&of, view, time, as_json)
}

pub(super) fn show(of: &GameRecords, view: &View, time: &HallTime, as_json: bool) -> Result<()> {
    let mut was = game(&of.records, &of.board, of.game).map_err(Failure::failed)?;
    was.known_until_us = was.known_until_us.max(of.known_until_us);
    if let Some(file) = &view.svg {
        std::fs::write(file, chart(&was))
            .map_err(|error| failed!("cannot write {}: {error}", file.display()))?;
    }
    if view.play && as_json {
        return Err(usage!("--play is for people: leave out --json or --play"));
    }
    let supposition = view.supposition();
    if !supposition.is_empty() {
        let compared = suppose(&of.records, was, &supposition).map_err(Failure::failed)?;
        if view.play {
            return screen::play(compared.would, time);
        }
        if as_json {
            return print_json("comparison", &compared);
        }
        if view.at.is_none() && view.at_move.is_none() {
            return table::comparison(&compared, time);
        }
        table::heading(&compared.was, time)?;
        say!("as it was:")?;
        standing(&compared.was, view, time, false)?;
        say!("\nwhat if {supposition}:")?;
        return standing(&compared.would, view, time, false);
    }
    if view.play {
        return screen::play(was, time);
    }
    if let (Some(sees), false) = (view.sees, as_json) {
        let at = view.at.as_deref();
        let at_us = at.map(|at| instant_of(at, &was, time)).transpose()?;
        return day::show(&was, sees, at_us, time);
    }
    if view.at.is_some() || view.at_move.is_some() {
        if !as_json {
            table::heading(&was, time)?;
        }
        return standing(&was, view, time, as_json);
    }
    match as_json {
        true => print_json("timeline", &was),
        false => table::game(&was, view.all, time),
    }
}

fn standing(timeline: &Timeline, view: &View, time: &HallTime, as_json: bool) -> Result<()> {
    if let Some(name) = view.at_move {
        let found = timeline
            .at_move(name)
            .ok_or_else(|| failed!("the game has no move {name}"))?;
        return match as_json {
            true => print_json("move", &found),
            false => table::at_move(timeline, name, &found, time),
        };
    }
    let at = view.at.as_deref().unwrap_or_default();
    let at_us = instant_of(at, timeline, time)?;
    let found = timeline
        .at(at_us)
        .filter(|_| at_us <= timeline.known_until_us);
    let found = found.ok_or_else(|| {
        let (began, until) = (timeline.start_us(), timeline.known_until_us);
        let (began, until) = (time.in_full(began), time.in_full(until));
        failed!(
            "the clocks at {at} are not known: the game began at {began}, and the log covers it up to {until}"
        )
    })?;
    match as_json {
        true => print_json("standing", &found),
        false => table::standing(timeline, &found, time),
    }
}

fn instant_of(at: &str, timeline: &Timeline, time: &HallTime) -> Result<i64> {
    time.instant_of(at, timeline.start_us())
        .ok_or_else(|| usage!("{at:?} is not a time of day: write it as in 14:03:22.5"))
}

fn print_json(name: &str, value: &impl serde::Serialize) -> Result<()> {
    let value = serde_json::to_value(value).map_err(Failure::failed)?;
    let mut object = json!({ "schema": SCHEMA });
    object[name] = value;
    print(Value::to_string(&object))
}
