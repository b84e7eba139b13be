//! Corrections made at a board's own clock with an arbiter's PIN: merged in event time, kept for review, or rejected.

use ed25519_dalek::SigningKey;
use hall::view::Running;
use hall::{Action, AgentFrame, Arbiter, Arbiters, Health, Input, Outcome, describe};
use proto::log::record;
use proto::pin::{CorrectionClaim, public};
use proto::wire::{self, event_body, hub_frame};
use timing::{Board, Button, Instant};

use crate::rig::{HandClock, Rig, seconds, start_up};
use crate::seen::assert_stays_until_seen;

fn key(of: u8) -> SigningKey {
    SigningKey::from_bytes(&[of; 32])
}

fn arbiters(who: &[(&str, u8)]) -> Arbiters {
    Arbiters {
        salt: vec![3; 16],
        list: who
            .iter()
            .map(|(name, of)| Arbiter {
                name: (*name).to_owned(),
                key: public(&key(*of)),
            })
            .collect(),
    }
}

fn restart(rig: &mut Rig, who: &[(&str, u8)]) {
    rig.hall = rig.replayed();
    rig.hall.set_arbiters(arbiters(who));
    rig.input(Input::StartUp(Box::new(start_up(None))));
}

fn connect(rig: &mut Rig, clock: &mut HandClock) {
    let mut hello = clock.hello(rig);
    hello.minor = 1;
    clock.connect_with(rig, hello);
}

/// Returns a five-minute game with White's clock running, in a hall where Ada and Per may correct clocks.
fn playing() -> (Rig, HandClock) {
    let (mut rig, mut clock) = Rig::running("5m");
    clock.drop_link(&mut rig);
    restart(&mut rig, &[("Ada", 1), ("Per", 2)]);
    connect(&mut rig, &mut clock);
    (rig, clock)
}

fn made(clock: &HandClock, at: Instant<Board>, command: &str, away: bool) -> wire::Correction {
    let made_us = at.as_micros();
    let made = CorrectionClaim {
        agent: &clock.id,
        made_us,
        board: "1",
        command,
    };
    wire::Correction {
        command: command.to_owned(),
        arbiter: "Ada".to_owned(),
        made_us,
        proof: made.proof(&key(1)),
        hub_away: away,
    }
}

fn correction(clock: &mut HandClock, at: Instant<Board>, one: wire::Correction) -> AgentFrame {
    clock.event(at, event_body::Fact::Correction(one))
}

fn noted(rig: &Rig, kind: &str) -> Vec<String> {
    let notes = rig.log.iter().filter_map(|record| match &record.input {
        Some(record::Input::Note(note)) if note.kind == kind => Some(note.text.clone()),
        _ => None,
    });
    notes.collect()
}

#[test]
fn a_correction_made_while_the_hub_was_away_takes_its_place_in_event_time() {
    let (mut rig, mut clock) = playing();
    clock.drop_link(&mut rig);
    rig.pass(10.0);
    let seen = rig.seq("1");
    let now = clock.now(&rig);
    let after = |ms: i64| now + timing::Duration::from_millis(ms);
    let mut frames = vec![clock.press_frame(now, Button::Left)];
    for (ms, text) in [
        (1_000, "pause"),
        (2_000, "set white 4m"),
        (2_001, "moves white 7"),
        (3_000, "resume"),
    ] {
        let one = made(&clock, after(ms), text, true);
        frames.push(correction(&mut clock, after(ms), one));
    }
    // Black uses two seconds: one before the pause and one after the resumption.
    frames.push(clock.press_frame(after(4_000), Button::Right));
    rig.pass(20.0);
    connect(&mut rig, &mut clock);
    assert_eq!(clock.closed, None);
    for frame in frames {
        clock.frame(&mut rig, frame);
    }
    let board = rig.view("1");
    assert_eq!(board.view.running, Running::White);
    assert_eq!(board.view.white.moves, 7);
    let line = board.presses.last().unwrap();
    assert_eq!(line.used_us, 2_000_000);
    assert_eq!(line.left_us, 298_000_000);
    assert_eq!(
        noted(&rig, "corrected_at_clock"),
        [
            "corrected at the clock by Ada, without a connection to the hub: pause",
            "corrected at the clock by Ada, without a connection to the hub: set white 4m",
            "corrected at the clock by Ada, without a connection to the hub: moves white 7",
            "corrected at the clock by Ada, without a connection to the hub: resume",
        ]
    );
    // The acknowledgements carry the digest of the hub's board, so that the agent can compare its own board with it.
    assert!(
        clock
            .acks
            .iter()
            .rev()
            .take(6)
            .all(|ack| !ack.board_digest.is_empty())
    );
    let lines: Vec<_> = rig.log.iter().map(describe).collect();
    assert!(
        lines
            .iter()
            .any(|line| line.contains("“set white 4m” by Ada, at the clock at board time")),
        "{lines:#?}"
    );
    let mut late = rig.chief("1", Action::Board("set white 5m".parse().unwrap()));
    late.seen_seq = seen;
    let answer = rig.send(late).unwrap().unwrap();
    assert!(
        matches!(&answer.outcome, Outcome::Refused(why) if why.text().contains("resume by Ada, at the clock")),
        "{answer:?}"
    );
    rig.assert_replay_equals_live();
}

