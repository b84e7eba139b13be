//! `flagfall ctl audit`: prints the commands in the log, newest first, fetched page by page.

use proto::grpc::{Hall, ListCommandsRequest, LoggedCommand};
use proto::ids::hex;
use serde_json::json;
use timing::Duration;

use crate::cli::client::{Client, answer};
use crate::cli::hall_time::HallTime;
use crate::cli::output::{Result, stream, unless_empty};

const PAGE: usize = 200;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Only commands of this person or device; part of the name is enough
    #[arg(long, value_name = "NAME")]
    actor: Option<String>,
    /// Only commands for this board
    #[arg(long)]
    board: Option<String>,
    /// Only commands sent within this time before now, such as 2h or 30m
    #[arg(long, value_name = "TIME")]
    last: Option<timing::Duration>,
    /// The maximum number of commands
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: usize,
}

pub(super) async fn list(
    client: &mut Client,
    args: Args,
    hall: &Hall,
    as_json: bool,
) -> Result<()> {
    let time = HallTime::of(hall);
    let last_us = args.last.map(Duration::as_micros);
    let mut request = ListCommandsRequest {
        actor: args.actor.unwrap_or_default(),
        board: args.board.unwrap_or_default(),
        from_us: last_us.map(|last_us| hall.hub_us.saturating_sub(last_us)),
        ..ListCommandsRequest::default()
    };
    let mut left = args.limit;
    while left > 0 {
        request.limit = u32::try_from(left.min(PAGE)).unwrap_or(u32::MAX);
        let page = answer(client.list_commands(request.clone()).await)?;
        for command in page.commands.iter().take(left) {
            match as_json {
                true => stream(json_of(command))?,
                false => stream(line(command, &time))?,
            }
        }
        left = left.saturating_sub(page.commands.len());
        if page.next_before == 0 {
            break;
        }
        request.before = page.next_before;
    }
    Ok(())
}

fn line(command: &LoggedCommand, time: &HallTime) -> String {
    let place = match command.board.as_str() {
        "" => "hall".to_owned(),
        board => format!("board {board}"),
    };
    let device = unless_empty(&command.device, |device| format!(" [{device}]"));
    let at = time.in_full(command.hub_us);
    let LoggedCommand {
        index, actor, text, ..
    } = command;
    format!("{index}  {at}  {actor}{device}  {place}  {text}")
}

fn json_of(command: &LoggedCommand) -> serde_json::Value {
    json!({
        "index": command.index, "hub_us": command.hub_us, "actor": command.actor, "board": command.board,
        "text": command.text, "device": command.device, "refused": command.refused, "record": hex(&command.record),
    })
}
