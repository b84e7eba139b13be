//! Tests of journals on a real disk: writing, recovery, failures.

use std::fs;
use std::path::Path;

use proto::ids::AgentId;
use proto::wire::{EventBody, Press, event_body};

use super::{Journal, JournalEvent, JournalThread, Notice, Store, StoreError};
use crate::buttons::ButtonEvent;
use crate::core::entry::{Batch, Kind, WriteMode};
use crate::core::signer::Signer;
use crate::core::{AgentCore, CoreConfig, Input, Output, Recovered};

const ORIGIN: &str = "flagfall.test/1";
const AGENT: AgentId = AgentId([3; 32]);

fn core(recovered: Recovered) -> AgentCore {
    let config = CoreConfig {
        signer: Signer::Hash(AGENT),
        firmware: String::new(),
        boot: vec![1; 16],
        base_us: 0,
        token: 1,
    };
    let now = timing::Instant::from_micros(recovered.reached_us() + 1_000_000);
    AgentCore::new(config, recovered, now)
}

fn press(core: &mut AgentCore, at_us: i64) -> Vec<Batch> {
    let at = timing::Instant::from_micros(at_us);
    let button = timing::Button::Left;
    let outputs = core.step(at, Input::Button(ButtonEvent::press(button, at)));
    outputs
        .into_iter()
        .filter_map(|output| match output {
            Output::Persist(batch) => Some(batch),
            Output::Send(_)
            | Output::Datagram(_)
            | Output::Chained { .. }
            | Output::FaceChanged
            | Output::Acknowledged { .. }
            | Output::Jump(_)
            | Output::OtherLog { .. }
            | Output::KeepCheckpoint(_)
            | Output::Contradiction { .. }
            | Output::Close(_) => None,
        })
        .collect()
}

/// Adds `presses` presses to the journal in `dir`. Returns the path of its file.
async fn played(dir: &Path, presses: i64) -> std::path::PathBuf {
    let store = Store::open(dir).unwrap();
    let opened = store.journal(ORIGIN, &AGENT).unwrap();
    let thread = JournalThread::start().unwrap();
    let mut journal = Journal::file(opened.path.clone(), &thread);
    let mut core = core(opened.recovered);
    journal.write(core.whole_journal());
    let from = core.seq().0 as i64;
    for press_at in from..from + presses {
        for batch in press(&mut core, 2_000_000 + press_at * 1_000) {
            journal.write(batch);
        }
    }
    let seq = core.seq().0;
    while journal.next().await != (JournalEvent::Synced { seq }) {}
    journal.flush().await;
    opened.path
}

#[tokio::test]
async fn synced_entries_are_recovered() {
    let dir = tempfile::tempdir().unwrap();
    played(dir.path(), 40).await;
    let store = Store::open(dir.path()).unwrap();
    let opened = store.journal(ORIGIN, &AGENT).unwrap();
    assert_eq!(opened.notices, []);
    assert_eq!(core(opened.recovered.clone()).seq().0, 40);
    assert_eq!(opened.recovered.unacknowledged(), 40);
    drop(store);
    played(dir.path(), 2).await;
    let store = Store::open(dir.path()).unwrap();
    let opened = store.journal(ORIGIN, &AGENT).unwrap();
    assert_eq!(core(opened.recovered).seq().0, 42);
}

#[tokio::test]
async fn a_torn_tail_loses_only_the_torn_record() {
    let dir = tempfile::tempdir().unwrap();
    let path = played(dir.path(), 10).await;
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() - 5]).unwrap();
    let store = Store::open(dir.path()).unwrap();
    let opened = store.journal(ORIGIN, &AGENT).unwrap();
    assert_eq!(core(opened.recovered).seq().0, 9);
    assert!(
        matches!(opened.notices[..], [Notice::Torn { .. }]),
        "{:?}",
        opened.notices
    );
}

