//! Restoring lost records from the archive, and the cases in which the archive cannot or must not restore them.

use std::fs;
use std::path::Path;
use std::time::Duration;

use durable_log::{
    ARCHIVE_DIR, Archive, ArchiveSettings, Epochs, Log, Notice, OpenError, Options, REBUILT,
    Submission,
};
use ed25519_dalek::SigningKey;
use proto::checkpoint::Checkpoint;
use proto::note::Signer;

const PATIENCE: Duration = Duration::from_secs(20);

fn payload(index: u64) -> Vec<u8> {
    format!("record {index}").into_bytes()
}

fn signer() -> Signer {
    Signer::new("test/log", SigningKey::from_bytes(&[7; 32])).unwrap()
}

fn open(dir: &Path) -> Result<Log, OpenError> {
    let signer = signer();
    let is_signed = move |note: &str| Checkpoint::open(note, signer.verifier()).is_ok();
    let options = Options {
        is_signed: Some(Box::new(is_signed)),
        ..Options::default()
    };
    Log::open_with(dir, options)
}

fn append(dir: &Path, len: u64, archived: bool) {
    let log = open(dir).unwrap();
    let reader = log.reader();
    let records = (log.len()..len).map(payload).collect();
    let handle = log.into_commit(|_| (), |error| panic!("{error}")).unwrap();
    let effects = ();
    handle.submit(Submission { records, effects }).unwrap();
    handle.close().unwrap();
    if archived {
        let settings = ArchiveSettings {
            dir: dir.join(ARCHIVE_DIR),
            mirror: None,
            signer: signer(),
            every: Duration::from_millis(5),
            conceal: None,
            epochs: Epochs::single(),
        };
        let archive = Archive::start(settings, reader.clone(), |_| ()).unwrap();
        archive.handle().inclusion(len - 1, PATIENCE).unwrap();
        archive.close();
    }
    drop(reader);
}

/// Returns the directory of a log with 700 archived records, whose store and head were set back to 600.
fn set_back() -> tempfile::TempDir {
    let (dir, old) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    append(dir.path(), 600, true);
    for part in ["sled", "head"] {
        copy(&dir.path().join(part), &old.path().join(part));
    }
    append(dir.path(), 700, true);
    for part in ["sled", "head"] {
        copy(&old.path().join(part), &dir.path().join(part));
    }
    dir
}

fn edit(dir: &Path, edit: impl FnOnce(&sled::Tree)) {
    let db = crate::sled_file::open(dir);
    edit(&db.open_tree("log").unwrap());
    db.flush().unwrap();
}

fn copy(from: &Path, to: &Path) {
    if from.is_file() {
        fs::copy(from, to).unwrap();
        return;
    }
    let _ = fs::remove_dir_all(to); // the folder may not exist yet
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        copy(&path, &to.join(path.file_name().unwrap()));
    }
}

#[track_caller]
fn whole(log: &Log, len: u64) {
    let read: Vec<_> = log.read(0).map(|record| record.unwrap().1).collect();
    assert!(read == (0..len).map(payload).collect::<Vec<_>>());
}

#[test]
fn damaged_records_are_restored_from_the_archive_and_reported() {
    let dir = tempfile::tempdir().unwrap();
    append(dir.path(), 700, true);
    // These records are newer than the archive, which may be behind after a crash.
    append(dir.path(), 703, false);
    edit(dir.path(), |log| {
        for index in [7_u64, 40, 41, 42] {
            log.remove(index.to_be_bytes()).unwrap();
        }
        log.insert(300_u64.to_be_bytes(), b"scribble".as_slice())
            .unwrap();
    });
    let log = open(dir.path()).unwrap();
    whole(&log, 703);
    let [
        Notice::Rebuilt {
            records,
            path: Some(path),
        },
    ] = log.notices()
    else {
        panic!("{:?}", log.notices());
    };
    assert_eq!(records.to_string(), "7, 40–42, 300");
    assert!(path.join("db").is_file(), "the damaged store is kept");
    drop(log);
    assert_eq!(open(dir.path()).unwrap().notices(), []);
}

