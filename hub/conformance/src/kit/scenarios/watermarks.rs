//! Watermarks: their interval on a calm board and for a player short of time, and the one that confirms a flag fall.

use timing::BoardClock;

use super::{adopt, command};
use crate::kit::{Kit, KitError, REACTS_WITHIN_MS};
use crate::rule::Rule;

/// Time within which a watermark must follow a flag fall, in microseconds.
const FLAG_WITHIN_US: i64 = 500_000;

pub(super) async fn run(kit: &mut Kit) -> Result<bool, KitError> {
    // It is enough to wait, because the ledger checks every interval between watermarks.
    kit.pass(2_500).await;
    if !adopt(kit, "5m").await {
        return Ok(false);
    }
    // Changes the board at different phases of the regular one-second interval. Each change must be followed by its own
    // watermark.
    for text in [
        "start", "pause", "resume", "pause", "resume", "pause", "resume", "pause",
    ] {
        if !command(kit, text).await {
            return Ok(false);
        }
        kit.pass(750).await;
    }
    if !adopt(kit, "20s").await || !command(kit, "start").await {
        return Ok(false);
    }
    kit.pass(2_500).await;
    if !command(kit, "pause").await || !adopt(kit, "1s").await || !command(kit, "start").await {
        return Ok(false);
    }
    let clock = kit.ledger.clock.as_ref();
    let deadline = clock.and_then(BoardClock::next_deadline);
    let (Some(deadline), Some(exchange)) = (deadline, kit.ledger.exchange) else {
        kit.report
            .not_checked(Rule::W5, "the clock answers no time probes");
        return Ok(true);
    };
    let falls_us = exchange.back_us + deadline.as_micros() - exchange.board_us;
    let came = kit
        .until(REACTS_WITHIN_MS, |kit| {
            let (at_us, watermark) = kit.ledger.watermarks.last()?;
            (watermark.at_us >= deadline.as_micros()).then_some(*at_us)
        })
        .await;
    kit.report.check(
        Rule::W5,
        came.is_some_and(|at_us| at_us <= falls_us + FLAG_WITHIN_US),
        "a watermark at or after the flag fall, within 0.5 s of it",
        came.map_or("none".to_owned(), |at_us| {
            format!("one after {} ms", (at_us - falls_us) / 1_000)
        }),
    );
    Ok(true)
}
