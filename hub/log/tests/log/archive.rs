//! The log's archive: its files, its proofs, and its behaviour when files are damaged or histories differ.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use durable_log::{
    ARCHIVE_DIR, Archive, ArchiveCopy, ArchiveError, ArchiveFinding, ArchiveHandle, ArchiveReport,
    ArchiveSettings, Epochs, Log, Options, ProofError, Submission,
};
use ed25519_dalek::SigningKey;
use proto::checkpoint::{Checkpoint, EntryProof, LogEpoch};
use proto::merkle::{Frontier, leaf_hash};
use proto::note::Signer;
use sha2::{Digest, Sha256};

/// The output of an independent implementation for a log whose record number i is the text "record i".
const VECTORS: &str = include_str!("../../../../proto/tests/vectors/tlog.txt");
const PATIENCE: Duration = Duration::from_secs(20);

fn signer(name: &str) -> Signer {
    Signer::new(name, SigningKey::from_bytes(&[7; 32])).unwrap()
}

fn settings(dir: &Path) -> ArchiveSettings {
    ArchiveSettings {
        dir: dir.join(ARCHIVE_DIR),
        mirror: None,
        signer: signer("test/log"),
        every: Duration::from_millis(5),
        conceal: None,
        epochs: Epochs::single(),
    }
}

fn payload(index: u64) -> Vec<u8> {
    format!("record {index}").into_bytes()
}

fn append(dir: &Path, len: u64, text: impl Fn(u64) -> Vec<u8>) {
    let log = Log::open(dir).unwrap();
    let first = log.len();
    let handle = log.into_commit(|_| (), |error| panic!("{error}")).unwrap();
    let records = (first..len).map(text).collect();
    let effects = ();
    handle.submit(Submission { records, effects }).unwrap();
    handle.close().unwrap();
}

fn run<T>(
    dir: &Path,
    settings: ArchiveSettings,
    until: impl FnOnce(&ArchiveHandle, &Receiver<ArchiveReport>) -> T,
) -> T {
    let log = Log::open(dir).unwrap();
    let (sender, reports) = channel();
    let report = move |report| sender.send(report).unwrap_or_default();
    let archive = Archive::start(settings, log.reader(), report).unwrap();
    let result = until(&archive.handle(), &reports);
    archive.close();
    result
}

fn archived(dir: &Path, settings: ArchiveSettings) {
    run(dir, settings, |archive, _| complete(archive));
}

fn complete(archive: &ArchiveHandle) {
    archive.inclusion(0, PATIENCE).unwrap();
}

fn reported(reports: &Receiver<ArchiveReport>) -> ArchiveReport {
    reports.recv_timeout(PATIENCE).unwrap()
}

fn failure(reports: &Receiver<ArchiveReport>) -> ArchiveError {
    let report = reported(reports);
    let ArchiveFinding::Failed(error) = report.finding else {
        panic!("{report:?}");
    };
    error
}

fn files(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut dirs = vec![dir.to_path_buf()];
    while let Some(next) = dirs.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                dirs.push(path);
            } else {
                let name = path.strip_prefix(dir).unwrap().to_path_buf();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}

#[test]
fn the_files_match_another_implementation() {
    const SIZE: u64 = 70_000;
    let dir = tempfile::tempdir().unwrap();
    append(dir.path(), SIZE, payload);
    archived(dir.path(), settings(dir.path()));
    let archive = files(&dir.path().join(ARCHIVE_DIR));
    let mut checked = 0;
    for line in VECTORS.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["tile", "70000", path, hash] => {
                let bytes = &archive[Path::new(path)];
                assert_eq!(format!("{:x}", Sha256::digest(bytes)), hash, "{path}");
                checked += 1;
            }
            ["tiled-root", "70000", root] => {
                let note = String::from_utf8(archive[Path::new("checkpoint")].clone()).unwrap();
                let checkpoint = Checkpoint::open(&note, signer("test/log").verifier()).unwrap();
                assert_eq!(checkpoint.size, SIZE);
                assert_eq!(hex::encode(checkpoint.root), root);
                checked += 1;
            }
            _ => (),
        }
    }
    assert!(checked > 5, "{checked} vectors");
}

