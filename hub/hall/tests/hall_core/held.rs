//! Commands that wait for a second arbiter: which commands wait, what ends the wait, and what survives a restart.

use hall::{
    Action, Actor, ChiefRecovery, DecideHeld, DecisionOutcome, Denied, HeldEffect, HoldRevocation,
    HubEffect, Limited, Outcome, Purpose, Role, SecondArbiterLimits,
};
use proto::ids::CommandId;
use proto::log::record::Input;
use proto::refusal::RefusalCode;
use timing::{Button, Duration};
use tournament::{Actor as Changer, BoardNo, Change, Event, PlayerNo, RoundNo};

use crate::event_rig::{bonus, paired, player};
use crate::rig::Rig;

const SIZES: SecondArbiterLimits = SecondArbiterLimits {
    time: Some(Duration::from_secs(60)),
    pairings: Some(2),
    event: true,
};

fn second(name: &str) -> Actor {
    Actor {
        name: name.to_owned(),
        role: Role::Floor,
    }
}

/// Returns a hall with a paused game and with limits above which a command needs a second arbiter.
fn paused() -> (Rig, crate::rig::HandClock) {
    let (mut rig, mut clock) = Rig::running("5m");
    rig.hall.set_second_arbiter_limits(SIZES);
    rig.pass(1.0);
    assert!(rig.ask("1", "pause").is_none());
    clock.take_orders(&mut rig);
    (rig, clock)
}

/// Sends a command that may need a second arbiter. Returns its id and the code of the refusal; `None` if it was not refused.
fn limited(rig: &mut Rig, command: &str) -> (CommandId, Option<RefusalCode>) {
    let request = rig.chief("1", Action::Board(command.parse().unwrap()));
    let id = request.id;
    let answer = rig.answered(Limited(request)).map(Result::unwrap);
    (id, answer.and_then(|answer| code(&answer.outcome)))
}

fn code(outcome: &Outcome) -> Option<RefusalCode> {
    match outcome {
        Outcome::Refused(why) => Some(why.code()),
        Outcome::Done | Outcome::Pending | Outcome::Withdrawn => None,
    }
}

fn decide(
    rig: &mut Rig,
    id: CommandId,
    by: &str,
    confirm: bool,
) -> Result<DecisionOutcome, Denied> {
    let actor = second(by);
    let decision = DecideHeld { id, actor, confirm };
    rig.answered(decision).expect("an answer at once")
}

#[test]
fn only_a_correction_above_the_limit_waits() {
    let (mut rig, mut clock) = paused();
    let before = rig.times("1");
    assert_eq!(limited(&mut rig, "add white 1m").1, None);
    clock.take_orders(&mut rig);
    assert_eq!(rig.times("1").0, before.0 + 60_000_000);
    for command in [
        "add white 61s",
        "add black -61s",
        "set white 1h",
        "set black 1s",
    ] {
        let (_, refused) = limited(&mut rig, command);
        assert_eq!(refused, Some(RefusalCode::SecondNeeded), "{command}");
    }
    assert_eq!(rig.times("1"), (before.0 + 60_000_000, before.1));
    assert_eq!(rig.hall.held().len(), 4);
    // A request is not held if it is not sent as [`Limited`], as in a hall that has no second arbiter, or if there are no limits.
    let request = rig.chief("1", Action::Board("add white 2m".parse().unwrap()));
    assert!(rig.send(request).is_none());
    clock.take_orders(&mut rig);
    rig.hall
        .set_second_arbiter_limits(SecondArbiterLimits::default());
    assert_eq!(limited(&mut rig, "add white 2m").1, None);
    rig.assert_replay_equals_live();
}

