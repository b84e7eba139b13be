//! A full or failing disk: the log stops acknowledging, reports it once, and loses no acknowledged record.

use std::io::{self, Write};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};

use durable_log::{
    CommitError, CommitHandle, Durable, Log, Notice, OpenError, Options, Submission, SubmitError,
};

use crate::alone;
use crate::log_writer::{self, payload};

/// Environment variable for the process on the small disk: the number of bytes that other files occupy there.
const TAKEN: &str = "LOG_DISK_TAKEN";

type Running = (
    CommitHandle<()>,
    Receiver<Vec<Durable<()>>>,
    Receiver<CommitError>,
);

fn run(log: Log) -> Running {
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

fn submission(index: u64) -> Submission<()> {
    Submission {
        records: vec![payload(index)],
        effects: (),
    }
}

/// Returns a log and the counter of its syncs. Only sync number `fails_at` fails, with an error of `kind`.
fn failing(dir: &Path, fails_at: usize, kind: io::ErrorKind) -> (Log, Arc<AtomicUsize>) {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = calls.clone();
    let sync = Box::new(move |file: &std::fs::File| {
        if counted.fetch_add(1, Ordering::Relaxed) + 1 == fails_at {
            Err(kind.into())
        } else {
            file.sync_data()
        }
    });
    (
        Log::open_with(
            dir,
            Options {
                ballast_bytes: 0,
                sync,
                ..Options::default()
            },
        )
        .unwrap(),
        calls,
    )
}

#[test]
fn nothing_is_acknowledged_after_a_failed_sync() {
    let _alone = alone();
    for (kind, full) in [
        (io::ErrorKind::Other, false),
        (io::ErrorKind::StorageFull, true),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let (log, calls) = failing(dir.path(), 4, kind);
        let (handle, release, failure) = run(log);
        for index in 0..3 {
            handle.submit(submission(index)).unwrap();
            assert_eq!(release.recv().unwrap()[0].log_len(), index + 1);
        }
        handle.submit(submission(3)).unwrap();
        let error = failure.recv().unwrap();
        assert_eq!(
            matches!(error, CommitError::FullDisk { .. }),
            full,
            "{error}"
        );
        assert!(
            error
                .to_string()
                .contains("nothing is recorded or acknowledged any more"),
            "{error}"
        );
        let stopped = Err(SubmitError::Stopped);
        assert_eq!(handle.submit(submission(4)), stopped);
        assert_eq!(handle.set_meta("timeline", vec![]), stopped);
        assert_eq!(release.iter().count(), 0, "released after the failure");
        assert_eq!(failure.iter().count(), 0, "told twice");
        assert_eq!(
            calls.load(Ordering::Relaxed),
            4,
            "a failed sync was tried again"
        );
        // The acknowledged records can still be read, and closing the log returns its error.
        assert_eq!(handle.reader().read(0).count(), 3);
        assert_eq!(handle.close(), Err(error));
        let len = log_writer::check(dir.path(), None, 3).unwrap();
        assert!((3..=4).contains(&len), "{len}");
    }
}

#[test]
fn a_release_that_panics_stops_the_log_too() {
    let _alone = alone();
    let dir = tempfile::tempdir().unwrap();
    let (failed, failure) = channel();
    let log = Log::open_with(
        dir.path(),
        Options {
            ballast_bytes: 0,
            ..Options::default()
        },
    )
    .unwrap();
    let handle = log
        .into_commit::<()>(
            |_| panic!("a bug behind the log"),
            move |error| failed.send(error).unwrap_or_default(),
        )
        .unwrap();
    handle.submit(submission(0)).unwrap();
    let error = failure.recv().unwrap();
    assert_eq!(
        error,
        CommitError::Panicked {
            what: "a bug behind the log".to_owned()
        }
    );
    assert_eq!(handle.close(), Err(error));
}

/// Uses a file system of 24 MiB, which only a child process sees. `LOG_FULL_DISKS=50` tests more disks, each of which fills up at a different
/// point.
#[test]
fn a_full_disk_stops_the_log_and_its_reserve_starts_it_again() {
    let _alone = alone();
    let mut random = log_writer::Random::seeded();
    for _ in 0..log_writer::repetitions("LOG_FULL_DISKS", 2) {
        let taken = (4 << 20) + random.below(1 << 20);
        let Err(refused) = on_a_small_disk(taken) else {
            continue;
        };
        // Write directly to stderr, because the test harness hides the output of a passing test. The other tests still cover an injected error and a
        // size limit.
        let why = format!("NOT RUN: no small disk can be mounted here: {refused}\n");
        std::io::stderr().write_all(why.as_bytes()).unwrap();
        return;
    }
}

/// Runs `inside_a_small_disk` with `taken` bytes used by other files. Returns the reason if no disk can be mounted.
fn on_a_small_disk(taken: u64) -> Result<(), String> {
    let dir = tempfile::tempdir().unwrap();
    let inside = log_writer::command("failing_disk::inside_a_small_disk", dir.path());
    let mut refused = String::new();
    // Root may mount directly; other users need a user namespace in which they are root.
    for how in [&["--mount"][..], &["--mount", "--map-root-user"]] {
        let mut command = Command::new("unshare");
        command.args(how).args([
            "sh",
            "-c",
            "mount -t tmpfs -o size=24m tmpfs \"$0\" || exit 77; exec \"$@\"",
        ]);
        command
            .arg(dir.path())
            .arg(inside.get_program())
            .args(inside.get_args());
        command
            .env(log_writer::DIR, dir.path())
            .env(TAKEN, taken.to_string());
        let output = command
            .output()
            .map_err(|error| format!("unshare: {error}"))?;
        let said = String::from_utf8_lossy(&output.stdout);
        let cried = String::from_utf8_lossy(&output.stderr);
        // A test process that printed nothing never started.
        if said.is_empty() {
            refused += &cried;
            continue;
        }
        assert!(
            output.status.success(),
            "{taken} bytes taken: {said}\n{cried}"
        );
        assert!(
            said.contains("THE DISK WAS FULL AND NOTHING IS LOST"),
            "{said}\n{cried}"
        );
        return Ok(());
    }
    Err(refused)
}

#[test]
fn inside_a_small_disk() {
    let Some(dir) = std::env::var_os(log_writer::DIR) else {
        return; // does nothing unless started by the test above
    };
    let dir = Path::new(&dir).join("data");
    let other = dir.with_file_name("somebody's video");
    let taken = log_writer::repetitions(TAKEN, 0) as usize;
    std::fs::write(&other, vec![1; taken]).unwrap();
    let ballast = || Options {
        ballast_bytes: 6 << 20,
        ..Options::default()
    };
    let log = Log::open_with(&dir, ballast()).unwrap();
    assert_eq!(dir.join("ballast").metadata().unwrap().len(), 6 << 20);
    let (mut acked, error) = append_until_failure(log);
    assert!(matches!(error, CommitError::FullDisk { .. }), "{error}");
    assert!(error.to_string().contains("the disk is full"), "{error}");
    assert!(acked > 1000, "{acked}");

    // The hub restarts while the disk is still full: the log releases its reserve and continues.
    let log = Log::open_with(&dir, ballast()).unwrap();
    assert_eq!(log.notices(), [Notice::BallastReleased]);
    assert!(!dir.join("ballast").exists());
    assert!(log.len() >= acked, "{} of {acked}", log.len());
    let (more, error) = append_until_failure(log);
    assert!(matches!(error, CommitError::FullDisk { .. }), "{error}");
    assert!(more > acked, "the reserve took no record");
    acked = more;

    // The disk is completely full and no reserve is left: the log reports it and loses nothing.
    let filler = dir.with_file_name("filler");
    let mut file = std::fs::File::create(&filler).unwrap();
    while file.write_all(&[1; 4096]).is_ok() {}
    match Log::open_with(&dir, ballast()) {
        Ok(log) => assert!(log.len() >= acked, "{} of {acked}", log.len()),
        Err(error) => assert!(matches!(error, OpenError::FullDisk { .. }), "{error}"),
    }
    std::fs::remove_file(&filler).unwrap();
    std::fs::remove_file(&other).unwrap();
    log_writer::check_records(&dir, None, acked).unwrap();
    println!("THE DISK WAS FULL AND NOTHING IS LOST");
}

fn append_until_failure(log: Log) -> (u64, CommitError) {
    let first = log.len();
    let (handle, release, failure) = run(log);
    for index in first.. {
        let refused = handle.submit(submission(index));
        if refused == Err(SubmitError::Stopped) {
            break;
        }
        refused.unwrap();
        // Wait only once per ten submissions, to save time. Any of the ten may fail.
        if index % 10 == 9 && release.recv().is_err() {
            break;
        }
    }
    let error = failure.recv().unwrap();
    let acked = handle.reader().len();
    let released = release
        .iter()
        .flatten()
        .last()
        .map_or(0, |durable| durable.log_len());
    assert!(acked >= released);
    assert_eq!(handle.close(), Err(error.clone()));
    (acked, error)
}

/// The system refuses to let the store's file grow, which gives a different error from a full disk.
#[test]
fn a_file_that_cannot_grow_stops_the_log() {
    let _alone = alone();
    let dir = tempfile::tempdir().unwrap();
    let inside = log_writer::command("failing_disk::inside_a_limit", dir.path());
    let mut command = Command::new("sh");
    // The limit is in blocks of 512 bytes. With the signal ignored, the write returns an error instead of killing the process.
    command.args(["-c", "trap '' XFSZ; ulimit -f 8192; exec \"$0\" \"$@\""]);
    command
        .arg(inside.get_program())
        .args(inside.get_args())
        .env(log_writer::DIR, dir.path());
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let acked = said
        .lines()
        .find_map(|line| line.strip_prefix("ACKNOWLEDGED ")?.parse().ok());
    let acked: u64 =
        acked.unwrap_or_else(|| panic!("{said}\n{}", String::from_utf8_lossy(&output.stderr)));
    assert!(acked > 1000, "{acked}");
    log_writer::check(dir.path(), None, acked).unwrap();
}

#[test]
fn inside_a_limit() {
    let Some(dir) = std::env::var_os(log_writer::DIR) else {
        return; // does nothing unless started by the test above
    };
    let log = Log::open_with(
        Path::new(&dir),
        Options {
            ballast_bytes: 0,
            ..Options::default()
        },
    )
    .unwrap();
    let (acked, error) = append_until_failure(log);
    assert!(matches!(error, CommitError::Storage { .. }), "{error}");
    println!("\nACKNOWLEDGED {acked}");
}
