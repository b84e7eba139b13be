//! The file `head`, which counts every record that was released.

use std::sync::mpsc;

use durable_log::{Log, Options, Submission, stated_head};

#[test]
fn the_head_file_covers_every_released_record() {
    let dir = tempfile::tempdir().unwrap();
    let log = Log::open(dir.path()).unwrap();
    let (released, durable) = mpsc::channel();
    let commit = log
        .into_commit(
            move |steps| {
                steps
                    .into_iter()
                    .for_each(|step| released.send(step).unwrap())
            },
            |error| panic!("{error}"),
        )
        .unwrap();
    for number in 0_u8..50 {
        let records = vec![vec![number]; 3];
        commit
            .submit(Submission {
                records,
                effects: (),
            })
            .unwrap();
        let step = durable.recv().unwrap();
        let stated = stated_head(dir.path()).unwrap().unwrap();
        assert_eq!(stated, (step.log_len(), step.head()));
    }
    commit.close().unwrap();
}

#[test]
fn each_head_is_soon_synced_while_the_log_is_open() {
    let dir = tempfile::tempdir().unwrap();
    let log = Log::open(dir.path()).unwrap();
    let commit = log.into_commit(|_| (), |error| panic!("{error}")).unwrap();
    for len in 1..=2 {
        let records = vec![vec![len]];
        commit
            .submit(Submission {
                records,
                effects: (),
            })
            .unwrap();
        let stated = format!(" len={len} ");
        // Only the first two slots are synced.
        let is_synced = || {
            let slots = std::fs::read(dir.path().join("head")).unwrap();
            String::from_utf8_lossy(&slots[..2 * 4096]).contains(&stated)
        };
        while !is_synced() {
            std::thread::yield_now();
        }
    }
    commit.close().unwrap();
}

#[test]
fn an_accepted_head_covers_no_more_than_the_log() {
    let dir = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        let log = Log::open(dir.path()).unwrap();
        let commit = log.into_commit(|_| (), |error| panic!("{error}")).unwrap();
        let records = vec![vec![7]; 5];
        commit
            .submit(Submission {
                records,
                effects: (),
            })
            .unwrap();
        commit.close().unwrap();
    }
    std::fs::write(dir.path().join("head"), [0; 5 * 4096]).unwrap();
    let accept = || Options {
        accept_unknown_head: true,
        ..Options::default()
    };
    let log = Log::open_with(dir.path(), accept()).unwrap();
    let end = (log.len(), log.head());
    drop(log);
    assert_eq!(stated_head(dir.path()).unwrap(), Some(end));
    assert_eq!(
        std::fs::metadata(dir.path().join("head")).unwrap().len(),
        2 * 4096
    );
    assert_eq!(Log::open(dir.path()).unwrap().len(), 10);
}
