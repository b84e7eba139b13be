//! Links: the first one, lost ones, restarts, and goodbyes.

use proto::wire::{Goodbye, GoodbyeReason};

use super::{adopt, command};
use crate::kit::{Acks, CONNECT_WITHIN_MS, Kit, KitError, REACTS_WITHIN_MS};
use crate::operator::Instruction;
use crate::rule::Rule;
use crate::time_source::raw_us;

/// Time that a person has to start the clock.
const START_WITHIN_MS: i64 = 300_000;

pub(super) async fn first(kit: &mut Kit) -> Result<bool, KitError> {
    let limit = match &kit.operator {
        Some(operator) if operator.is_person() => START_WITHIN_MS,
        Some(_) | None => CONNECT_WITHIN_MS,
    };
    if !connected(kit, 0, limit).await {
        return Ok(false);
    }
    let health = kit
        .until(REACTS_WITHIN_MS, |kit| {
            (!kit.ledger.health.is_empty()).then_some(())
        })
        .await;
    kit.report.check(
        Rule::D6,
        health.is_some(),
        "Health within 3 s of Welcome",
        "none",
    );
    watermark_after_welcome(kit).await;
    Ok(true)
}

async fn watermark_after_welcome(kit: &mut Kit) {
    let came = kit
        .until(REACTS_WITHIN_MS, |kit| {
            (!kit.ledger.watermarks.is_empty()).then_some(())
        })
        .await;
    kit.report.check(
        Rule::W4,
        came.is_some(),
        "a watermark within 3 s of Welcome",
        "none",
    );
}

/// Waits until the clock has said more hellos than `before`, and has been welcomed.
async fn connected(kit: &mut Kit, before: usize, within_ms: i64) -> bool {
    let came = kit
        .until(within_ms, |kit| {
            (kit.ledger.hellos.len() > before && kit.welcomed).then_some(())
        })
        .await;
    kit.report.check(
        Rule::S12,
        came.is_some(),
        format!("a link within {} s", within_ms / 1_000),
        "none",
    );
    came.is_some()
}

/// Drops the link and waits for the next one.
pub(super) async fn again(kit: &mut Kit) -> bool {
    let before = kit.ledger.hellos.len();
    kit.drop_link();
    connected(kit, before, CONNECT_WITHIN_MS).await
}

/// Waits for the next link after the clock has closed this one.
pub(super) async fn after_close(kit: &mut Kit, before: usize) -> bool {
    connected(kit, before, CONNECT_WITHIN_MS).await
}

