//! Plays a few simulated halls. The crate `sim` does the checking, and the program `hall-sim` plays many more.

use sim::{Options, Tally, bars, honest_bars, lie_bars, simulate, tell_lies};

const OPTIONS: Options = Options {
    boards: 5,
    minutes: 1.5,
    calm: false,
    honest: false,
    tell: false,
};

#[test]
fn whatever_happens_in_a_hall_no_press_is_lost_and_every_clock_is_right() {
    let mut tally = Tally::default();
    for seed in 1..=24 {
        let outcome = simulate(seed, &OPTIONS);
        assert_eq!(
            outcome.failure, None,
            "SEED={seed}: cargo run --profile bench -p tests --bin hall-sim -- --seed {seed} --seeds 1 --boards {} --minutes {}",
            OPTIONS.boards, OPTIONS.minutes
        );
        let again = simulate(seed, &OPTIONS);
        assert_eq!(
            outcome.trace, again.trace,
            "SEED={seed} does not do the same twice"
        );
        tally.add(&outcome.tally);
    }
    assert!(
        tally.presses > 2_000 && tally.acknowledged > 2_000,
        "{tally:?}"
    );
    assert!(tally.faults.len() > 15, "{:?}", tally.faults);
    // Some limits apply only to many halls; `hall-sim` checks those.
    let certain = bars(&tally, 0).into_iter().filter(|bar| bar.limit == "all");
    for bar in certain {
        assert!(bar.ok, "{}: {}", bar.name, bar.value);
    }
}

#[test]
fn different_seeds_draw_different_halls() {
    let trace = |seed| simulate(seed, &OPTIONS).trace;
    assert_ne!(trace(31), trace(32));
}

#[test]
fn honest_halls_raise_no_note_about_a_clock() {
    let options = Options {
        honest: true,
        ..OPTIONS
    };
    let mut tally = Tally::default();
    for seed in 1..=12 {
        let outcome = simulate(seed, &options);
        assert_eq!(outcome.failure, None, "SEED={seed}");
        tally.add(&outcome.tally);
    }
    for bar in honest_bars(&tally, 0) {
        assert!(bar.ok, "{}: {} ({:?})", bar.name, bar.value, tally.notices);
    }
}

#[test]
fn lies_gain_no_more_than_a_heartbeat_a_move_and_a_second_a_game_without_a_note() {
    let lies = tell_lies(1, 2_000, 1);
    assert!(lies.failures.is_empty(), "{:?}", lies.failures);
    for bar in lie_bars(&lies) {
        assert!(bar.ok, "{}: {}", bar.name, bar.value);
    }
}
