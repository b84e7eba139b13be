//! The clock test: a scripted press that changes no board clock, and its certificate.

use std::sync::Arc;

use hall::{Action, AgentFrame, Certificate, HubEffect, Outcome, Reply};
use proto::wire::{self, event_body, hub_frame};
use timing::Instant;

use crate::rig::{HandClock, Rig};

/// Returns a board whose clock supports the clock test and has exchanged time probes with the hub.
fn set_up() -> (Rig, HandClock) {
    let mut rig = Rig::new();
    rig.add_board("1", "90m+30s");
    let mut clock = rig.enrol(1, Some("1"));
    connect(&mut rig, &mut clock);
    exchange(&mut rig, &mut clock);
    (rig, clock)
}

/// Waits for the next time probe and answers it within a millisecond. The delay is the same in both directions.
pub(crate) fn exchange(rig: &mut Rig, clock: &mut HandClock) {
    let probe = loop {
        clock.hear(rig);
        let frames = std::mem::take(&mut clock.frames);
        let probe = frames.iter().find_map(|frame| match frame.frame {
            Some(hub_frame::Frame::TimeProbe(probe)) if probe.hub_us == rig.now.as_micros() => {
                Some(probe)
            }
            _ => None,
        });
        if let Some(probe) = probe {
            break probe;
        }
        let wake = rig.hall.next_wake().unwrap();
        rig.pass((wake - rig.now).or_zero().as_micros() as f64 / 1e6);
    };
    rig.now = Instant::from_micros(probe.hub_us + 1_000);
    let there = Instant::from_micros(probe.hub_us + 500 - clock.offset);
    let reply = AgentFrame::TimeReply {
        nonce: probe.nonce,
        received: there,
        sent: there,
    };
    clock.frame(rig, reply);
}

fn connect(rig: &mut Rig, clock: &mut HandClock) {
    let hello = hall::Hello {
        minor: proto::MINOR,
        ..clock.hello(rig)
    };
    clock.connect_with(rig, hello);
    clock.take_orders(rig);
}

fn asked(rig: &mut Rig, clock: &mut HandClock) -> Option<u64> {
    clock.hear(rig);
    clock.frames.iter().find_map(|frame| match frame.frame {
        Some(hub_frame::Frame::ZeroTest(test)) => Some(test.nonce),
        _ => None,
    })
}

fn certificate(effects: &[HubEffect]) -> Option<Arc<Certificate>> {
    effects.iter().find_map(|effect| match effect {
        HubEffect::Reply {
            answer: Ok(Reply::Command(answer)),
            ..
        } => answer.certificates.first().cloned(),
        _ => None,
    })
}

/// Sends the test's press two milliseconds after the request, stamped `early_us` before the middle of that interval.
fn answer(rig: &mut Rig, clock: &mut HandClock, nonce: u64, early_us: i64) -> Vec<HubEffect> {
    rig.pass(0.002);
    let stamp = Instant::from_micros(clock.now(rig).as_micros() - 1_000 - early_us);
    let fact = event_body::Fact::ZeroTested(wire::ZeroTested { nonce });
    let frame = clock.event(stamp, fact);
    clock.frame(rig, frame)
}

#[test]
fn a_scripted_press_is_certified_and_moves_no_clock() {
    let (mut rig, mut clock) = set_up();
    let before = rig.hall.clock_bytes("1");
    let seq = rig.seq("1");
    let request = rig.chief("1", Action::ZeroTest);
    assert!(
        rig.send(request.clone()).is_none(),
        "it waits for the press"
    );
    let nonce = asked(&mut rig, &mut clock).unwrap();
    // The repeated request waits for the same answer as the first.
    assert!(rig.send(request.clone()).is_none());
    let effects = answer(&mut rig, &mut clock, nonce, 0);
    let found = certificate(&effects).unwrap();
    assert!(found.passed(), "{:?}", found.findings);
    assert_eq!(found.error().unwrap().as_micros(), 0);
    assert!(found.half_width().unwrap().as_micros() < 1_000);
    assert_eq!(found.agent, clock.id);
    assert_eq!(found.press.unwrap().seq.0, clock.seq);
    assert_eq!(found.wall_us, found.asked.as_micros());
    assert_eq!(rig.hall.clock_bytes("1"), before);
    assert_eq!(rig.seq("1"), seq, "the board has not changed");
    assert_eq!(clock.acks.last().unwrap().seq, clock.seq);
    // When the request is repeated once more, the hub repeats its first answer.
    let again = rig.send(request).unwrap().unwrap();
    assert_eq!(again.certificates, [found]);
    rig.assert_replay_equals_live();
    assert!(rig.notes().is_empty(), "{:?}", rig.notes());
    assert!(
        rig.log
            .iter()
            .map(hall::describe)
            .any(|line| line.contains("test of clock") && line.contains("passed")),
        "the log says so"
    );
}