#[test]
fn a_correction_counts_in_the_same_way_with_the_hub_connected() {
    let (mut rig, mut clock) = playing();
    rig.pass(1.0);
    let now = clock.now(&rig);
    let one = made(&clock, now, "set black 3m", false);
    let frame = correction(&mut clock, now, one);
    clock.frame(&mut rig, frame);
    assert_eq!(rig.times("1").1, 180_000_000);
    assert_eq!(
        noted(&rig, "corrected_at_clock"),
        ["corrected at the clock by Ada: set black 3m"]
    );
    rig.assert_replay_equals_live();
}

#[test]
fn a_game_that_is_resumed_early_at_the_clock_counts_for_the_opponent() {
    let (mut rig, mut clock) = playing();
    clock.answer_probe(&mut rig);
    for (command, early_s) in [("pause", 0.0), ("resume", 0.4)] {
        rig.pass(2.0);
        clock.answer_probe(&mut rig);
        let now = clock.now(&rig);
        let one = made(&clock, now, command, false);
        let frame = correction(&mut clock, now - seconds(early_s), one);
        clock.frame(&mut rig, frame);
    }
    // The resumption is stamped early while White is to move, so the extra time is charged to White.
    let shown = rig.view("1").unverified_time;
    assert!(shown.black >= seconds(0.4), "{shown:?}");
    assert!(shown.white < seconds(0.4), "{shown:?}");
}

#[test]
fn a_correction_for_a_board_that_was_taken_over_is_kept_for_review() {
    let (mut rig, mut clock) = playing();
    rig.pass(1.0);
    clock.drop_link(&mut rig);
    rig.pass(10.0);
    assert_eq!(rig.ask("1", "pause"), Some(Outcome::Pending));
    let pending = rig.view("1").pending[0].record.id;
    let forced = rig.request("1", Action::Force(pending)).unwrap();
    assert_eq!(forced.outcome, Outcome::Done);
    let before = rig.times("1");
    let now = clock.now(&rig);
    let one = made(&clock, now, "set white 1m", true);
    let frame = correction(&mut clock, now, one);
    connect(&mut rig, &mut clock);
    clock.frame(&mut rig, frame);
    assert_eq!(rig.times("1"), before);
    let notes = noted(&rig, "corrected_at_clock");
    assert!(
        notes.len() == 1 && notes[0].contains("kept but not applied; please review"),
        "{notes:?}"
    );
    clock.take_orders(&mut rig);
    assert_eq!(rig.times("1"), before);
    rig.assert_replay_equals_live();
}

#[test]
fn a_correction_without_an_arbiters_proof_is_rejected() {
    let (mut rig, mut clock) = playing();
    rig.pass(1.0);
    let now = clock.now(&rig);
    let right = made(&clock, now, "set white 1m", true);
    let with = |change: &dyn Fn(&mut wire::Correction)| {
        let mut one = right.clone();
        change(&mut one);
        one
    };
    let wrong = [
        with(&|one| one.arbiter = "Per".to_owned()),
        with(&|one| one.arbiter = "Eve".to_owned()),
        with(&|one| one.command = "set white 9m".to_owned()),
        with(&|one| one.made_us += 1),
        with(&|one| one.proof.clear()),
        made(&clock, now, "end result 1-0", true),
        made(&clock, now, "prepare left arbiter 1m", true),
    ];
    for (count, one) in wrong.into_iter().enumerate() {
        let at = now + timing::Duration::from_millis(1 + i64::try_from(count).unwrap());
        let frame = correction(&mut clock, at, one);
        clock.frame(&mut rig, frame);
        assert_eq!(rig.view("1").view.running, Running::White);
        assert!(rig.times("1").0 > 290_000_000);
        assert_eq!(rig.view("1").view.result, None);
        let newest = rig.view("1").notes.last().cloned().unwrap();
        assert!(
            newest.text.contains("without valid proof"),
            "{}",
            newest.text
        );
        // The clock compares this digest with its own board, finds a difference and adopts the hub's board.
        assert!(!clock.acks.last().unwrap().board_digest.is_empty());
    }
    assert!(noted(&rig, "corrected_at_clock").is_empty());
    assert_stays_until_seen(&mut rig, "forged_correction");
}

