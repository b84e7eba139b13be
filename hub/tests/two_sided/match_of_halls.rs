//! A match between two halls: one board with a clock for each side, each with its real core. Checks the displays while the hub is
//! up, while it is down, and after a restart.

use hall::Action;
use timing::{BoardState, Button, Side};

use crate::world::{Faults, World};

const WHITE: usize = 0;
const BLACK: usize = 1;

/// Starts board 1 with White's clock running. Clock 0 is White's, and clock 1 is Black's.
fn playing(seed: u64, control: &str) -> World {
    let mut world = World::new(seed, 2, control, Faults::NONE);
    for (number, side) in [(WHITE, Side::White), (BLACK, Side::Black)] {
        let key = world.agent_key(number);
        world.command("1", Action::AssignSide(side, key));
    }
    world.let_pass(1.0);
    assert!(world.view("1").view.online, "{:?}", world.view("1"));
    world.command("1", Action::Board("start".parse().unwrap()));
    world.let_pass(0.1);
    world
}

fn press(world: &mut World, number: usize) {
    let button = match number {
        WHITE => Button::Left,
        _ => Button::Right,
    };
    world.press(number, button);
}

/// Checks that both displays show the hub's times to within 5 ms and no unknown opponent, and that no event is missing from the log.
#[track_caller]
fn assert_alike(world: &World) {
    let (white, black) = world.times("1");
    for number in [WHITE, BLACK] {
        let face = world.face(number);
        for (side, hub) in [(Side::White, white), (Side::Black, black)] {
            let shown = face.sides[side].time.as_micros();
            assert!(
                (shown - hub).abs() <= 5_000,
                "clock {number} shows {side:?} {shown}, the hub has {hub}"
            );
        }
        assert_eq!(face.unknown, None);
    }
    world.assert_nothing_lost();
}

#[test]
fn a_press_stops_its_own_clock_immediately_and_shows_elsewhere_once_the_hub_has_it() {
    let mut world = playing(21, "3m+2s");
    world.let_pass(4.0);
    press(&mut world, WHITE);
    assert_eq!(world.face(WHITE).running, Some(Side::Black));
    assert_eq!(world.face(BLACK).running, Some(Side::White));
    world.let_pass(0.02);
    assert_eq!(world.face(BLACK).running, Some(Side::Black));
    assert_alike(&world);
    // Neither the opponent's button on a player's own clock nor a press out of turn has an effect.
    world.press(BLACK, Button::Left);
    press(&mut world, WHITE);
    world.let_pass(2.0);
    assert_alike(&world);
    press(&mut world, BLACK);
    world.let_pass(1.0);
    assert_eq!(world.view("1").view.black.moves, 1);
    assert_alike(&world);
}

#[test]
fn without_a_hub_a_face_shows_its_own_presses_and_an_unknown_opponent() {
    let mut world = playing(22, "10s+1s");
    world.let_pass(2.0);
    assert_eq!(world.face(WHITE).unknown, None);
    world.kill_hub();
    press(&mut world, WHITE);
    let stopped = world.face(WHITE).sides[Side::White].time;
    // This is longer than Black has left, so White's clock cannot know whether Black's flag fell.
    world.let_pass(30.0);
    let face = world.face(WHITE);
    assert_eq!(face.sides[Side::White].time, stopped);
    assert_eq!(face.unknown, Some(Side::Black));
    assert_eq!(face.first_flag, None);
    assert_eq!(face.state, BoardState::Running { mover: Side::Black });
    // Black's clock does not know that White has pressed. It does not show White's flag as fallen either.
    assert_eq!(world.face(BLACK).unknown, Some(Side::White));
    assert_eq!(world.face(BLACK).first_flag, None);
    world.start_hub();
    world.settle();
    let view = world.view("1").view.clone();
    assert_eq!((view.white.moves, view.black.moves), (1, 0));
    assert!(
        (view.white.us - stopped.as_micros()).abs() < 5_000,
        "{stopped:?} {view:?}"
    );
    // Black's own clock has since confirmed that Black did not press before the flag fell.
    assert_eq!(view.black.flag, hall::view::Flag::Fallen);
}

#[test]
fn an_answer_made_while_the_hub_is_away_counts_when_it_is_back() {
    let mut world = playing(23, "5m");
    world.let_pass(2.0);
    world.kill_hub();
    press(&mut world, WHITE);
    world.let_pass(3.0);
    // The players see each other's moves on the board, but their clocks receive nothing.
    press(&mut world, BLACK);
    world.let_pass(4.0);
    world.start_hub();
    world.settle();
    let view = world.view("1").view.clone();
    assert_eq!((view.white.moves, view.black.moves), (1, 1));
    assert!((view.black.us - 297_000_000).abs() < 5_000, "{view:?}");
    assert_alike(&world);
}

#[test]
fn a_clock_restarted_in_mid_game_continues_from_the_hubs_state() {
    let mut world = playing(24, "5m");
    world.let_pass(2.0);
    press(&mut world, WHITE);
    world.let_pass(1.0);
    world.reboot(BLACK, 8.0);
    world.settle();
    assert_alike(&world);
    press(&mut world, BLACK);
    world.let_pass(0.5);
    press(&mut world, WHITE);
    world.let_pass(1.0);
    let view = world.view("1").view.clone();
    assert_eq!((view.white.moves, view.black.moves), (2, 1));
    assert_alike(&world);
}
