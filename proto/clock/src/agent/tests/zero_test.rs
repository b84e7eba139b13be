//! The clock test at the agent: an ordinary event in the chain that does not affect the clock.

use proto::wire::{ZeroTest, event_body};
use timing::Button;

use super::bench::{Bench, at};
use crate::agent::Input;

const SECOND: i64 = 1_000_000;

fn messages(bench: &Bench) -> Vec<String> {
    let messages = bench.core.face().messages;
    messages.into_iter().map(|message| message.text).collect()
}

#[test]
fn a_scripted_press_is_chained_without_effect_on_the_clock() {
    // The agent carries out the test even while a clock is running, although the hub never requests one then.
    let mut bench = Bench::playing("5m+3s");
    bench.pass(2 * SECOND);
    bench.take_frames();
    let before = bench.core.clock().unwrap().to_bytes();
    bench.input(Input::Frame(ZeroTest { nonce: 0x00c0_ffee }.into()));
    let sent = bench.take_events();
    assert_eq!(sent.len(), 1);
    assert_eq!(sent[0].at_us, bench.now_us);
    assert!(matches!(
        sent[0].fact,
        Some(event_body::Fact::ZeroTested(tested)) if tested.nonce == 0x00c0_ffee
    ));
    assert_eq!(bench.core.clock().unwrap().to_bytes(), before);
    bench.pass(SECOND);
    bench.press(Button::Left);
    bench.agrees_with_hub();
}

#[test]
fn the_face_shows_the_test_briefly() {
    let mut bench = Bench::playing("5m");
    bench.input(Input::Frame(ZeroTest { nonce: 7 }.into()));
    assert_eq!(messages(&bench), ["Clock test"]);
    bench.pass(2 * SECOND);
    assert_eq!(messages(&bench), ["Clock test"]);
    bench.pass(SECOND);
    assert_eq!(messages(&bench), Vec::<String>::new());
    assert!(bench.core.face().at(at(bench.now_us)).is_some());
}
