//! Links: the first one, time probes, lost links, jumps of board time, restarts, goodbyes and a different major
//! version.

use proto::wire::{Goodbye, GoodbyeReason};

use super::{adopt, command};
use crate::clock::Closed;
use crate::kit::{Acks, CONNECT_WITHIN_MS, Kit, KitError, REACTS_WITHIN_MS};
use crate::operator::Instruction;
use crate::rule::Rule;
use crate::time_source::raw_us;

/// Time allowed for a person to start the clock.
const START_WITHIN_MS: i64 = 300_000;

pub(super) async fn first(kit: &mut Kit) -> Result<bool, KitError> {
    let limit = match &kit.operator {
        Some(operator) if operator.is_person() => START_WITHIN_MS,
        Some(_) | None => CONNECT_WITHIN_MS,
    };
    if !connected(kit, 0, limit).await {
        return Ok(false);
    }
    let health = |kit: &Kit| !kit.ledger.health.is_empty();
    let expected = "Health within 3 s of Welcome";
    kit.demands(Rule::D6, health, expected, "none").await;
    let watermark = |kit: &Kit| !kit.ledger.watermarks.is_empty();
    let expected = "a watermark within 3 s of Welcome";
    kit.demands(Rule::W4, watermark, expected, "none").await;
    Ok(true)
}

/// Waits until the clock has sent more hellos than `before` and has been welcomed. Returns false if the time ran out.
pub(super) async fn connected(kit: &mut Kit, before: usize, within_ms: i64) -> bool {
    let welcomed = |kit: &Kit| kit.ledger.hellos.len() > before && kit.welcomed;
    let came = kit.wait_until(within_ms, welcomed).await;
    let expected = format!("a link within {} s", within_ms / 1_000);
    kit.report.check(Rule::S12, came, expected, "none");
    came
}

async fn reconnect(kit: &mut Kit) -> bool {
    let before = kit.ledger.hellos.len();
    kit.drop_link();
    connected(kit, before, CONNECT_WITHIN_MS).await
}

pub(super) async fn probes(kit: &mut Kit) -> Result<bool, KitError> {
    for datagram in [true, false, true, true] {
        let sent_us = raw_us();
        // A probe or its reply may be lost, and neither is repeated (T4).
        let answered = is_answered(kit, datagram).await || is_answered(kit, datagram).await;
        kit.report.check(
            Rule::T1,
            answered,
            "a TimeReply with the probe's nonce, immediately, to one of two probes",
            format!("none for {} ms", (raw_us() - sent_us) / 1_000),
        );
        if !answered {
            break;
        }
        kit.pass(300).await;
    }
    Ok(true)
}

/// Sends a probe. Returns false if no reply comes.
async fn is_answered(kit: &mut Kit, datagram: bool) -> bool {
    let nonce = kit.probe(datagram).await;
    let answered = |kit: &Kit| {
        let mut replies = kit.ledger.replies.iter();
        replies.any(|(_, reply)| reply.nonce == nonce)
    };
    kit.wait_until(REACTS_WITHIN_MS, answered).await
}

/// Starts and pauses a game. The kit does not acknowledge the event that confirms the pause. Returns that event's
/// number; `None` if the clock does not confirm an order.
async fn unacknowledged(kit: &mut Kit) -> Option<u64> {
    if !adopt(kit, "5m").await || !command(kit, "start").await {
        return None;
    }
    kit.acks = Acks::Held;
    let taken = command(kit, "pause").await;
    taken.then_some(kit.ledger.seq)
}

pub(super) async fn resend(kit: &mut Kit) -> Result<bool, KitError> {
    let Some(seq) = unacknowledged(kit).await else {
        return Ok(false);
    };
    let lost_us = raw_us();
    if !reconnect(kit).await {
        return Ok(false);
    }
    kit.acks = Acks::Honest;
    let came = kit
        .wait_until(REACTS_WITHIN_MS, |kit| kit.acked >= seq)
        .await;
    kit.report.check(
        Rule::S9,
        came,
        format!("event {seq} again after Welcome, which did not acknowledge it"),
        format!("not within {} ms", (raw_us() - lost_us) / 1_000),
    );
    if !came || !reconnect(kit).await {
        return Ok(false);
    }
    // If the clock resends the event now, it breaks C7, and the ledger reports that.
    kit.pass(700).await;
    check_claim(kit).await;
    Ok(command(kit, "resume").await)
}

