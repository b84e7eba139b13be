//! A data directory with random damage: the hub still serves everything that it acknowledged, or refuses to start and says what to do.
//!
//! `DATA_DAMAGES=10000 cargo test -p hub --test shell data_damage` tests more damaged directories than usual; `DATA_SEED=…` repeats a run.

use std::fs;
use std::path::{Path, PathBuf};

use durable_log::Log;
use hub::server::HubServer;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{RngCore as _, SeedableRng as _};

use crate::hall::config;
use crate::program::{Serving, expect, flagfall};

/// Words that introduce the advice. Every refusal must contain at least one of them.
const ADVICE: [&str; 6] = [
    "restore",
    "copy",
    "move it away",
    "backup",
    "start it with",
    "flagfall ",
];
/// Files that hold no data about the hall, such as the lock and the addresses of the last run.
const OF_ONE_RUN: [&str; 3] = ["lock", "addresses", "ballast"];

#[derive(Debug, Default)]
struct Tally {
    served: u32,
    refused: u32,
}

struct Made {
    dir: tempfile::TempDir,
    records: Vec<Vec<u8>>,
    authority: [u8; 16],
}

impl Made {
    /// Runs a hub three times to create boards, then creates a key file for an arbiter.
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        for run in 0..3 {
            let hub = Serving::start(dir.path());
            let boards = format!("{}-{}", 20 * run + 1, 20 * run + 20);
            expect(&hub.ctl(dir.path(), &["add", &boards, "5m+3s"]), 0);
            expect(&hub.ctl(dir.path(), &["add-time", "1", "white", "1m"]), 0);
            assert_eq!(hub.stop(), Some(0));
        }
        let path = dir.path().to_str().unwrap();
        let key = dir.path().join("anna.pem");
        let made = [
            "credential",
            "--role",
            "floor",
            "--name",
            "Anna",
            "--data-dir",
            path,
        ];
        expect(
            &flagfall(&[&made[..], &[key.to_str().unwrap()]].concat()),
            0,
        );
        fs::remove_file(key).unwrap();
        let log = Log::open(dir.path()).unwrap();
        let records = log.read(0).map(|record| record.unwrap().1).collect();
        drop(log);
        let authority = hub::identity::Identity::open(dir.path()).unwrap();
        Self {
            records,
            authority: authority.authority().fingerprint(),
            dir,
        }
    }
}

struct Random(SplitMix64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.0.next_u64() % bound as u64).unwrap()
    }
}

/// Damages one or two files in the copy at `dir`; returns a description.
fn damage(dir: &Path, random: &mut Random) -> String {
    let all = files(dir);
    // Most bytes are in the store's main file, so it is chosen in at least a third of the cases.
    let victim = match random.below(3) {
        0 => dir.join("sled/db"),
        _ => all[random.below(all.len())].clone(),
    };
    let name = victim.strip_prefix(dir).unwrap().display().to_string();
    let mut bytes = fs::read(&victim).unwrap();
    let kind = random.below(5);
    if bytes.is_empty() || kind == 4 {
        fs::remove_file(&victim).unwrap();
        return format!("{name} missing");
    }
    let at = random.below(bytes.len());
    match kind {
        0 => {
            bytes[at] ^= 1 << random.below(8);
            fs::write(&victim, bytes).unwrap();
            format!("a bit of byte {at} of {name} flipped")
        }
        1 => {
            let page = at / 4096 * 4096;
            let end = bytes.len().min(page + 4096);
            bytes[page..end].fill(0);
            fs::write(&victim, bytes).unwrap();
            format!("the page at {page} of {name} zeroed")
        }
        2 => {
            fs::write(&victim, &bytes[..at]).unwrap();
            format!("{name} cut to {at} bytes")
        }
        _ => {
            let other = &all[random.below(all.len())];
            fs::write(&victim, fs::read(other).unwrap()).unwrap();
            fs::write(other, bytes).unwrap();
            let other = other.strip_prefix(dir).unwrap().display();
            format!("{name} and {other} swapped")
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn damage_anywhere_is_repaired_or_refused_with_advice() {
    let count =
        |name: &str, usual: u64| std::env::var(name).map_or(usual, |text| text.parse().unwrap());
    let seed = count(
        "DATA_SEED",
        u64::from_le_bytes(hub::identity::random().unwrap()),
    );
    println!("DATA_SEED={seed}");
    let mut random = Random(SplitMix64::seed_from_u64(seed));
    let made = Made::new();
    let mut tally = Tally::default();
    for _ in 0..count("DATA_DAMAGES", 300) {
        let dir = tempfile::tempdir().unwrap();
        copy(made.dir.path(), dir.path());
        let what = damage(dir.path(), &mut random);
        match HubServer::start(&config(dir.path())).await {
            Ok(server) => {
                let boards = server.live().counts().0;
                assert_eq!(boards, 60, "{what}: boards are missing");
                let authority = server.identity().authority().fingerprint();
                assert_eq!(authority, made.authority, "{what}: another authority");
                server.stop().await.unwrap().result().unwrap();
                let log = Log::open(dir.path()).unwrap();
                let kept = log.read(0).take(made.records.len());
                let kept: Vec<_> = kept.map(|record| record.unwrap().1).collect();
                assert!(kept == made.records, "{what}: records are missing");
                tally.served += 1;
            }
            Err(error) => {
                let error = error.to_string();
                let place = dir.path().to_str().unwrap();
                let advised = ADVICE.iter().any(|advice| error.contains(advice));
                assert!(error.contains(place) && advised, "{what}: {error}");
                tally.refused += 1;
            }
        }
    }
    println!("{tally:?}");
    assert!(tally.served > 0 && tally.refused > 0, "{tally:?}");
}

fn copy(from: &Path, to: &Path) {
    for path in files(from) {
        let target = to.join(path.strip_prefix(from).unwrap());
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::copy(&path, target).unwrap();
    }
    fs::create_dir_all(to.join("sled/blobs")).unwrap();
}

/// Returns every file in `dir` that contains data about the hall, in the order of their names.
fn files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut paths: Vec<_> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            found.extend(files(&path));
        } else if !OF_ONE_RUN.iter().any(|name| path.ends_with(name)) {
            found.push(path);
        }
    }
    found
}
