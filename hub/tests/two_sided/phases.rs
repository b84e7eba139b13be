//! Timing methods through the whole system. The players' display, the page and the arbiters' programs show the same allotment, and the hub restores
//! it after a crash.

use hall::{Action, Outcome};
use proto::grpc;
use serde_json::Value;
use timing::{Button, Duration, Side, SideView};

use crate::world::{Faults, World};

/// Maximum error of the hub's estimate of board time, and therefore of a running clock, in microseconds.
const NEARLY_US: i64 = 5_000;

/// Plays a board until White is using the expected allotment. Compares all views before and after the hub is killed.
#[track_caller]
fn check(control: &str, play: impl FnOnce(&mut World), in_phase: impl Fn(&SideView) -> bool) {
    let mut world = World::new(11, 1, control, Faults::NONE);
    world.start_all();
    play(&mut world);
    world.let_pass(0.2);
    for moment in ["before the hub dies", "after it came back"] {
        let face = world.shown().face;
        let white = face.sides[Side::White];
        assert!(in_phase(&white), "{control}, {moment}: {white:?}");
        assert_alike(&world, &format!("{control}, {moment}"));
        let replayed = world.replayed_clock();
        assert!(replayed == world.clock_bytes(), "{control}, {moment}");
        if moment == "before the hub dies" {
            world.kill_hub();
            world.let_pass(0.3);
            world.start_hub();
            world.let_pass(1.5);
        }
    }
    world.settle();
    world.assert_both_ends_alike();
}

#[track_caller]
fn assert_alike(world: &World, what: &str) {
    let shown = world.shown();
    for side in Side::BOTH {
        let face = &shown.face.sides[side];
        let board = match side {
            Side::White => &shown.board.white,
            Side::Black => &shown.board.black,
        };
        same(
            face,
            &shown.page[side.as_str()],
            board.as_ref().unwrap(),
            what,
        );
    }
    assert_eq!(shown.page["control"], shown.face.control, "{what}");
    assert_eq!(shown.board.control, shown.face.control, "{what}");
}

#[track_caller]
fn same(face: &SideView, page: &Value, board: &grpc::PlayerSide, what: &str) {
    let optional = |key: &str| page.get(key).and_then(Value::as_i64);
    let near = |a: Option<i64>, b: Option<i64>| match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() <= NEARLY_US,
        (None, None) => true,
        _ => false,
    };
    let us = |time: Option<Duration>| time.map(Duration::as_micros);
    assert_eq!(page["phase"], face.allotment.as_str(), "{what}");
    assert_eq!(page["period"], face.period, "{what}");
    assert_eq!(page["moves"], face.moves, "{what}");
    assert_eq!(optional("byo_left"), face.byo_left.map(i64::from), "{what}");
    assert_eq!(optional("stones"), face.stones.map(i64::from), "{what}");
    assert_eq!(optional("points"), face.points, "{what}");
    let (time, bank, delay) = (face.time.as_micros(), us(face.bank), us(face.delay_left));
    assert!(near(optional("us"), Some(time)), "{what}: {page} {face:?}");
    assert!(near(optional("bank_us"), bank), "{what}: {page} {face:?}");
    assert!(near(optional("delay_us"), delay), "{what}: {page} {face:?}");
    assert_eq!(page["phase"], board.allotment, "{what}");
    assert_eq!(
        (board.period, board.moves),
        (face.period, face.moves),
        "{what}"
    );
    assert_eq!(optional("us"), Some(board.time_us), "{what}");
    assert_eq!(board.byo_left, face.byo_left, "{what}");
    assert_eq!(board.stones, face.stones, "{what}");
    assert_eq!(board.points, face.points, "{what}");
    assert_eq!(board.bank_us, optional("bank_us"), "{what}");
    assert_eq!(board.delay_us, optional("delay_us"), "{what}");
}

fn presses(world: &mut World, pairs: usize) {
    for _ in 0..pairs {
        for button in [Button::Left, Button::Right] {
            world.let_pass(0.5);
            world.press(0, button);
        }
    }
}

fn is(side: &SideView, phase: &str) -> bool {
    side.allotment.as_str() == phase
}

#[test]
fn byo_yomi_periods() {
    check(
        "2s byo 3x1m",
        |world| world.let_pass(64.0),
        |side| is(side, "byo") && side.byo_left == Some(2),
    );
}

#[test]
fn canadian_stones() {
    check(
        "2s canadian 4/1m",
        |world| {
            world.let_pass(3.0);
            presses(world, 1);
        },
        |side| is(side, "canadian") && side.stones == Some(3),
    );
}

#[test]
fn extra_time_of_the_double_flag() {
    check(
        "2s extra 1m min 10s hybrid",
        |world| world.let_pass(3.0),
        |side| is(side, "extra"),
    );
}

#[test]
fn grace() {
    check(
        "2s grace 2m",
        |world| world.let_pass(3.0),
        |side| is(side, "grace"),
    );
}

#[test]
fn overtime_and_its_points() {
    check(
        "2s overtime 10/1m",
        |world| world.let_pass(65.0),
        |side| is(side, "overtime") && side.points.is_some_and(|points| points != 0),
    );
}

#[test]
fn the_bank_of_triple_block() {
    check(
        "triple 450",
        |world| presses(world, 2),
        |side| side.bank.is_some_and(Duration::is_positive) && side.moves == 2,
    );
}

#[test]
fn a_running_delay_and_one_that_is_used_up() {
    check(
        "1m delay 30s",
        |world| presses(world, 1),
        |side| side.delay_left.is_some_and(Duration::is_positive),
    );
    check(
        "1m delay 2s",
        |world| world.let_pass(4.0),
        |side| side.time < Duration::from_secs(59),
    );
}

#[test]
fn periods_by_moves_and_by_zero() {
    check(
        "2/1m : 30s+2s",
        |world| presses(world, 2),
        |side| side.period == 2,
    );
    check(
        "zero/2s : 1m",
        |world| world.let_pass(3.0),
        |side| side.period == 2,
    );
}

#[test]
fn hourglass_upcount_and_a_fixed_time_per_move() {
    check(
        "1m hourglass",
        |world| presses(world, 1),
        |side| side.moves == 1,
    );
    check("up", |world| presses(world, 1), |side| side.moves == 1);
    check(
        "move 30s",
        |world| presses(world, 1),
        |side| side.moves == 1,
    );
}

#[test]
fn a_new_control_while_a_clock_runs() {
    check(
        "5m",
        |world| {
            presses(world, 2);
            let change = Action::Board("control 1m byo 3x10s".parse().unwrap());
            let id = world.command("1", change);
            world.let_pass(0.5);
            assert_eq!(world.outcome(id), Some(Outcome::Done));
            // The time in hand and the press count are kept; everything else follows the new time control.
            let white = world.shown().face.sides[Side::White];
            assert!(white.time > Duration::from_secs(290), "{white:?}");
            assert_eq!(white.moves, 2);
            let id = world.command("1", Action::Board("set white 1s".parse().unwrap()));
            world.let_pass(2.5);
            assert_eq!(world.outcome(id), Some(Outcome::Done));
        },
        |side| is(side, "byo") && side.byo_left == Some(3),
    );
}

#[test]
fn a_flag_that_stops_the_clock_and_one_that_does_not() {
    check(
        "2s",
        |world| world.let_pass(4.0),
        |side| is(side, "flagged"),
    );
    check(
        "2s runs on",
        |world| world.let_pass(4.0),
        |side| side.flag == timing::FlagView::Fallen,
    );
}
