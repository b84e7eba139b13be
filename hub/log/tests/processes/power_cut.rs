//! A power cut at any moment, even during the first start: every acknowledged record survives. The test records every write, sync and rename that a
//! real writer makes on the disks of its log and its mirror. From this recording it builds disks that contain the synced data and,
//! independently of each other, any part of the rest.
//!
//! `LOG_POWER_CUTS=2000 cargo test -p durable-log --test processes power_cut` makes more cuts than the default.

use std::io::{BufRead, BufReader};

use crate::alone;
use crate::log_writer::{self, Random};
use crate::recorder::{History, Recorder};

#[test]
fn acknowledged_records_survive_a_power_cut() {
    let _alone = alone();
    let cuts = log_writer::repetitions("LOG_POWER_CUTS", 40);
    let history = record(true);
    let acknowledgements = history.acknowledgements();
    assert!(
        history.acknowledged(history.len()) > 3000,
        "the writer has done little"
    );
    let mut random = Random::seeded();
    for number in 0..cuts {
        let cut = match number % 4 {
            0 => random.below(history.len() as u64 + 1) as usize,
            1 => random.below(acknowledgements[0] as u64) as usize, // during the first start
            _ => acknowledgements[random.below(acknowledgements.len() as u64) as usize],
        };
        let acked = history.acknowledged(cut);
        recovers(&history, cut, &mut random).unwrap_or_else(|error| {
            panic!("power cut {number}, before event {cut}, {acked} acknowledged: {error}")
        });
    }
    println!(
        "{cuts} power cuts in {} events with {} acknowledgements",
        history.len(),
        acknowledgements.len()
    );
}

/// Checks that the rig detects a loss: with sled's flush alone, without the file's own sync, the log loses acknowledged records.
#[test]
fn the_rig_detects_a_log_that_does_not_sync() {
    let _alone = alone();
    let history = record(false);
    let acknowledgements = history.acknowledgements();
    let mut random = Random::seeded();
    let lost = (0..40).filter(|_| {
        let cut = acknowledgements[random.below(acknowledgements.len() as u64) as usize];
        recovers(&history, cut, &mut random).is_err()
    });
    assert!(
        lost.count() > 0,
        "no cut lost anything: the rig does not work"
    );
}

/// The two disks, as subdirectories of the recorded directory: the data directory, and the mirror of the archive.
const DISKS: [&str; 2] = ["data", "mirror"];

/// Records two writers in succession. The first one is killed.
fn record(synced: bool) -> History {
    let enough = log_writer::repetitions("LOG_POWER_CUT_RECORDS", 3000);
    let scratch = tempfile::tempdir().unwrap();
    let disks = scratch.path().join("disks");
    let [dir, mirror] = DISKS.map(|name| disks.join(name));
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::create_dir(&mirror).unwrap();
    let recorder = Recorder::compile(scratch.path());
    for killed in [true, false] {
        let mut command = log_writer::command("writer", &dir);
        command.env(log_writer::MIRROR, &mirror);
        recorder.attach(&mut command, &disks);
        if !synced {
            command.env(log_writer::UNSYNCED, "1");
        }
        if !killed {
            command.env(log_writer::RECORDS, "400");
        }
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let acked = lines
            .map_while(Result::ok)
            .filter_map(|line| line.strip_prefix("ACK ")?.parse::<u64>().ok());
        let said_enough = acked.into_iter().any(|len| killed && len >= enough);
        if killed {
            assert!(said_enough, "the writer ended by itself");
            child.kill().unwrap();
        }
        let status = child.wait().unwrap();
        assert_eq!(status.success(), !killed);
    }
    recorder.history(&disks, DISKS)
}

fn recovers(history: &History, cut: usize, random: &mut Random) -> Result<u64, String> {
    let disks = tempfile::tempdir().unwrap();
    history.write_state(cut, random, disks.path());
    let [dir, mirror] = DISKS.map(|name| disks.path().join(name));
    log_writer::check_steps(&dir, Some(&mirror), history.acknowledged(cut))
}
