//! The hub's core and the clocks' core together in virtual time. Links delay, lose and duplicate frames, and break; the hub crashes. In the end, both
//! sides must always agree on the times in hand.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

#[path = "two_sided/corrections.rs"]
mod corrections;
#[path = "two_sided/match_of_halls.rs"]
mod match_of_halls;
#[path = "two_sided/phases.rs"]
mod phases;
#[path = "two_sided/published.rs"]
mod published;
#[path = "two_sided/world.rs"]
mod world;
#[path = "two_sided/zero_test.rs"]
mod zero_test;

use hall::{Action, Outcome};
use timing::Button;
use world::{Faults, World};

#[test]
fn a_quiet_network_shows_the_same_clocks_at_both_ends() {
    let mut world = World::new(1, 3, "3m+2s", Faults::NONE);
    world.start_all();
    world.play(60.0);
    world.settle();
    world.assert_both_ends_alike();
    assert!(world.presses > 20, "{} presses", world.presses);
}

#[test]
fn twenty_seconds_without_a_hub() {
    let mut world = World::new(2, 2, "3m+2s", Faults::NONE);
    world.start_all();
    world.play(10.0);
    world.kill_hub();
    let before = world.presses;
    world.play(20.0);
    assert!(world.presses > before, "the game goes on");
    world.start_hub();
    world.play(5.0);
    world.settle();
    world.assert_both_ends_alike();
}

#[test]
fn ten_minutes_without_a_hub() {
    let mut world = World::new(3, 2, "15m+10s", Faults::NONE);
    world.start_all();
    world.play(30.0);
    world.kill_hub();
    world.play(600.0);
    world.start_hub();
    world.settle();
    world.assert_both_ends_alike();
    world.play(60.0);
    world.settle();
    world.assert_both_ends_alike();
}

#[test]
fn a_flag_that_falls_while_the_hub_is_away_has_fallen_at_both_ends() {
    let mut world = World::new(4, 2, "5s", Faults::NONE);
    world.start_all();
    world.kill_hub();
    world.let_pass(30.0);
    world.start_hub();
    world.settle();
    world.assert_both_ends_alike();
    for board in ["1", "2"] {
        let view = world.view(board).view.clone();
        assert_eq!(view.state, hall::view::BoardState::Flagged);
        assert_eq!(view.white.us, 0);
    }
}

#[test]
fn commands_have_the_same_effect_at_both_ends() {
    let mut world = World::new(5, 1, "5m", Faults::NONE);
    world.start_all();
    world.play(7.0);
    for command in [
        "pause",
        "pause",
        "add white 1m",
        "moves black 12",
        "swap",
        "resume",
        "control 3m+2s",
        "pause",
        "flag white",
        "resume",
        "end result 1-0",
        "end result *",
    ] {
        world.command("1", Action::Board(command.parse().unwrap()));
        world.let_pass(0.5);
    }
    world.settle();
    world.assert_both_ends_alike();
}

#[test]
fn a_silent_clock_adopts_a_forced_pause() {
    let mut world = World::new(6, 1, "5m", Faults::NONE);
    world.start_all();
    world.play(3.0);
    world.let_pass(0.1);
    world.cut(0);
    world.let_pass(5.0);
    let id = world.command("1", Action::Board("pause".parse().unwrap()));
    world.command("1", Action::Force(id));
    assert_eq!(world.outcome(id), Some(Outcome::Done));
    world.press(0, Button::Left);
    world.press(0, Button::Right);
    world.let_pass(1.0);
    world.settle();
    world.assert_both_ends_alike();
    assert!(world.view("1").view.paused);
    assert_eq!(world.notes("late_press"), 2);
}

#[test]
fn a_clock_assigned_to_a_running_board_agrees_with_the_hub() {
    let mut world = World::new(7, 2, "5m", Faults::NONE);
    world.start_all();
    world.play(5.0);
    // The first board's clock breaks down. The second board's game is over, so its clock is free.
    world.command("2", Action::Board("end draw".parse().unwrap()));
    world.let_pass(1.0);
    world.cut(0);
    world.let_pass(10.0);
    let spare = world.agent_key(1);
    world.command("1", Action::Assign(spare));
    world.let_pass(5.0);
    world.settle();
    world.assert_both_ends_alike();
}

#[test]
fn a_restarted_clock_catches_up() {
    let mut world = World::new(8, 1, "5m", Faults::NONE);
    world.start_all();
    world.play(10.0);
    world.settle();
    let before = world.times("1");
    world.reboot(0, 30.0);
    world.settle();
    world.assert_both_ends_alike();
    let after = world.times("1");
    let charged = (before.0 + before.1) - (after.0 + after.1);
    // The missed time is charged, except for the time that the hello may have been in transit.
    assert!(charged > 29_500_000, "{charged}");
    assert_eq!(world.notes("rebase"), 1);
}

#[test]
fn whatever_the_network_and_the_hub_do() {
    for seed in 100..125 {
        let mut world = World::new(seed, 4, "1m+1s", Faults::BAD);
        world.start_all();
        for _ in 0..12 {
            world.disturb();
            world.play(5.0);
        }
        world.calm();
        world.settle();
        world.assert_both_ends_alike();
        world.assert_nothing_lost();
    }
}
