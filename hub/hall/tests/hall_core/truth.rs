//! The hub holds a clock to its own statements, distinguishes a restarted clock from a copy of it, and reports uncertainty.

use ed25519_dalek::{Signer, SigningKey};
use hall::view::Running;
use hall::{Action, AgentFrame, Outcome, Process, SignedPromise};
use proto::ids::EventSeq;
use proto::log::{Record, record};
use proto::wire::{self, GoodbyeReason, event_body};
use timing::Button;

use crate::rig::{HandClock, Rig, seconds};
use crate::seen::assert_stays_until_seen;

fn promise(clock: &HandClock, rig: &Rig) -> SignedPromise {
    SignedPromise {
        at: clock.now(rig),
        seq: EventSeq(clock.seq),
        signature: vec![1; 64],
    }
}

/// Returns a running board. The hub accepts the signature that [`promise`] puts on a watermark, and no other.
fn running() -> (Rig, HandClock) {
    let (mut rig, clock) = Rig::running("5m");
    rig.hall
        .check_promises_by(|_, promise| promise.signature == [1; 64]);
    (rig, clock)
}

fn proofs(rig: &Rig) -> Vec<&proto::log::Equivocation> {
    let proof = |record: &&Record| matches!(record.input, Some(record::Input::Equivocation(_)));
    rig.log
        .iter()
        .filter(proof)
        .filter_map(|record| match &record.input {
            Some(record::Input::Equivocation(said)) => Some(said),
            _ => None,
        })
        .collect()
}

#[test]
fn a_press_stamped_before_its_clocks_promise_gains_nothing_and_proves_the_lie() {
    let (mut rig, mut clock) = running();
    rig.pass(20.0);
    let word = promise(&clock, &rig);
    let promised = word.at;
    clock.frame(&mut rig, AgentFrame::Promise(word));
    rig.pass(0.5);
    // White has used more than twenty seconds, but the clock reports only seven.
    let frame = clock.press_frame(promised - seconds(13.0), Button::Left);
    let AgentFrame::Event(event) = frame.clone() else {
        unreachable!()
    };
    clock.frame(&mut rig, frame);
    let white = rig.view("1").view.white.us;
    assert!((279_999_000..=280_001_000).contains(&white), "{white}");
    assert_eq!(rig.notes(), ["late_report", "broken_promise"]);
    let [proof] = proofs(&rig)[..] else {
        panic!("{:?}", rig.log)
    };
    assert_eq!(proof.body, event.body);
    assert_eq!(
        proof.watermark.as_ref().unwrap().at_us,
        promised.as_micros()
    );
    // The log stores the event as signed, together with the instant at which it counts.
    let kept = rig.log.iter().rev().find_map(|record| match &record.input {
        Some(record::Input::AgentEvent(kept)) => Some(kept.clone()),
        _ => None,
    });
    let kept = kept.unwrap();
    assert_eq!(
        (kept.body, kept.counts_at_us),
        (event.body.clone(), Some(promised.as_micros()))
    );
    rig.assert_replay_equals_live();
    assert_stays_until_seen(&mut rig, "broken_promise");
    assert_stays_until_seen(&mut rig, "late_report");
}

#[test]
fn an_overtaken_promise_binds_the_event_that_it_covers() {
    let (mut rig, mut clock) = running();
    rig.pass(5.0);
    let first = promise(&clock, &rig);
    let bound = first.at;
    rig.pass(1.0);
    // The press is made before the second watermark is sent, but arrives after it.
    let press = clock.press_frame(bound - seconds(2.0), Button::Left);
    let second = promise(&clock, &rig);
    clock.frame(&mut rig, AgentFrame::Promise(first));
    clock.frame(&mut rig, AgentFrame::Promise(second));
    clock.frame(&mut rig, press);
    assert_eq!(proofs(&rig).len(), 1);
    let white = rig.view("1").view.white.us;
    assert!((294_999_000..=295_001_000).contains(&white), "{white}");
}

#[test]
fn a_promise_without_a_valid_signature_proves_nothing_but_is_still_a_bound() {
    let (mut rig, mut clock) = running();
    rig.pass(20.0);
    let mut word = promise(&clock, &rig);
    word.signature = vec![9; 64];
    let promised = word.at;
    clock.frame(&mut rig, AgentFrame::Promise(word));
    let frame = clock.press_frame(promised - seconds(13.0), Button::Left);
    clock.frame(&mut rig, frame);
    assert!(proofs(&rig).is_empty());
    assert!(rig.notes().contains(&"broken_promise".to_owned()));
    assert_eq!(rig.view("1").view.white.us, 280_000_000);
}

