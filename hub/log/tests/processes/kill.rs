//! `kill -9` at any moment, even during start-up: the log contains every acknowledged record, in order, and nothing that was
//! never written.
//!
//! `LOG_KILL_ROUNDS=500 cargo test -p durable-log --test processes kill` runs more rounds than the default.

use std::path::Path;
use std::time::Duration;

use crate::alone;
use crate::log_writer::{self, Random, WriterOutput};

#[test]
fn acknowledged_records_survive_kill_9() {
    let _alone = alone();
    let rounds = log_writer::repetitions("LOG_KILL_ROUNDS", 20);
    let mut random = Random::seeded();
    let (mut in_start, mut recovered) = (0, 0);
    let mut dir = tempfile::tempdir().unwrap();
    let mut acked = 0;
    for round in 0..rounds {
        // Half of the kills are timed for the start-up. If no check comes between two kills, the second may interrupt the recovery from the first.
        let longest_us = if round.is_multiple_of(2) {
            60_000
        } else {
            200_000
        };
        let output = kill_after(dir.path(), Duration::from_micros(random.below(longest_us)));
        in_start += u64::from(output.opened.is_none());
        if let Some(opened) = output.opened {
            assert!(
                opened >= acked,
                "round {round}: {opened} records found, {acked} acknowledged before"
            );
        }
        acked = acked.max(output.acked);
        if round % 3 == 2 {
            let len = log_writer::check_steps(dir.path(), None, acked)
                .unwrap_or_else(|error| panic!("round {round}: {error}"));
            recovered += len;
        }
        if round % 9 == 8 {
            dir = tempfile::tempdir().unwrap(); // the next kill may interrupt a first start
            acked = 0;
        }
    }
    log_writer::check_steps(dir.path(), None, acked).unwrap();
    println!(
        "{rounds} kills, {in_start} of them before the log was open; {recovered} records checked"
    );
    assert!(
        in_start > 0 && recovered > 0,
        "the kills did not fall where they should"
    );
}

fn kill_after(dir: &Path, delay: Duration) -> WriterOutput {
    let mut child = log_writer::command("writer", dir).spawn().unwrap();
    let out = child.stdout.take().unwrap();
    let listener = std::thread::spawn(move || log_writer::listen(out));
    // The moment of the kill is random, so an early wake-up does no harm.
    std::thread::park_timeout(delay);
    child.kill().unwrap(); // SIGKILL
    child.wait().unwrap();
    listener.join().unwrap()
}
