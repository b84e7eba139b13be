//! A log that was cut, swapped or edited from outside does not open, or names the wrong record when it is read.

use std::fs;
use std::path::Path;

use durable_log::{Log, Notice, OpenError, Submission};

/// Appends records until there are `len`; `hand` marks their writer.
fn append(dir: &Path, len: u64, hand: &str) {
    let log = Log::open(dir).unwrap();
    let first = log.len();
    let handle = log.into_commit(|_| (), |error| panic!("{error}")).unwrap();
    let records = (first..len)
        .map(|index| format!("{hand} {index}").into_bytes())
        .collect();
    handle
        .submit(Submission {
            records,
            effects: (),
        })
        .unwrap();
    handle.close().unwrap();
}

/// Opens the tree of records directly, not through the log.
fn edit(dir: &Path, edit: impl FnOnce(&sled::Tree)) {
    let db = crate::sled_file::open(dir);
    edit(&db.open_tree("log").unwrap());
    db.flush().unwrap();
}

fn copy_store(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to.join("sled")); // there may be none yet
    fs::create_dir_all(to.join("sled/blobs")).unwrap();
    for entry in fs::read_dir(from.join("sled")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            fs::copy(&path, to.join("sled").join(path.file_name().unwrap())).unwrap();
        }
    }
}

#[track_caller]
fn refused(dir: &Path, at: u64, why: &str) {
    let error = Log::open(dir).err().unwrap();
    let OpenError::Damaged { index, what, .. } = error else {
        panic!("{error}");
    };
    assert_eq!(index, at, "{what}");
    assert!(what.contains(why), "{what}");
}

#[test]
fn a_log_that_lost_its_end_is_refused() {
    let (dir, old) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    append(dir.path(), 100, "a");
    copy_store(dir.path(), old.path());
    append(dir.path(), 150, "a");
    copy_store(old.path(), dir.path());
    refused(
        dir.path(),
        100,
        "the log ends here, although 150 records were acknowledged",
    );
    // It stays refused: the first refusal did not make the short log valid.
    refused(dir.path(), 100, "150 records were acknowledged");
    fs::remove_dir_all(dir.path().join("sled")).unwrap();
    refused(dir.path(), 0, "the directory sled is missing");
}

#[test]
fn another_history_of_the_same_length_is_refused() {
    let (dir, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    append(dir.path(), 100, "a");
    append(other.path(), 100, "b");
    copy_store(other.path(), dir.path());
    refused(dir.path(), 99, "it is not the record that was acknowledged");
    append(other.path(), 120, "b");
    copy_store(other.path(), dir.path());
    refused(dir.path(), 99, "it is not the record that was acknowledged");
}

#[test]
fn a_record_that_is_removed_edited_or_moved_is_named() {
    type Edit = fn(&sled::Tree);
    let key = |index: u64| index.to_be_bytes();
    let edits: [(Edit, &str); 3] = [
        (
            |log| assert!(log.remove(40_u64.to_be_bytes()).unwrap().is_some()),
            "it is missing",
        ),
        (
            |log| {
                drop(
                    log.insert(40_u64.to_be_bytes(), b"forged".as_slice())
                        .unwrap(),
                )
            },
            "its checksum does not match",
        ),
        (
            |log| {
                let other = log.get(41_u64.to_be_bytes()).unwrap().unwrap();
                log.insert(40_u64.to_be_bytes(), other).unwrap();
            },
            "its checksum does not match",
        ),
    ];
    for (forge, why) in edits {
        let dir = tempfile::tempdir().unwrap();
        append(dir.path(), 100, "a");
        edit(dir.path(), |log| {
            assert!(log.contains_key(key(40)).unwrap())
        });
        edit(dir.path(), forge);
        refused(dir.path(), 40, why);
    }
}

#[test]
fn cached_states_of_an_earlier_version_save_no_record_from_its_check() {
    let dir = tempfile::tempdir().unwrap();
    append(dir.path(), 120, "a");
    {
        let db = crate::sled_file::open(dir.path());
        let states = db.open_tree("snapshots").unwrap();
        states.insert([0; 12], vec![1; 4096]).unwrap();
        states.insert([255; 12], b"header".as_slice()).unwrap();
        db.flush().unwrap();
    }
    let log = Log::open(dir.path()).unwrap();
    assert_eq!(log.read(0).filter(Result::is_ok).count(), 120);
    drop(log);
    edit(dir.path(), |log| {
        drop(log.remove(40_u64.to_be_bytes()).unwrap())
    });
    refused(dir.path(), 40, "it is missing");
}

#[test]
fn without_its_head_file_a_log_opens_with_a_warning() {
    let dir = tempfile::tempdir().unwrap();
    append(dir.path(), 10, "a");
    for content in [None, Some("scribble")] {
        match content {
            None => fs::remove_file(dir.path().join("head")).unwrap(),
            Some(text) => fs::write(dir.path().join("head"), text).unwrap(),
        }
        let log = Log::open(dir.path()).unwrap();
        assert_eq!(log.notices(), [Notice::HeadUnknown { len: 10 }]);
        drop(log);
        assert_eq!(
            Log::open(dir.path()).unwrap().notices(),
            [],
            "the file was made again"
        );
    }
}
