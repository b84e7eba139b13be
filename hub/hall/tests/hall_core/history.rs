//! The history of a board in the log: flag falls with their times, moves with their sides, values before and after commands, links, and games.

use hall::view::BoardState;
use hall::{GameCursor, GamePlace, describe, describe_changes};
use proto::Side;
use proto::log::{BoardValues, Changed, record::Input};
use proto::wire::{self, event_body::Fact};
use timing::Button;

use crate::rig::{HandClock, Rig};

fn changes(rig: &Rig, from: usize) -> Vec<Changed> {
    let records = rig.log[from..].iter();
    records
        .filter_map(|record| record.changed.clone())
        .collect()
}

fn games(rig: &Rig) -> Vec<GamePlace> {
    let mut cursor = GameCursor::default();
    let records = rig.log.iter().filter(|record| record.board == "1");
    records.map(|record| cursor.place(record)).collect()
}

pub(crate) fn stop(rig: &mut Rig, clock: &mut HandClock) {
    let frame = clock.event(clock.now(rig), Fact::Stop(wire::Stop {}));
    clock.frame(rig, frame);
}

fn links(rig: &Rig) -> Vec<bool> {
    let inputs = rig.log.iter().filter_map(|record| record.input.as_ref());
    inputs
        .filter_map(|input| match input {
            Input::LinkChanged(changed) => Some(changed.online),
            _ => None,
        })
        .collect()
}

#[test]
fn a_flag_is_logged_when_it_is_expected_and_when_it_is_confirmed() {
    let (mut rig, mut clock) = Rig::running("3s");
    let started = rig.now.as_micros();
    clock.watermark(&mut rig);
    let from = rig.log.len();
    rig.pass(3.4);
    let expected: Vec<_> = rig.log[from..]
        .iter()
        .filter_map(|record| match &record.input {
            Some(Input::FlagExpected(expected)) => Some((
                expected.side(),
                expected.at_us - started,
                record.board.as_str(),
            )),
            _ => None,
        })
        .collect();
    let [(Side::White, at, "1")] = expected[..] else {
        panic!("{expected:?}");
    };
    assert!(
        (at - 3_000_000).abs() < 1_000,
        "as exactly as the clock's time is known: {at}"
    );
    clock.watermark(&mut rig);
    let flags: Vec<_> = changes(&rig, from)
        .into_iter()
        .flat_map(|changed| changed.flags)
        .collect();
    let [flag] = &flags[..] else {
        panic!("{flags:?}");
    };
    let fell = flag.at_us - started;
    assert_eq!(flag.side(), Side::White);
    assert!(
        (fell - 3_000_000).abs() < 1_000,
        "when it fell, not when that was known: {fell}"
    );
    let confirmed = rig.log.last().unwrap();
    assert_eq!(confirmed.hub_us - started, 3_400_000);
    let words = describe_changes(confirmed, &|at| format!("<{at}>"));
    let expected = format!("White's flag fell at <{}>", flag.at_us);
    assert!(words.contains(&expected), "{words}");
    rig.assert_replay_equals_live();
}

#[test]
fn an_expected_flag_is_logged_once_however_long_its_clock_is_silent() {
    let (mut rig, mut clock) = Rig::running("3s");
    clock.drop_link(&mut rig);
    rig.pass(600.0);
    let expected = rig
        .log
        .iter()
        .filter(|record| matches!(record.input, Some(Input::FlagExpected(_))))
        .count();
    assert_eq!(expected, 1);
    rig.assert_replay_equals_live();
}

