//! Flag falls: expected by the hub, but confirmed only by the clock. An outage never causes a flag fall.

use hall::view::{BoardState, Flag};
use hall::{AgentFrame, HubEffect};
use proto::ids::EventSeq;
use proto::refusal::RefusalCode;
use timing::Button;

use crate::rig::{Rig, seconds};
use crate::seen::assert_stays_until_seen;

fn flag(rig: &Rig) -> Flag {
    rig.view("1").view.white.flag
}

#[test]
fn a_flag_is_expected_until_the_clock_reports_that_no_button_was_pressed() {
    let (mut rig, mut clock) = Rig::running("3s");
    clock.watermark(&mut rig);
    rig.pass(2.9);
    assert_eq!(flag(&rig), Flag::None);
    let effects = rig.pass(0.2);
    let shown = effects.iter().any(|effect| match effect {
        HubEffect::Publish { boards } => boards
            .iter()
            .any(|board| board.view.white.flag == Flag::Expected),
        _ => false,
    });
    assert!(shown, "watchers are told when the time must be used up");
    assert_eq!(flag(&rig), Flag::Expected);
    assert_eq!(rig.view("1").view.state, BoardState::Running);
    clock.watermark(&mut rig);
    assert_eq!(flag(&rig), Flag::Fallen);
    assert_eq!(rig.view("1").view.state, BoardState::Flagged);
    rig.assert_replay_equals_live();
}

#[test]
fn a_press_that_was_in_transit_for_two_seconds_saves_the_player() {
    let (mut rig, mut clock) = Rig::running("3s+1s");
    rig.pass(3.9);
    let press = clock.press_frame(clock.now(&rig), Button::Left);
    rig.pass(2.0);
    assert_eq!(flag(&rig), Flag::Expected);
    // The watermark covers the press but arrives first, so the hub waits for the press.
    clock.watermark(&mut rig);
    assert_eq!(flag(&rig), Flag::Expected);
    clock.frame(&mut rig, press);
    assert_eq!(flag(&rig), Flag::None);
    assert_eq!(rig.view("1").view.white.us, 1_100_000);
    rig.assert_replay_equals_live();
}

#[test]
fn an_outage_flags_no_player() {
    let (mut rig, mut clock) = Rig::running("3s");
    rig.pass(1.0);
    clock.drop_link(&mut rig);
    rig.pass(600.0);
    let detail = rig.view("1");
    assert!(!detail.view.online);
    assert!(detail.view.silent_since_us.is_some());
    assert_eq!(detail.view.white.flag, Flag::Expected);
    assert_eq!(detail.view.state, BoardState::Running);
    // The clock's report is decisive: White had pressed in time.
    let at = clock.now(&rig) - seconds(599.0);
    clock.connect(&mut rig);
    let frame = clock.press_frame(at, Button::Left);
    clock.frame(&mut rig, frame);
    assert_eq!(flag(&rig), Flag::None);
    assert_eq!(rig.view("1").view.white.us, 1_000_000);
    clock.watermark(&mut rig);
    assert_eq!(rig.view("1").view.black.flag, Flag::Fallen);
    rig.assert_replay_equals_live();
}

#[test]
fn a_promise_that_changes_nothing_is_not_logged() {
    let (mut rig, mut clock) = Rig::running("5m");
    let records = rig.log.len();
    for _ in 0..20 {
        rig.pass(1.0);
        clock.watermark(&mut rig);
    }
    assert_eq!(rig.log.len(), records);
    assert!(rig.view("1").view.online);
}

#[test]
fn an_older_promise_confirms_a_flag_that_it_covers() {
    let (mut rig, mut clock) = Rig::running("3s");
    rig.pass(3.0);
    let (at, seq) = (clock.now(&rig), EventSeq(clock.seq));
    rig.pass(1.0);
    clock.frame(&mut rig, AgentFrame::Watermark { at, seq });
    assert_eq!(flag(&rig), Flag::Fallen);
}

#[test]
fn a_silent_clock_is_offline_after_three_and_a_half_seconds() {
    let (mut rig, mut clock) = Rig::running("5m");
    rig.pass(3.4);
    assert!(rig.view("1").view.online);
    let effects = rig.pass(0.2);
    let told = effects.iter().any(|effect| match effect {
        HubEffect::Publish { boards } => boards.iter().any(|board| !board.view.online),
        _ => false,
    });
    assert!(told);
    clock.watermark(&mut rig);
    assert!(rig.view("1").view.online);
}

#[test]
fn a_flag_is_called_only_once_it_is_known_to_be_down() {
    let (mut rig, mut clock) = Rig::running("3s");
    rig.pass(3.5);
    clock.watermark(&mut rig);
    assert_eq!(flag(&rig), Flag::Fallen);
    assert_eq!(rig.ask("1", "flag white"), None);
    clock.take_orders(&mut rig);
    assert_eq!(flag(&rig), Flag::Called);
    let refused = rig.ask("1", "flag white").unwrap();
    assert!(matches!(refused, hall::Outcome::Refused(why)
        if why.text().contains("6.8") && why.code() == RefusalCode::AlreadyCalled));
    rig.assert_replay_equals_live();
}

#[test]
fn a_promise_about_the_future_flags_no_player() {
    let (mut rig, mut clock) = Rig::running("30s");
    clock.answer_probe(&mut rig);
    let (at, seq) = (clock.now(&rig) + seconds(60.0), EventSeq(clock.seq));
    clock.frame(&mut rig, AgentFrame::Watermark { at, seq });
    assert_eq!(flag(&rig), Flag::None);
    // No jump explains this watermark, so the hub adds a note.
    for _ in 0..4 {
        rig.pass(1.0);
        clock.answer_probe(&mut rig);
    }
    assert_eq!(rig.notes(), ["from_the_future"]);
}

#[test]
fn a_crystal_that_was_set_is_noted_unless_a_jump_explains_it() {
    for explained in [false, true] {
        let (mut rig, mut clock) = Rig::running("5m");
        clock.answer_probe(&mut rig);
        rig.pass(1.0);
        clock.offset -= 30_000_000;
        clock.answer_probe(&mut rig);
        if explained {
            let fact = proto::wire::event_body::Fact::Rebase(proto::wire::Rebase {
                jump_us: 30_000_000,
                uncertainty_us: 0,
                uncharged: false,
            });
            let frame = clock.event(clock.now(&rig), fact);
            clock.frame(&mut rig, frame);
        }
        for _ in 0..4 {
            rig.pass(1.0);
            clock.answer_probe(&mut rig);
        }
        let noted = rig.notes().contains(&"clock_fault".to_owned());
        assert_eq!(noted, !explained);
        if noted {
            assert_stays_until_seen(&mut rig, "clock_fault");
        }
    }
}