#[test]
fn a_lost_store_is_restored_from_the_archive() {
    let dir = tempfile::tempdir().unwrap();
    append(dir.path(), 700, true);
    let db = dir.path().join("sled/db");
    let len = fs::metadata(&db).unwrap().len();
    fs::write(&db, vec![0; usize::try_from(len).unwrap()]).unwrap();
    let log = open(dir.path()).unwrap();
    whole(&log, 700);
    drop(log);
    fs::remove_file(&db).unwrap();
    let log = open(dir.path()).unwrap();
    whole(&log, 700);
    let text = log.notices()[0].to_string();
    assert!(text.contains("0–699"), "{text}");
    drop(log);
    fs::remove_dir_all(dir.path().join("sled")).unwrap();
    let log = open(dir.path()).unwrap();
    whole(&log, 700);
    assert!(log.notices()[0].to_string().contains("was missing"));
}

#[test]
fn a_record_that_no_source_has_is_refused_as_before() {
    let dir = tempfile::tempdir().unwrap();
    append(dir.path(), 700, true);
    append(dir.path(), 703, false);
    edit(dir.path(), |log| {
        log.remove(701_u64.to_be_bytes()).unwrap();
    });
    for _ in 0..2 {
        let error = open(dir.path()).err().unwrap();
        assert!(
            matches!(error, OpenError::Damaged { index: 701, .. }),
            "{error}"
        );
        for left in ["sled.new", "sled.trial", REBUILT, "set-aside"] {
            assert!(!dir.path().join(left).exists(), "{left}");
        }
    }
}

#[test]
fn a_log_that_was_set_back_gets_its_tail_from_the_archive() {
    let dir = set_back();
    let log = open(dir.path()).unwrap();
    let restored = Notice::TailRestored {
        first: 600,
        len: 700,
    };
    assert_eq!(log.notices(), [restored]);
    whole(&log, 700);
    drop(log);
    let log = open(dir.path()).unwrap();
    assert_eq!(log.notices(), []);
    whole(&log, 700);
}

#[test]
fn an_archive_that_another_key_signed_restores_nothing() {
    let dir = set_back();
    // The records in the archive match its checkpoint; only the signature is wrong.
    let path = dir.path().join(ARCHIVE_DIR).join("checkpoint");
    let note = fs::read_to_string(&path).unwrap();
    let other = Signer::new("test/log", SigningKey::from_bytes(&[8; 32])).unwrap();
    let (text, _) = note.split_once("\n\n").unwrap();
    fs::write(&path, other.sign(&format!("{text}\n"))).unwrap();
    let log = open(dir.path()).unwrap();
    assert_eq!(log.notices(), []);
    whole(&log, 600);
    drop(log);
    fs::write(&path, note).unwrap();
    whole(&Log::open(dir.path()).unwrap(), 600);
    whole(&open(dir.path()).unwrap(), 700);
}

#[test]
fn an_archive_with_a_damaged_tail_restores_nothing() {
    let dir = set_back();
    let bundle = dir.path().join(ARCHIVE_DIR).join("tile/entries/002.p/188");
    let mut bytes = fs::read(&bundle).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&bundle, bytes).unwrap();
    let log = open(dir.path()).unwrap();
    assert_eq!(log.notices(), []);
    whole(&log, 600);
}

#[test]
fn an_interrupted_replacement_is_completed() {
    let dir = tempfile::tempdir().unwrap();
    append(dir.path(), 100, false);
    fs::rename(dir.path().join("sled"), dir.path().join(REBUILT)).unwrap();
    let log = open(dir.path()).unwrap();
    whole(&log, 100);
    drop(log);
    fs::create_dir(dir.path().join(REBUILT)).unwrap();
    whole(&open(dir.path()).unwrap(), 100);
    assert!(!dir.path().join(REBUILT).exists());
}