#[test]
fn a_press_from_the_future_counts_at_its_arrival() {
    let (mut rig, mut clock) = Rig::with_board("5m");
    clock.answer_probe(&mut rig);
    assert_eq!(rig.ask("1", "start"), None);
    clock.take_orders(&mut rig);
    rig.pass(9.0);
    let ahead = clock.press_frame(clock.now(&rig) + seconds(30.0), Button::Left);
    clock.frame(&mut rig, ahead);
    let white = rig.view("1").view.white.us;
    // White's time is correct to within the round trip of the last exchange and the possible drift since then.
    assert!((290_990_000..=291_000_000).contains(&white), "{white}");
    assert!(rig.notes().contains(&"from_the_future".to_owned()));
    rig.assert_replay_equals_live();
    assert_stays_until_seen(&mut rig, "from_the_future");
}

#[test]
fn two_versions_of_one_event_are_logged_as_proof() {
    let (mut rig, mut clock) = running();
    rig.pass(1.0);
    let mut other = clock.clone();
    clock.press(&mut rig, Button::Left);
    let second = other.press_frame(other.now(&rig) - seconds(0.5), Button::Left);
    clock.frame(&mut rig, second);
    assert_eq!(clock.closed.as_ref().unwrap().0, GoodbyeReason::BadChain);
    let [proof] = proofs(&rig)[..] else {
        panic!("{:?}", rig.log)
    };
    assert_ne!(proof.body, proof.other_body);
    assert!(proof.watermark.is_none());
    rig.assert_replay_equals_live();
    let line = rig
        .log
        .iter()
        .map(hall::describe)
        .find(|line| line.starts_with("proof"));
    assert!(line.unwrap().contains("two different events"));
}

#[test]
fn the_signature_of_a_promise_covers_its_instant_and_its_sequence_number() {
    let key = SigningKey::from_bytes(&[5; 32]);
    let agent = proto::ids::AgentId(key.verifying_key().to_bytes());
    let signature = proto::chain::sign_watermark(17, 3, &key);
    assert!(proto::chain::verify_watermark(17, 3, &signature, &agent).is_ok());
    assert!(proto::chain::verify_watermark(18, 3, &signature, &agent).is_err());
    assert!(proto::chain::verify_watermark(17, 4, &signature, &agent).is_err());
    // A signature with the same key over different bytes is not valid for a watermark.
    let bare = key.sign(&proto::chain::watermark_bytes(17, 3)).to_vec();
    assert!(proto::chain::verify_watermark(17, 3, &bare, &agent).is_err());
}

fn process(token: u64, follows: u64, links: u32) -> Option<Process> {
    Some(Process {
        token,
        follows,
        links,
    })
}

fn greet(clock: &mut HandClock, rig: &mut Rig, as_process: Option<Process>) -> bool {
    let mut hello = clock.hello(rig);
    hello.process = as_process;
    clock.connect_with(rig, hello);
    clock.closed.is_none()
}

#[test]
fn a_restarted_clock_takes_over_its_link_immediately_and_a_copy_does_not() {
    let (mut rig, mut clock) = Rig::with_board("5m");
    clock.drop_link(&mut rig);
    assert!(greet(&mut clock, &mut rig, process(10, 9, 1)));
    rig.pass(0.5);
    // The program was killed and restarted, but the hub has not noticed yet.
    let mut again = clock.clone();
    assert!(greet(&mut again, &mut rig, process(11, 10, 1)));
    // The same program opens a new link before its old one has gone silent.
    rig.pass(0.2);
    assert!(greet(&mut again, &mut rig, process(11, 10, 2)));
    assert!(rig.notes().is_empty(), "{:?}", rig.notes());
    clock.hear(&mut rig);
    // A copy of the memory card that was made before this run of the program knows only the previous run.
    let mut copy = again.clone();
    assert!(!greet(&mut copy, &mut rig, process(66, 10, 1)));
    assert_eq!(
        copy.closed.as_ref().unwrap().0,
        GoodbyeReason::AlreadyConnected
    );
    assert_eq!(rig.notes(), ["second_link"]);
    assert!(rig.view("1").view.online);
}

