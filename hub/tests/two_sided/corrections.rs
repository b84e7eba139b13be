//! An arbiter corrects a board at its clock, and both ends reach the same state.

use clock_agent::core::{CorrectionRequest, Input as AgentInput};
use ed25519_dalek::SigningKey;
use hall::{Action, Arbiter, Arbiters};

use super::world::{Faults, World};

fn key() -> SigningKey {
    SigningKey::from_bytes(&[5; 32])
}

pub(crate) fn arbiters() -> Arbiters {
    Arbiters {
        salt: vec![6; 16],
        list: vec![Arbiter {
            name: "Ada".to_owned(),
            key: proto::pin::public(&key()),
        }],
    }
}

pub(crate) fn correction(commands: &[&str], at: timing::Instant<timing::Board>) -> AgentInput {
    AgentInput::Corrected {
        at,
        request: CorrectionRequest {
            arbiter: "Ada".to_owned(),
            key: Box::new(key()),
            commands: commands.iter().map(|text| text.parse().unwrap()).collect(),
        },
    }
}

#[test]
fn corrections_at_the_clock_while_the_hub_is_away_are_the_hubs_when_it_is_back() {
    let mut world = World::new(31, 2, "5m", Faults::NONE);
    world.start_all();
    world.play(10.0);
    world.kill_hub();
    world.play(20.0);
    world.correct(0, &["pause", "set white 3m", "moves black 40", "resume"]);
    world.play(20.0);
    world.correct(0, &["add white 1m"]);
    // The clock's power fails before the hub is back.
    world.reboot(0, 2.0);
    world.let_pass(1.0);
    world.start_hub();
    world.settle();
    world.assert_both_ends_alike();
    assert_eq!(world.notes("corrected_at_clock"), 5);
    assert!(world.view("1").view.black.moves >= 40);
    world.play(20.0);
    world.settle();
    world.assert_both_ends_alike();
}

#[test]
fn a_correction_at_the_clock_after_a_forced_command_is_kept_for_review() {
    let mut world = World::new(32, 1, "5m", Faults::NONE);
    world.start_all();
    world.play(5.0);
    world.cut(0);
    let pending = world.command("1", Action::Board("pause".parse().unwrap()));
    world.let_pass(2.0);
    world.command("1", Action::Force(pending));
    let forced = world.view("1").view.clone();
    world.correct(0, &["set white 1s"]);
    world.settle();
    world.assert_both_ends_alike();
    assert_eq!(world.notes("corrected_at_clock"), 1);
    assert_eq!(world.view("1").view.white.us, forced.white.us);
}

#[test]
fn corrections_at_the_clock_amid_random_faults() {
    for seed in 700..712 {
        let mut world = World::new(seed, 3, "3m+2s", Faults::BAD);
        world.start_all();
        for _ in 0..8 {
            world.play(6.0);
            world.disturb();
            world.correct_somewhere();
        }
        world.calm();
        world.settle();
        world.assert_both_ends_alike();
        assert!(world.notes("corrected_at_clock") > 0, "SEED={seed}");
    }
}