#[test]
fn a_press_is_logged_with_its_side_and_its_move() {
    let (mut rig, mut clock) = Rig::running("5m");
    rig.pass(2.0);
    clock.press(&mut rig, Button::Left);
    let pressed = rig.log.last().unwrap().clone();
    rig.pass(1.0);
    clock.press(&mut rig, Button::Right);
    let from = rig.log.len() - 2;
    let moves: Vec<_> = changes(&rig, from)
        .into_iter()
        .flat_map(|changed| changed.moves)
        .map(|made| (made.side(), made.r#move, made.used_us, made.left_us))
        .collect();
    assert_eq!(
        moves,
        [
            (Side::White, 1, 2_000_000, 298_000_000),
            (Side::Black, 1, 1_000_000, 299_000_000)
        ]
    );
    let words = describe_changes(&pressed, &|at| at.to_string());
    assert!(
        words.contains("White made move 1 in 0:00:02.000000"),
        "{words}"
    );
    // The line shown by older programs is unchanged.
    assert!(words.starts_with(&describe(&pressed)));
}

#[test]
fn a_correction_is_logged_with_the_previous_values() {
    let (mut rig, mut clock) = Rig::running("5m");
    rig.pass(2.0);
    assert_eq!(rig.ask("1", "pause"), None);
    clock.take_orders(&mut rig);
    rig.pass(1.0);
    let from = rig.log.len();
    assert_eq!(rig.ask("1", "set black 7m30s"), None);
    let asked = changes(&rig, from);
    assert_eq!(
        asked[0].before, None,
        "nothing has changed while it is on its way"
    );
    clock.take_orders(&mut rig);
    let done = changes(&rig, from).pop().unwrap();
    let (before, after) = (done.before.clone().unwrap(), done.after.clone().unwrap());
    let black = |values: &BoardValues| values.black.unwrap().time_us;
    assert_eq!((black(&before), black(&after)), (300_000_000, 450_000_000));
    assert_eq!(before.white, after.white);
    assert_eq!(
        (before.phase.as_str(), before.turn()),
        ("paused", Side::White)
    );
    let id = match &rig.log[from].input {
        Some(Input::Command(command)) => command.id.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(done.commands, [id], "the request that it answers");
    let words = describe_changes(rig.log.last().unwrap(), &|at| at.to_string());
    assert!(
        words.ends_with("at move 0, Black 0:05:00.000000 → 0:07:30.000000"),
        "{words}"
    );
    rig.assert_replay_equals_live();
}

#[test]
fn a_pause_is_logged_with_the_times_at_that_instant_and_a_new_control_with_both_values() {
    let (mut rig, mut clock) = Rig::running("5m");
    rig.pass(2.0);
    assert_eq!(rig.ask("1", "pause"), None);
    clock.take_orders(&mut rig);
    let paused = changes(&rig, 0).pop().unwrap();
    let (before, after) = (paused.before.unwrap(), paused.after.unwrap());
    assert_eq!(before.white, after.white, "the clock ran until then");
    assert_eq!(
        (before.phase.as_str(), after.phase.as_str()),
        ("running", "paused")
    );
    assert_eq!((before.control.as_str(), after.control.as_str()), ("", ""));
    assert_eq!(rig.ask("1", "control 5m+10s"), None);
    clock.take_orders(&mut rig);
    let changed = changes(&rig, 0).pop().unwrap();
    assert_eq!(changed.before.unwrap().control, "5m");
    assert_eq!(changed.after.unwrap().control, "5m+10s");
}

#[test]
fn a_clocks_refusal_is_logged_with_the_refused_command() {
    let (mut rig, mut clock) = Rig::running("5m");
    assert_eq!(rig.ask("1", "pause"), None);
    assert_eq!(rig.ask("1", "pause"), None);
    clock.take_orders(&mut rig);
    let refused = changes(&rig, 0).pop().unwrap();
    assert!(!refused.refused.is_empty(), "{refused:?}");
    assert_eq!(refused.commands.len(), 1);
    assert_eq!((refused.before, refused.after), (None, None));
}

#[test]
fn a_game_begins_with_the_record_that_sets_it() {
    let (mut rig, mut clock) = Rig::running("5m");
    let first = GamePlace { game: 1, round: 0 };
    assert_eq!(games(&rig).last(), Some(&first));
    assert_eq!(rig.ask("1", "end draw"), None);
    clock.take_orders(&mut rig);
    assert_eq!(rig.ask("1", "prepare left arbiter 3m+2s"), None);
    assert_eq!(games(&rig).last(), Some(&first), "it is only asked for");
    clock.take_orders(&mut rig);
    assert_eq!(games(&rig).last(), Some(&GamePlace { game: 2, round: 0 }));
    // Older hubs did not log the start of a new game; in their logs, a game begins with the command that requests it.
    let mut old = rig.log.clone();
    for record in &mut old {
        record.changed = None;
    }
    let mut cursor = GameCursor::default();
    let places: Vec<u32> = old
        .iter()
        .filter(|record| record.board == "1")
        .map(|record| cursor.place(record).game)
        .collect();
    assert_eq!((places[0], places.last()), (1, Some(&2)));
    rig.assert_replay_equals_live();
}

#[test]
fn lost_and_regained_links_are_in_the_log_of_their_board() {
    let (mut rig, mut clock) = Rig::running("5m");
    assert_eq!(links(&rig), [true]);
    let heard = rig.now.as_micros();
    rig.pass(4.0);
    let lost = rig.log.last().unwrap().clone();
    let Some(Input::LinkChanged(changed)) = &lost.input else {
        panic!("{lost:?}");
    };
    assert_eq!(
        (changed.online, changed.heard_us, lost.board.as_str()),
        (false, Some(heard), "1")
    );
    clock.watermark(&mut rig);
    assert_eq!(links(&rig), [true, false, true]);
    clock.drop_link(&mut rig);
    rig.pass(60.0);
    assert_eq!(links(&rig), [true, false, true, false], "once");
    clock.connect(&mut rig);
    assert_eq!(links(&rig).last(), Some(&true));
    rig.assert_replay_equals_live();
}

#[test]
fn a_stop_ends_play_and_a_second_stop_calls_the_arbiter() {
    let (mut rig, mut clock) = Rig::running("5m");
    rig.pass(1.0);
    stop(&mut rig, &mut clock);
    let detail = rig.view("1");
    assert_eq!(
        (detail.view.state, detail.arbiter_called),
        (BoardState::Stopped, None)
    );
    assert!(changes(&rig, 0).last().unwrap().stopped);
    rig.pass(5.0);
    let seq = rig.seq("1");
    stop(&mut rig, &mut clock);
    let called = rig.view("1").arbiter_called;
    assert_eq!(called, Some(rig.now));
    assert!(rig.seq("1") > seq, "watchers are shown a newer board");
    assert!(
        changes(&rig, 0)
            .iter()
            .any(|changed| changed.arbiter_called)
    );
    rig.pass(5.0);
    stop(&mut rig, &mut clock);
    assert_eq!(rig.view("1").arbiter_called, called, "since the first call");
    rig.assert_replay_equals_live();
    assert_eq!(rig.ask("1", "resume"), None);
    clock.take_orders(&mut rig);
    assert_eq!(rig.view("1").arbiter_called, None);
}
