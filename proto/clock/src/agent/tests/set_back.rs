//! A hub whose log was set back: the agent resends the events that the hub had acknowledged and then lost.

use timing::Button;

use super::bench::Bench;
use crate::agent::chain::MAX_KEPT;
use crate::agent::{Bounds, Retry};

const SECOND: i64 = 1_000_000;

fn move_pieces(bench: &mut Bench, moves: usize) {
    for _ in 0..moves {
        for button in [Button::Left, Button::Right] {
            bench.pass(SECOND);
            bench.press(button);
        }
    }
}

/// Returns a bench whose hub has the first three moves and has lost the next `lost` moves.
fn set_back(lost: usize) -> Bench {
    let mut bench = Bench::playing("90m+30s");
    move_pieces(&mut bench, 3);
    let copy = bench.hub.clone();
    move_pieces(&mut bench, lost);
    bench.agrees_with_hub();
    bench.disconnect();
    bench.hub = copy;
    bench
}

#[test]
fn acknowledged_events_are_sent_again_to_a_hub_that_lost_them() {
    let mut bench = set_back(4);
    let (before, head) = (bench.core.acknowledged(), bench.core.head());
    bench.take_frames();
    bench.connect();
    assert_eq!(bench.closed, None);
    bench.agrees_with_hub();
    assert_eq!(
        (bench.core.acknowledged(), bench.core.head()),
        (before, head)
    );
    move_pieces(&mut bench, 1);
    bench.agrees_with_hub();
}

#[test]
fn the_journal_keeps_acknowledged_events_over_a_restart_and_a_rewrite() {
    for rewritten in [false, true] {
        let mut bench = set_back(4);
        if rewritten {
            bench.journal = bench.core.whole_journal().entries;
        }
        // The boot id is the same: the machine was not switched off.
        let mut bench = bench.restarted([1; 16]);
        bench.connect();
        assert_eq!(bench.closed, None, "rewritten: {rewritten}");
        bench.agrees_with_hub();
        let mut again = bench.restarted([1; 16]);
        again.connect();
        again.agrees_with_hub();
    }
}

#[test]
fn a_hub_that_lost_everything_gets_the_whole_chain() {
    let mut bench = Bench::playing("90m+30s");
    let orders = bench.hub.clone();
    move_pieces(&mut bench, 2);
    bench.disconnect();
    bench.hub.forget_events();
    bench.connect();
    assert_eq!(bench.closed, None);
    bench.agrees_with_hub();
    assert!(bench.hub.seq > orders.seq);
}

#[test]
fn a_clock_without_the_lost_events_says_so() {
    let mut bench = set_back(MAX_KEPT);
    bench.connect();
    let closed = bench.closed.unwrap();
    assert_eq!(closed.retry, Retry::AfterLongDelay);
    assert!(
        closed.reason.contains("no longer has the events"),
        "{}",
        closed.reason
    );
}

#[test]
fn a_clock_without_the_lost_events_continues_once_the_loss_is_confirmed() {
    let mut bench = set_back(MAX_KEPT);
    bench.connect();
    assert!(bench.closed.take().is_some());
    bench.disconnect();
    bench.hub.loss_confirmed = true;
    let seq = bench.hub.seq;
    bench.connect();
    assert_eq!(bench.closed, None);
    assert_eq!(bench.core.acknowledged().0, seq);
    bench.hub.loss_confirmed = false;
    move_pieces(&mut bench, 2);
    assert!(bench.hub.seq > seq, "its presses continue the hub's chain");
    let mut again = bench.restarted([1; 16]);
    again.connect();
    assert_eq!(again.closed, None);
}

#[test]
fn another_history_is_not_sent_to_the_hub() {
    let mut bench = set_back(4);
    bench.hub.head = [9; 32];
    bench.connect();
    assert_eq!(bench.closed.unwrap().retry, Retry::AfterLongDelay);
    assert_eq!(bench.hub.head, [9; 32], "nothing was sent");
}

#[test]
fn kept_events_make_room_for_new_ones() {
    let bounds = Bounds {
        max_events: 100,
        in_flight: 8,
    };
    let mut bench = Bench::playing("90m+30s").bounded(bounds);
    move_pieces(&mut bench, 100);
    bench.deaf = true;
    let journal = bench.core.whole_journal().entries.len();
    assert!(journal < 30, "{journal}");
    move_pieces(&mut bench, 100);
    let journal = bench.core.whole_journal().entries.len();
    assert!(journal < 100, "{journal}");
}