#[tokio::test]
async fn a_damaged_journal_is_copied_and_its_readable_part_used() {
    let dir = tempfile::tempdir().unwrap();
    let path = played(dir.path(), 10).await;
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xff;
    fs::write(&path, &bytes).unwrap();
    let store = Store::open(dir.path()).unwrap();
    let opened = store.journal(ORIGIN, &AGENT).unwrap();
    assert!(opened.recovered.damaged, "the hub is told");
    let seq = core(opened.recovered).seq().0;
    assert!((1..9).contains(&seq), "{seq}");
    let [Notice::Damaged { kept, .. }] = &opened.notices[..] else {
        panic!("{:?}", opened.notices);
    };
    assert_eq!(fs::read(kept).unwrap(), bytes);
}

#[tokio::test]
async fn journals_of_other_logs_are_counted_and_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = played(dir.path(), 7).await;
    let before = fs::read(&path).unwrap();
    let store = Store::open(dir.path()).unwrap();
    let opened = store.journal("flagfall.test/2", &AGENT).unwrap();
    let foreign = opened.recovered.foreign.unwrap();
    assert_eq!(
        (foreign.log_origin.as_str(), foreign.unacknowledged),
        (ORIGIN, 7)
    );
    assert_ne!(opened.path, path);
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_state_directory_has_one_user() {
    let dir = tempfile::tempdir().unwrap();
    let first = Store::open(dir.path()).unwrap();
    assert!(matches!(Store::open(dir.path()), Err(StoreError::InUse(_))));
    drop(first);
    Store::open(dir.path()).unwrap();
}

#[tokio::test]
async fn a_failed_journal_reports_and_recovers() {
    let dir = tempfile::tempdir().unwrap();
    let gone = dir.path().join("not there");
    let thread = JournalThread::start().unwrap();
    let mut journal = Journal::file(gone.join("x.journal"), &thread);
    let mut core = core(Recovered::fresh(ORIGIN, &AGENT));
    journal.write(core.whole_journal());
    assert!(matches!(journal.next().await, JournalEvent::Failed(_)));
    // While there is no file, batches are ignored.
    for batch in press(&mut core, 2_000_000) {
        journal.write(batch);
    }
    fs::create_dir(&gone).unwrap();
    journal.write(core.whole_journal());
    assert_eq!(journal.next().await, JournalEvent::Synced { seq: 1 });
    assert_eq!(journal.reported(), None);
}

#[tokio::test]
async fn a_full_disk_is_reported() {
    // Every write to this device fails, as on a full disk.
    let full = Path::new("/dev/full");
    let thread = JournalThread::start().unwrap();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.journal");
    let mut journal = Journal::file(path.clone(), &thread);
    let mut core = core(Recovered::fresh(ORIGIN, &AGENT));
    // A rewrite creates this temporary file, which is now a link to the full disk.
    std::os::unix::fs::symlink(full, path.with_extension("new")).unwrap();
    journal.write(core.whole_journal());
    let JournalEvent::Failed(why) = journal.next().await else {
        panic!("written to a full disk");
    };
    assert!(why.to_lowercase().contains("no space"), "{why}");
    assert!(!path.exists());
    fs::remove_file(path.with_extension("new")).unwrap();
    for batch in press(&mut core, 2_000_000) {
        journal.write(batch);
    }
    journal.write(core.whole_journal());
    assert_eq!(journal.next().await, JournalEvent::Synced { seq: 1 });
}

#[test]
fn entries_of_every_kind_round_trip() {
    let body = EventBody {
        seq: 1,
        fact: Some(event_body::Fact::Press(Press { button: 1 })),
        ..EventBody::default()
    };
    let event = Signer::Hash(AGENT).sign(&body);
    let batch = core(Recovered::fresh(ORIGIN, &AGENT)).whole_journal();
    assert_eq!(batch.mode, WriteMode::Replace);
    let mut entries = batch.entries;
    entries.push(Kind::Event(event).into());
    entries.push(Kind::Order(proto::wire::Order::default()).into());
    entries.push(Kind::Acked(7).into());
    entries.push(Kind::Labels(proto::wire::Labels::default()).into());
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.journal");
    super::file::replace(&path, &entries).unwrap();
    let contents = super::file::read(&path).unwrap();
    assert_eq!(contents.entries, entries);
    assert_eq!(contents.end, super::file::End::Whole);
}
