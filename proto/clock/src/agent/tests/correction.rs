//! Corrections at the clock: their events in the chain, the permitted arbiters, and the delay after wrong PINs.

use ed25519_dalek::SigningKey;
use proto::pin::{CorrectionClaim, public};
use proto::wire::{Arbiter, Arbiters, Correction, EventBody, event_body};
use timing::{BoardState, Button, Duration, Instant, Side};

use super::bench::{AGENT, Bench, at};
use crate::agent::{CorrectionRequest, Input};
use crate::buttons::ButtonEvent;

const SECOND: i64 = 1_000_000;

fn key() -> SigningKey {
    SigningKey::from_bytes(&[5; 32])
}

fn arbiters() -> Arbiters {
    Arbiters {
        salt: vec![9; 16],
        arbiters: vec![Arbiter {
            name: "Ada".to_owned(),
            key: public(&key()).to_vec(),
        }],
    }
}

fn playing() -> Bench {
    let mut bench = Bench::playing("5m+2s");
    bench.hear(arbiters());
    bench
}

fn correct(bench: &mut Bench, commands: &[&str]) {
    let request = CorrectionRequest {
        arbiter: "Ada".to_owned(),
        key: Box::new(key()),
        commands: commands.iter().map(|text| text.parse().unwrap()).collect(),
    };
    let at = at(bench.now_us);
    bench.input(Input::Corrected { at, request });
}

fn corrections(bench: &mut Bench) -> Vec<Correction> {
    let events = bench.take_events();
    let correction = |event: EventBody| {
        let Some(event_body::Fact::Correction(correction)) = event.fact else {
            return None;
        };
        Some(correction)
    };
    events.into_iter().filter_map(correction).collect()
}

#[test]
fn a_correction_is_signed_applied_and_sent() {
    let mut bench = playing();
    bench.pass(SECOND);
    correct(
        &mut bench,
        &["pause", "set white 3m", "moves black 12", "resume"],
    );
    let clock = bench.core.clock().unwrap();
    assert_eq!(
        clock.side(Side::White, at(bench.now_us)).time,
        Duration::from_secs(180)
    );
    assert_eq!(clock.side(Side::Black, at(bench.now_us)).moves, 12);
    assert!(matches!(clock.state(), BoardState::Running { .. }));
    let made = corrections(&mut bench);
    let texts: Vec<_> = made.iter().map(|one| one.command.as_str()).collect();
    assert_eq!(texts, ["pause", "set white 3m", "moves black 12", "resume"]);
    for one in &made {
        assert!(!one.hub_away);
        let proved = CorrectionClaim {
            agent: &AGENT,
            made_us: one.made_us,
            board: "7",
            command: &one.command,
        };
        assert!(proved.is_proved_by(&public(&key()), &one.proof));
    }
    // Each correction counts once, because no two have the same instant.
    assert!(
        made.windows(2)
            .all(|pair| pair[0].made_us < pair[1].made_us)
    );
    bench.agrees_with_hub();
}

#[test]
fn an_offline_correction_survives_a_restart() {
    let mut bench = playing();
    bench.disconnect();
    bench.pass(SECOND);
    bench.press(Button::Left);
    correct(&mut bench, &["pause", "set white 4m30s", "resume"]);
    bench.pass(SECOND);
    bench.press(Button::Right);
    let clock = bench.core.clock().cloned();
    let mut bench = bench.restarted([1; 16]);
    assert_eq!(bench.core.clock().cloned(), clock);
    assert_eq!(bench.core.pins().arbiter(&public(&key())), Some("Ada"));
    correct(&mut bench, &["set black 1m"]);
    bench.connect();
    let made = corrections(&mut bench);
    assert_eq!(made.len(), 4);
    assert!(made.iter().all(|one| one.hub_away));
    assert!(
        made.windows(2)
            .all(|pair| pair[0].made_us < pair[1].made_us)
    );
    bench.agrees_with_hub();
}

