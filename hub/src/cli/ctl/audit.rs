//! `flagfall ctl audit`: the commands in the log, newest first, read by pages.

use proto::grpc::{Hall, ListCommandsRequest, LoggedCommand};
use proto::ids::hex;
use serde_json::json;
use timing::Duration;

use crate::cli::client::{Client, answer};
use crate::cli::hall_time::HallTime;
use crate::cli::output::{Result, stream, unless_empty};

/// Commands in one page.
const PAGE: usize = 200;

pub(super) fn wanted(
    hall: &Hall,
    actor: Option<String>,
    board: Option<String>,
    last: Option<Duration>,
) -> ListCommandsRequest {
    ListCommandsRequest {
        actor: actor.unwrap_or_default(),
        board: board.unwrap_or_default(),
        from_us: last.map(|last| hall.hub_us.saturating_sub(last.as_micros())),
        ..ListCommandsRequest::default()
    }
}

pub(super) async fn list(
    client: &mut Client,
    mut request: ListCommandsRequest,
    limit: usize,
    time: &HallTime,
    as_json: bool,
) -> Result<()> {
    let mut left = limit;
    while left > 0 {
        request.limit = u32::try_from(left.min(PAGE)).unwrap_or(u32::MAX);
        let page = answer(client.list_commands(request.clone()).await)?;
        for command in page.commands.iter().take(left) {
            if as_json {
                stream(json_of(command))?;
            } else {
                stream(line(command, time))?;
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
