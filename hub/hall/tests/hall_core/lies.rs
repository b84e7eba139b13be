//! Clocks that lie: no stamp gains more than the hub can be deceived about, and every lie is noted.

use hall::{Action, Outcome};
use proto::log::{AgentEvent, record};
use proto::wire::{self, event_body};
use timing::Button;

use crate::rig::{HandClock, Rig, seconds};

/// Returns a board whose offset the hub knows to a millisecond, after White has used twenty seconds.
fn played() -> (Rig, HandClock) {
    let (mut rig, mut clock) = Rig::with_board("5m");
    clock.answer_probe(&mut rig);
    assert_eq!(rig.ask("1", "start"), None);
    clock.take_orders(&mut rig);
    rig.pass(20.0);
    clock.answer_probe(&mut rig);
    (rig, clock)
}

fn stop() -> event_body::Fact {
    event_body::Fact::Stop(wire::Stop {})
}

fn rebase(jump: f64) -> event_body::Fact {
    event_body::Fact::Rebase(wire::Rebase {
        jump_us: seconds(jump).as_micros(),
        uncertainty_us: 0,
        uncharged: false,
    })
}

fn newest_event(rig: &Rig) -> AgentEvent {
    let newest = rig.log.iter().rev().find_map(|record| match &record.input {
        Some(record::Input::AgentEvent(event)) => Some(event.clone()),
        _ => None,
    });
    newest.unwrap()
}

#[track_caller]
fn assert_white_has(rig: &Rig, secs: f64) {
    let (white, _) = rig.times("1");
    let off = white - seconds(secs).as_micros();
    assert!(off.abs() < 50_000, "White has {white} us, not {secs} s");
}

#[test]
fn a_pause_stamped_before_its_order_counts_from_the_order() {
    let (mut rig, mut clock) = played();
    assert_eq!(rig.ask("1", "pause"), None);
    let early = clock.now(&rig) - seconds(20.0);
    clock.take_orders_at(&mut rig, early);
    assert_white_has(&rig, 280.0);
    assert!(
        rig.notes().contains(&"before_order".to_owned()),
        "{:?}",
        rig.notes()
    );
    let logged = newest_event(&rig);
    assert!(logged.counts_at_us.unwrap() > early.as_micros());
    rig.assert_replay_equals_live();
}

#[test]
fn a_board_is_not_adopted_before_the_order_to_adopt_it() {
    let (mut rig, mut clock) = played();
    let answer = rig.request("1", Action::Assign("0101".to_owned())).unwrap();
    assert_eq!(answer.outcome, Outcome::Done);
    let early = clock.now(&rig) - seconds(20.0);
    clock.take_orders_at(&mut rig, early);
    clock.take_orders(&mut rig);
    rig.pass(1.0);
    assert_white_has(&rig, 279.0);
    assert!(
        rig.notes().contains(&"before_order".to_owned()),
        "{:?}",
        rig.notes()
    );
    rig.assert_replay_equals_live();
}

#[test]
fn an_order_that_the_hub_never_issued_is_noted() {
    let (mut rig, mut clock) = played();
    let fact = event_body::Fact::OrderTaken(wire::OrderTaken { order: 99 });
    let frame = clock.event(clock.now(&rig), fact);
    clock.frame(&mut rig, frame);
    assert_eq!(rig.notes(), ["unknown_order"]);
    assert_white_has(&rig, 280.0);
}

#[test]
fn events_count_no_earlier_than_the_probe_that_they_echo() {
    for press in [true, false] {
        let (mut rig, mut clock) = played();
        clock.echo = clock.answer_probe(&mut rig);
        let early = clock.now(&rig) - seconds(10.0);
        let fact = match press {
            true => event_body::Fact::Press(wire::Press {
                button: wire::Button::Left.into(),
            }),
            false => stop(),
        };
        let frame = clock.event(early, fact);
        clock.frame(&mut rig, frame);
        let (white, _) = rig.times("1");
        // The probe was received up to a second ago.
        assert!((279_900_000..281_200_000).contains(&white), "{white}");
        assert!(
            rig.notes().contains(&"before_probe".to_owned()),
            "{:?}",
            rig.notes()
        );
        rig.assert_replay_equals_live();
    }
}

#[test]
fn a_press_on_its_way_while_a_probe_was_answered_counts_at_its_stamp() {
    let (mut rig, mut clock) = played();
    let pressed = clock.now(&rig);
    rig.pass(0.05);
    clock.echo = clock.answer_probe(&mut rig);
    let frame = clock.press_frame(pressed, Button::Left);
    clock.frame(&mut rig, frame);
    assert_eq!(newest_event(&rig).counts_at_us, None);
    assert!(rig.notes().is_empty(), "{:?}", rig.notes());
}

#[test]
fn a_jump_that_the_hub_did_not_give_charges_neither_player() {
    let (mut rig, mut clock) = played();
    clock.offset -= seconds(600.0).as_micros();
    let frame = clock.event(clock.now(&rig), rebase(600.0));
    clock.frame(&mut rig, frame);
    assert_white_has(&rig, 280.0);
    assert!(
        rig.notes().contains(&"unproven_jump".to_owned()),
        "{:?}",
        rig.notes()
    );
    clock.answer_probe(&mut rig);
    rig.pass(4.0);
    clock.watermark(&mut rig);
    clock.press(&mut rig, Button::Left);
    assert_white_has(&rig, 276.0);
    rig.assert_replay_equals_live();
}

#[test]
fn a_jump_over_time_that_the_hub_saw_pass_is_charged() {
    let (mut rig, mut clock) = played();
    clock.answer_probe(&mut rig);
    // The machine sleeps for half a minute.
    clock.offset += seconds(30.0).as_micros();
    rig.pass(30.0);
    clock.offset -= seconds(29.0).as_micros();
    let frame = clock.event(clock.now(&rig), rebase(29.0));
    clock.frame(&mut rig, frame);
    assert_white_has(&rig, 251.0);
    assert!(
        !rig.notes().contains(&"unproven_jump".to_owned()),
        "{:?}",
        rig.notes()
    );
    assert_eq!(newest_event(&rig).charged_to_us, None);
    rig.assert_replay_equals_live();
}
