//! Clocks that lie: a false stamp gains a player at most the time that the hub cannot check, and the arbiter is told.

use hall::view::Running;
use hall::{Action, Outcome};
use proto::ids::CommandId;
use proto::log::{AgentEvent, record};
use proto::wire::{self, event_body};
use timing::{Button, BySide, Side};

use crate::rig::{HandClock, Rig, seconds};

/// Returns a board after White has used twenty seconds and the clock has answered another time probe.
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
    assert!(off.abs() < 100_000, "White has {white} us, not {secs} s");
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
        rig.pass(1.0);
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
        // The probe is up to a second old, and a press may be in transit for a tenth of a second.
        assert!((278_800_000..280_200_000).contains(&white), "{white}");
        assert!(
            rig.notes().contains(&"before_probe".to_owned()),
            "{:?}",
            rig.notes()
        );
        rig.assert_replay_equals_live();
    }
}

#[test]
fn a_press_in_transit_while_a_probe_was_answered_counts_at_its_stamp() {
    let (mut rig, mut clock) = played();
    rig.pass(1.0);
    let pressed = clock.now(&rig);
    rig.pass(0.05);
    clock.echo = clock.answer_probe(&mut rig);
    let frame = clock.press_frame(pressed, Button::Left);
    clock.frame(&mut rig, frame);
    assert_eq!(newest_event(&rig).counts_at_us, None);
    assert!(rig.notes().is_empty(), "{:?}", rig.notes());
}

#[test]
fn a_jump_that_the_hub_did_not_specify_charges_neither_player() {
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
    rig.pass(4.0);
    clock.answer_probe(&mut rig);
    clock.watermark(&mut rig);
    clock.press(&mut rig, Button::Left);
    assert_white_has(&rig, 276.0);
    rig.assert_replay_equals_live();
}

