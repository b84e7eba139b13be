//! Events of a clock's chain: applied once, in order, or not at all. Also time probes and health reports.

use hall::view::Running;
use hall::{AgentFrame, HubEffect};
use proto::ids::EventSeq;
use proto::wire::{GoodbyeReason, event_body};
use timing::Button;

use crate::rig::{Rig, seconds};
use crate::seen::assert_stays_until_seen;

#[test]
fn a_game_is_timed_by_the_stamps_of_its_clock() {
    let (mut rig, mut clock) = Rig::running("3m+2s");
    rig.pass(5.25);
    clock.press(&mut rig, Button::Left);
    assert_eq!(rig.times("1"), (178_750_000, 182_000_000));
    // The press takes two seconds to arrive. The time in hand depends only on the stamps.
    let at = clock.now(&rig) + seconds(1.5);
    rig.pass(3.5);
    let frame = clock.press_frame(at, Button::Right);
    clock.frame(&mut rig, frame);
    let detail = rig.view("1");
    assert_eq!(detail.view.running, Running::White);
    assert_eq!(detail.view.black.us, 182_500_000);
    assert_eq!(detail.presses.len(), 2);
    assert_eq!(detail.presses[0].used_us, 5_250_000);
    assert_eq!(detail.presses[1].used_us, 1_500_000);
    assert_eq!(detail.presses[1].left_us, 182_500_000);
    assert_eq!(rig.hall.presses("1").len(), 2);
    rig.assert_replay_equals_live();
}

#[test]
fn an_acknowledgement_carries_the_digest_of_the_board() {
    let (mut rig, mut clock) = Rig::running("3m+2s");
    rig.pass(1.0);
    clock.press(&mut rig, Button::Left);
    let ack = clock.acks.last().unwrap().clone();
    assert_eq!(ack.seq, clock.seq);
    let after = rig.log.last().unwrap().after.clone().unwrap();
    assert_eq!(ack.board_digest, after.digest);
    assert_eq!(after.white_us, 183_000_000);
    assert_eq!(after.black_us, 182_000_000);
}

#[test]
fn a_repeated_event_is_acknowledged_again_and_counts_once() {
    let (mut rig, mut clock) = Rig::running("3m+2s");
    rig.pass(1.0);
    let frame = clock.press_frame(clock.now(&rig), Button::Left);
    clock.frame(&mut rig, frame.clone());
    let records = rig.log.len();
    rig.pass(0.1);
    clock.frame(&mut rig, frame);
    assert_eq!(rig.log.len(), records);
    let ack = clock.acks.last().unwrap();
    assert_eq!((ack.seq, ack.board_digest.is_empty()), (clock.seq, true));
    assert!(clock.link.is_some());
    rig.assert_replay_equals_live();
}

#[test]
fn a_gap_closes_the_link_with_the_reason() {
    let (mut rig, mut clock) = Rig::running("3m+2s");
    let lost = clock.press_frame(clock.now(&rig), Button::Left);
    let next = clock.press_frame(clock.now(&rig), Button::Right);
    clock.frame(&mut rig, next.clone());
    let (reason, text) = clock.closed.clone().unwrap();
    assert_eq!(reason, GoodbyeReason::BadChain);
    assert_eq!(text, "event 4 followed event 2");
    assert_eq!(rig.notes(), ["bad_chain"]);
    // Both events arrive on the next link, in order.
    clock.connect(&mut rig);
    assert_eq!(clock.welcome.as_ref().unwrap().acked_seq, 2);
    clock.frame(&mut rig, lost);
    clock.frame(&mut rig, next);
    assert_eq!(clock.acks.last().unwrap().seq, 4);
    assert_eq!(rig.view("1").view.white.moves, 1);
    rig.assert_replay_equals_live();
}

#[test]
fn a_different_event_with_a_used_sequence_number_closes_the_link() {
    let (mut rig, mut clock) = Rig::running("3m+2s");
    let mut twin = clock.clone();
    rig.pass(1.0);
    clock.press(&mut rig, Button::Left);
    let contradiction = twin.press_frame(clock.now(&rig) + seconds(0.2), Button::Left);
    clock.frame(&mut rig, contradiction);
    assert_eq!(clock.closed.as_ref().unwrap().0, GoodbyeReason::BadChain);
    assert_eq!(rig.notes(), ["bad_chain"]);
    assert_stays_until_seen(&mut rig, "bad_chain");
}

#[test]
fn an_event_that_does_not_continue_the_chain_closes_the_link() {
    let (mut rig, mut clock) = Rig::running("3m+2s");
    clock.head = [9; 32];
    clock.press(&mut rig, Button::Left);
    let (reason, text) = clock.closed.clone().unwrap();
    assert_eq!(reason, GoodbyeReason::BadChain);
    assert_eq!(text, "event 3 names a different previous event");
}

