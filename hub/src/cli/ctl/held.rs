//! Lists, confirms and declines commands that wait for a second arbiter.

use proto::grpc::{DecideHeldRequest, HeldCommand, HeldDecision, ListHeldRequest};
use proto::ids::hex;
use serde_json::json;

use crate::cli::client::{Client, HubOptions, answer, connect};
use crate::cli::hall_time::HallTime;
use crate::cli::output::{Result, Table, changed, failed, print, say};

pub(super) async fn list(client: &mut Client, time: &HallTime, as_json: bool) -> Result<()> {
    let held = answer(client.list_held(ListHeldRequest {}).await)?.commands;
    if held.is_empty() && !as_json {
        return print("no command waits for a second arbiter");
    }
    Table::of(&held)
        .left("COMMAND", |held| hex(&held.id).chars().take(8).collect())
        .left("SINCE", |held| time.time_of_day(held.since_us))
        .left("BY", |held| held.actor.clone())
        .left("BOARD", |held| held.board.clone())
        .left("WHAT", |held| held.text.clone())
        .left("REASON", |held| held.reason.clone())
        .print(as_json, json_of)
}

pub(super) async fn decide(
    hub: &HubOptions,
    command: &str,
    confirm: bool,
    as_json: bool,
) -> Result<()> {
    let mut client = connect(hub).await?;
    let held = answer(client.list_held(ListHeldRequest {}).await)?.commands;
    let held = only(&held, command)?;
    let decision = match confirm {
        true => HeldDecision::Confirm,
        false => HeldDecision::Decline,
    };
    let request = DecideHeldRequest {
        id: held.id.clone(),
        decision: decision.into(),
    };
    let decided = answer(client.decide_held(request).await)?;
    if !decided.refusal.is_empty() {
        return Err(failed!(
            "confirmed, but the hub has refused it: {}",
            decided.refusal
        ));
    }
    if as_json {
        return changed(print(json!({
            "id": hex(&held.id), "confirmed": confirm, "pending": decided.pending,
        })));
    }
    let what = &held.text;
    changed(match (confirm, decided.pending) {
        (true, true) => say!("confirmed; waiting for a clock with no signal: {what}"),
        (true, false) => say!("confirmed: {what}"),
        (false, _) => say!("declined: {what}"),
    })
}

fn only<'a>(held: &'a [HeldCommand], beginning: &str) -> Result<&'a HeldCommand> {
    let wanted = beginning.to_lowercase();
    let mut found = held
        .iter()
        .filter(|held| !wanted.is_empty() && hex(&held.id).starts_with(&wanted));
    match (found.next(), found.next()) {
        (Some(held), None) => Ok(held),
        (Some(_), Some(_)) => Err(failed!(
            "several commands begin with {beginning}: give more of the id"
        )),
        (None, _) => Err(failed!(
            "no command {beginning} waits for a second arbiter; `flagfall ctl held` lists the commands"
        )),
    }
}

fn json_of(held: &HeldCommand) -> serde_json::Value {
    json!({
        "id": hex(&held.id), "actor": held.actor, "board": held.board, "text": held.text,
        "reason": held.reason, "since_us": held.since_us,
    })
}
