//! A single flipped bit anywhere in the data directory is repaired from the archive with a notice, reported with advice, or harmless. No flip
//! silently loses or changes a record.
//!
//! `LOG_BIT_FLIPS=2000 cargo test -p durable-log --test processes bit_flip` makes more flips than the default.

use std::fs;
use std::path::{Path, PathBuf};

use durable_log::{ARCHIVE_DIR, Log, Notice, OpenError, Options};

use crate::alone;
use crate::log_writer::{self, Random, is_signed};

#[derive(Clone, Copy, Debug)]
struct Case {
    records: u64,
    with_sled_snapshot: bool,
    with_archive: bool,
}

#[derive(Debug, Default)]
struct Tally {
    harmless: u64,
    repaired: u64,
    refused_at_start: u64,
}

#[test]
fn no_flipped_bit_loses_a_record_silently() {
    let _alone = alone();
    let flips = log_writer::repetitions("LOG_BIT_FLIPS", 80);
    let mut random = Random::seeded();
    let mut tally = Tally::default();
    let cases = [(300, true), (300, false), (6000, true), (6000, false)];
    for (at, (records, with_sled_snapshot)) in cases.into_iter().enumerate() {
        let case = Case {
            records,
            with_sled_snapshot,
            with_archive: matches!(at, 0 | 3),
        };
        let made = tempfile::tempdir().unwrap();
        let len = make(made.path(), case);
        for _ in 0..flips / 4 {
            flip_one(made.path(), len, case, &mut random, &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(
        tally.harmless > 0 && tally.repaired > 0 && tally.refused_at_start > 0,
        "the flips did not fall where they should: {tally:?}"
    );
}

fn make(dir: &Path, case: Case) -> u64 {
    let mut command = log_writer::command("writer", dir);
    let status = command
        .env(log_writer::RECORDS, case.records.to_string())
        .stdout(std::process::Stdio::null())
        .status();
    assert!(status.unwrap().success());
    if !case.with_archive {
        fs::remove_dir_all(dir.join(ARCHIVE_DIR)).unwrap();
    }
    let len = open(dir).unwrap().len(); // sled writes its snapshot when it opens
    if !case.with_sled_snapshot {
        for path in files(&dir.join("sled")) {
            if path
                .file_name()
                .unwrap()
                .to_str()
                .unwrap()
                .starts_with("snap.")
            {
                fs::remove_file(path).unwrap();
            }
        }
    }
    len
}

fn flip_one(made: &Path, len: u64, case: Case, random: &mut Random, tally: &mut Tally) {
    let dir = tempfile::tempdir().unwrap();
    copy(made, dir.path());
    // Most bits are in the store's main file, so direct most of the flips to it.
    let all = files(dir.path());
    let victim = match random.below(4) {
        0 => all[random.below(all.len() as u64) as usize].clone(),
        _ => dir.path().join("sled/db"),
    };
    let mut bytes = fs::read(&victim).unwrap();
    if bytes.is_empty() {
        return;
    }
    let bit = random.below(bytes.len() as u64 * 8);
    bytes[(bit / 8) as usize] ^= 1 << (bit % 8);
    fs::write(&victim, bytes).unwrap();
    let what = format!(
        "{case:?}, bit {bit} of {}",
        victim.strip_prefix(dir.path()).unwrap().display()
    );

    match open(dir.path()) {
        Err(
            error @ (OpenError::Damaged { .. }
            | OpenError::Unreadable { .. }
            | OpenError::Io { .. }
            | OpenError::NoHead { .. }
            | OpenError::UnknownFormat { .. }
            | OpenError::NewerVersion { .. }),
        ) => {
            assert!(
                error.to_string().contains(dir.path().to_str().unwrap()),
                "{what}: {error}"
            );
            tally.refused_at_start += 1;
        }
        Err(error @ (OpenError::FullDisk { .. } | OpenError::InUse { .. })) => {
            panic!("{what}: {error}")
        }
        Ok(log) => {
            assert_eq!(
                log.len(),
                len,
                "{what}: records are missing, and nothing was said"
            );
            for record in log.read(0) {
                let (index, bytes) = record.unwrap_or_else(|error| panic!("{what}: {error}"));
                assert!(
                    bytes == log_writer::payload(index),
                    "{what}: record {index}"
                );
            }
            let rebuilt = |notice: &Notice| matches!(notice, Notice::Rebuilt { .. });
            match log.notices().iter().any(rebuilt) {
                true => tally.repaired += 1,
                false => tally.harmless += 1,
            }
        }
    }
}

fn open(dir: &Path) -> Result<Log, OpenError> {
    Log::open_with(
        dir,
        Options {
            ballast_bytes: 0,
            is_signed: Some(is_signed()),
            ..Options::default()
        },
    )
}

fn copy(from: &Path, to: &Path) {
    for path in files(from) {
        let target = to.join(path.strip_prefix(from).unwrap());
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::copy(&path, target).unwrap();
    }
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut paths: Vec<_> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            found.extend(files(&path))
        } else {
            found.push(path)
        }
    }
    found
}