#[test]
fn records_are_proved_to_be_in_the_log_and_to_stay_there() {
    let dir = tempfile::tempdir().unwrap();
    append(dir.path(), 300, payload);
    let old = run(dir.path(), settings(dir.path()), |archive, _| {
        complete(archive);
        archive.newest().unwrap()
    });
    append(dir.path(), 777, payload);
    run(dir.path(), settings(dir.path()), |archive, _| {
        let verifier = archive.verifier().clone();
        for index in [0, 1, 255, 256, 299, 300, 511, 512, 776] {
            let (hashes, signed) = archive.inclusion(index, PATIENCE).unwrap();
            let proof = EntryProof {
                extra: None,
                index,
                hashes,
                checkpoint: signed.note,
            };
            let read = EntryProof::parse(&proof.to_text()).unwrap();
            let checkpoint = read.verify(&payload(index), &verifier).unwrap();
            assert!(checkpoint.size > index);
            assert!(read.verify(b"another press", &verifier).is_err());
        }
        complete(archive);
        archive.checkpoint(777, PATIENCE).unwrap();
        let (proof, newer) = archive.consistency(old.size, PATIENCE).unwrap();
        let before = Checkpoint::open(&old.note, &verifier).unwrap();
        let after = Checkpoint::open(&newer.note, &verifier).unwrap();
        before.verify_continued_by(&after, &proof).unwrap();
        let none = archive.inclusion(777, PATIENCE).unwrap_err();
        assert!(
            matches!(
                none,
                ProofError::NoRecord {
                    index: 777,
                    len: 777
                }
            ),
            "{none}"
        );
        let longer = archive.consistency(778, PATIENCE).unwrap_err();
        assert!(
            matches!(longer, ProofError::Longer { old: 778, len: 777 }),
            "{longer}"
        );
    });
}

#[test]
fn every_damaged_file_is_written_again() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path().join(ARCHIVE_DIR);
    append(dir.path(), 700, payload);
    archived(dir.path(), settings(dir.path()));
    let whole = files(&at);
    assert_eq!(whole.len(), 8, "{:?}", whole.keys());
    type Damage = fn(&Path, &[u8]);
    let damages: [Damage; 4] = [
        |path, bytes| fs::write(path, &bytes[..bytes.len() / 2]).unwrap(),
        |path, _| fs::write(path, b"").unwrap(),
        |path, _| fs::remove_file(path).unwrap(),
        |path, bytes| {
            let mut flipped = bytes.to_vec();
            flipped[bytes.len() / 3] ^= 1;
            fs::write(path, flipped).unwrap();
        },
    ];
    for (name, bytes) in &whole {
        for damage in damages {
            damage(&at.join(name), bytes);
            let is_gone = !at.join(name).exists();
            run(dir.path(), settings(dir.path()), |archive, reports| {
                // Without a checkpoint, the archive takes this for a first start.
                if is_gone && name == Path::new("checkpoint") {
                    archive.checkpoint(700, PATIENCE).unwrap();
                } else {
                    let finding = reported(reports).finding;
                    assert_eq!(finding, ArchiveFinding::Repaired { files: 1 }, "{name:?}");
                    complete(archive);
                }
            });
            assert_eq!(files(&at), whole, "{name:?}");
        }
    }
}

