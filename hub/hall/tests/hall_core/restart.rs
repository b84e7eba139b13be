//! The hub stops at arbitrary moments, and restores exactly the state that follows from the log.

use hall::view::Running;
use hall::{Action, Hall, Outcome};
use timing::Button;

use crate::rig::{HandClock, Rig};

#[test]
fn twenty_seconds_without_a_hub_cost_no_player_time() {
    let (mut rig, mut clock) = Rig::running("3m+2s");
    rig.pass(5.0);
    clock.press(&mut rig, Button::Left);
    // While the hub is down, the clock continues and keeps its events.
    let mut kept = Vec::new();
    for (think, button) in [
        (6.0, Button::Right),
        (7.5, Button::Left),
        (6.5, Button::Right),
    ] {
        rig.now = rig.now + crate::rig::seconds(think);
        kept.push(clock.press_frame(clock.now(&rig), button));
    }
    rig.restart();
    clock.connect(&mut rig);
    assert_eq!(clock.welcome.as_ref().unwrap().acked_seq, clock.seq - 3);
    assert_eq!(clock.welcome.as_ref().unwrap().epoch, 2);
    for frame in kept {
        clock.frame(&mut rig, frame);
    }
    assert_eq!(rig.view("1").view.running, Running::White);
    assert_eq!(
        rig.view("1").view.white.us,
        182_000_000 - 5_000_000 + 2_000_000 - 7_500_000 + 2_000_000
    );
    assert_eq!(
        rig.view("1").view.black.us,
        182_000_000 - 12_500_000 + 4_000_000
    );
    rig.assert_replay_equals_live();
}

#[test]
fn an_order_is_resent_until_it_is_answered() {
    let (mut rig, mut clock) = Rig::running("5m");
    let pause = rig.chief("1", Action::Board("pause".parse().unwrap()));
    let id = pause.id;
    assert!(rig.send(pause).is_none());
    clock.drop_link(&mut rig);
    rig.restart();
    rig.pass(1.0);
    clock.connect(&mut rig);
    assert_eq!(clock.ordered(&mut rig), ["pause"]);
    clock.take_orders(&mut rig);
    assert_eq!(
        rig.hall.outcome(&id, rig.now).unwrap().outcome,
        Outcome::Done
    );
    // Orders that a clock has carried out are not resent.
    clock.drop_link(&mut rig);
    clock.connect(&mut rig);
    assert!(clock.ordered(&mut rig).is_empty());
    rig.assert_replay_equals_live();
}

#[test]
fn the_hub_can_start_from_every_prefix_of_the_log() {
    let (mut rig, mut clock) = Rig::running("3m+2s");
    for n in 0..20_u8 {
        rig.pass(1.0 + f64::from(n));
        let button = if n % 2 == 0 {
            Button::Left
        } else {
            Button::Right
        };
        clock.press(&mut rig, button);
        if n == 7 {
            assert_eq!(rig.ask("1", "pause"), None);
            clock.take_orders(&mut rig);
            assert_eq!(rig.ask("1", "add white 10s"), None);
            clock.take_orders(&mut rig);
            assert_eq!(rig.ask("1", "resume"), None);
            clock.take_orders(&mut rig);
        }
    }
    rig.assert_replay_equals_live();
}

#[test]
fn a_log_that_gives_different_clocks_is_refused_with_both_values() {
    let (mut rig, mut clock) = Rig::running("3m+2s");
    rig.pass(1.0);
    clock.press(&mut rig, Button::Left);
    let mut log = rig.log.clone();
    log.last_mut().unwrap().after.as_mut().unwrap().white_us += 1;
    let mut hall = Hall::new();
    let error = log
        .into_iter()
        .map(|record| hall.apply(record))
        .find_map(Result::err)
        .unwrap();
    let text = error.to_string();
    assert!(
        text.contains("White 183000001 us") && text.contains("White 183000000 us"),
        "{text}"
    );
}

#[test]
fn a_log_with_newer_rules_is_refused() {
    let (rig, _clock) = Rig::running("3m+2s");
    let mut record = rig.log[0].clone();
    record.rules = 99;
    let error = Hall::new().apply(record).unwrap_err().to_string();
    assert!(error.contains("rules 99"), "{error}");
}

/// Returns a game with a delay control in which an arbiter returned the move to White.
fn given_back() -> (Rig, HandClock) {
    let (mut rig, mut clock) = Rig::running("5m delay 5s");
    let order = |rig: &mut Rig, clock: &mut HandClock, text| {
        assert!(matches!(rig.ask("1", text), None | Some(Outcome::Pending)));
        clock.take_orders(rig);
    };
    rig.pass(10.0);
    clock.press(&mut rig, Button::Left);
    rig.pass(4.0);
    order(&mut rig, &mut clock, "pause");
    rig.pass(46.0);
    order(&mut rig, &mut clock, "resume white");
    rig.pass(8.0);
    clock.press(&mut rig, Button::Left);
    rig.pass(8.0);
    clock.press(&mut rig, Button::Right);
    (rig, clock)
}

#[test]
fn a_press_after_a_returned_move_begins_the_opponents_move() {
    let (rig, _clock) = given_back();
    // Black used 3 s more than a full delay. The 4 s that Black used before the move was returned to White are not charged.
    assert_eq!(rig.times("1").1, 297_000_000);
    // White's new move took 8 s, which does not include Black's interrupted move.
    let white: Vec<_> = rig
        .view("1")
        .presses
        .iter()
        .map(|line| line.used_us)
        .collect();
    assert_eq!(white, [10_000_000, 8_000_000, 8_000_000]);
    assert!(rig.log.iter().all(|record| record.rules == 2));
    rig.assert_replay_equals_live();
}

#[test]
fn a_log_with_older_rules_gives_the_same_clocks_as_before() {
    let (mut rig, mut clock) = given_back();
    // Under the older rules, Black had 1 s of the delay left. Each record contains the clocks' state under the current rules, so replaying it under
    // the older rules must fail.
    for record in &mut rig.log {
        record.rules = 1;
    }
    let mut hall = Hall::new();
    let fault = rig
        .log
        .iter()
        .cloned()
        .find_map(|record| hall.apply(record).err());
    assert!(fault.is_some_and(|fault| fault.to_string().contains("the log says")));
    for record in &mut rig.log {
        (record.after, record.changed) = (None, None);
    }
    rig.restart();
    assert_eq!(rig.times("1").1, 293_000_000);
    // The game continues under the current rules, and earlier presses still count by the rules of their time.
    clock.connect(&mut rig);
    rig.pass(2.0);
    clock.press(&mut rig, Button::Left);
    assert_eq!(rig.log.last().unwrap().rules, 2);
    rig.assert_replay_equals_live();
    let line = rig.view("1").presses[2];
    let restore = rig.chief("1", Action::RestoreBefore(line.event_seq));
    assert!(rig.send(restore).is_none());
    clock.take_orders(&mut rig);
    assert_eq!(rig.times("1").1, 293_000_000);
}

#[test]
fn every_record_has_a_readable_description() {
    let (mut rig, mut clock) = Rig::running("3m+2s");
    clock.press(&mut rig, Button::Left);
    let lines: Vec<String> = rig.log.iter().map(hall::describe).collect();
    let text = lines.join("\n");
    assert!(!text.contains("unreadable"), "{text}");
    assert!(text.contains("left button pressed"), "{text}");
    assert!(text.contains("start by chief"), "{text}");
}