pub(super) async fn probes(kit: &mut Kit) -> Result<bool, KitError> {
    for datagram in [true, false, true, true] {
        let sent_us = raw_us();
        // A probe or its reply may be lost: T4 repeats neither.
        let answered = answers(kit, datagram).await || answers(kit, datagram).await;
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
async fn answers(kit: &mut Kit, datagram: bool) -> bool {
    let nonce = kit.probe(datagram).await;
    let answered = kit
        .until(REACTS_WITHIN_MS, |kit| {
            let mut replies = kit.ledger.replies.iter();
            replies.any(|(_, reply)| reply.nonce == nonce).then_some(())
        })
        .await;
    answered.is_some()
}

pub(super) async fn resend(kit: &mut Kit) -> Result<bool, KitError> {
    if !adopt(kit, "5m").await || !command(kit, "start").await {
        return Ok(false);
    }
    kit.acks = Acks::Held;
    if !command(kit, "pause").await {
        return Ok(false);
    }
    let seq = kit.ledger.seq;
    let lost_us = raw_us();
    if !again(kit).await {
        return Ok(false);
    }
    kit.acks = Acks::Honest;
    let came = kit
        .until(REACTS_WITHIN_MS, |kit| (kit.acked >= seq).then_some(()))
        .await;
    kit.report.check(
        Rule::S9,
        came.is_some(),
        format!("event {seq} again after Welcome, which did not acknowledge it"),
        format!("not within {} ms", (raw_us() - lost_us) / 1_000),
    );
    if came.is_none() || !again(kit).await {
        return Ok(false);
    }
    // An event that comes again now breaks C7, which the ledger notices.
    kit.pass(700).await;
    check_claim(kit).await;
    Ok(command(kit, "resume").await)
}

/// Checks that the clock has sent every event that its newest hello counted.
async fn check_claim(kit: &mut Kit) {
    let claimed = kit.ledger.claimed;
    let came = kit
        .until(REACTS_WITHIN_MS, |kit| {
            (kit.ledger.seq >= claimed).then_some(())
        })
        .await;
    kit.report.check(
        Rule::S3,
        came.is_some(),
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
    if !again(kit).await {
        return Ok(false);
    }
    let came = kit
        .until(REACTS_WITHIN_MS, |kit| kit.ledger.jumped.then_some(()))
        .await;
    kit.report.check(
        Rule::S8,
        came.is_some(),
        format!("a Rebase event with the jump of {JUMP_US} us that Welcome gave"),
        "none",
    );
    if came.is_none() {
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
    // The next link is an ordinary one: no second jump.
    if !again(kit).await {
        return Ok(false);
    }
    kit.pass(500).await;
    Ok(true)
}

pub(super) async fn restart(kit: &mut Kit) -> Result<bool, KitError> {
    if !adopt(kit, "5m").await || !command(kit, "start").await {
        return Ok(false);
    }
    kit.acks = Acks::Held;
    if !command(kit, "pause").await {
        return Ok(false);
    }
    let (seq, before) = (kit.ledger.seq, kit.ledger.hellos.len());
    let token = |kit: &Kit| {
        let hello = kit.ledger.hellos.last();
        hello
            .and_then(|hello| hello.process)
            .map(|process| process.token)
    };
    let old = token(kit);
    // The journal may be written while an event is sent.
    kit.pass(1_000).await;
    let back = kit
        .instructed(Instruction::Restart, |kit| {
            let new = kit.ledger.hellos.len() > before && token(kit) != old;
            (new && kit.welcomed).then_some(())
        })
        .await;
    let back = match back {
        Some(()) => true,
        // A program needs longer to start than to press a button.
        None => kit
            .until(CONNECT_WITHIN_MS, |kit| (token(kit) != old).then_some(()))
            .await
            .is_some(),
    };
    kit.acks = Acks::Honest;
    if !back {
        kit.report
            .say("--    restart: the clock's program was not started again");
        return Ok(true);
    }
    let came = kit
        .until(REACTS_WITHIN_MS, |kit| (kit.acked >= seq).then_some(()))
        .await;
    kit.report.check(
        Rule::C7,
        came.is_some(),
        format!("event {seq} again after the restart"),
        "nothing",
    );
    Ok(command(kit, "resume").await)
}

pub(super) async fn goodbye(kit: &mut Kit) -> Result<bool, KitError> {
    let (before, ended) = (kit.ledger.hellos.len(), kit.ledger.ended.len());
    let goodbye = Goodbye {
        reason: GoodbyeReason::ShuttingDown.into(),
        text: "the kit says goodbye".to_owned(),
    };
    kit.send(goodbye.into()).await;
    let gone = kit
        .until(REACTS_WITHIN_MS, |kit| {
            (kit.ledger.ended.len() > ended).then_some(())
        })
        .await;
    kit.report.check(
        Rule::S12,
        gone.is_some(),
        "the end of the link within 3 s of the hub's goodbye",
        "a session that goes on",
    );
    if gone.is_none() {
        kit.drop_link();
    }
    Ok(connected(kit, before, CONNECT_WITHIN_MS).await)
}

pub(super) async fn version(kit: &mut Kit) -> Result<bool, KitError> {
    let ended = kit.ledger.ended.len();
    kit.welcome_major = proto::MAJOR + 98;
    kit.drop_link();
    let came = kit
        .until(CONNECT_WITHIN_MS, |kit| {
            kit.ledger.ended.get(ended).cloned()
        })
        .await;
    kit.report.check(
        Rule::S6,
        came.as_ref()
            .is_some_and(|ended| ended.says(GoodbyeReason::Version)),
        "GOODBYE_REASON_VERSION after a welcome of version 99",
        came.map_or("a session that goes on".to_owned(), |ended| {
            format!("{:?}, code {:?}: {}", ended.goodbye, ended.code, ended.text)
        }),
    );
    Ok(true)
}
