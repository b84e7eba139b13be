//! Every decoder survives its committed corpus and some new mutations of it. The program `fuzz` runs longer.

use tests::fuzz::{Budget, TARGETS, fuzz, load, replay};
use tests::tidy::root;

#[test]
fn every_decoder_survives_its_corpus() {
    for target in TARGETS {
        let corpus = load(target.name).unwrap();
        assert!(!corpus.is_empty(), "{} has no corpus", target.name);
        replay(target, &corpus).unwrap_or_else(|crash| panic!("{crash}"));
    }
}

#[test]
fn seeds_are_valid_and_differ_in_kind() {
    for target in TARGETS {
        let seeds = (target.seeds)();
        let replayed = replay(target, &seeds).unwrap_or_else(|crash| panic!("{crash}"));
        assert!(replayed.answers >= 2, "{}: {replayed:?}", target.name);
        assert!(
            seeds.iter().all(|seed| seed.len() <= target.longest),
            "{}: a seed is cut",
            target.name
        );
    }
}

#[test]
fn every_decoder_survives_fresh_mutations() {
    const EXECUTIONS: u64 = 500;
    let seed = rand::random();
    for target in TARGETS {
        let corpus = load(target.name).unwrap();
        let budget = Budget::Executions(corpus.len() as u64 + EXECUTIONS);
        let fuzzed = fuzz(target, &corpus, seed, budget);
        fuzzed.unwrap_or_else(|crash| panic!("{crash}"));
    }
}

#[test]
fn corpora_stay_small_and_belong_to_targets() {
    const MAX_BYTES: u64 = 300_000;
    let mut bytes = 0;
    for entry in std::fs::read_dir(root().join("tests/corpora")).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let target = name.strip_suffix(".corpus");
        let known = TARGETS.iter().any(|known| Some(known.name) == target);
        assert!(known, "{name} belongs to no target");
        bytes += entry.metadata().unwrap().len();
    }
    assert!(bytes <= MAX_BYTES, "the corpora have {bytes} bytes");
}