#[test]
fn a_copy_with_the_newest_token_is_noticed_when_the_original_reconnects() {
    let (mut rig, mut clock) = Rig::with_board("5m");
    clock.drop_link(&mut rig);
    assert!(greet(&mut clock, &mut rig, process(10, 9, 1)));
    let mut copy = clock.clone();
    assert!(greet(&mut copy, &mut rig, process(77, 10, 1)));
    assert!(rig.notes().is_empty());
    // The copy took over the first clock's link. That clock is still running and reconnects.
    rig.pass(0.3);
    assert!(!greet(&mut clock, &mut rig, process(10, 9, 2)));
    assert_eq!(rig.notes(), ["second_link"]);
}

#[test]
fn a_token_is_not_enough_if_the_chain_is_older_than_the_log() {
    let (mut rig, mut clock) = Rig::with_board("5m");
    let mut copy = clock.clone();
    clock.drop_link(&mut rig);
    assert!(greet(&mut clock, &mut rig, process(10, 9, 1)));
    clock.press(&mut rig, Button::Left);
    assert!(!greet(&mut copy, &mut rig, process(11, 10, 1)));
    assert_eq!(rig.notes(), ["second_link"]);
    assert_stays_until_seen(&mut rig, "second_link");
}

/// Returns a board on which White used ten seconds before the clock lost its link and its machine was off for half a minute. The clock continues
/// from three seconds before its last watermark. The returned frame reports the restart and has not been sent yet.
fn restarted_alone() -> (Rig, HandClock, AgentFrame) {
    let (mut rig, mut clock) = Rig::running("5m");
    clock.answer_probe(&mut rig);
    rig.pass(10.0);
    let word = clock.now(&rig);
    clock.watermark(&mut rig);
    clock.drop_link(&mut rig);
    rig.pass(30.0);
    clock.offset = rig.now.as_micros() - (word - seconds(3.0)).as_micros();
    let rebase = event_body::Fact::Rebase(wire::Rebase {
        jump_us: 0,
        uncertainty_us: 0,
        uncharged: true,
    });
    let told = clock.event(clock.now(&rig), rebase);
    (rig, clock, told)
}

fn greet_rebooted(rig: &mut Rig, clock: &mut HandClock) {
    let mut hello = clock.hello(rig);
    hello.boot = vec![2; 16];
    clock.connect_with(rig, hello);
}

#[test]
fn a_restart_without_a_hub_is_charged_to_no_player_and_noted() {
    let (mut rig, mut clock, told) = restarted_alone();
    rig.pass(2.0);
    let white = clock.press_frame(clock.now(&rig), Button::Left);
    rig.pass(0.5);
    let black = clock.press_frame(clock.now(&rig), Button::Right);
    rig.pass(20.0);
    greet_rebooted(&mut rig, &mut clock);
    for frame in [told, white, black] {
        clock.frame(&mut rig, frame);
    }
    assert!(
        rig.notes().contains(&"restarted_alone".to_owned()),
        "{:?}",
        rig.notes()
    );
    assert!(
        !rig.notes().contains(&"broken_promise".to_owned()),
        "{:?}",
        rig.notes()
    );
    let view = rig.view("1");
    // Neither player is charged for the time during which the machine was off, and setting its time back loses no press.
    assert_eq!((view.view.white.moves, view.view.black.moves), (1, 1));
    let (left, black) = (view.view.white.us, view.view.black.us);
    assert!((289_900_000..=290_000_000).contains(&left), "{left}");
    assert!((299_400_000..=300_000_000).contains(&black), "{black}");
    assert_eq!(view.view.running, Running::White);
    rig.assert_replay_equals_live();
    assert_stays_until_seen(&mut rig, "restarted_alone");
}

#[test]
fn after_a_restart_no_player_is_charged_up_to_a_promise_ahead_of_the_clock() {
    let (mut rig, mut clock, told) = restarted_alone();
    greet_rebooted(&mut rig, &mut clock);
    clock.frame(&mut rig, told);
    clock.answer_probe(&mut rig);
    rig.pass(1.0);
    clock.press(&mut rig, Button::Left);
    let white = rig.view("1").view.white.us;
    assert!((291_900_000..=292_000_000).contains(&white), "{white}");
    rig.assert_replay_equals_live();
}

#[test]
fn before_the_first_exchange_a_press_from_the_future_counts_no_later_than_the_hello_allows() {
    let (mut rig, mut clock) = Rig::running("5m");
    rig.pass(9.0);
    let ahead = clock.press_frame(clock.now(&rig) + seconds(30.0), Button::Left);
    clock.frame(&mut rig, ahead);
    let white = rig.view("1").view.white.us;
    // Until a time exchange gives a better bound, the clock may be ahead by one part in a thousand.
    assert!((290_985_000..=291_000_000).contains(&white), "{white}");
    rig.assert_replay_equals_live();
}

