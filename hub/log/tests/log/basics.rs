//! The log in ordinary use: released records are still there, in order, no matter how the log was closed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use durable_log::{
    CommitError, CommitHandle, Durable, Log, MAX_RECORD, Notice, OpenError, Submission, SubmitError,
};

type Released = Receiver<Vec<Durable<u64>>>;

fn commit(log: Log) -> (CommitHandle<u64>, Released, Receiver<CommitError>) {
    let (released, release) = channel();
    let (failed, failure) = channel();
    let handle = log
        .into_commit(
            move |durable| released.send(durable).unwrap_or_default(),
            move |error| failed.send(error).unwrap_or_default(),
        )
        .unwrap();
    (handle, release, failure)
}

fn submission(effects: u64, records: Vec<Vec<u8>>) -> Submission<u64> {
    Submission { records, effects }
}

fn payload(index: u64) -> Vec<u8> {
    format!("record {index}").into_bytes()
}

fn payloads(log: &Log, from: u64) -> Vec<Vec<u8>> {
    log.read(from).map(|record| record.unwrap().1).collect()
}

#[test]
fn released_records_are_read_back_in_order() {
    let dir = tempfile::tempdir().unwrap();
    let log = Log::open(dir.path()).unwrap();
    assert!(log.is_empty());
    assert_eq!(log.notices(), []);
    let (handle, release, _failure) = commit(log);
    for index in 0..1000 {
        handle
            .submit(submission(index, vec![payload(index)]))
            .unwrap();
    }
    let (len, head) = handle.close().unwrap();
    let released: Vec<_> = release.iter().flatten().collect();
    assert_eq!(
        released
            .iter()
            .map(|durable| *durable.effects())
            .collect::<Vec<_>>(),
        (0..1000).collect::<Vec<_>>()
    );
    assert!(
        released
            .iter()
            .all(|durable| durable.first() == *durable.effects()
                && durable.log_len() == durable.effects() + 1)
    );
    assert_eq!(
        released
            .last()
            .map(|durable| (durable.log_len(), durable.head())),
        Some((len, head))
    );

    let log = Log::open(dir.path()).unwrap();
    assert_eq!((log.len(), log.head()), (1000, head));
    assert_eq!(
        payloads(&log, 0),
        (0..1000).map(payload).collect::<Vec<_>>()
    );
    assert_eq!(
        payloads(&log, 990),
        (990..1000).map(payload).collect::<Vec<_>>()
    );
    assert_eq!(payloads(&log, 1000), Vec::<Vec<u8>>::new());
    assert_eq!(log.notices(), []);
}

#[test]
fn one_submission_may_hold_many_records_or_none() {
    let dir = tempfile::tempdir().unwrap();
    let (handle, release, _failure) = commit(Log::open(dir.path()).unwrap());
    handle.submit(submission(1, vec![])).unwrap();
    handle
        .submit(submission(2, (0..20_000).map(payload).collect()))
        .unwrap();
    handle.submit(submission(3, vec![])).unwrap();
    assert_eq!(handle.close().unwrap().0, 20_000);
    let released: Vec<_> = release
        .iter()
        .flatten()
        .map(|d| (*d.effects(), d.first(), d.log_len()))
        .collect();
    assert_eq!(released, [(1, 0, 0), (2, 0, 20_000), (3, 20_000, 20_000)]);
    assert_eq!(Log::open(dir.path()).unwrap().len(), 20_000);
}

#[test]
fn the_longest_record_is_taken_and_a_longer_one_handed_back() {
    let dir = tempfile::tempdir().unwrap();
    let (handle, _release, _failure) = commit(Log::open(dir.path()).unwrap());
    let longest = vec![vec![7; MAX_RECORD]; 100];
    handle.submit(submission(1, longest.clone())).unwrap();
    let refused = handle
        .submit(submission(2, vec![vec![7; MAX_RECORD + 1]]))
        .unwrap_err();
    assert!(matches!(refused, SubmitError::TooLong { len } if len == MAX_RECORD + 1));
    assert_eq!(handle.close().unwrap().0, 100);
    assert_eq!(payloads(&Log::open(dir.path()).unwrap(), 0), longest);
    let blobs = std::fs::read_dir(dir.path().join("sled/blobs"))
        .unwrap()
        .count();
    assert_eq!(
        blobs, 0,
        "a record that sled moves to a file of its own is not covered by the sync"
    );
}

#[test]
fn a_handle_that_is_dropped_loses_nothing_that_was_submitted() {
    let dir = tempfile::tempdir().unwrap();
    let (handle, release, failure) = commit(Log::open(dir.path()).unwrap());
    for index in 0..100 {
        handle
            .submit(submission(index, vec![payload(index)]))
            .unwrap();
    }
    drop(handle);
    assert_eq!(release.iter().flatten().count(), 100);
    assert_eq!(failure.iter().count(), 0); // the channel closes when the thread has ended
    assert_eq!(Log::open(dir.path()).unwrap().len(), 100);
}

