//! The standings of a large open with 500 players, 11 rounds and ten tie-breaks, and the import of its report.
//!
//! `cargo bench -p tests --bench standings` prints each bar with its value and limit, and fails if a limit is exceeded.
#![expect(clippy::print_stdout, reason = "a command line program")]

use std::process::ExitCode;

use tests::large_open::large_open;
use tests::stopwatch::Stopwatch;
use tournament::formats::draft::{Draft, export, import_file};
use tournament::formats::trf::Edition;

const PLAYERS: u16 = 500;
const ROUNDS: u16 = 11;
const LIMIT_MS: i64 = 50;
const IMPORT_LIMIT_MS: i64 = 1_000;
const TIE_BREAKS: [&str; 10] = [
    "DE", "BH/C1", "BH", "AOB", "SB", "FB/M1", "PS", "TPR", "APPO", "STD",
];

fn main() -> ExitCode {
    let tournament = match large_open(PLAYERS, ROUNDS, &TIE_BREAKS) {
        Ok(tournament) => tournament,
        Err(refusal) => {
            println!("the event was refused: {refusal}");
            return ExitCode::FAILURE;
        }
    };
    let standings = bar("standings, ten tie-breaks", 50, LIMIT_MS, || {
        tournament.standings(None).rows.len() == usize::from(PLAYERS)
    });
    let report = export(&tournament, Edition::Trf26).text;
    let known = Draft::of(&tournament);
    let import = bar("import of its report", 10, IMPORT_LIMIT_MS, || {
        import_file(report.as_bytes()).is_ok_and(|read| read.draft == known)
    });
    if standings && import {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Prints the median time of several runs, each of which returns true on success. Returns true if all succeeded and the median is within the limit.
fn bar(what: &str, runs: usize, limit_ms: i64, run: impl Fn() -> bool) -> bool {
    let mut taken = Vec::new();
    let mut right = true;
    for _ in 0..runs {
        let watch = Stopwatch::start();
        right &= run();
        taken.push(watch.elapsed_us());
    }
    taken.sort_unstable();
    let median = taken[taken.len() / 2];
    let held = right && median <= limit_ms * 1_000;
    let verdict = match (right, held) {
        (true, true) => "ok",
        (true, false) => "MISSED",
        (false, _) => "WRONG",
    };
    println!(
        "{PLAYERS} players, {ROUNDS} rounds: {what}, p50: {}.{:03} ms, limit {limit_ms} ms: {verdict}",
        median / 1_000,
        median % 1_000
    );
    held
}