#[test]
fn a_confirmed_command_takes_effect_once_and_names_both_arbiters() {
    let (mut rig, mut clock) = paused();
    let before = rig.times("1").0;
    let (id, _) = limited(&mut rig, "add white 10m");
    let held = rig.hall.held();
    assert_eq!(held[0].effect, HeldEffect::Time("add white 10m".to_owned()));
    assert_eq!((held[0].actor.name.as_str(), held[0].id), ("chief", id));
    rig.restart();
    clock.connect(&mut rig);
    assert_eq!(rig.hall.held(), held);
    let decided = decide(&mut rig, id, "Bea", true).unwrap();
    assert_eq!(decided.refusal, None);
    clock.take_orders(&mut rig);
    assert_eq!(rig.times("1").0, before + 600_000_000);
    assert!(rig.hall.held().is_empty());
    let log = rig.log.iter().filter_map(|record| record.input.as_ref());
    let actors: Vec<_> = log
        .filter_map(|input| match input {
            Input::HeldDecided(decided) if decided.confirmed => Some(decided.actor.clone()),
            Input::Command(command) if command.id == id.0 => Some(command.actor.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(actors, ["Bea", "chief"]);
    let again = decide(&mut rig, id, "Cy", true).unwrap_err();
    assert!(matches!(again, Denied::NotFound(_)), "{again:?}");
    rig.assert_replay_equals_live();
}

#[test]
fn the_sender_may_withdraw_but_not_confirm() {
    let (mut rig, _clock) = paused();
    let before = rig.times("1");
    let (id, _) = limited(&mut rig, "set white 1h");
    let denied = decide(&mut rig, id, "chief", true).unwrap_err();
    assert!(
        matches!(&denied, Denied::Forbidden(why) if why.code() == RefusalCode::SecondIsSender),
        "{denied:?}"
    );
    let viewer = Actor {
        role: Role::Viewer,
        ..second("screen")
    };
    let decision = DecideHeld {
        id,
        actor: viewer,
        confirm: true,
    };
    let denied = rig.answered(decision).unwrap().unwrap_err();
    assert!(matches!(denied, Denied::Forbidden(_)), "{denied:?}");
    assert_eq!(rig.hall.held().len(), 1);
    decide(&mut rig, id, "chief", false).unwrap();
    assert!(rig.hall.held().is_empty());
    assert_eq!(rig.times("1"), before);
    rig.assert_replay_equals_live();
}

#[test]
fn a_repetition_waits_too_and_a_declined_command_stays_refused() {
    let (mut rig, _clock) = paused();
    let request = rig.chief("1", Action::Board("set white 1h".parse().unwrap()));
    let id = request.id;
    for _ in 0..2 {
        let answer = rig.answered(Limited(request.clone())).unwrap().unwrap();
        assert_eq!(code(&answer.outcome), Some(RefusalCode::SecondNeeded));
        // A repeated request is not carried out either, even if it is not sent as [`Limited`].
        let answer = rig.send(request.clone()).unwrap().unwrap();
        assert_eq!(code(&answer.outcome), Some(RefusalCode::SecondNeeded));
    }
    assert_eq!(rig.hall.held().len(), 1);
    let outcome = rig.hall.outcome(&id, rig.now).unwrap().outcome;
    assert_eq!(code(&outcome), Some(RefusalCode::SecondNeeded));
    decide(&mut rig, id, "Bea", false).unwrap();
    let answer = rig.answered(Limited(request)).unwrap().unwrap();
    match answer.outcome {
        Outcome::Refused(why) => assert!(why.text().contains("Bea declined"), "{why}"),
        outcome => panic!("{outcome:?}"),
    }
    rig.assert_replay_equals_live();
}

#[test]
fn a_confirmed_command_is_judged_in_the_current_state() {
    let (mut rig, mut clock) = paused();
    let (id, _) = limited(&mut rig, "add white 10m");
    assert!(rig.ask("1", "resume white").is_none());
    clock.take_orders(&mut rig);
    rig.pass(1.0);
    clock.press(&mut rig, Button::Left);
    let before = rig.times("1");
    let decided = decide(&mut rig, id, "Bea", true).unwrap();
    let refused = decided.refusal.map(|why| why.code());
    assert_eq!(refused, Some(RefusalCode::BoardChanged));
    assert_eq!(rig.times("1"), before);
    assert!(rig.hall.held().is_empty());
    rig.assert_replay_equals_live();
}

#[test]
fn a_confirmed_command_for_a_removed_board_is_refused_and_its_sender_learns_why() {
    let (mut rig, _clock) = Rig::with_board("5m");
    rig.hall.set_second_arbiter_limits(SIZES);
    let request = rig.chief("1", Action::Board("set white 1h".parse().unwrap()));
    let id = request.id;
    let answer = rig.answered(Limited(request.clone())).unwrap().unwrap();
    assert_eq!(code(&answer.outcome), Some(RefusalCode::SecondNeeded));
    let removed = rig.request("1", Action::RemoveBoard).unwrap();
    assert_eq!(removed.outcome, Outcome::Done);
    let decided = decide(&mut rig, id, "Bea", true).unwrap();
    let refused = decided.refusal.map(|why| why.code());
    assert_eq!(refused, Some(RefusalCode::NoBoard));
    assert!(rig.hall.held().is_empty());
    let outcome = rig.hall.outcome(&id, rig.now).unwrap().outcome;
    assert_eq!(code(&outcome), Some(RefusalCode::NoBoard));
    let answer = rig.answered(Limited(request)).unwrap().unwrap();
    assert_eq!(code(&answer.outcome), Some(RefusalCode::NoBoard));
    rig.assert_replay_equals_live();
}

#[test]
fn held_commands_are_published_and_limited_in_number() {
    let (mut rig, _clock) = paused();
    let request = rig.chief("1", Action::Board("set white 1h".parse().unwrap()));
    let (_, effects) = rig.asked(Limited(request));
    let published = effects.iter().find_map(|effect| match effect {
        HubEffect::Held(held) => Some(held.len()),
        _ => None,
    });
    assert_eq!(published, Some(1));
    for _ in 1..hall::MAX_HELD_PER_SENDER {
        let (_, refused) = limited(&mut rig, "set white 1h");
        assert_eq!(refused, Some(RefusalCode::SecondNeeded));
    }
    let (_, refused) = limited(&mut rig, "set white 1h");
    assert_eq!(refused, Some(RefusalCode::TooManyHeld));
    // In addition to the limit for each sender, there is a limit for all senders together.
    let mut senders = 1;
    let refused = loop {
        let mut request = rig.chief("1", Action::Board("set white 1h".parse().unwrap()));
        request.actor.name = format!("arbiter {}", senders / hall::MAX_HELD_PER_SENDER);
        let answer = rig.answered(Limited(request)).unwrap().unwrap();
        match code(&answer.outcome) {
            Some(RefusalCode::SecondNeeded) => senders += 1,
            refused => break refused,
        }
    };
    assert_eq!(refused, Some(RefusalCode::TooManyHeld));
    assert_eq!(rig.hall.held().len(), hall::MAX_HELD_COMMANDS);
    rig.assert_replay_equals_live();
}

#[test]
fn a_confirmation_removes_no_pairings_that_its_sender_did_not_see() {
    let mut rig = Rig::with_round();
    rig.hall.set_second_arbiter_limits(SIZES);
    rig.chief_changes(vec![Change::Unpair(RoundNo(1))]);
    rig.chief_changes(vec![paired(1, &[(1, 4), (2, 5), (3, 6)])]);
    let unpair = || vec![Change::Unpair(RoundNo(1))];
    // The first request names no version of the event, and the second names a future version.
    let (without, refused) = change(&mut rig, Purpose::Amend, unpair());
    assert_eq!(refused, Some(RefusalCode::SecondNeeded));
    let mut request = rig.request_for(Changer::chief("Chief"), unpair());
    request.seen = Some(u64::MAX);
    let future = request.id;
    let answer = rig.answered(Limited(request)).unwrap().unwrap();
    assert_eq!(code(&answer.outcome), Some(RefusalCode::SecondNeeded));
    rig.chief_changes(unpair());
    rig.chief_changes(vec![paired(1, &[(4, 1), (5, 2), (6, 3)])]);
    let before = rig.event_now();
    for id in [without, future] {
        let decided = decide(&mut rig, id, "Bea", true).unwrap();
        let refused = decided.refusal.map(|why| why.code());
        assert_eq!(refused, Some(RefusalCode::EventChanged));
    }
    assert_eq!(rig.event_now(), before);
    rig.assert_replay_equals_live();
}

#[test]
fn the_recovery_code_declines_the_held_commands_of_chief_arbiters() {
    let (mut rig, _clock) = paused();
    let (of_chief, _) = limited(&mut rig, "set white 1h");
    let mut request = rig.chief("1", Action::Board("set black 1h".parse().unwrap()));
    request.actor = second("Bea");
    let of_floor = request.id;
    assert!(rig.answered(Limited(request)).is_some());
    let recovery = ChiefRecovery {
        address: "192.0.2.7".to_owned(),
        revoked: vec!["chief (d-0123456789abcdef)".to_owned()],
    };
    rig.answered(recovery).unwrap().unwrap();
    let held = rig.hall.held();
    assert_eq!((held.len(), held[0].id), (1, of_floor));
    let late = decide(&mut rig, of_chief, "Bea", true).unwrap_err();
    assert!(matches!(late, Denied::NotFound(_)), "{late:?}");
    rig.assert_replay_equals_live();
}

#[test]
fn letter_case_and_spaces_do_not_make_a_second_arbiter() {
    let (mut rig, _clock) = paused();
    let (id, _) = limited(&mut rig, "set white 1h");
    for name in ["chief", "Chief", " CHIEF "] {
        let denied = decide(&mut rig, id, name, true).unwrap_err();
        assert!(matches!(denied, Denied::Forbidden(_)), "{name}: {denied:?}");
    }
    assert!(decide(&mut rig, id, "chief 2", true).is_ok());
}

/// Sends the chief arbiter's changes to the event, which may need a second arbiter. Returns the request's id and the code of the refusal.
fn change(
    rig: &mut Rig,
    purpose: Purpose,
    changes: Vec<Change>,
) -> (CommandId, Option<RefusalCode>) {
    let mut request = rig.request_for(Changer::chief("Chief"), changes);
    (request.purpose, request.seen) = (purpose, None);
    let id = request.id;
    let answer = rig.answered(Limited(request)).unwrap().unwrap();
    (id, code(&answer.outcome))
}

#[test]
fn removing_more_pairings_than_the_limit_waits() {
    let mut rig = Rig::with_round();
    rig.hall.set_second_arbiter_limits(SIZES);
    let boards = |boards: &[u16]| boards.iter().copied().map(BoardNo).collect();
    let two = vec![Change::RemoveBoards(RoundNo(1), boards(&[1, 2]))];
    assert_eq!(change(&mut rig, Purpose::Amend, two).1, None);
    rig.chief_changes(vec![Change::Unpair(RoundNo(1))]);
    rig.chief_changes(vec![paired(1, &[(1, 4), (2, 5), (3, 6)])]);
    let before = rig.event_now();
    let (id, refused) = change(&mut rig, Purpose::Amend, vec![Change::Unpair(RoundNo(1))]);
    assert_eq!(refused, Some(RefusalCode::SecondNeeded));
    assert_eq!(rig.event_now(), before);
    assert_eq!(rig.hall.held()[0].effect, HeldEffect::Pairings(3));
    assert_eq!(decide(&mut rig, id, "Bea", true).unwrap().refusal, None);
    assert!(rig.event_now().unwrap().rounds().is_empty());
    rig.assert_replay_equals_live();
}

#[test]
fn a_held_removal_of_a_player_keeps_later_changes_to_the_event() {
    let mut rig = Rig::with_round();
    rig.hall.set_second_arbiter_limits(SIZES);
    let mut event = Event::new("Harbour Cup", 3);
    event.abnormal_points = vec![bonus(&[6])];
    rig.chief_changes(vec![Change::SetEvent(Box::new(event.clone()))]);
    let changes = vec![
        Change::Unpair(RoundNo(1)),
        Change::RemovePlayer(PlayerNo(6)),
    ];
    let (id, refused) = change(&mut rig, Purpose::Amend, changes);
    assert_eq!(refused, Some(RefusalCode::SecondNeeded));
    event.city = "Lübeck".to_owned();
    rig.chief_changes(vec![Change::SetEvent(Box::new(event))]);
    assert_eq!(decide(&mut rig, id, "Bea", true).unwrap().refusal, None);
    let now = rig.event_now().unwrap();
    assert_eq!(now.event().city, "Lübeck");
    assert!(now.event().abnormal_points.is_empty());
    rig.assert_replay_equals_live();
}

#[test]
fn replacing_the_event_waits_with_all_its_changes() {
    let mut rig = Rig::with_round();
    rig.hall.set_second_arbiter_limits(SIZES);
    let before = rig.event_now();
    let mut changes = vec![Change::SetEvent(Box::new(Event::new("Other Cup", 5)))];
    changes.extend((1..=300).map(player));
    let purpose = Purpose::Open {
        file: "other.trf".to_owned(),
        set_aside: "Harbour Cup".to_owned(),
    };
    let (id, refused) = change(&mut rig, purpose, changes);
    assert_eq!(refused, Some(RefusalCode::SecondNeeded));
    assert_eq!(rig.event_now(), before);
    let effect = HeldEffect::Event("Harbour Cup".to_owned());
    assert_eq!(rig.hall.held()[0].effect, effect);
    rig.restart();
    rig.hall.set_second_arbiter_limits(SIZES);
    assert_eq!(decide(&mut rig, id, "Bea", true).unwrap().refusal, None);
    let event = rig.event_now().unwrap();
    assert_eq!(
        (event.event().name.as_str(), event.players().len()),
        ("Other Cup", 300)
    );
    let purpose = Purpose::Switch {
        to: hall::EventNo(1),
        set_aside: "Other Cup".to_owned(),
    };
    let (id, refused) = change(&mut rig, purpose, Vec::new());
    assert_eq!(refused, Some(RefusalCode::SecondNeeded));
    assert_eq!(decide(&mut rig, id, "Bea", true).unwrap().refusal, None);
    assert_eq!(rig.event_now(), before);
    rig.assert_replay_equals_live();
}

#[test]
fn a_revocation_waits_and_its_subject_cannot_stop_it() {
    let mut rig = Rig::new();
    let request = HoldRevocation {
        id: CommandId([9; 16]),
        actor: Actor {
            name: "chief".to_owned(),
            role: Role::Chief,
        },
        reason: "stolen".to_owned(),
        device: "d-0123456789abcdef".to_owned(),
        name: "Per".to_owned(),
    };
    for _ in 0..2 {
        let waits = rig.answered(request.clone()).unwrap().unwrap();
        assert_eq!(waits.code(), RefusalCode::SecondNeeded);
    }
    assert_eq!(rig.hall.held().len(), 1);
    for (by, confirm) in [("Per", false), ("Per", true), ("chief", true)] {
        assert!(decide(&mut rig, request.id, by, confirm).is_err(), "{by}");
    }
    rig.restart();
    let decided = decide(&mut rig, request.id, "Bea", true).unwrap();
    assert_eq!(decided.revocation, Some(request));
    rig.assert_replay_equals_live();
}