#[test]
fn frames_on_a_closed_link_are_ignored() {
    let (mut rig, mut clock) = Rig::running("3m+2s");
    let link = clock.link;
    clock.drop_link(&mut rig);
    clock.link = link;
    let records = rig.log.len();
    clock.press(&mut rig, Button::Left);
    assert_eq!(rig.log.len(), records);
}

#[test]
fn both_buttons_held_stop_the_clocks() {
    let (mut rig, mut clock) = Rig::running("3m+2s");
    rig.pass(2.0);
    let frame = clock.event(
        clock.now(&rig),
        event_body::Fact::Stop(proto::wire::Stop {}),
    );
    clock.frame(&mut rig, frame);
    let detail = rig.view("1");
    assert_eq!(detail.view.state, hall::view::BoardState::Stopped);
    assert_eq!(detail.view.white.us, 180_000_000);
    rig.assert_replay_equals_live();
}

#[test]
fn stamps_that_contradict_known_facts_are_noted_and_accepted() {
    let (mut rig, mut clock) = Rig::running("3m+2s");
    rig.pass(2.0);
    clock.watermark(&mut rig);
    // This press is older than the watermark, which promised that all earlier presses had been reported.
    let frame = clock.press_frame(clock.now(&rig) - seconds(1.0), Button::Left);
    clock.frame(&mut rig, frame);
    assert_eq!(rig.notes(), ["broken_promise"]);
    let frame = clock.press_frame(clock.now(&rig) - seconds(1.5), Button::Right);
    clock.frame(&mut rig, frame);
    assert_eq!(
        rig.notes(),
        [
            "broken_promise",
            "decreasing_stamp",
            "late_press",
            "broken_promise"
        ],
        "the second broken promise counts"
    );
    assert_eq!(rig.view("1").view.black.moves, 0);
    rig.assert_replay_equals_live();
    assert_stays_until_seen(&mut rig, "decreasing_stamp");
    assert_stays_until_seen(&mut rig, "late_press");
}

#[test]
fn time_probes_come_in_a_burst_and_then_once_a_second() {
    let (mut rig, mut clock) = Rig::with_board("3m+2s");
    let probes = |effects: &[HubEffect]| {
        effects
            .iter()
            .filter(|effect| {
                matches!(effect, HubEffect::ToAgent { frame, .. }
                    if matches!(frame.frame, Some(proto::wire::hub_frame::Frame::TimeProbe(_))))
            })
            .count()
    };
    let burst = rig.pass(0.5);
    assert_eq!(probes(&burst), 7, "the first went out with the welcome");
    clock.watermark(&mut rig);
    assert_eq!(probes(&rig.pass(3.0)), 3);
    // The reply to a probe gives an interval for the offset.
    let probe = burst
        .iter()
        .find_map(|effect| match effect {
            HubEffect::ToAgent { frame, .. } => match frame.frame {
                Some(proto::wire::hub_frame::Frame::TimeProbe(probe)) => Some(probe),
                _ => None,
            },
            _ => None,
        })
        .unwrap();
    assert_eq!(rig.hall.agents()[0].offset_uncertainty_us, None);
    let board = probe.hub_us - clock.offset + 300;
    clock.frame(
        &mut rig,
        AgentFrame::TimeReply {
            nonce: probe.nonce,
            received: timing::Instant::from_micros(board),
            sent: timing::Instant::from_micros(board + 50),
        },
    );
    // The hub gives up on a probe after it has sent sixteen more; it has not given up on this one, so it still accepts
    // the reply.
    assert!(rig.hall.agents()[0].offset_uncertainty_us.is_some());
    // A second reply to the same probe changes nothing.
    let before = rig.hall.agents();
    clock.frame(
        &mut rig,
        AgentFrame::TimeReply {
            nonce: probe.nonce,
            received: timing::Instant::from_micros(0),
            sent: timing::Instant::from_micros(0),
        },
    );
    assert_eq!(rig.hall.agents(), before);
}

#[test]
fn a_weak_battery_and_a_failing_journal_are_noted_once() {
    let (mut rig, mut clock) = Rig::with_board("3m+2s");
    let health = |battery, journal_ok| {
        AgentFrame::Health(hall::Health {
            battery_percent: battery,
            journal_ok,
            unacknowledged: 3,
            temperature_mc: None,
            ..hall::Health::default()
        })
    };
    clock.frame(&mut rig, health(Some(50), true));
    clock.frame(&mut rig, health(Some(19), true));
    clock.frame(&mut rig, health(Some(18), false));
    clock.frame(&mut rig, health(Some(17), false));
    assert_eq!(rig.notes(), ["low_battery", "journal_failed"]);
    let info = &rig.hall.agents()[0];
    assert_eq!((info.battery_percent, info.unacknowledged), (Some(17), 3));
    assert_eq!(info.acked_seq, EventSeq(clock.seq));
}