#[test]
fn a_press_from_the_future_is_not_bounded_by_exchanges_from_after_an_unreported_jump() {
    let (mut rig, mut clock) = Rig::running("5m");
    clock.answer_probe(&mut rig);
    rig.pass(10.0);
    clock.watermark(&mut rig);
    // The machine is switched off for twenty seconds.
    clock.drop_link(&mut rig);
    rig.pass(20.0);
    clock.offset += 20_000_000;
    let ahead = clock.press_frame(clock.now(&rig) + seconds(60.0), Button::Left);
    let mut hello = clock.hello(&rig);
    hello.boot = vec![2; 16];
    hello.rebooted = true;
    clock.connect_with(&mut rig, hello);
    let jump_us = clock.welcome.as_ref().unwrap().rebase_us;
    assert!((19_000_000..=20_000_000).contains(&jump_us), "{jump_us}");
    // The clock has made its jump, and answers a probe before its chain reports the jump.
    clock.offset -= jump_us;
    clock.answer_probe(&mut rig);
    clock.frame(&mut rig, ahead);
    let white = rig.view("1").view.white.us;
    // White has been charged ten seconds so far. The outage is charged once the jump is reported.
    assert!((289_900_000..=290_000_000).contains(&white), "{white}");
    let rebase = event_body::Fact::Rebase(wire::Rebase {
        jump_us,
        uncertainty_us: 0,
        uncharged: false,
    });
    // The stamps in a chain must not decrease, so the event that reports the jump is also stamped in the future.
    let told = clock.event(clock.now(&rig) + seconds(60.0), rebase);
    clock.frame(&mut rig, told);
    clock.answer_probe(&mut rig);
    let black = rig.view("1").view.black.us;
    assert!((279_900_000..=281_000_000).contains(&black), "{black}");
    rig.assert_replay_equals_live();
}

/// Makes White and Black press alternately, two seconds apart. Each press arrives `late` seconds after it was made.
fn presses(rig: &mut Rig, clock: &mut HandClock, count: usize, late: impl Fn(Button) -> f64) {
    for press in 0..count {
        let button = if press % 2 == 0 {
            Button::Left
        } else {
            Button::Right
        };
        rig.pass(2.0);
        let at = clock.now(rig) - seconds(late(button));
        let frame = clock.press_frame(at, button);
        clock.frame(rig, frame);
        clock.watermark(rig);
    }
}

#[test]
fn presses_of_one_side_that_are_always_a_little_late_are_noted() {
    let (mut rig, mut clock) = Rig::on_a_quick_link("1h");
    presses(&mut rig, &mut clock, 60, |_| 0.001);
    assert!(
        !rig.notes().contains(&"one_sided".to_owned()),
        "{:?}",
        rig.notes()
    );
    let (mut rig, mut clock) = Rig::on_a_quick_link("1h");
    presses(&mut rig, &mut clock, 60, |button| {
        if button == Button::Left { 0.4 } else { 0.001 }
    });
    let told: Vec<String> = rig.log.iter().map(hall::describe).collect();
    let note = told
        .iter()
        .find(|line| line.starts_with("note (one_sided)"));
    assert!(
        note.is_some_and(|note| note.contains("White's presses")),
        "{told:?}"
    );
    assert_stays_until_seen(&mut rig, "one_sided");
}

#[test]
fn presses_that_arrive_after_an_outage_are_noted_once_as_unverified() {
    let (mut rig, mut clock) = Rig::running("1h");
    clock.answer_probe(&mut rig);
    clock.watermark(&mut rig);
    clock.drop_link(&mut rig);
    let mut kept = Vec::new();
    for press in 0..10 {
        rig.pass(6.0);
        let button = if press % 2 == 0 {
            Button::Left
        } else {
            Button::Right
        };
        kept.push(clock.press_frame(clock.now(&rig), button));
    }
    rig.pass(4.0);
    clock.connect(&mut rig);
    for frame in kept {
        clock.frame(&mut rig, frame);
    }
    rig.pass(1.0);
    clock.press(&mut rig, Button::Left);
    let told: Vec<String> = rig.log.iter().map(hall::describe).collect();
    let count = |kind: &str| rig.notes().iter().filter(|note| *note == kind).count();
    assert_eq!(
        (count("late_report"), count("unverified")),
        (1, 1),
        "{told:?}"
    );
    let late = told
        .iter()
        .find(|line| line.contains("late_report"))
        .unwrap();
    assert!(late.contains("for 64."), "{late}");
    assert_eq!(rig.view("1").view.white.moves, 6);
    assert_eq!(count("sum_check"), 0);
    assert_stays_until_seen(&mut rig, "unverified");
}