/// Checks that the clock sends every event that its newest hello claims.
async fn check_claim(kit: &mut Kit) {
    let claimed = kit.ledger.claimed;
    let came = kit
        .wait_until(REACTS_WITHIN_MS, |kit| kit.ledger.seq >= claimed)
        .await;
    kit.report.check(
        Rule::S3,
        came,
        format!("events up to {claimed}, as Hello said"),
        format!("event {} as the last", kit.ledger.seq),
    );
}

pub(super) async fn jump(kit: &mut Kit) -> Result<bool, KitError> {
    const JUMP_US: i64 = 2_000_000;
    let exchange = kit.until(REACTS_WITHIN_MS, |kit| kit.ledger.exchange).await;
    let Some(before) = exchange else {
        kit.report
            .not_checked(Rule::S8, "the clock answers no time probes");
        return Ok(true);
    };
    kit.ledger.jumped = false;
    kit.welcome_rebase_us = JUMP_US;
    if !reconnect(kit).await {
        return Ok(false);
    }
    let jumped = |kit: &Kit| kit.ledger.jumped;
    let expected = format!("a Rebase event with the jump of {JUMP_US} us in Welcome");
    if !kit.demands(Rule::S8, jumped, expected, "none").await {
        return Ok(true);
    }
    let after = kit.until(REACTS_WITHIN_MS, |kit| kit.ledger.exchange).await;
    if let Some(after) = after {
        let least = before.at_least(after.sent_us) + JUMP_US;
        kit.report.check(
            Rule::S8,
            after.board_us >= least,
            format!("board time of at least {least} us after the jump"),
            format!("{} us", after.board_us),
        );
    }
    // The Welcome on the next link has no jump.
    if !reconnect(kit).await {
        return Ok(false);
    }
    kit.pass(500).await;
    Ok(true)
}

pub(super) async fn restart(kit: &mut Kit) -> Result<bool, KitError> {
    let Some(seq) = unacknowledged(kit).await else {
        return Ok(false);
    };
    let before = kit.ledger.hellos.len();
    let token = |kit: &Kit| Some(kit.ledger.hellos.last()?.process?.token);
    let old = token(kit);
    // Wait, because the clock may still be writing the event to its journal.
    kit.pass(1_000).await;
    let back = kit
        .instructed(Instruction::Restart, |kit| {
            let new = kit.ledger.hellos.len() > before && token(kit) != old;
            (new && kit.welcomed).then_some(())
        })
        .await;
    let restarted = |kit: &Kit| token(kit) != old;
    // Wait longer than for a press, because a program needs time to start.
    let back = back.is_some() || kit.wait_until(CONNECT_WITHIN_MS, restarted).await;
    kit.acks = Acks::Honest;
    if !back {
        kit.report
            .say("--    restart: the clock's program was not started again");
        return Ok(true);
    }
    let acked = |kit: &Kit| kit.acked >= seq;
    let expected = format!("event {seq} again after the restart");
    kit.demands(Rule::C7, acked, expected, "nothing").await;
    Ok(command(kit, "resume").await)
}

pub(super) async fn goodbye(kit: &mut Kit) -> Result<bool, KitError> {
    let (before, ended) = (kit.ledger.hellos.len(), kit.ledger.ended.len());
    let goodbye = Goodbye {
        reason: GoodbyeReason::ShuttingDown.into(),
        text: "the kit says goodbye".to_owned(),
    };
    kit.send(goodbye.into()).await;
    let gone = |kit: &Kit| kit.ledger.ended.len() > ended;
    let expected = "the end of the link within 3 s of the hub's goodbye";
    let otherwise = "a session that continues";
    if !kit.demands(Rule::S12, gone, expected, otherwise).await {
        kit.drop_link();
    }
    Ok(connected(kit, before, CONNECT_WITHIN_MS).await)
}

pub(super) async fn version(kit: &mut Kit) -> Result<bool, KitError> {
    let ended = kit.ledger.ended.len();
    kit.welcome_major = proto::MAJOR + 98;
    kit.drop_link();
    let end = |kit: &Kit| kit.ledger.ended.get(ended).cloned();
    let came = kit.until(CONNECT_WITHIN_MS, end).await;
    let version = |end: &Closed| end.says(GoodbyeReason::Version);
    kit.report.check(
        Rule::S6,
        came.as_ref().is_some_and(version),
        "GOODBYE_REASON_VERSION after a welcome of version 99",
        came.map_or("a session that continues".to_owned(), |end| {
            format!("{:?}, code {:?}: {}", end.goodbye, end.code, end.text)
        }),
    );
    Ok(true)
}
