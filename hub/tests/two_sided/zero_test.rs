//! The clock test between the hub's core and the clock's core: the interval in the certificate contains the true time of the press, and no board
//! clock is affected.

use hall::Action;

use crate::world::{Faults, World};

#[test]
fn a_certificate_contains_the_truth_and_both_ends_stay_equal() {
    let mut world = World::new(41, 4, "90m+30s", Faults::NONE);
    world.let_pass(3.0);
    for board in ["1", "2", "3", "4"] {
        let before = world.clock_bytes_of(board);
        let id = world.command(board, Action::ZeroTest);
        world.let_pass(0.5);
        let found = world.certificate(id).unwrap();
        assert!(found.passed(), "board {board}: {:?}", found.findings);
        let press = found.press.unwrap();
        let mapped = press.mapped.unwrap();
        assert!(world.was_between(board, press.stamp, mapped.lo, mapped.hi));
        assert!(found.asked <= press.heard);
        assert_eq!(world.clock_bytes_of(board), before);
    }
    assert_eq!(world.message(0).as_deref(), Some("Clock test"));
    world.let_pass(4.0);
    assert_eq!(world.message(0), None, "the words go by themselves");
    world.start_all();
    world.play(20.0);
    world.settle();
    world.assert_both_ends_alike();
    assert!(world.presses > 2);
}

#[test]
fn a_clock_test_fails_if_the_link_is_lost_and_can_be_repeated() {
    let mut world = World::new(42, 1, "5m", Faults::NONE);
    world.let_pass(1.0);
    let id = world.command("1", Action::ZeroTest);
    world.cut(0);
    world.let_pass(3.0);
    let found = world.certificate(id).unwrap();
    assert!(!found.passed());
    world.settle();
    let id = world.command("1", Action::ZeroTest);
    world.let_pass(0.5);
    assert!(world.certificate(id).unwrap().passed());
    world.start_all();
    world.play(10.0);
    world.settle();
    world.assert_both_ends_alike();
}
