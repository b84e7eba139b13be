//! Arbiters' commands: applied once per id, judged by the state of the board that the sender saw, pending for a silent clock, forced, withdrawn.

use hall::view::{BoardState, Running};
use hall::{Action, Actor, Denied, HubEffect, Outcome, Reply, RequestDigest, Role};
use proto::ids::EventSeq;
use proto::refusal::{ChangeKind, RefusalCode};
use timing::{Button, Instant, Side};
use tournament::Actor as Changer;

use crate::rig::{Rig, seconds};

fn command(text: &str) -> Action {
    Action::Board(text.parse().unwrap())
}

fn refusal(outcome: Option<Outcome>) -> String {
    match outcome {
        Some(Outcome::Refused(why)) => why.text().to_owned(),
        other => panic!("not refused: {other:?}"),
    }
}

#[test]
fn a_repeated_command_has_one_effect_and_the_same_answer() {
    let (mut rig, mut clock) = Rig::running("5m");
    rig.pass(1.0);
    let request = rig.chief("1", command("add white 1m"));
    assert!(rig.send(request.clone()).is_none());
    clock.take_orders(&mut rig);
    let white = rig.times("1").0;
    assert_eq!(white, 359_000_000);
    let records = rig.log.len();
    for _ in 0..3 {
        let answer = rig.send(request.clone()).unwrap().unwrap();
        assert_eq!(answer.outcome, Outcome::Done);
    }
    assert_eq!(rig.log.len(), records);
    assert_eq!(rig.times("1").0, white);
    // A restarted hub gives the same answer, even if the command was refused.
    let refused = rig.chief("1", command("flag white"));
    let first = rig.send(refused.clone()).unwrap().unwrap().outcome;
    rig.restart();
    assert_eq!(rig.send(refused).unwrap().unwrap().outcome, first);
    let again = rig.send(request.clone()).unwrap().unwrap();
    assert_eq!(again.outcome, Outcome::Done);
    // A different request that reuses an id is not taken for a repetition, even after a restart.
    let mut other = rig.chief("1", command("add white 2m"));
    (other.id, other.digest) = (request.id, RequestDigest(1));
    let denied = rig.send(other).unwrap().unwrap_err();
    assert!(
        matches!(denied, Denied::Invalid(why) if why.contains("belongs to a different request"))
    );
    assert_eq!(rig.times("1").0, white);
    let mut changes = rig.request_for(Changer::floor("Ann"), Vec::new());
    (changes.id, changes.digest) = (request.id, RequestDigest(2));
    let denied = rig.change(changes).unwrap_err();
    assert!(
        matches!(denied, Denied::Invalid(why) if why.contains("belongs to a different request"))
    );
    rig.assert_replay_equals_live();
}

#[test]
fn a_stale_command_is_refused_with_the_change_of_draw_odds() {
    let (mut rig, _clock) = Rig::running("5m");
    for (odds, what) in [
        (Some(Side::Black), "draw odds given to Black by"),
        (None, "draw odds removed by"),
    ] {
        let stale = rig.chief("1", command("set white 3m"));
        rig.request("1", Action::DrawOdds(odds)).unwrap();
        let why = refusal(rig.send(stale).map(|answer| answer.unwrap().outcome));
        assert!(why.contains(what), "{why}");
    }
}

#[test]
fn a_stale_command_is_refused_with_the_changes() {
    let (mut rig, mut clock) = Rig::running("5m");
    let set = rig.chief("1", command("set white 3m"));
    let pause = rig.chief("1", command("pause"));
    rig.pass(1.0);
    clock.press(&mut rig, Button::Left);
    let why = refusal(rig.send(set).map(|answer| answer.unwrap().outcome));
    assert_eq!(
        why,
        "the board has changed since you looked: White pressed (move 1)"
    );
    // A pause does not depend on the side to move, so an outdated view does not matter.
    assert!(rig.send(pause).is_none());
    clock.take_orders(&mut rig);
    assert!(rig.view("1").view.paused);
    assert_eq!(rig.times("1"), (299_000_000, 300_000_000));
}