#[test]
fn a_proof_counts_once() {
    let (mut rig, mut clock) = playing();
    rig.pass(1.0);
    let now = clock.now(&rig);
    let one = made(&clock, now, "add white 60s", false);
    let frame = correction(&mut clock, now, one.clone());
    clock.frame(&mut rig, frame);
    let once = rig.times("1").0;
    let frame = correction(&mut clock, now, one);
    clock.frame(&mut rig, frame);
    assert_eq!(rig.times("1").0, once);
    assert!(noted(&rig, "forged_correction")[0].contains("it was already received"));
    // The correction does not count twice in a replay either.
    rig.assert_replay_equals_live();
}

#[test]
fn a_pin_that_was_replaced_proves_nothing() {
    let (mut rig, mut clock) = playing();
    clock.drop_link(&mut rig);
    restart(&mut rig, &[("Ada", 7)]);
    connect(&mut rig, &mut clock);
    rig.pass(1.0);
    let now = clock.now(&rig);
    let one = made(&clock, now, "set white 1m", true);
    let frame = correction(&mut clock, now, one);
    clock.frame(&mut rig, frame);
    assert!(rig.times("1").0 > 290_000_000);
    assert!(noted(&rig, "forged_correction")[0].contains("current PIN"));
    rig.assert_replay_equals_live();
}

#[test]
fn the_clock_and_the_hub_refuse_the_same_correction() {
    let (mut rig, mut clock) = playing();
    rig.pass(1.0);
    let now = clock.now(&rig);
    let one = made(&clock, now, "resume", false);
    let frame = correction(&mut clock, now, one);
    clock.frame(&mut rig, frame);
    assert!(noted(&rig, "corrected_at_clock")[0].contains("was refused by the clock and the hub"));
    assert_eq!(rig.view("1").view.running, Running::White);
    rig.assert_replay_equals_live();
}

#[test]
fn arbiters_are_logged_when_they_change_and_sent_to_clocks_that_support_them() {
    let (mut rig, mut clock) = playing();
    let logged = |rig: &Rig| {
        let inputs = rig
            .log
            .iter()
            .filter(|record| matches!(&record.input, Some(record::Input::Arbiters(_))));
        inputs.count()
    };
    let told = |clock: &mut HandClock| {
        let frames = std::mem::take(&mut clock.frames);
        frames.into_iter().find_map(|frame| match frame.frame {
            Some(hub_frame::Frame::Arbiters(arbiters)) => Some(arbiters),
            _ => None,
        })
    };
    assert_eq!(logged(&rig), 1);
    let arbiters = told(&mut clock).unwrap();
    assert_eq!(arbiters.salt, [3; 16]);
    assert_eq!(arbiters.arbiters.len(), 2);
    // The log must not contain the salt, which only the hub and the clocks know.
    let log = format!("{:?}", rig.log);
    assert!(!log.contains(&format!("{:?}", [3_u8; 16])));
    clock.drop_link(&mut rig);
    restart(&mut rig, &[("Ada", 1), ("Per", 2)]);
    assert_eq!(logged(&rig), 1);
    clock.connect(&mut rig);
    assert_eq!(told(&mut clock), None, "a clock of minor version 0");
    clock.drop_link(&mut rig);
    let mut hello = clock.hello(&rig);
    hello.minor = 1;
    hello.no_corrections = true;
    clock.connect_with(&mut rig, hello);
    assert_eq!(told(&mut clock), None, "a clock without corrections");
    clock.drop_link(&mut rig);
    restart(&mut rig, &[]);
    assert_eq!(logged(&rig), 2);
    connect(&mut rig, &mut clock);
    assert_eq!(told(&mut clock).unwrap().arbiters.len(), 0);
    rig.assert_replay_equals_live();
}

#[test]
fn repeated_wrong_pins_are_noted() {
    let (mut rig, mut clock) = playing();
    for wrong_pins in [0, 1, 2, 3, 4, 5, 6, 0, 1, 2, 3] {
        let health = Health {
            journal_ok: true,
            wrong_pins,
            ..Health::default()
        };
        clock.frame(&mut rig, AgentFrame::Health(health));
    }
    let notes = noted(&rig, "wrong_pins");
    let counts: Vec<_> = notes.iter().map(|note| &note[..1]).collect();
    assert_eq!(counts, ["3", "6"], "the third time is counted");
    rig.pass(65.0);
    assert_eq!(noted(&rig, "wrong_pins").len(), 3);
    assert_stays_until_seen(&mut rig, "wrong_pins");
}