#[test]
fn a_jump_over_time_that_the_hub_saw_pass_is_charged() {
    let (mut rig, mut clock) = played();
    // The machine is suspended for half a minute, and the clock then reports a jump of 29 seconds.
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

#[test]
fn a_stop_before_an_expected_flag_is_noted() {
    let (mut rig, mut clock) = Rig::with_board("20s");
    clock.answer_probe(&mut rig);
    assert_eq!(rig.ask("1", "start"), None);
    clock.take_orders(&mut rig);
    rig.pass(30.0);
    let frame = clock.event(clock.now(&rig) - seconds(20.0), stop());
    clock.frame(&mut rig, frame);
    assert!(
        rig.notes().contains(&"late_report".to_owned()),
        "{:?}",
        rig.notes()
    );
}

/// Plays eight moves of two seconds each. `white` and `black` are the seconds by which each side's presses are stamped early. Also returns the time,
/// as shown to arbiters, that is known only from the clock's own reports.
fn early_presses(white: f64, black: f64) -> (Rig, BySide<i64>) {
    let (mut rig, mut clock) = Rig::on_a_quick_link("5m");
    for _ in 0..4 {
        for (button, early) in [(Button::Left, white), (Button::Right, black)] {
            rig.pass(2.0);
            let frame = clock.press_frame(clock.now(&rig) - seconds(early), button);
            clock.frame(&mut rig, frame);
            clock.watermark(&mut rig);
        }
    }
    let shown = rig.view("1").unverified_time;
    (rig, BySide::from_fn(|side| shown[side].as_micros()))
}

fn times_noted(rig: &Rig, kind: &str) -> usize {
    rig.notes().iter().filter(|note| *note == kind).count()
}

#[test]
fn a_lead_that_only_the_clocks_reports_support_is_noted() {
    let (rig, shown) = early_presses(0.25, 0.0);
    assert_eq!(times_noted(&rig, "word_alone"), 1, "{:?}", rig.notes());
    assert!((1_000_000..1_020_000).contains(&shown.white), "{shown:?}");
    assert!(shown.black < 20_000, "{shown:?}");
}

#[test]
fn unchecked_time_is_noted_once_a_game_without_suspicion_of_the_clock() {
    let (mut rig, shown) = early_presses(0.25, 0.25);
    assert_eq!(rig.notes(), ["unchecked_time"]);
    assert!((1_000_000..1_020_000).contains(&shown.black), "{shown:?}");
    let standing = |rig: &Rig| rig.view("1").notes.len();
    assert_eq!(standing(&rig), 1);
    rig.restart();
    assert_eq!(standing(&rig), 1, "the remark outlives the hub");
    rig.assert_replay_equals_live();
}

#[test]
fn the_note_about_unchecked_time_ends_with_the_game() {
    let (mut rig, mut clock) = Rig::on_a_quick_link("5m");
    for press in 0..8 {
        rig.pass(2.0);
        let button = if press % 2 == 0 {
            Button::Left
        } else {
            Button::Right
        };
        let frame = clock.press_frame(clock.now(&rig) - seconds(0.25), button);
        clock.frame(&mut rig, frame);
        clock.watermark(&mut rig);
    }
    assert_eq!(rig.notes(), ["unchecked_time"]);
    assert_eq!(rig.ask("1", "end draw"), None);
    clock.take_orders(&mut rig);
    rig.pass(6.0);
    assert!(rig.view("1").notes.is_empty(), "{:?}", rig.view("1").notes);
    rig.assert_replay_equals_live();
}

#[test]
fn an_order_that_is_carried_out_late_counts_as_unchecked() {
    let (mut rig, mut clock) = Rig::on_a_quick_link("5m");
    rig.pass(2.0);
    assert_eq!(rig.ask("1", "pause"), None);
    // White's clock runs on while the order appears to be in transit.
    rig.pass(1.2);
    clock.take_orders(&mut rig);
    let shown = rig.view("1").unverified_time;
    let black = shown.black.as_micros();
    assert!((1_190_000..1_220_000).contains(&black), "{shown:?}");
    assert_eq!(rig.notes(), ["unchecked_time"]);
}

#[test]
fn an_order_that_begins_time_late_can_favour_either_side() {
    let (mut rig, mut clock) = Rig::on_a_quick_link("5m");
    assert_eq!(rig.ask("1", "pause"), None);
    clock.take_orders(&mut rig);
    rig.pass(2.0);
    assert_eq!(rig.ask("1", "resume"), None);
    // White may have pressed before the clock reported the resumption; if so, Black's time also began late.
    rig.pass(0.6);
    clock.take_orders(&mut rig);
    let shown = rig.view("1").unverified_time;
    for side in Side::BOTH {
        let us = shown[side].as_micros();
        assert!((590_000..640_000).contains(&us), "{side}: {shown:?}");
    }
}

#[test]
fn a_connected_clock_without_watermarks_is_noted_once() {
    let (mut rig, mut clock) = played();
    for _ in 0..30 {
        rig.pass(1.0);
        clock.answer_probe(&mut rig);
    }
    assert_eq!(rig.notes(), ["no_watermarks"]);
    let (mut rig, mut clock) = played();
    for _ in 0..30 {
        rig.pass(1.0);
        clock.answer_probe(&mut rig);
        clock.watermark(&mut rig);
    }
    assert!(rig.notes().is_empty(), "{:?}", rig.notes());
}

#[test]
fn unsigned_watermarks_of_a_clock_that_should_sign_them_are_noted_once() {
    let (mut rig, mut clock) = played();
    clock.watermark(&mut rig);
    assert!(rig.notes().is_empty(), "{:?}", rig.notes());
    clock.drop_link(&mut rig);
    let mut hello = clock.hello(&rig);
    hello.minor = 1;
    clock.connect_with(&mut rig, hello);
    for _ in 0..3 {
        rig.pass(1.0);
        clock.watermark(&mut rig);
    }
    assert_eq!(rig.notes(), ["unsigned_watermarks"]);
}

/// Requests a pause that the clock ignores; returns the command's id.
fn ignored_pause(rig: &mut Rig) -> CommandId {
    let request = rig.chief("1", Action::Board("pause".parse().unwrap()));
    let id = request.id;
    assert!(rig.send(request).is_none(), "the clock is connected");
    id
}

#[test]
fn a_command_that_a_connected_clock_ignores_can_be_forced_after_three_seconds() {
    let (mut rig, mut clock) = played();
    let pause = ignored_pause(&mut rig);
    rig.pass(2.0);
    clock.watermark(&mut rig);
    let answer = rig.request("1", Action::Force(pause)).unwrap();
    assert!(matches!(answer.outcome, Outcome::Refused(_)), "{answer:?}");
    rig.pass(1.0);
    clock.watermark(&mut rig);
    let answer = rig.request("1", Action::Force(pause)).unwrap();
    assert_eq!(answer.outcome, Outcome::Done);
    assert_eq!(rig.view("1").view.running, Running::None);
    // The clock's late answer changes nothing.
    clock.take_orders(&mut rig);
    assert_eq!(rig.view("1").view.running, Running::None);
    rig.assert_replay_equals_live();
}

#[test]
fn an_order_that_a_connected_clock_ignores_is_noted_once() {
    let (mut rig, mut clock) = played();
    ignored_pause(&mut rig);
    for _ in 0..4 {
        rig.pass(1.0);
        clock.answer_probe(&mut rig);
        clock.watermark(&mut rig);
    }
    assert!(rig.notes().is_empty(), "{:?}", rig.notes());
    for _ in 0..4 {
        rig.pass(1.0);
        clock.answer_probe(&mut rig);
        clock.watermark(&mut rig);
    }
    assert_eq!(rig.notes(), ["order_ignored"]);
}

#[test]
fn an_order_that_waits_for_a_link_is_not_ignored() {
    let (mut rig, mut clock) = played();
    clock.drop_link(&mut rig);
    rig.ask("1", "pause");
    rig.pass(20.0);
    clock.connect(&mut rig);
    for _ in 0..4 {
        rig.pass(1.0);
        clock.answer_probe(&mut rig);
        clock.watermark(&mut rig);
    }
    clock.take_orders(&mut rig);
    rig.pass(5.0);
    clock.watermark(&mut rig);
    let noted = rig.notes();
    assert!(!noted.contains(&"order_ignored".to_owned()), "{noted:?}");
}

#[test]
fn a_board_that_loses_its_clock_keeps_its_pause() {
    let (mut rig, _clock) = played();
    let pause = ignored_pause(&mut rig);
    let answer = rig.request("1", Action::Assign(String::new())).unwrap();
    assert_eq!(answer.outcome, Outcome::Done);
    assert_eq!(rig.view("1").view.running, Running::None);
    let outcome = rig.hall.outcome(&pause, rig.now).unwrap().outcome;
    assert_eq!(outcome, Outcome::Done);
    rig.assert_replay_equals_live();
}