#[test]
fn a_clock_that_does_not_press_fails_and_one_that_was_not_asked_proves_nothing() {
    let (mut rig, mut clock) = set_up();
    let request = rig.chief("1", Action::ZeroTest);
    assert!(rig.send(request).is_none());
    let nonce = asked(&mut rig, &mut clock).unwrap();
    // A press with a different nonce does not belong to this test.
    assert!(certificate(&answer(&mut rig, &mut clock, nonce ^ 1, 0)).is_none());
    let effects = rig.pass(2.0);
    let found = certificate(&effects).unwrap();
    assert!(!found.passed());
    assert!(found.findings[0].contains("no scripted press arrived within"));
    // The press arrives too late for the test, but the hub accepts it as an event of the chain.
    assert!(certificate(&answer(&mut rig, &mut clock, nonce, 0)).is_none());
    assert_eq!(clock.acks.last().unwrap().seq, clock.seq);
    assert_eq!(clock.closed, None);
    rig.assert_replay_equals_live();
}

#[test]
fn a_stamp_outside_request_and_answer_fails() {
    let (mut rig, mut clock) = set_up();
    rig.pass(1.0);
    let request = rig.chief("1", Action::ZeroTest);
    assert!(rig.send(request).is_none());
    let nonce = asked(&mut rig, &mut clock).unwrap();
    let effects = answer(&mut rig, &mut clock, nonce, 80_000);
    let found = certificate(&effects).unwrap();
    assert!(!found.passed());
    assert_eq!(found.error().unwrap().as_micros(), 79_000);
    assert!(
        found
            .findings
            .iter()
            .any(|why| why.contains("off by 79.000 ms, more than 1.000 ms"))
    );
    assert!(
        found
            .findings
            .iter()
            .any(|why| why.contains("is outside the interval between"))
    );
}

#[test]
fn a_clock_without_a_time_exchange_fails() {
    let mut rig = Rig::new();
    rig.add_board("1", "90m+30s");
    let mut clock = rig.enrol(1, Some("1"));
    connect(&mut rig, &mut clock);
    let request = rig.chief("1", Action::ZeroTest);
    assert!(rig.send(request).is_none());
    let nonce = asked(&mut rig, &mut clock).unwrap();
    let found = certificate(&answer(&mut rig, &mut clock, nonce, 0)).unwrap();
    assert!(found.findings[0].contains("no time exchange"));
}

#[test]
fn a_test_is_refused_without_a_suitable_clock_or_during_a_game() {
    #[track_caller]
    fn refused(rig: &mut Rig, why: &str) {
        let answer = rig.request("1", Action::ZeroTest).unwrap();
        assert!(
            matches!(&answer.outcome, Outcome::Refused(said) if said.text().contains(why)),
            "{:?}",
            answer.outcome
        );
    }
    let mut rig = Rig::new();
    rig.add_board("1", "90m+30s");
    refused(&mut rig, "no clock serves board 1");
    let mut clock = rig.enrol(1, Some("1"));
    refused(&mut rig, "no signal");
    let old = hall::Hello {
        minor: 0,
        ..clock.hello(&rig)
    };
    clock.connect_with(&mut rig, old);
    clock.take_orders(&mut rig);
    refused(&mut rig, "has no clock test");
    clock.drop_link(&mut rig);
    connect(&mut rig, &mut clock);
    assert!(rig.ask("1", "start").is_none());
    clock.take_orders(&mut rig);
    refused(&mut rig, "a game is in progress");
    assert_eq!(asked(&mut rig, &mut clock), None, "no face is disturbed");
    let answer = clock.frame(
        &mut rig,
        AgentFrame::Goodbye {
            reason: proto::wire::GoodbyeReason::ShuttingDown,
            text: String::new(),
        },
    );
    assert!(certificate(&answer).is_none());
    rig.assert_replay_equals_live();
}
