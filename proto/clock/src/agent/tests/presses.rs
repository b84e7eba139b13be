//! The board: stamps, watermarks, flag falls, orders, and the limit of the queue.

use timing::{BoardState, Button, FlagView, Side};

use super::bench::{Bench, at};
use crate::agent::{Bounds, IN_FLIGHT, Input, MAX_UNACKNOWLEDGED};
use crate::buttons::ButtonEvent;
use crate::face_state::{JournalHealth, MessageKind};

const SECOND: i64 = 1_000_000;

#[test]
fn a_press_takes_effect_immediately_and_is_sent() {
    let mut bench = Bench::playing("5m+3s");
    bench.pass(4 * SECOND);
    bench.take_frames();
    bench.press(Button::Left);
    let face = bench.core.face().at(at(bench.now_us)).unwrap();
    assert_eq!(face.running, Some(Side::Black));
    // 300 s, plus 3 s before the first move and 3 s after it, less the 4 s used.
    assert_eq!(face.sides.white.time.as_micros(), 302 * SECOND);
    assert_eq!(face.sides.white.moves, 1);
    let sent = bench.take_events();
    assert_eq!(sent.len(), 1);
    assert_eq!(sent[0].at_us, bench.now_us);
    bench.agrees_with_hub();
}

#[test]
fn a_press_has_the_stamp_of_its_first_edge() {
    let mut bench = Bench::playing("5m");
    bench.core.set_quiet_before(at(bench.now_us));
    bench.pass(2 * SECOND);
    bench.core.set_quiet_before(at(bench.now_us - 20_000));
    let edge = at(bench.now_us - 15_000);
    bench.input(Input::Button(ButtonEvent::press(Button::Left, edge)));
    let clock = bench.core.clock().unwrap();
    let left = clock.side(Side::White, at(bench.now_us)).time.as_micros();
    assert_eq!(left, 300 * SECOND - (2 * SECOND - 15_000));
    bench.agrees_with_hub();
}

#[test]
fn a_stamp_is_never_before_the_last_one_nor_in_the_future() {
    let mut bench = Bench::playing("5m");
    bench.pass(SECOND);
    bench.press(Button::Left);
    let first = bench.now_us;
    bench.pass(100);
    bench.take_frames();
    bench.input(Input::Button(ButtonEvent::press(
        Button::Right,
        at(first - 700),
    )));
    bench.input(Input::Button(ButtonEvent::press(
        Button::Left,
        at(bench.now_us + 5 * SECOND),
    )));
    let stamps: Vec<i64> = bench
        .take_events()
        .iter()
        .map(|event| event.at_us)
        .collect();
    // The first stamp is raised to the watermark that was sent with the previous press.
    assert_eq!(stamps, [first, first + 100]);
    bench.agrees_with_hub();
}

#[test]
fn watermarks_go_only_as_far_as_the_buttons_have_delivered() {
    let mut bench = Bench::playing("5m");
    bench.take_frames();
    for _ in 0..50 {
        bench.now_us += SECOND / 10;
        bench.core.set_quiet_before(at(bench.now_us - 30_000));
        bench.input(Input::Wake);
    }
    let watermarks = bench.take_watermarks();
    assert_eq!(watermarks.len(), 5);
    assert!(watermarks.iter().all(|mark| mark.at_us % SECOND != 0));
    // A press that the buttons have not delivered yet must not contradict a watermark; the bench's hub checks that.
    bench.input(Input::Button(ButtonEvent::press(
        Button::Left,
        at(bench.now_us - 30_000),
    )));
    assert_eq!(bench.hub.last_at, bench.now_us - 30_000);
    bench.agrees_with_hub();
}

#[test]
fn watermarks_are_frequent_below_thirty_seconds() {
    let mut bench = Bench::playing("40s");
    bench.take_frames();
    bench.pass(5 * SECOND);
    assert_eq!(bench.take_watermarks().len(), 5);
    bench.pass(6 * SECOND);
    bench.take_frames();
    bench.pass(5 * SECOND);
    assert_eq!(bench.take_watermarks().len(), 50);
}

#[test]
fn a_flag_fall_is_confirmed_at_its_deadline() {
    let mut bench = Bench::playing("10s");
    bench.pass(9 * SECOND);
    bench.take_frames();
    let deadline = bench.core.clock().unwrap().next_deadline().unwrap();
    bench.pass(SECOND + SECOND / 2);
    let face = bench.core.face().at(at(bench.now_us)).unwrap();
    assert_eq!(face.sides.white.flag, FlagView::Fallen);
    let marks = bench.take_watermarks();
    let said = marks.iter().find(|mark| mark.at_us >= deadline.as_micros());
    assert_eq!(said.unwrap().at_us, deadline.as_micros());
}

