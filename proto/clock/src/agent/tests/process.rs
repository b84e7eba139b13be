//! The agent's statements about itself: its run token, signed watermarks, uncharged reboots.

use proto::wire::{Rebase, event_body::Fact, hub_frame};
use timing::Button;

use super::bench::{AGENT, Bench};
use crate::agent::signer::verify_hash_watermark;
use crate::agent::{Input, recover};

#[test]
fn a_hello_names_this_run_and_the_previous_one() {
    let mut bench = Bench::playing("5m");
    bench.disconnect();
    let again = bench.connect().process.unwrap();
    assert_eq!((again.token, again.follows, again.links), (1, 0, 2));
    // The next run learns this run's token from the journal.
    let (recovered, fault) = recover(bench.journal.clone(), super::hub::ORIGIN, &AGENT);
    assert_eq!(fault, None);
    assert_eq!(recovered.token, 1);
    let mut next = bench.restarted([1; 16]);
    let process = next.connect().process.unwrap();
    assert_eq!((process.follows, process.links), (1, 1));
    next.agrees_with_hub();
}

#[test]
fn watermarks_are_signed() {
    let mut bench = Bench::playing("5m");
    bench.take_frames();
    bench.pass(3_000_000);
    let promises = bench.take_watermarks();
    assert!(!promises.is_empty());
    for promise in promises {
        let said = (promise.at_us, promise.seq);
        assert!(verify_hash_watermark(
            said.0,
            said.1,
            &promise.signature,
            &AGENT
        ));
        assert!(!verify_hash_watermark(
            said.0 + 1,
            said.1,
            &promise.signature,
            &AGENT
        ));
    }
}

#[test]
fn an_offline_press_after_a_reboot_records_the_reboot() {
    let mut bench = Bench::playing("5m");
    bench.pass(4_000_000);
    bench.disconnect();
    bench.pass(1_000_000);
    let mut again = bench.restarted([2; 16]);
    let started_us = again.now_us;
    again.pass(2_000_000);
    again.press(Button::Left);
    again.pass(1_000_000);
    again.press(Button::Right);
    let hello = again.connect();
    assert!(!hello.rebooted, "the chain already records the reboot");
    let events = again.take_events();
    let first = &events[0];
    let told = Rebase {
        jump_us: 0,
        uncertainty_us: 0,
        uncharged: true,
    };
    assert_eq!(first.fact, Some(Fact::Rebase(told)));
    assert_eq!(first.at_us, started_us);
    assert_eq!(events.len(), 3);
    assert_eq!(events[1].at_us, started_us + 2_000_000);
    again.agrees_with_hub();
}

#[test]
fn a_press_during_the_hello_is_not_charged_for_the_reboot() {
    let mut bench = Bench::playing("5m");
    bench.pass(4_000_000);
    bench.disconnect();
    let mut again = bench.restarted([2; 16]);
    again.pass(1_000_000);
    again.input(Input::LinkUp);
    again.press(Button::Left);
    // The hub answers the hello, which reported the reboot.
    let mut frame = again.hub.welcome();
    if let Some(hub_frame::Frame::Welcome(welcome)) = &mut frame.frame {
        welcome.rebase_us = 60_000_000;
    }
    again.hear(frame);
    assert_eq!(again.jumped_us, 0);
    again.agrees_with_hub();
}