#[test]
fn a_result_does_not_depend_on_a_press_on_its_way_but_on_another_result() {
    let (mut rig, mut clock) = Rig::running("5m");
    let draw = rig.chief("1", command("end draw"));
    let win = rig.chief("1", command("end result 1-0"));
    rig.pass(1.0);
    clock.press(&mut rig, Button::Left);
    assert!(rig.send(draw).is_none());
    clock.take_orders(&mut rig);
    assert_eq!(rig.view("1").view.result.as_deref(), Some("1/2-1/2"));
    let why = refusal(rig.send(win).map(|answer| answer.unwrap().outcome));
    assert!(why.starts_with("the board has changed"), "{why}");
}

#[test]
fn a_stale_refusal_names_the_arbiter_the_change_and_its_time() {
    let (mut rig, mut clock) = Rig::running("5m");
    let mut late = rig.chief("1", command("set white 3m"));
    late.actor.name = "Bo".to_owned();
    rig.pass(1.0);
    let pause = rig.chief("1", command("pause"));
    let at = rig.now.as_micros();
    assert!(rig.send(pause).is_none());
    clock.take_orders(&mut rig);
    assert_eq!(rig.view("1").paused_by.as_deref(), Some("chief"));
    rig.pass(5.0);
    let refused = |rig: &mut Rig, request| match rig.send(request).unwrap().unwrap().outcome {
        Outcome::Refused(why) => why.to_wire(),
        other => panic!("not refused: {other:?}"),
    };
    let why = refused(&mut rig, late.clone());
    assert_eq!(why.code(), RefusalCode::BoardChanged);
    let pause = why.changes.last().unwrap();
    assert_eq!(
        (pause.kind(), pause.actor.as_str()),
        (ChangeKind::Paused, "chief")
    );
    assert_eq!(pause.board, "1");
    let since = pause.at_us.unwrap() - at;
    assert!((0..100_000).contains(&since), "{since}");
    // A repeated command gets the same answer. A replayed hub refuses a new command with the same changes.
    assert_eq!(refused(&mut rig, late.clone()), why);
    rig.hall = rig.replayed();
    late.id = rig.command_id();
    assert_eq!(refused(&mut rig, late).changes, why.changes);
    assert_eq!(rig.view("1").paused_by.as_deref(), Some("chief"));
}

#[test]
fn two_arbiters_do_not_add_the_same_minute_twice() {
    let (mut rig, mut clock) = Rig::running("5m");
    let first = rig.chief("1", command("add black 1m"));
    let mut second = rig.chief("1", command("add black 1m"));
    second.actor.name = "floor 2".to_owned();
    assert!(rig.send(first).is_none());
    let why = refusal(rig.send(second).map(|answer| answer.unwrap().outcome));
    assert!(
        why.contains("add black 1m by chief is on its way to the clock"),
        "{why}"
    );
    clock.take_orders(&mut rig);
    assert_eq!(rig.times("1").1, 360_000_000);
}

#[test]
fn a_command_against_the_rules_is_refused_before_anything_is_sent() {
    let (mut rig, mut clock) = Rig::running("5m");
    let why = refusal(rig.ask("1", "prepare left arbiter 3m+2s"));
    assert!(!why.is_empty());
    let why = refusal(rig.ask("1", "set white -1s"));
    assert!(why.contains("6.10.2"), "{why}");
    assert!(clock.ordered(&mut rig).is_empty());
    assert_eq!(rig.view("1").view.control, "5m");
}

#[test]
fn a_command_takes_effect_in_the_clocks_time() {
    let (mut rig, mut clock) = Rig::running("5m");
    rig.pass(10.0);
    clock.watermark(&mut rig);
    let request = rig.chief("1", command("pause"));
    assert!(rig.send(request).is_none());
    rig.pass(0.5);
    // The clock carries out the pause half a second later, and the pause takes effect at that instant.
    let effects = clock.take_orders(&mut rig);
    let outcome = effects
        .iter()
        .find_map(|effect| match effect {
            HubEffect::Reply {
                answer: Ok(Reply::Command(answer)),
                ..
            } => Some(answer.outcome.clone()),
            _ => None,
        })
        .unwrap();
    assert_eq!(outcome, Outcome::Done);
    assert_eq!(rig.times("1").0, 289_500_000);
    rig.pass(60.0);
    assert_eq!(rig.times("1").0, 289_500_000);
}

