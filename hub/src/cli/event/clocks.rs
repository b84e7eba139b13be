//! `flagfall event preset` and `start`: set or start a round's clocks, and list the boards that are not in the requested state.

use std::collections::BTreeSet;

use proto::grpc::round_scope::Which;
use proto::grpc::{
    BoardWork, PresetRoundRequest, RoundBoard, RoundReply, RoundScope, StartRoundRequest,
};
use serde_json::json;

use super::super::output::{
    Result, Table, after_change, all_done, print, say, unless_empty, word_of,
};
use super::hub::{Hub, made};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall event preset 1
  flagfall event preset 1 --sector gallery --control 90m+30s
  flagfall event preset 1 --dry-run          only show the state of the boards
  flagfall event preset 1 --again            also set clocks whose control has changed since

Every clock gets the control, the players' names and its board number. Boards that are missing in the hall are added (chief arbiter
only); `flagfall enrol --board 7` enrols a clock for one. It is safe to repeat the command. The exit code is 1 if a clock refused, has a
different control, has no signal or is missing; the command lists these clocks.")]
pub(super) struct PresetArgs {
    #[command(flatten)]
    round: Round,
    /// The time control, or the name of a preset, to use instead of the one set for the event or the sector
    #[arg(long, default_value = "", hide_default_value = true)]
    control: String,
    /// Also set clocks that were set for this round and now have a different control
    #[arg(long)]
    again: bool,
}

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall event start 1
  flagfall event start 1 --sector gallery
  flagfall event start 1 --board 7

Starts White's clocks. The exit code is 1 if a clock did not start; the command lists these clocks.")]
pub(super) struct StartArgs {
    #[command(flatten)]
    round: Round,
}

#[derive(Debug, clap::Args)]
struct Round {
    /// The round whose clocks to set or start
    round: u16,
    /// Only this sector of the event
    #[arg(long, value_name = "NAME", conflicts_with = "board")]
    sector: Option<String>,
    /// Only this board
    #[arg(long, value_name = "BOARD")]
    board: Option<u16>,
    /// Only show the state of the boards
    #[arg(long)]
    dry_run: bool,
    /// Reason for the command, kept in the log
    #[arg(long, default_value = "", hide_default_value = true)]
    reason: String,
}

impl Round {
    fn scope(&self) -> RoundScope {
        let board = self.board.map(|board| Which::Board(board.into()));
        RoundScope {
            round: self.round.into(),
            which: board.or(self.sector.clone().map(Which::Sector)),
        }
    }
}

pub(super) async fn preset(hub: &mut Hub, args: &PresetArgs) -> Result<()> {
    let request = PresetRoundRequest {
        scope: Some(args.round.scope()),
        control: args.control.clone(),
        again: args.again,
        dry_run: args.round.dry_run,
        reason: args.round.reason.clone(),
    };
    let reply = made(hub.client.preset_round(request).await)?;
    finish(hub, &args.round, "set", &reply)
}

pub(super) async fn start(hub: &mut Hub, args: &StartArgs) -> Result<()> {
    let request = StartRoundRequest {
        scope: Some(args.round.scope()),
        dry_run: args.round.dry_run,
        reason: args.round.reason.clone(),
    };
    let reply = made(hub.client.start_round(request).await)?;
    finish(hub, &args.round, "started", &reply)
}

/// Prints the number of clocks in the requested state and the other boards, or every board as JSON.
/// Except for a dry run, returns exit code 1 unless every board with a game is in the requested state.
fn finish(hub: &Hub, round: &Round, done: &str, reply: &RoundReply) -> Result<()> {
    let wanted = |board: &&RoundBoard| is_done(board.state(), done);
    let has_game = |board: &&RoundBoard| board.state() != BoardWork::NoGame;
    let games = reply.boards.iter().filter(has_game).count();
    let good = reply.boards.iter().filter(wanted).count();
    let counted = format!("round {}: {good} of {games} clocks {done}", round.round);
    after_change(show(hub, round, &counted, reply, wanted));
    all_done(good == games || round.dry_run)
}

fn show(
    hub: &Hub,
    round: &Round,
    counted: &str,
    reply: &RoundReply,
    wanted: impl Fn(&&RoundBoard) -> bool,
) -> Result<()> {
    if hub.json {
        for board in &reply.boards {
            print(json!({
                "round": round.round, "board": board.board, "state": word(board.state()), "words": board.words,
                "control": board.control,
            }))?;
        }
    } else {
        let control = unless_empty(&controls(reply), |controls| format!(" ({controls})"));
        say!("{counted}{control}")?;
        let others = reply.boards.iter().filter(|board| !wanted(board));
        let others: Vec<&RoundBoard> = others.collect();
        if !others.is_empty() {
            let table = Table::of(&others)
                .right("BOARD", |board| board.board.to_string())
                .left("STATE", |board| word(board.state()))
                .left("", |board| board.words.clone());
            say!("\n{table}")?;
        }
    }
    Ok(())
}

fn controls(reply: &RoundReply) -> String {
    let controls = reply.boards.iter().map(|board| board.control.as_str());
    let controls: BTreeSet<&str> = controls.filter(|control| !control.is_empty()).collect();
    Vec::from_iter(controls).join("; ")
}

/// Returns true if a board is in the requested state; a board whose game has started counts as set.
fn is_done(state: BoardWork, done: &str) -> bool {
    state == BoardWork::Started || (state == BoardWork::Set && done == "set")
}

fn word(state: BoardWork) -> String {
    let word = word_of(state.as_str_name(), "BOARD_WORK_").replace('_', " ");
    match word.as_str() {
        "missing" => "no clock".to_owned(),
        _ => word,
    }
}
