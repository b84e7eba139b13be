//! A clock that serves one side of a board, while a different clock serves the other side.

use proto::Side;
use proto::wire::{ServeSide, SharedBoard, order};
use timing::BoardClock;

use super::{adopt, new_game, taken};
use crate::kit::{Kit, KitError, REACTS_WITHIN_MS};
use crate::rule::Rule;
use crate::time_source::raw_us;

/// Time within which the watermark must arrive, in milliseconds: well below the interval on a calm board.
const WITHIN_MS: i64 = 400;

pub(super) async fn run(kit: &mut Kit) -> Result<bool, KitError> {
    let Some(clock) = new_game("5m") else {
        return Ok(true);
    };
    let serve = ServeSide {
        board: "1".to_owned(),
        side: Side::White.into(),
        snapshot: clock.snapshot().to_bytes(),
    };
    if !taken(kit, order::What::ServeSide(serve)).await {
        return Ok(false);
    }
    kit.pass(300).await;
    if kit.ledger.watermarks.is_empty() {
        kit.report.not_checked(Rule::O8, "no watermarks arrived");
        return Ok(true);
    }
    // A watermark may be lost, and clocks do not repeat it (W6).
    let came = follows(kit, &clock).await || follows(kit, &clock).await;
    kit.report.check(
        Rule::O8,
        came,
        format!("a watermark within {WITHIN_MS} ms of one of two SharedBoard frames"),
        "none",
    );
    Ok(adopt(kit, "5m").await)
}

/// Sends the board just after a watermark, so that the next regular one is still far off. Returns true if a watermark
/// follows within [`WITHIN_MS`].
async fn follows(kit: &mut Kit, clock: &BoardClock) -> bool {
    let before = kit.ledger.watermarks.len();
    let regular = |kit: &Kit| kit.ledger.watermarks.len() > before;
    if !kit.wait_until(REACTS_WITHIN_MS, regular).await {
        return false;
    }
    let before = kit.ledger.watermarks.len();
    let exchange = kit.ledger.exchange;
    let at_us = exchange.map_or(0, |exchange| exchange.board(raw_us()));
    let shared = SharedBoard {
        board: "1".to_owned(),
        snapshot: clock.snapshot().to_bytes(),
        at_us,
        seq: kit.ledger.seq,
        other_heard: true,
    };
    kit.send(shared.into()).await;
    let follows = |kit: &Kit| kit.ledger.watermarks.len() > before;
    kit.wait_until(WITHIN_MS, follows).await
}