#[test]
fn an_archive_ahead_of_the_log_is_reported_and_kept() {
    let (dir, short) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let at = dir.path().join(ARCHIVE_DIR);
    append(dir.path(), 700, payload);
    archived(dir.path(), settings(dir.path()));
    append(short.path(), 600, payload);
    for has_checkpoint in [true, false] {
        if !has_checkpoint {
            fs::remove_file(at.join("checkpoint")).unwrap();
        }
        let before = files(&at);
        let mut settings = settings(dir.path());
        let mirror = tempfile::tempdir().unwrap();
        settings.mirror = Some(mirror.path().to_path_buf());
        run(short.path(), settings, |archive, reports| {
            let error = failure(reports);
            let ahead = ArchiveError::Ahead {
                dir: at.clone(),
                archived: 700,
                recorded: 600,
            };
            assert_eq!(error, ahead);
            // The archive must not sign anything that contradicts an earlier checkpoint, not even in an empty mirror.
            let none = archive.checkpoint(1, PATIENCE).unwrap_err();
            assert!(matches!(none, ProofError::NoCheckpoint(_)), "{none}");
        });
        assert_eq!(files(&at), before);
        assert!(files(mirror.path()).is_empty());
    }
}

#[test]
fn a_log_that_differs_from_its_archive_is_reported_with_the_record() {
    let (dir, forged) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let at = dir.path().join(ARCHIVE_DIR);
    append(dir.path(), 700, payload);
    archived(dir.path(), settings(dir.path()));
    let before = files(&at);
    append(forged.path(), 700, |index| match index {
        345 => b"another press".to_vec(),
        index => payload(index),
    });
    run(forged.path(), settings(dir.path()), |_, reports| {
        let error = failure(reports);
        let index = Some(345);
        assert_eq!(
            error,
            ArchiveError::Differs {
                dir: at.clone(),
                index
            }
        );
    });
    assert_eq!(files(&at), before);
}

#[test]
fn the_archive_of_another_log_or_key_is_kept() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path().join(ARCHIVE_DIR);
    append(dir.path(), 20, payload);
    archived(dir.path(), settings(dir.path()));
    let before = files(&at);
    let mut other = settings(dir.path());
    other.signer = signer("another/log");
    let error = run(dir.path(), other, |_, reports| failure(reports));
    let origin = "test/log".to_owned();
    assert_eq!(
        error,
        ArchiveError::OtherLog {
            dir: at.clone(),
            origin
        }
    );
    let mut other = settings(dir.path());
    other.signer = Signer::new("test/log", SigningKey::from_bytes(&[8; 32])).unwrap();
    let error = run(dir.path(), other, |_, reports| failure(reports));
    assert_eq!(error, ArchiveError::OtherKey { dir: at.clone() });
    assert_eq!(files(&at), before);
}