#[test]
fn named_values_are_kept_before_and_during_commits() {
    let dir = tempfile::tempdir().unwrap();
    let mut log = Log::open(dir.path()).unwrap();
    assert_eq!(log.meta("timeline"), Ok(None));
    log.set_meta("timeline", b"one").unwrap();
    assert_eq!(log.meta("timeline"), Ok(Some(b"one".to_vec())));
    let (handle, _release, _failure) = commit(log);
    handle.set_meta("timeline", b"two".to_vec()).unwrap();
    handle.close().unwrap();
    assert_eq!(
        Log::open(dir.path()).unwrap().meta("timeline"),
        Ok(Some(b"two".to_vec()))
    );
}

#[test]
fn a_reader_sees_what_is_released_while_the_hub_runs() {
    let dir = tempfile::tempdir().unwrap();
    let (handle, release, _failure) = commit(Log::open(dir.path()).unwrap());
    let reader = handle.reader();
    for index in 0..50 {
        handle
            .submit(submission(index, vec![payload(index)]))
            .unwrap();
        let durable = release.recv().unwrap();
        let last = durable.last().unwrap();
        assert_eq!((reader.len(), reader.head()), (last.log_len(), last.head()));
        assert_eq!(
            reader.read(index).next().unwrap().unwrap().1,
            payload(index)
        );
    }
    let head = handle.close().unwrap().1;
    assert_eq!(reader.head_after(50), Ok(head));
    assert_eq!(reader.verify_all(), Ok(50));
    assert!(matches!(
        Log::open(dir.path()),
        Err(OpenError::InUse { .. })
    ));
    drop(reader);
    assert_eq!(Log::open(dir.path()).unwrap().len(), 50);
}

/// A newly started process holds copies of all its parent's file descriptors until its `exec`.
#[test]
fn a_closed_log_opens_again_while_programs_start() {
    let dir = tempfile::tempdir().unwrap();
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !ended.load(Ordering::Relaxed) {
                    std::process::Command::new("true").status().unwrap();
                }
            });
        }
        let opened: Vec<_> = (0..300).map(|_| Log::open(dir.path()).map(drop)).collect();
        ended.store(true, Ordering::Relaxed);
        let refused = opened.iter().filter(|opened| opened.is_err()).count();
        assert_eq!(refused, 0, "{:?}", opened.iter().find(|one| one.is_err()));
    });
}

#[test]
fn an_open_directory_names_the_hub_that_uses_it() {
    let dir = tempfile::tempdir().unwrap();
    let _log = Log::open(dir.path()).unwrap();
    let error = Log::open(dir.path()).err().unwrap().to_string();
    let expected = format!(
        "data directory in use by another hub (pid {})",
        std::process::id()
    );
    assert!(error.contains(&expected), "{error}");
}

#[test]
fn a_newer_format_is_refused_and_nothing_touched() {
    let dir = tempfile::tempdir().unwrap();
    drop(Log::open(dir.path()).unwrap());
    std::fs::write(
        dir.path().join("format"),
        "flagfall data directory, format 2\n",
    )
    .unwrap();
    std::fs::write(
        dir.path().join("sled/snap.0.generating"),
        "left by a newer version",
    )
    .unwrap();
    let error = Log::open(dir.path()).err().unwrap();
    assert!(
        matches!(
            error,
            OpenError::NewerVersion {
                found: 2,
                known: 1,
                ..
            }
        ),
        "{error}"
    );
    assert!(dir.path().join("sled/snap.0.generating").exists());

    std::fs::write(dir.path().join("format"), "something else").unwrap();
    let error = Log::open(dir.path()).err().unwrap().to_string();
    assert!(error.contains("found “something else”"), "{error}");
}

#[test]
fn leftovers_of_interrupted_starts_are_removed() {
    let dir = tempfile::tempdir().unwrap();
    let (handle, _release, _failure) = commit(Log::open(dir.path()).unwrap());
    handle.submit(submission(0, vec![payload(0)])).unwrap();
    handle.close().unwrap();
    std::fs::write(
        dir.path().join("sled/snap.0000000000000FFF.generating"),
        "half",
    )
    .unwrap();
    std::fs::create_dir(dir.path().join("sled.new")).unwrap();
    std::fs::write(dir.path().join("sled.new/conf"), "torn").unwrap();
    let log = Log::open(dir.path()).unwrap();
    assert_eq!(
        log.notices(),
        [
            Notice::UnfinishedStoreRemoved,
            Notice::HalfWrittenSnapshotRemoved
        ]
    );
    assert_eq!(log.len(), 1);
    // The notice must not speak of a first start, because an interrupted rebuild leaves such a store too.
    assert_eq!(
        log.notices()[0].to_string(),
        "an earlier start was interrupted; the unfinished store that it left was removed (nothing was lost)"
    );
}

#[test]
fn the_log_is_released_once_its_last_reader_is_gone() {
    let dir = tempfile::tempdir().unwrap();
    let log = Log::open(dir.path()).unwrap();
    let (release, reader) = (log.release(), log.reader());
    drop(log);
    assert!(!release.wait(Duration::ZERO));
    let is_open = Log::open(dir.path()).map(|_| ());
    assert!(
        matches!(is_open, Err(OpenError::InUse { .. })),
        "{is_open:?}"
    );
    let waiting = std::thread::spawn(move || release.wait(Duration::from_secs(60)));
    drop(reader);
    assert!(waiting.join().unwrap());
    Log::open(dir.path()).unwrap();
}
