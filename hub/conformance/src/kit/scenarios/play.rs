//! Play: orders, digests, presses, commands and corrections. Compares the clock's board with the kit's own board if the
//! clock reports digests.

use proto::wire::{Button, event_body::Fact, order};

use super::{adopt, checked_command, command, compare, compared_command};
use crate::kit::{ARBITER, Acks, Kit, KitError, PIN, REACTS_WITHIN_MS};
use crate::operator::Instruction;
use crate::rule::Rule;
use crate::time_source::raw_us;

/// Lead time for the stamp of an instructed press, in microseconds.
const AHEAD_US: i64 = 150_000;
const CORRECTED: [Rule; 4] = [Rule::A5, Rule::A6, Rule::A7, Rule::A8];

pub(super) async fn orders(kit: &mut Kit) -> Result<bool, KitError> {
    if !adopt(kit, "5m").await {
        return Ok(false);
    }
    let last = kit.ledger.orders.last_key_value();
    if let Some((order, _)) = last.map(|(_, order)| order.clone()) {
        kit.send(order.into()).await;
    }
    // A second `OrderTaken` would break O1, which the ledger reports.
    kit.pass(500).await;
    // Two orders that are sent together must be carried out in order.
    kit.order(order::What::Command("start".to_owned())).await;
    Ok(command(kit, "pause").await)
}

pub(super) async fn digest(kit: &mut Kit) -> Result<bool, KitError> {
    if !adopt(kit, "5m").await || !command(kit, "start").await {
        return Ok(false);
    }
    kit.acks = Acks::WrongDigest;
    if !command(kit, "pause").await {
        return Ok(false);
    }
    kit.acks = Acks::Honest;
    let seq = kit.ledger.seq;
    let told = |kit: &Kit| kit.ledger.diverged.iter().any(|told| told.seq == seq);
    kit.compares = kit.wait_until(REACTS_WITHIN_MS, told).await;
    if !kit.compares {
        let why = "this clock does not report different digests, which is allowed only if it cannot compute its time control";
        for rule in [Rule::C11, Rule::O5, Rule::O4, Rule::P3] {
            kit.report.not_checked(rule, why);
        }
        return Ok(true);
    }
    if !compare(kit, Rule::C11, "after \"pause\"").await {
        return Ok(false);
    }
    let what = "after an adopted board and \"resume\"";
    Ok(compared_command(kit, "resume", Rule::O5, what).await)
}

pub(super) async fn presses(kit: &mut Kit) -> Result<bool, KitError> {
    if !adopt(kit, "3m+2s").await || !command(kit, "start").await {
        return Ok(false);
    }
    for button in [Button::Left, Button::Right, Button::Left, Button::Right] {
        match press(kit, button, None).await {
            Some(seq) => check_press(kit, seq, button).await,
            None => {
                for rule in [Rule::P2, Rule::P3, Rule::P4] {
                    kit.report.not_checked(rule, "no press arrived");
                }
                return Ok(true);
            }
        }
    }
    let before = kit.ledger.seq;
    let stopped = kit
        .instructed(Instruction::Stop, |kit| {
            let new = kit.ledger.events.iter().rev();
            let mut new = new.take_while(|kept| kept.body.seq > before);
            new.any(|kept| matches!(kept.body.fact, Some(Fact::Stop(_))))
                .then_some(())
        })
        .await;
    let expected = "a Stop event for both buttons held";
    kit.report
        .check(Rule::P4, stopped.is_some(), expected, "none");
    Ok(true)
}

/// Instructs the operator to press a button, with the stamp `at_us` or else a moment from now. Returns the event's
/// number; `None` if no press arrives.
pub(super) async fn press(kit: &mut Kit, button: Button, at_us: Option<i64>) -> Option<u64> {
    let before = kit.ledger.seq;
    let exchange = kit.ledger.exchange;
    let soon = exchange.map(|exchange| exchange.board(raw_us()) + AHEAD_US);
    if kit.compares {
        kit.acks = Acks::WrongDigest;
    }
    let instruction = Instruction::Press {
        button,
        at_us: at_us.or(soon),
    };
    let seq = kit
        .instructed(instruction, |kit| {
            let mut events = kit.ledger.events.iter();
            let press = |body: &proto::wire::EventBody| matches!(body.fact, Some(Fact::Press(_)));
            let found = events.find(|kept| kept.body.seq > before && press(&kept.body));
            found.map(|kept| kept.body.seq)
        })
        .await;
    kit.acks = Acks::Honest;
    seq
}

async fn check_press(kit: &mut Kit, seq: u64, button: Button) {
    let kept = kit.ledger.events.iter().find(|kept| kept.body.seq == seq);
    let pressed = kept.and_then(|kept| match &kept.body.fact {
        Some(Fact::Press(press)) => Some(press.button()),
        Some(
            Fact::Stop(_)
            | Fact::OrderTaken(_)
            | Fact::Rebase(_)
            | Fact::ZeroTested(_)
            | Fact::Correction(_),
        )
        | None => None,
    });
    kit.report.check(
        Rule::P2,
        pressed == Some(button),
        format!("{button:?}"),
        format!("{pressed:?}"),
    );
    if kit.compares {
        compare(kit, Rule::P3, "after a press").await;
    }
}

pub(super) async fn commands(kit: &mut Kit) -> Result<bool, KitError> {
    if !adopt(kit, "5m").await {
        return Ok(false);
    }
    for text in [
        "start",
        "pause",
        "resume",
        "set white 3m",
        "add black -30s",
        "moves white 7",
        // The game has started, so the rules refuse this: only time passes.
        "start",
        "pause",
        "resume black",
        "swap",
        "prepare right arbiter 40/1h30m+30s : 30m+30s",
        "start",
    ] {
        if !checked_command(kit, text).await {
            return Ok(false);
        }
    }
    // The clock must confirm even a command that no clock can parse.
    Ok(command(kit, "juggle white").await)
}

pub(super) async fn corrections(kit: &mut Kit) -> Result<bool, KitError> {
    if !kit.takes_corrections() {
        let why = "Hello says that this clock accepts no corrections";
        for rule in CORRECTED {
            kit.report.not_checked(rule, why);
        }
        return Ok(true);
    }
    if !adopt(kit, "5m").await || !command(kit, "start").await {
        return Ok(false);
    }
    kit.report
        .say(&format!("      the arbiter is {ARBITER:?}, the PIN {PIN}"));
    for text in ["set white 4m", "add black 1m"] {
        let before = kit.ledger.seq;
        if kit.compares {
            kit.acks = Acks::WrongDigest;
        }
        let instruction = Instruction::Correct {
            pin: PIN.to_owned(),
            command: text.to_owned(),
        };
        let corrected = kit
            .instructed(instruction, |kit| {
                let mut events = kit.ledger.events.iter();
                let found = events.any(|kept| {
                    kept.body.seq > before && matches!(kept.body.fact, Some(Fact::Correction(_)))
                });
                found.then_some(())
            })
            .await;
        kit.acks = Acks::Honest;
        if corrected.is_none() {
            let why = "no correction arrived; a clock need not support corrections";
            for rule in CORRECTED {
                kit.report.not_checked(rule, why);
            }
            return Ok(true);
        }
        if kit.compares && !compare(kit, Rule::A5, "after a correction").await {
            return Ok(false);
        }
    }
    Ok(true)
}