#[test]
fn a_game_that_does_not_add_up_is_noted_with_both_figures() {
    let game = |stood: f64| {
        let (mut rig, mut clock) = Rig::with_board("5m");
        clock.answer_probe(&mut rig);
        assert_eq!(rig.ask("1", "start"), None);
        clock.take_orders(&mut rig);
        rig.pass(20.0);
        clock.press(&mut rig, Button::Left);
        // The clock stops without reporting it.
        clock.offset += seconds(stood).as_micros();
        rig.pass(stood);
        clock.answer_probe(&mut rig);
        rig.pass(5.0);
        clock.watermark(&mut rig);
        assert_eq!(rig.ask("1", "end draw"), None);
        clock.take_orders(&mut rig);
        clock.answer_probe(&mut rig);
        let lines: Vec<String> = rig.log.iter().map(hall::describe).collect();
        let note = lines
            .into_iter()
            .find(|line| line.starts_with("note (sum_check)"));
        if note.is_some() {
            assert_stays_until_seen(&mut rig, "sum_check");
        }
        note
    };
    assert_eq!(game(0.0), None);
    let note = game(40.0).unwrap();
    assert!(
        note.contains("together 25.") && note.contains("the hub measured 65."),
        "{note}"
    );
}

#[test]
fn late_presses_of_a_replaced_clock_are_noted_on_its_former_board() {
    let (mut rig, mut old) = Rig::running("5m");
    let mut spare = rig.enrol(2, None);
    spare.connect(&mut rig);
    rig.pass(3.0);
    // The old clock is still running, and its later events were meant for this board.
    let answer = rig.request("1", Action::Assign("0202".to_owned())).unwrap();
    assert_eq!(answer.outcome, Outcome::Done);
    spare.take_orders(&mut rig);
    old.press(&mut rig, Button::Left);
    let note = rig.log.iter().rev().find_map(|record| match &record.input {
        Some(record::Input::Note(note)) if note.kind == "late_press" => Some(record.board.clone()),
        _ => None,
    });
    assert_eq!(note.as_deref(), Some("1"));
    old.take_orders(&mut rig);
    old.press(&mut rig, Button::Left);
    assert_eq!(rig.view("1").agent, Some(spare.id));
    spare.press(&mut rig, Button::Left);
    assert_eq!(rig.view("1").view.running, Running::Black);
    rig.assert_replay_equals_live();
}

/// Returns a game that continued for an hour while the hub was down. When the hub starts again, its wall clock shows `wall_us`.
fn an_hour_alone(wall_us: i64) -> Rig {
    let (mut rig, mut clock) = Rig::running("2h");
    rig.pass(5.0);
    clock.press(&mut rig, Button::Left);
    let mut kept = Vec::new();
    for press in 0..12 {
        // Only time passes: a stopped hub has no wake-ups.
        rig.now = rig.now + seconds(300.0);
        let button = if press % 2 == 0 {
            Button::Right
        } else {
            Button::Left
        };
        kept.push(clock.press_frame(clock.now(&rig), button));
    }
    rig.hall = rig.replayed();
    let mut start = crate::rig::start_up(None);
    start.wall_us = wall_us;
    rig.input(hall::Input::StartUp(Box::new(start)));
    clock.connect(&mut rig);
    for frame in kept {
        clock.frame(&mut rig, frame);
    }
    rig
}

#[test]
fn an_hour_without_the_hub_and_any_step_of_its_wall_clock_change_no_time() {
    let hour = 3_600_000_000;
    let calm = an_hour_alone(crate::rig::START);
    let view = calm.view("1");
    assert_eq!(
        view.view.white.us,
        7_200_000_000 - 5_000_000 - 6 * 300_000_000
    );
    assert_eq!(view.view.black.us, 7_200_000_000 - 6 * 300_000_000);
    calm.assert_replay_equals_live();
    for wall_us in [
        crate::rig::START - hour,
        crate::rig::START + hour,
        0,
        crate::rig::START / 100 * 108,
    ] {
        let other = an_hour_alone(wall_us);
        assert_eq!(other.hall.clock_bytes("1"), calm.hall.clock_bytes("1"));
    }
}
