//! Sends requests and reports each outcome in the order of the boards.

use futures::StreamExt;
use futures::stream;
use proto::grpc::{CommandReply, CommandRequest, Outcome};
use proto::ids::hex;
use tonic::Status;

use crate::cli::client::{Client, describe};
use crate::cli::hall_time::HallTime;
use crate::cli::output::{Failure, all_done, print};

/// Maximum number of concurrent requests: the streams that one connection may have open.
const AT_A_TIME: usize = 32;

/// Sends all requests. Returns code 1 if one failed, after all have been tried.
pub(super) async fn send_all(
    client: Client,
    requests: Vec<CommandRequest>,
    time: &HallTime,
    json: bool,
) -> Result<(), Failure> {
    let mut replies = stream::iter(requests)
        .map(|request| {
            let mut client = client.clone();
            async move {
                let reply = client.send(request.clone()).await;
                (request, reply.map(tonic::Response::into_inner))
            }
        })
        .buffered(AT_A_TIME);
    let mut failed = false;
    while let Some((request, reply)) = replies.next().await {
        failed |= !is_well(&reply);
        if json {
            print(as_json(&request, &reply, time))?;
        } else {
            print(as_line(&request, &reply, time))?;
        }
    }
    all_done(!failed)
}

/// Returns true if the command was carried out, or waits for a silent clock.
fn is_well(reply: &Result<CommandReply, Status>) -> bool {
    reply.as_ref().is_ok_and(|reply| {
        matches!(
            reply.outcome(),
            Outcome::Done | Outcome::Pending | Outcome::Withdrawn
        )
    })
}

fn as_line(
    request: &CommandRequest,
    reply: &Result<CommandReply, Status>,
    time: &HallTime,
) -> String {
    let board = match request.board.as_str() {
        "" => String::new(),
        board => format!("board {board}: "),
    };
    let what = match reply {
        Err(status) => {
            let stale = time.stale(status);
            format!("refused: {}", stale.unwrap_or_else(|| describe(status)))
        }
        Ok(reply) => match reply.outcome() {
            Outcome::Done => "done".to_owned(),
            Outcome::Withdrawn => "withdrawn".to_owned(),
            Outcome::Refused => format!("refused: {}", reply.refusal),
            Outcome::Pending => format!(
                "pending: its clock has not carried it out; `flagfall ctl force {0}` does it without the clock, `flagfall ctl withdraw {0}` takes it back",
                request.board
            ),
            Outcome::Unspecified => {
                "the hub gave an answer that this version does not know".to_owned()
            }
        },
    };
    board + &what
}

fn as_json(
    request: &CommandRequest,
    reply: &Result<CommandReply, Status>,
    time: &HallTime,
) -> String {
    let (outcome, why, seq) = match reply {
        Err(status) => ("refused", Some(status.message()), None),
        Ok(reply) => {
            let outcome = match reply.outcome() {
                Outcome::Done => "done",
                Outcome::Pending => "pending",
                Outcome::Refused => "refused",
                Outcome::Withdrawn => "withdrawn",
                Outcome::Unspecified => "unknown",
            };
            let why = Some(reply.refusal.as_str()).filter(|why| !why.is_empty());
            (outcome, why, reply.board.as_ref().map(|board| board.seq))
        }
    };
    let code = reply
        .as_ref()
        .err()
        .map(|status| format!("{:?}", status.code()));
    let changes = reply.as_ref().err().map(|status| time.changes(status));
    serde_json::json!({
        "board": request.board, "id": hex(&request.id), "outcome": outcome, "why": why, "code": code, "seq": seq,
        "changes": changes,
    })
    .to_string()
}