#[test]
fn a_silent_clock_leaves_a_command_pending_and_the_chief_may_force_it() {
    let (mut rig, mut clock) = Rig::running("5m");
    rig.pass(10.0);
    clock.drop_link(&mut rig);
    rig.pass(5.0);
    let pause = rig.chief("1", command("pause"));
    let id = pause.id;
    assert_eq!(rig.send(pause).unwrap().unwrap().outcome, Outcome::Pending);
    let detail = rig.view("1");
    assert_eq!(detail.pending.len(), 1);
    assert_eq!(detail.pending[0].record.text(), "pause");
    let answer = rig.request("1", Action::Force(id)).unwrap();
    assert_eq!(answer.outcome, Outcome::Done);
    assert_eq!(
        rig.hall.outcome(&id, rig.now).unwrap().outcome,
        Outcome::Done
    );
    let (white, black) = rig.times("1");
    assert!((284_990_000..=285_010_000).contains(&white), "{white}");
    assert_eq!(black, 300_000_000);
    assert!(rig.view("1").view.paused);
    // A press that the clock stamped before the forced pause arrives only now. It goes to review and changes nothing.
    let at = clock.now(&rig) - seconds(2.0);
    rig.pass(30.0);
    clock.connect(&mut rig);
    assert_eq!(clock.ordered(&mut rig), ["adopt 1"]);
    let frame = clock.press_frame(at, Button::Left);
    clock.frame(&mut rig, frame);
    assert_eq!(rig.notes(), ["late_press"]);
    assert_eq!(rig.times("1").0, white);
    clock.take_orders(&mut rig);
    assert_eq!(rig.times("1"), (white, black));
    assert!(rig.view("1").view.paused);
    assert_eq!(rig.ask("1", "resume"), None);
    clock.take_orders(&mut rig);
    rig.pass(1.0);
    clock.press(&mut rig, Button::Left);
    assert_eq!(rig.times("1").0, white - 1_000_000);
    rig.assert_replay_equals_live();
}

#[test]
fn a_forced_pause_flags_no_player() {
    let (mut rig, mut clock) = Rig::running("3s");
    clock.drop_link(&mut rig);
    rig.pass(60.0);
    let pause = rig.chief("1", command("pause"));
    let id = pause.id;
    rig.send(pause);
    rig.request("1", Action::Force(id)).unwrap();
    let detail = rig.view("1");
    assert_eq!(detail.view.state, BoardState::Paused);
    assert_eq!(detail.view.white.us, 1);
    rig.assert_replay_equals_live();
}

#[test]
fn a_pending_command_may_be_withdrawn() {
    let (mut rig, mut clock) = Rig::running("5m");
    clock.drop_link(&mut rig);
    rig.pass(5.0);
    let pause = rig.chief("1", command("pause"));
    let id = pause.id;
    rig.send(pause);
    let answer = rig.request("1", Action::Withdraw(id)).unwrap();
    assert_eq!(answer.outcome, Outcome::Done);
    assert_eq!(
        rig.hall.outcome(&id, rig.now).unwrap().outcome,
        Outcome::Withdrawn
    );
    assert!(rig.view("1").pending.is_empty());
    clock.connect(&mut rig);
    assert!(clock.ordered(&mut rig).is_empty());
    rig.assert_replay_equals_live();
}

#[test]
fn a_command_already_sent_to_the_clock_cannot_be_withdrawn() {
    let (mut rig, mut clock) = Rig::running("5m");
    let pause = rig.chief("1", command("pause"));
    let id = pause.id;
    assert!(rig.send(pause).is_none());
    let answer = rig.request("1", Action::Withdraw(id)).unwrap();
    assert!(matches!(answer.outcome, Outcome::Refused(_)));
    // The command cannot be forced either while the clock is connected.
    let answer = rig.request("1", Action::Force(id)).unwrap();
    assert!(matches!(answer.outcome, Outcome::Refused(_)));
    clock.take_orders(&mut rig);
    assert!(rig.view("1").view.paused);
}