#[test]
fn a_compacted_journal_keeps_arbiters_and_pin_attempts() {
    let mut bench = playing();
    correct(&mut bench, &["pause", "set white 1m"]);
    for _ in 0..4 {
        bench.input(Input::PinAttempted { correct: false });
    }
    bench.journal = bench.core.whole_journal().entries;
    let pins = bench.core.pins().clone();
    let mut bench = bench.restarted([1; 16]);
    assert_eq!(*bench.core.pins(), pins);
    let before = corrections(&mut bench).len();
    correct(&mut bench, &["set white 2m"]);
    bench.connect();
    assert_eq!(corrections(&mut bench).len(), before + 1);
    bench.agrees_with_hub();
}

#[test]
fn a_removed_arbiter_cannot_correct() {
    let mut bench = playing();
    bench.hear(Arbiters::default());
    bench.take_frames();
    correct(&mut bench, &["pause"]);
    assert!(corrections(&mut bench).is_empty());
    let clock = bench.core.clock().unwrap();
    assert!(matches!(clock.state(), BoardState::Running { .. }));
}

#[test]
fn a_rejected_correction_changes_neither_clock() {
    let mut bench = playing();
    bench.pass(SECOND);
    // The clock is already running, so the rules refuse to resume it.
    correct(&mut bench, &["resume"]);
    assert_eq!(corrections(&mut bench).len(), 1);
    bench.agrees_with_hub();
}

#[test]
fn a_correction_waits_for_an_earlier_press() {
    let mut bench = playing();
    bench.pass(SECOND);
    let pressed = bench.now_us;
    bench.core.set_quiet_before(at(pressed));
    bench.now_us += 5_000;
    correct(&mut bench, &["pause"]);
    bench.input(Input::Button(ButtonEvent::press(
        Button::Left,
        at(pressed + 1_000),
    )));
    bench.core.set_quiet_before(at(bench.now_us + 5_000));
    bench.pass(20_000);
    let facts: Vec<_> = bench.take_events().into_iter().skip(2).collect();
    let kinds: Vec<_> = facts
        .iter()
        .map(|event| matches!(event.fact, Some(event_body::Fact::Correction(_))))
        .collect();
    assert_eq!(kinds, [false, true]);
    bench.agrees_with_hub();
}

#[test]
fn wrong_pins_lengthen_the_delay_and_reach_the_hub() {
    let mut bench = playing();
    let wait = |bench: &Bench| {
        let now: Instant<_> = at(bench.now_us);
        let until = bench.core.pins().locked_until(now)?;
        Some((until - now).as_micros() / SECOND)
    };
    for (attempts, waits) in [
        (1, None),
        (2, None),
        (3, Some(30)),
        (4, Some(60)),
        (5, Some(120)),
        (6, Some(240)),
        (7, Some(480)),
        (8, Some(900)),
        (40, Some(900)),
    ] {
        while bench.core.pins().attempts.wrong < attempts {
            bench.input(Input::PinAttempted { correct: false });
        }
        assert_eq!(wait(&bench), waits, "after {attempts}");
    }
    let told: Vec<_> = bench
        .take_frames()
        .into_iter()
        .filter_map(|frame| match frame.frame {
            Some(proto::wire::agent_frame::Frame::Health(health)) => Some(health.wrong_pins),
            _ => None,
        })
        .collect();
    assert_eq!(told.last(), Some(&40));
    // A restart does not grant new attempts.
    let mut bench = bench.restarted([1; 16]);
    assert_eq!(wait(&bench), Some(900));
    bench.now_us += 901 * SECOND;
    assert_eq!(wait(&bench), None);
    bench.input(Input::PinAttempted { correct: true });
    bench.input(Input::PinAttempted { correct: false });
    assert_eq!(wait(&bench), None);
}

#[test]
fn a_clock_without_corrections_says_so_in_its_hello() {
    let bench = playing();
    assert!(!bench.core.hello().no_corrections);
    let core = bench.core.without_corrections();
    assert!(core.hello().no_corrections);
}