#[test]
fn the_mirror_is_the_same_and_its_failure_stops_nothing() {
    let (dir, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mirror = second.path().join("stick");
    let mirrored = || ArchiveSettings {
        mirror: Some(mirror.clone()),
        ..settings(dir.path())
    };
    append(dir.path(), 300, payload);
    run(dir.path(), mirrored(), |archive, reports| {
        complete(archive);
        let report = reported(reports);
        assert_eq!(report.copy, ArchiveCopy::Mirror);
        let missing = ArchiveError::Missing {
            dir: mirror.clone(),
        };
        assert_eq!(report.finding, ArchiveFinding::Failed(missing));
        fs::create_dir(&mirror).unwrap();
        assert_eq!(reported(reports).finding, ArchiveFinding::Recovered);
    });
    assert_eq!(files(&mirror), files(&dir.path().join(ARCHIVE_DIR)));
    append(dir.path(), 600, payload);
    archived(dir.path(), mirrored());
    assert_eq!(files(&mirror), files(&dir.path().join(ARCHIVE_DIR)));
}

#[test]
fn no_checkpoint_covers_a_record_before_it_is_durable() {
    let dir = tempfile::tempdir().unwrap();
    append(dir.path(), 10, payload);
    let (may_sync, gate) = channel::<()>();
    let mut options = Options {
        ballast_bytes: 0,
        ..Options::default()
    };
    options.sync = Box::new(move |file| {
        let _ = gate.recv();
        file.sync_data()
    });
    let log = Log::open_with(dir.path(), options).unwrap();
    let archive = Archive::start(settings(dir.path()), log.reader(), |_| ()).unwrap();
    let handle = archive.handle();
    complete(&handle);
    let commit = log.into_commit(|_| (), |error| panic!("{error}")).unwrap();
    let records = (10..30).map(payload).collect();
    let effects = ();
    commit.submit(Submission { records, effects }).unwrap();
    // The archive keeps looking for new records, but finds none until the sync has finished.
    let waited = handle.checkpoint(11, Duration::from_millis(200));
    assert_eq!(waited, Err(ProofError::NotYet));
    assert_eq!(handle.newest().unwrap().size, 10);
    drop(may_sync);
    assert_eq!(handle.checkpoint(30, PATIENCE).unwrap().size, 30);
    commit.close().unwrap();
}

/// Returns settings whose second tree contains the records in capital letters.
fn concealing(dir: &Path) -> ArchiveSettings {
    let conceal = |_: u64, record: &[u8]| Some(leaf_hash(&record.to_ascii_uppercase()));
    ArchiveSettings {
        conceal: Some(Box::new(conceal)),
        ..settings(dir)
    }
}

fn signed(dir: &Path) -> Checkpoint {
    let note = fs::read_to_string(dir.join(ARCHIVE_DIR).join("checkpoint")).unwrap();
    Checkpoint::open(&note, signer("test/log").verifier()).unwrap()
}

#[test]
fn a_checkpoint_commits_to_the_concealed_records_too() {
    let dir = tempfile::tempdir().unwrap();
    let expected = |len: u64| {
        let mut tree = Frontier::default();
        (0..len).for_each(|index| tree.push(leaf_hash(&payload(index).to_ascii_uppercase())));
        Some(tree.root())
    };
    append(dir.path(), 300, payload);
    // An older archive has no second tree, and gets one with the next records.
    archived(dir.path(), settings(dir.path()));
    assert_eq!(signed(dir.path()).concealed, None);
    append(dir.path(), 301, payload);
    run(dir.path(), concealing(dir.path()), |archive, _| {
        archive.checkpoint(301, PATIENCE).unwrap();
    });
    assert_eq!(signed(dir.path()).concealed, expected(301));
    // The edge is a cache. The archive uses it, and recomputes it if it is lost or damaged.
    let edge = dir.path().join(ARCHIVE_DIR).join("concealed-edge");
    for (len, damage) in [(302, None), (303, Some(vec![])), (304, Some(vec![7; 160]))] {
        if let Some(bytes) = damage {
            fs::write(&edge, bytes).unwrap();
        }
        append(dir.path(), len, payload);
        run(dir.path(), concealing(dir.path()), |archive, _| {
            archive.checkpoint(len, PATIENCE).unwrap();
        });
        let signed = signed(dir.path());
        assert_eq!((signed.size, signed.concealed), (len, expected(len)));
    }
}

#[test]
fn checkpoints_name_the_epoch_that_a_record_began() {
    let dir = tempfile::tempdir().unwrap();
    let mirror = tempfile::tempdir().unwrap();
    let noted = |dir: &Path| fs::read_to_string(dir.join("checkpoint")).unwrap();
    let begins = |record: &[u8]| [payload(5), payload(300)].iter().any(|one| one == record);
    let mut newest = None;
    // The first ten records belong to the first epoch, whatever they contain: `begins` judges only later records.
    for (from, len, expected) in [
        (10, 10, None),
        (10, 301, Some((2, 300))),
        (301, 310, Some((2, 300))),
    ] {
        append(dir.path(), len, payload);
        let settings = ArchiveSettings {
            mirror: Some(mirror.path().to_owned()),
            epochs: Epochs::new(newest, from, Box::new(begins)),
            ..settings(dir.path())
        };
        run(dir.path(), settings, |archive, _| {
            archive.checkpoint(len, PATIENCE).unwrap();
        });
        for copy in [dir.path().join(ARCHIVE_DIR), mirror.path().to_owned()] {
            newest = LogEpoch::of_note(&noted(&copy));
            let found = newest.map(|epoch| (epoch.number, epoch.begins));
            assert_eq!(found, expected, "{len} records, {}", copy.display());
        }
        assert_eq!(signed(dir.path()).size, len);
    }
}