#[test]
fn an_order_that_the_clock_carried_out_counts_despite_a_later_withdrawal() {
    let (mut rig, mut clock) = Rig::running("5m");
    rig.pass(1.0);
    let pause = rig.chief("1", command("pause"));
    let id = pause.id;
    assert!(rig.send(pause).is_none());
    // The clock carries out the order, but the hub stops before the report arrives.
    clock.hear(&mut rig);
    let order = clock.waiting.remove(0);
    clock.taken = order.number;
    let fact = proto::wire::event_body::Fact::OrderTaken(proto::wire::OrderTaken {
        order: order.number,
    });
    let taken = clock.event(clock.now(&rig), fact);
    rig.restart();
    rig.pass(5.0);
    let answer = rig.request("1", Action::Withdraw(id)).unwrap();
    assert_eq!(answer.outcome, Outcome::Done);
    let mut hello = clock.hello(&rig);
    hello.next_seq = EventSeq(clock.seq + 1);
    clock.connect_with(&mut rig, hello);
    clock.frame(&mut rig, taken);
    assert!(rig.view("1").view.paused);
    assert_eq!(rig.times("1").0, 299_000_000);
    // The clock's report is five seconds old.
    assert_eq!(rig.notes(), ["late_report", "withdrawn_yet_taken"]);
    rig.assert_replay_equals_live();
}

#[test]
fn a_command_is_pending_if_a_connected_clock_does_not_answer() {
    let (mut rig, _clock) = Rig::running("5m");
    let pause = rig.chief("1", command("pause"));
    assert!(rig.send(pause).is_none());
    let effects = rig.pass(1.4);
    let answered = |effects: &[HubEffect]| {
        effects.iter().find_map(|effect| match effect {
            HubEffect::Reply {
                answer: Ok(Reply::Command(answer)),
                ..
            } => Some(answer.outcome.clone()),
            _ => None,
        })
    };
    assert_eq!(answered(&effects), None);
    let effects = rig.pass(0.2);
    assert_eq!(answered(&effects), Some(Outcome::Pending));
}

#[test]
fn a_board_without_a_clock_can_be_set_but_not_started() {
    let mut rig = Rig::new();
    rig.add_board("7", "5m");
    assert_eq!(
        rig.ask("7", "prepare right arbiter 3m+2s"),
        Some(Outcome::Done)
    );
    assert_eq!(rig.ask("7", "set black 1m"), Some(Outcome::Done));
    assert_eq!(rig.times("7"), (182_000_000, 60_000_000));
    assert_eq!(rig.view("7").white_button, Button::Right);
    let why = refusal(rig.ask("7", "start"));
    assert!(why.contains("no clock serves board 7"), "{why}");
    assert_eq!(rig.ask("7", "end result 1-0f"), Some(Outcome::Done));
    assert_eq!(rig.view("7").view.result.as_deref(), Some("1-0f"));
    rig.assert_replay_equals_live();
}

#[test]
fn a_result_stops_the_clocks() {
    let (mut rig, mut clock) = Rig::running("5m");
    rig.pass(3.0);
    assert_eq!(rig.ask("1", "end result 0-1"), None);
    clock.take_orders(&mut rig);
    let detail = rig.view("1");
    assert_eq!(detail.view.result.as_deref(), Some("0-1"));
    assert_eq!(detail.view.running, Running::None);
    assert_eq!(detail.view.state, BoardState::Over);
    rig.pass(60.0);
    clock.watermark(&mut rig);
    assert_eq!(rig.times("1").0, 297_000_000);
    rig.assert_replay_equals_live();
}

#[test]
fn a_board_is_restored_to_the_moment_before_a_press() {
    let (mut rig, mut clock) = Rig::running("3m+2s");
    rig.pass(5.0);
    clock.press(&mut rig, Button::Left);
    rig.pass(7.0);
    let before_blacks_press = clock.seq + 1;
    clock.press(&mut rig, Button::Right);
    rig.pass(9.0);
    clock.press(&mut rig, Button::Left);
    rig.pass(1.0);
    let restore = rig.chief("1", Action::RestoreBefore(EventSeq(before_blacks_press)));
    assert!(rig.send(restore).is_none());
    clock.take_orders(&mut rig);
    let detail = rig.view("1");
    assert_eq!(detail.view.state, BoardState::Paused);
    assert_eq!(detail.view.next, Some(hall::view::Side::Black));
    assert_eq!(rig.times("1"), (179_000_000, 175_000_000));
    assert_eq!(detail.presses.len(), 1);
    assert_eq!(rig.hall.presses("1").len(), 1);
    let missing = rig.request("1", Action::RestoreBefore(EventSeq(99)));
    assert!(matches!(missing, Err(Denied::NotFound(_))));
    rig.assert_replay_equals_live();
}

