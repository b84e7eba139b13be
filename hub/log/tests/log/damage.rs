//! Damage without an archive: a log that was cut, swapped or edited does not open, and the error names the record. Damaged caches of sled are set
//! aside, and a log without its file `head` opens only if it is accepted.

use std::fs;
use std::path::Path;

use durable_log::{Log, Notice, OpenError, Options, Submission};

fn append(dir: &Path, len: u64, writer: &str) {
    let log = Log::open(dir).unwrap();
    let first = log.len();
    let handle = log.into_commit(|_| (), |error| panic!("{error}")).unwrap();
    let records = (first..len)
        .map(|index| format!("{writer} {index}").into_bytes())
        .collect();
    handle
        .submit(Submission {
            records,
            effects: (),
        })
        .unwrap();
    handle.close().unwrap();
}

fn edit(dir: &Path, edit: impl FnOnce(&sled::Tree)) {
    let db = crate::sled_file::open(dir);
    edit(&db.open_tree("log").unwrap());
    db.flush().unwrap();
}

fn copy_store(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to.join("sled")); // the folder may not exist yet
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
    // The log is refused again, because the first refusal did not accept the shorter length.
    refused(dir.path(), 100, "150 records were acknowledged");
    fs::remove_dir_all(dir.path().join("sled")).unwrap();
    let error = Log::open(dir.path()).err().unwrap();
    assert!(matches!(error, OpenError::Unreadable { .. }), "{error}");
    assert!(
        error.to_string().contains("the directory sled is missing"),
        "{error}"
    );
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
fn a_record_that_is_removed_edited_or_moved_is_reported() {
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
fn every_record_is_checked_despite_cached_states_of_an_earlier_version() {
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
fn damaged_caches_of_sled_are_set_aside() {
    for cache in ["conf", "snap."] {
        let dir = tempfile::tempdir().unwrap();
        append(dir.path(), 200, "a");
        drop(Log::open(dir.path()).unwrap()); // sled writes its snapshot when it opens
        let damaged = damage(dir.path(), cache);
        let log = Log::open(dir.path()).unwrap();
        assert_eq!(log.read(0).filter(Result::is_ok).count(), 200);
        let path = dir.path().join("set-aside/1");
        assert_eq!(
            log.notices(),
            [Notice::CachesSetAside { path: path.clone() }]
        );
        let (name, bytes) = damaged;
        assert_eq!(fs::read(path.join(name)).unwrap(), bytes, "{cache}");
        assert!(!dir.path().join("sled.trial").exists());
        drop(log);
        assert_eq!(Log::open(dir.path()).unwrap().notices(), []);
    }
}

#[test]
fn caches_stay_where_they_are_if_the_log_is_not_whole_without_them() {
    let dir = tempfile::tempdir().unwrap();
    append(dir.path(), 200, "a");
    drop(Log::open(dir.path()).unwrap());
    let (name, bytes) = damage(dir.path(), "snap.");
    fs::write(dir.path().join("head"), "scribble").unwrap();
    let error = Log::open(dir.path()).err().unwrap();
    assert!(matches!(error, OpenError::Unreadable { .. }), "{error}");
    assert!(error.to_string().contains("no record was read"), "{error}");
    assert_eq!(fs::read(dir.path().join("sled").join(name)).unwrap(), bytes);
    assert!(!dir.path().join("set-aside").exists());
}

/// Flips a bit in the middle of the file in `sled` whose name begins with `cache`. Returns the file's name and its new content.
fn damage(dir: &Path, cache: &str) -> (String, Vec<u8>) {
    let entries = fs::read_dir(dir.join("sled")).unwrap();
    let mut names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let name = names.find(|name| name.starts_with(cache)).unwrap();
    let path = dir.join("sled").join(&name);
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, &bytes).unwrap();
    (name, bytes)
}

#[test]
fn a_log_without_its_head_file_is_refused_unless_it_is_accepted() {
    let dir = tempfile::tempdir().unwrap();
    append(dir.path(), 10, "a");
    for content in [None, Some("scribble")] {
        match content {
            None => fs::remove_file(dir.path().join("head")).unwrap(),
            Some(text) => fs::write(dir.path().join("head"), text).unwrap(),
        }
        for _ in 0..2 {
            let error = Log::open(dir.path()).err().unwrap();
            assert!(
                matches!(error, OpenError::NoHead { len: 10, .. }),
                "{error}"
            );
        }
        let accept = Options {
            accept_unknown_head: true,
            ..Options::default()
        };
        let log = Log::open_with(dir.path(), accept).unwrap();
        assert_eq!(log.notices(), [Notice::HeadUnknown { len: 10 }]);
        drop(log);
        assert_eq!(
            Log::open(dir.path()).unwrap().notices(),
            [],
            "the file was made again"
        );
    }
}