#[test]
fn a_press_in_the_pipeline_saves_the_flag() {
    let mut bench = Bench::playing("10s");
    let deadline = bench.core.clock().unwrap().next_deadline().unwrap();
    bench.now_us = deadline.as_micros() + 10_000;
    bench
        .core
        .set_quiet_before(at(deadline.as_micros() - 10_000));
    bench.input(Input::Wake);
    let state = bench.core.clock().unwrap().state();
    assert_eq!(state, BoardState::Running { mover: Side::White });
    // The core asks to be woken soon, but not immediately.
    let wake = bench.core.next_wake().unwrap().as_micros();
    assert!((1..=20_000).contains(&(wake - bench.now_us)), "{wake}");
    bench.input(Input::Button(ButtonEvent::press(
        Button::Left,
        at(deadline.as_micros() - 1),
    )));
    let clock = bench.core.clock().unwrap();
    assert_eq!(clock.state(), BoardState::Running { mover: Side::Black });
    assert_eq!(
        clock.side(Side::White, at(bench.now_us)).time.as_micros(),
        1
    );
    bench.agrees_with_hub();
}

#[test]
fn a_press_after_the_settled_flag_is_late_at_both_ends() {
    let mut bench = Bench::playing("10s");
    bench.disconnect();
    bench.pass(11 * SECOND);
    // Without `set_quiet_before`, every press up to now counts as delivered.
    bench.input(Input::Button(ButtonEvent::press(
        Button::Left,
        at(bench.now_us - 5 * SECOND),
    )));
    let face = bench.core.face().at(at(bench.now_us)).unwrap();
    assert_eq!(face.sides.white.flag, FlagView::Fallen);
    bench.connect();
    bench.agrees_with_hub();
}

#[test]
fn an_order_waits_for_earlier_presses() {
    let mut bench = Bench::playing("5m");
    bench.core.set_quiet_before(at(bench.now_us));
    bench.pass(2 * SECOND);
    bench.core.set_quiet_before(at(bench.now_us - 20_000));
    let pause = bench.hub.command("pause");
    let came = bench.now_us;
    bench.hear(pause);
    assert_eq!(bench.hub.taken.len(), 2, "not yet");
    bench.now_us += 5_000;
    bench.input(Input::Button(ButtonEvent::press(
        Button::Left,
        at(came - 10_000),
    )));
    bench.core.set_quiet_before(at(came));
    bench.input(Input::Wake);
    assert_eq!(bench.hub.taken.len(), 3);
    let facts = &bench.hub.facts;
    let stamps: Vec<i64> = facts[facts.len() - 2..]
        .iter()
        .map(|fact| fact.at_us)
        .collect();
    assert_eq!(stamps, [came - 10_000, came]);
    let state = bench.core.clock().unwrap().state();
    assert!(
        matches!(
            state,
            BoardState::Paused {
                next: Side::Black,
                ..
            }
        ),
        "{state:?}"
    );
    bench.agrees_with_hub();
}

#[test]
fn an_order_does_not_wait_for_stuck_buttons() {
    let mut bench = Bench::playing("5m");
    bench.pass(SECOND);
    bench.core.set_quiet_before(at(0));
    let pause = bench.hub.command("pause");
    bench.hear(pause);
    bench.pass(SECOND);
    assert_eq!(bench.hub.taken.len(), 3);
    bench.agrees_with_hub();
}

#[test]
fn a_repeated_order_is_taken_once() {
    let mut bench = Bench::playing("5m");
    let add = bench.hub.command("add black 10s");
    for _ in 0..3 {
        bench.hear(add.clone());
    }
    bench.disconnect();
    bench.connect();
    bench.hear(add);
    assert_eq!(bench.hub.taken, [1, 2, 3]);
    let clock = bench.core.clock().unwrap();
    assert_eq!(
        clock.side(Side::Black, clock.now()).time.as_micros(),
        310 * SECOND
    );
    bench.agrees_with_hub();
}

#[test]
fn a_rejected_order_is_still_taken() {
    let mut bench = Bench::playing("5m");
    bench.pass(3 * SECOND);
    let again = bench.hub.command("start");
    bench.hear(again);
    assert_eq!(bench.hub.taken.len(), 3);
    bench.agrees_with_hub();
}

#[test]
fn a_stop_is_chained() {
    let mut bench = Bench::playing("5m");
    bench.pass(SECOND);
    bench.input(Input::Button(ButtonEvent::stop(at(bench.now_us))));
    let state = bench.core.clock().unwrap().state();
    assert!(matches!(state, BoardState::Stopped { .. }), "{state:?}");
    bench.agrees_with_hub();
}

