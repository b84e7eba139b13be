//! Compares the engine with the ticking oracle, on newly generated games in every run.
//!
//! `cargo run --profile bench -p tests --bin oracle` plays a hundred thousand games.

use std::collections::BTreeSet;
use std::path::Path;

/// Number of games, which an unoptimised build plays in a few seconds.
const GAMES: u64 = 8_000;

#[test]
fn the_engine_agrees_with_the_ticking_clock() {
    let seed = rand::random();
    for game in 0..GAMES {
        if let Err(one) = oracle::check(seed, game) {
            panic!(
                "SEED={seed} game {game}: {}\n{}",
                one.differences.join("\n"),
                one.script
            );
        }
    }
}

#[test]
fn a_game_is_the_same_for_the_same_seed() {
    for game in [0, 1, 77] {
        assert_eq!(oracle::play(5, game).script, oracle::play(5, game).script);
    }
    assert_ne!(oracle::play(5, 0).script, oracle::play(6, 0).script);
}

#[test]
fn the_oracle_notices_an_error_of_one_microsecond() {
    let script = "control 5s\nat 0 start white\nat 1 press white\nat 1 expect white=4.000001\n";
    let verdict = oracle::run_naive(script).unwrap();
    assert_eq!(verdict.wrong.len(), 1, "{:?}", verdict.wrong);
    let right = "control 5s\nat 0 start white\nat 1 press white\nat 1 expect white=4\n";
    assert!(oracle::run_naive(right).unwrap().wrong.is_empty());
}

#[test]
fn the_naive_clock_passes_the_quick_vectors() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors");
    let mut held = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "txt") {
            continue;
        }
        let text = std::fs::read_to_string(path).unwrap();
        // Skip vectors that would keep the naive clock busy for minutes. The program `oracle` runs every vector with `--vectors`.
        if ["9999", "00001", "333333", "59.999"]
            .iter()
            .any(|fine| text.contains(fine))
        {
            continue;
        }
        let verdict = oracle::run_naive(&text).unwrap();
        assert!(verdict.wrong.is_empty(), "{:?}\n{text}", verdict.wrong);
        held += 1;
    }
    assert!(held >= 25, "only {held} vectors");
}

#[test]
fn every_method_of_the_grammar_is_drawn() {
    let mut missing: BTreeSet<&str> = [
        "zero/",
        " : ",
        "/",
        "+",
        " cap ",
        " delay ",
        " bronstein ",
        " byo ",
        " canadian ",
        " hourglass",
        " hybrid",
        " linear",
        " truncated",
        " grace ",
        " overtime ",
        "control move ",
        "control up",
        "control triple ",
        " gt",
        "*",
        " vs ",
        " runs on",
        " start black",
        " pause",
        " resume white",
        " set ",
        " add ",
        "add white -",
        " moves ",
        " refill white",
        "claim draw",
        "end mate",
        "end resign",
        "end draw",
        "phase=flagged",
        "phase=overtime",
        "phase=grace",
        "phase=extra",
        "phase=byo",
        "phase=canadian",
        "result=1/2-1/2",
        "first_flag=black",
    ]
    .into();
    for game in 0..2_000 {
        let script = oracle::play(11, game).script;
        missing.retain(|part| !script.contains(part));
    }
    assert!(
        missing.is_empty(),
        "never drawn in 2,000 games: {missing:?}"
    );
}
