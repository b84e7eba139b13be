//! Sends requests and reports the outcomes in the order of the requests.

use std::pin::pin;

use futures::stream::{self, Stream, StreamExt};
use proto::grpc::{CommandReply, CommandRequest, Outcome};
use proto::ids::hex;
use tonic::{Code, Status};

use crate::cli::client::{Client, describe};
use crate::cli::hall_time::HallTime;
use crate::cli::output::{Result, after_change, all_done, print, unless_empty, word_of};

/// Maximum number of requests in progress at a time, equal to the hub's limit on the streams of one connection.
const MAX_CONCURRENT_REQUESTS: usize = 32;

/// Sends the requests concurrently. Returns each request with the hub's answer, in the order of the requests.
pub(super) fn replies(
    client: Client,
    requests: Vec<CommandRequest>,
) -> impl Stream<Item = (CommandRequest, Result<CommandReply, Status>)> {
    stream::iter(requests)
        .map(move |request| {
            let mut client = client.clone();
            async move {
                let reply = client.send(request.clone()).await;
                (request, reply.map(tonic::Response::into_inner))
            }
        })
        .buffered(MAX_CONCURRENT_REQUESTS)
}

/// Sends all requests, even if one fails. Returns exit code 1 if any failed.
pub(super) async fn send_all(
    client: Client,
    requests: Vec<CommandRequest>,
    time: &HallTime,
    json: bool,
) -> Result<()> {
    let mut replies = pin!(replies(client, requests));
    let mut failed = false;
    while let Some((request, reply)) = replies.next().await {
        failed |= !succeeded(&reply);
        after_change(match json {
            true => print(as_json(&request, &reply, time)),
            false => print(as_line(&request, &reply, time)),
        });
    }
    all_done(!failed)
}

fn succeeded(reply: &Result<CommandReply, Status>) -> bool {
    let not_done = [Outcome::Unspecified, Outcome::Refused];
    reply
        .as_ref()
        .is_ok_and(|reply| !not_done.contains(&reply.outcome()))
}

/// Returns the outcome of a request without a reply. "unknown" means that the hub may have recorded the command.
fn word_for(status: &Status) -> &'static str {
    match [Code::Unknown, Code::Cancelled].contains(&status.code()) {
        true => "unknown",
        false => "refused",
    }
}

fn as_line(
    request: &CommandRequest,
    reply: &Result<CommandReply, Status>,
    time: &HallTime,
) -> String {
    let board = unless_empty(&request.board, |board| format!("board {board}: "));
    let what = match reply {
        Err(status) => {
            let stale = time.stale(status);
            let why = stale.unwrap_or_else(|| describe(status));
            format!("{}: {why}", word_for(status))
        }
        Ok(reply) => match reply.outcome() {
            Outcome::Done => "done".to_owned(),
            Outcome::Withdrawn => "withdrawn".to_owned(),
            Outcome::Refused => format!("refused: {}", reply.refusal),
            Outcome::Pending => format!(
                "pending: the clock has not carried it out; `flagfall ctl force {0}` forces it, `flagfall ctl withdraw {0}` withdraws it",
                request.board
            ),
            Outcome::Unspecified => {
                "the hub gave an answer that this version does not know: use the hub's version of flagfall".to_owned()
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
        Err(status) => (word_for(status).to_owned(), Some(status.message()), None),
        Ok(reply) => {
            let outcome = word_of(reply.outcome().as_str_name(), "OUTCOME_");
            let why = Some(reply.refusal.as_str()).filter(|why| !why.is_empty());
            (outcome, why, reply.board.as_ref().map(|board| board.seq))
        }
    };
    let refused = reply.as_ref().err();
    let code = refused.map(|status| format!("{:?}", status.code()));
    let changes = refused.map(|status| time.changes(status));
    serde_json::json!({
        "board": request.board, "id": hex(&request.id), "outcome": outcome, "why": why, "code": code, "seq": seq,
        "changes": changes,
    })
    .to_string()
}
