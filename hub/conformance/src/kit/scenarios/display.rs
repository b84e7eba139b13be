//! Frames for the display only, and the clock test.

use proto::wire::{Identify, Labels, Show, Sound, ZeroTest, event_body::Fact};

use super::adopt;
use crate::kit::{Kit, KitError, REACTS_WITHIN_MS};
use crate::rule::Rule;

pub(super) async fn run(kit: &mut Kit) -> Result<bool, KitError> {
    if !adopt(kit, "5m").await {
        return Ok(false);
    }
    let before = kit.ledger.seq;
    let labels = Labels {
        board: "1".to_owned(),
        round: "Round 3".to_owned(),
        white: "Bogoljubow, Efim".to_owned(),
        black: "Grünfeld, Ernst".to_owned(),
        starts_at_us: Some(1),
        sound: Sound::All.into(),
        ..Labels::default()
    };
    kit.send(labels.into()).await;
    let text = "A text for the players".to_owned();
    kit.send(Show { text }.into()).await;
    kit.send(Identify {}.into()).await;
    kit.pass(700).await;
    let after = kit.ledger.seq;
    kit.report.check(
        Rule::D1,
        before == after,
        "no event after Labels, Show and Identify",
        format!("{} events", after - before),
    );
    zero_test(kit).await;
    Ok(true)
}

async fn zero_test(kit: &mut Kit) {
    let before = kit.ledger.seq;
    let nonce = 0x0123_4567_89ab_cdef;
    kit.ledger.zero_tests.push(nonce);
    kit.send(ZeroTest { nonce }.into()).await;
    let came = kit
        .wait_until(REACTS_WITHIN_MS, |kit| kit.ledger.seq > before)
        .await;
    kit.pass(300).await;
    let events = kit.ledger.events.iter();
    let new = events.filter(|kept| kept.body.seq > before);
    let facts: Vec<&Fact> = new.filter_map(|kept| kept.body.fact.as_ref()).collect();
    let one = matches!(facts.as_slice(), [Fact::ZeroTested(tested)] if tested.nonce == nonce);
    let facts = format!("{facts:?}");
    kit.report.check(
        Rule::D5,
        came && one,
        format!("one ZeroTested event with nonce {nonce}"),
        facts,
    );
}