#[test]
fn ten_thousand_presses_wait_for_the_hub() {
    let mut bench = Bench::playing("100m+1s");
    bench.disconnect();
    bench.take_frames();
    for press in 0..10_000 {
        bench.now_us += 50_000;
        bench.press(if press % 2 == 0 {
            Button::Left
        } else {
            Button::Right
        });
    }
    assert!(bench.take_frames().is_empty());
    assert_eq!(bench.core.face().unacknowledged, 10_000);
    bench.connect();
    assert_eq!(bench.take_events().len(), 10_000);
    assert_eq!(bench.core.acknowledged(), bench.core.seq());
    bench.agrees_with_hub();
}

#[test]
fn events_in_flight_are_limited() {
    let mut bench = Bench::playing("100m");
    bench.disconnect();
    for _ in 0..2_000 {
        bench.now_us += 50_000;
        bench.press(Button::Left);
    }
    bench.deaf = true;
    bench.connect();
    let sent = bench.take_events();
    assert_eq!(sent.len() as u64, IN_FLIGHT);
    // Each acknowledgement releases one more event.
    bench.deaf = false;
    for event in &sent[..10] {
        let stored = bench
            .core
            .unacknowledged_event(proto::ids::EventSeq(event.seq));
        let ack = bench.hub.event(&stored.unwrap().clone()).unwrap();
        bench.deaf = true;
        bench.hear(ack);
        bench.deaf = false;
    }
    assert_eq!(bench.take_events().len(), 10);
}

#[test]
fn events_in_flight_fit_into_a_ble_link() {
    let mut bench = Bench::playing("100m");
    bench.disconnect();
    for _ in 0..2 * IN_FLIGHT {
        bench.now_us += 50_000;
        bench.press(Button::Left);
    }
    bench.deaf = true;
    bench.connect();
    let first = bench.core.acknowledged().0 + 1;
    let mut pipe = proto::ble::Pipe::default();
    for seq in first..first + IN_FLIGHT {
        let event = bench
            .core
            .unacknowledged_event(proto::ids::EventSeq(seq))
            .unwrap();
        // The simulated signature is 32 bytes shorter than a real signature; a seal adds sixteen bytes.
        let frame: proto::wire::AgentFrame = event.clone().into();
        let sealed = proto::frame::encode(&frame).unwrap().len() + 32 + 16;
        pipe.push(vec![0; sealed]).unwrap();
    }
}

#[test]
fn smaller_bounds_stop_the_clocks_sooner() {
    let bounds = Bounds {
        max_events: 200,
        in_flight: 16,
    };
    let mut bench = Bench::playing("100m").bounded(bounds);
    bench.disconnect();
    for _ in 0..300 {
        bench.now_us += 1_000;
        bench.press(Button::Right);
    }
    let kept = bench.core.face().unacknowledged;
    assert!((100..=200).contains(&kept), "{kept}");
    let state = bench.core.clock().unwrap().state();
    assert!(matches!(state, BoardState::Stopped { .. }), "{state:?}");
    bench.deaf = true;
    bench.connect();
    assert_eq!(bench.take_events().len(), 16);
    bench.deaf = false;
    bench.disconnect();
    bench.connect();
    assert_eq!(bench.core.acknowledged(), bench.core.seq());
    bench.agrees_with_hub();
}

#[test]
fn a_full_queue_stops_the_clocks_and_says_so() {
    let mut bench = Bench::playing("100m");
    bench.disconnect();
    for _ in 0..MAX_UNACKNOWLEDGED + 100 {
        bench.now_us += 1_000;
        bench.press(Button::Right);
    }
    let kept = bench.core.face().unacknowledged;
    assert!((10_000..=MAX_UNACKNOWLEDGED).contains(&kept), "{kept}");
    let face = bench.core.face();
    assert_eq!(face.journal, JournalHealth::Writing);
    assert_eq!(face.messages[0].kind, MessageKind::Trouble);
    let state = bench.core.clock().unwrap().state();
    assert!(matches!(state, BoardState::Stopped { .. }), "{state:?}");
    let seq = bench.core.seq();
    bench.press(Button::Left);
    assert_eq!(
        bench.core.seq(),
        seq,
        "a press that does not count must not be chained"
    );
    bench.connect();
    assert_eq!(bench.core.acknowledged(), bench.core.seq());
    assert!(bench.core.face().messages.is_empty());
    let resume = bench.hub.command("resume");
    bench.hear(resume);
    bench.pass(SECOND);
    bench.press(Button::Left);
    assert_eq!(
        bench
            .core
            .clock()
            .unwrap()
            .side(Side::White, at(bench.now_us))
            .moves,
        1
    );
    bench.agrees_with_hub();
}
