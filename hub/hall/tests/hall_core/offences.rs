//! Illegal moves recorded by arbiters: counted for each game, by the offence field or, under older rules of the log, by the reason.

use hall::{Action, Hall, Offence, OffenceKind, Outcome, Request};
use proto::log::record::Input as Logged;
use timing::Side;

use crate::rig::{Rig, id};

const fn illegal(side: Side, withdrawn: bool) -> Option<Offence> {
    Some(Offence {
        kind: OffenceKind::IllegalMove,
        side,
        withdrawn,
    })
}

fn asking(rig: &mut Rig, text: &str, offence: Option<Offence>) -> Request {
    let mut request = rig.chief("1", Action::Board(text.parse().unwrap()));
    request.offence = offence;
    request
}

fn counted(hall: &Hall, rig: &Rig) -> (u32, u32) {
    let counts = hall.detail(&id("1"), rig.now).unwrap().illegal_moves;
    (counts.white, counts.black)
}

#[test]
fn an_illegal_move_is_counted_by_the_offence_field_not_by_the_reason() {
    let (mut rig, mut clock) = Rig::running("5m");
    let first = asking(&mut rig, "add black 2m", illegal(Side::White, false));
    assert!(rig.send(first).is_none());
    // The offence counts even while its command is pending for the clock, so that the next offence is not taken for the first.
    assert_eq!(counted(&rig.hall, &rig), (1, 0));
    clock.take_orders(&mut rig);
    assert_eq!(counted(&rig.hall, &rig), (1, 0));
    // The text of the reason does not count as an offence.
    let mut words = asking(&mut rig, "add white 1s", None);
    words.reason = "Illegal move by White, FIDE 7.5.5".to_owned();
    assert!(rig.send(words).is_none());
    clock.take_orders(&mut rig);
    let other = asking(&mut rig, "add white 2m", illegal(Side::Black, false));
    assert!(rig.send(other).is_none());
    clock.take_orders(&mut rig);
    assert_eq!(counted(&rig.hall, &rig), (1, 1));
    let back = asking(&mut rig, "add white -2m", illegal(Side::Black, true));
    assert!(rig.send(back).is_none());
    clock.take_orders(&mut rig);
    assert_eq!(counted(&rig.hall, &rig), (1, 0));
    let lost = asking(&mut rig, "end result 0-1", illegal(Side::White, false));
    assert!(rig.send(lost).is_none());
    clock.take_orders(&mut rig);
    assert_eq!(counted(&rig.hall, &rig), (2, 0));
    rig.assert_replay_equals_live();
    assert_eq!(rig.ask("1", "prepare left arbiter 5m"), None);
    clock.take_orders(&mut rig);
    assert_eq!(counted(&rig.hall, &rig), (0, 0));
    rig.assert_replay_equals_live();
}

#[test]
fn the_offence_of_a_command_without_effect_does_not_count() {
    let (mut rig, mut clock) = Rig::running("5m");
    let refused = asking(&mut rig, "set black -1s", illegal(Side::White, false));
    let answer = rig.send(refused).unwrap().unwrap();
    assert!(matches!(answer.outcome, Outcome::Refused(_)));
    assert_eq!(counted(&rig.hall, &rig), (0, 0));
    clock.drop_link(&mut rig);
    let waits = asking(&mut rig, "add black 2m", illegal(Side::White, false));
    let waiting = waits.id;
    let _ = rig.send(waits);
    rig.pass(3.0);
    assert_eq!(counted(&rig.hall, &rig), (1, 0));
    let answer = rig.request("1", Action::Withdraw(waiting)).unwrap();
    assert_eq!(answer.outcome, Outcome::Done);
    assert_eq!(counted(&rig.hall, &rig), (0, 0));
    rig.assert_replay_equals_live();
}

#[test]
fn a_log_with_older_rules_states_the_offence_in_the_reason() {
    let (mut rig, mut clock) = Rig::running("5m");
    for (text, reason) in [
        ("add black 2m", "Illegal move by White, FIDE 7.5.5"),
        ("add white 2m", "Illegal move by Black, FIDE 7.5.5"),
        ("add white -2m", "Undone: Illegal move by Black, FIDE 7.5.5"),
        ("add black 1m", "Irregularity, FIDE 7.1"),
    ] {
        let mut request = asking(&mut rig, text, None);
        request.reason = reason.to_owned();
        assert!(rig.send(request).is_none());
        clock.take_orders(&mut rig);
    }
    assert_eq!(counted(&rig.hall, &rig), (0, 0));
    for record in &mut rig.log {
        record.rules = 1;
    }
    assert_eq!(counted(&rig.replayed(), &rig), (1, 0));
    let commands = rig
        .log
        .iter()
        .filter(|record| matches!(record.input, Some(Logged::Command(_))));
    assert!(commands.count() >= 5);
}
