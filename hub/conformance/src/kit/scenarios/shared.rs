//! One side of a board whose other side has its clock elsewhere.

use proto::Side;
use proto::wire::{ServeSide, SharedBoard, order};
use timing::{BoardClock, Button, Setup, StartRule};

use super::{adopt, taken};
use crate::kit::{Kit, KitError, REACTS_WITHIN_MS};
use crate::rule::Rule;
use crate::time_source::raw_us;

/// Time within which the watermark comes, in milliseconds: well below the interval of a calm board.
const WITHIN_MS: i64 = 400;

pub(super) async fn run(kit: &mut Kit) -> Result<bool, KitError> {
    let Ok(control) = "5m".parse() else {
        return Ok(true);
    };
    let clock = BoardClock::new(Setup {
        control,
        start: StartRule::Arbiter,
        white: Button::Left,
    });
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
        kit.report.not_checked(Rule::O8, "no watermarks came");
        return Ok(true);
    }
    // A watermark may be lost: W6 repeats none.
    let came = follows(kit, &clock).await || follows(kit, &clock).await;
    kit.report.check(
        Rule::O8,
        came,
        format!("a watermark within {WITHIN_MS} ms of one of two SharedBoard frames"),
        "none",
    );
    Ok(adopt(kit, "5m").await)
}

/// Sends the board just after a watermark, so that the next regular one is far. Returns false if none follows.
async fn follows(kit: &mut Kit, clock: &BoardClock) -> bool {
    let before = kit.ledger.watermarks.len();
    let regular = kit
        .until(REACTS_WITHIN_MS, |kit| {
            (kit.ledger.watermarks.len() > before).then_some(kit.ledger.watermarks.len())
        })
        .await;
    let Some(before) = regular else {
        return false;
    };
    let at_us = kit
        .ledger
        .exchange
        .map_or(0, |exchange| exchange.board(raw_us()));
    let shared = SharedBoard {
        board: "1".to_owned(),
        snapshot: clock.snapshot().to_bytes(),
        at_us,
        seq: kit.ledger.seq,
        other_heard: true,
    };
    kit.send(shared.into()).await;
    let came = kit
        .until(WITHIN_MS, |kit| {
            (kit.ledger.watermarks.len() > before).then_some(())
        })
        .await;
    came.is_some()
}