#[test]
fn roles_are_enforced() {
    let (mut rig, _clock) = Rig::running("5m");
    let actor = |role| Actor {
        name: "someone".to_owned(),
        role,
    };
    let mut request = rig.chief("1", command("pause"));
    request.actor = actor(Role::Viewer);
    assert!(matches!(rig.send(request), Some(Err(Denied::Forbidden(_)))));
    for action in [
        Action::RemoveBoard,
        Action::Assign(String::new()),
        Action::RevokeAgent("01".to_owned()),
        Action::Force(rig.command_id()),
    ] {
        let mut request = rig.chief("1", action);
        request.actor = actor(Role::Floor);
        assert!(matches!(rig.send(request), Some(Err(Denied::Forbidden(_)))));
    }
    let mut request = rig.chief("1", command("pause"));
    request.actor = actor(Role::Floor);
    assert!(rig.send(request).is_none());
}

#[test]
fn names_show_on_the_board_and_on_its_clock() {
    let (mut rig, mut clock) = Rig::with_board("5m");
    let names = Action::Names {
        white: "Polgár".to_owned(),
        black: "Hou".to_owned(),
        round: "Round 3".to_owned(),
    };
    let request = rig.chief("1", names);
    rig.asked(request);
    clock.hear(&mut rig);
    let shown = clock
        .frames
        .iter()
        .rev()
        .find_map(|frame| match &frame.frame {
            Some(proto::wire::hub_frame::Frame::Labels(labels)) => Some(labels.white.clone()),
            _ => None,
        });
    assert_eq!(shown.as_deref(), Some("Polgár"));
    assert_eq!(rig.view("1").view.black.name, "Hou");
    // A change of names does not make a sender's view of the clocks outdated.
    let seen = rig.view("1").view.seq - 1;
    let mut request = rig.chief("1", command("set white 1m"));
    request.seen_seq = seen;
    assert!(rig.send(request).is_none());
}

#[test]
fn a_scheduled_start_starts_every_prepared_board_with_a_clock_once() {
    let at = Instant::from_micros(crate::rig::START + 60_000_000);
    let mut rig = Rig::scheduled(Some(at));
    rig.add_board("1", "5m");
    rig.add_board("2", "5m");
    rig.add_board("3", "5m");
    let mut one = rig.enrol(1, Some("1"));
    let _two = rig.enrol(2, Some("2"));
    one.connect(&mut rig);
    one.take_orders(&mut rig);
    rig.pass(59.0);
    one.watermark(&mut rig);
    rig.pass(2.0);
    one.hear(&mut rig);
    assert_eq!(one.ordered(&mut rig), ["start"]);
    one.take_orders(&mut rig);
    assert_eq!(rig.view("1").view.running, Running::White);
    // The command is pending for the clock that has not connected yet. The board without a clock gets no command.
    assert_eq!(rig.view("2").pending.len(), 1);
    assert_eq!(rig.view("2").pending[0].record.actor, "schedule");
    assert!(rig.view("3").pending.is_empty());
    rig.assert_replay_equals_live();
}

#[test]
fn a_board_in_play_cannot_be_removed() {
    let (mut rig, mut clock) = Rig::running("5m");
    let answer = rig.request("1", Action::RemoveBoard).unwrap();
    assert!(matches!(answer.outcome, Outcome::Refused(_)));
    assert_eq!(rig.ask("1", "end draw"), None);
    clock.take_orders(&mut rig);
    let request = rig.chief("1", Action::RemoveBoard);
    let (_, effects) = rig.asked(request);
    clock.hear(&mut rig);
    assert!(effects.iter().any(
        |effect| matches!(effect, HubEffect::BoardRemoved { board } if board.as_str() == "1")
    ));
    assert_eq!(clock.ordered(&mut rig), ["adopt "]);
    assert!(rig.hall.detail(&crate::rig::id("1"), rig.now).is_none());
    clock.take_orders(&mut rig);
    rig.assert_replay_equals_live();
}
