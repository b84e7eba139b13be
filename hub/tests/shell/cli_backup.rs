//! `flagfall backup` and `flagfall restore`, while games are in progress and after the hub has stopped.

use std::fs;
use std::path::Path;

use clock_agent::swarm::{Journals, Pace, Players, Swarm, SwarmConfig, enrol_with};
use proto::checkpoint::LogEpoch;
use serde_json::Value;
use timing::Side;

use crate::hall::{look_later, within};
use crate::program::{Serving, expect, flagfall};

const BOARDS: [&str; 3] = ["1", "2", "3"];

async fn playing(hub: &Serving, dir: &Path) -> Swarm {
    expect(&hub.ctl(dir, &["add", "1-3", "60m"]), 0);
    let data = dir.to_str().unwrap();
    let identities = enrol_with(BOARDS.len(), |agent| {
        let arguments = ["enrol", "--data-dir", data, "--board", BOARDS[agent]];
        let (code, _) = expect(&flagfall(&arguments), 0);
        async move { Ok::<_, std::io::Error>(code.trim().parse().unwrap()) }
    });
    let swarm = Swarm::start(SwarmConfig {
        hub: hub.listen.clone(),
        identities: identities.await.unwrap(),
        players: Players::Endless(Pace::Bullet),
        seed: 7,
        journals: Journals::Memory,
        record: false,
        endpoints: 1,
    });
    let swarm = swarm.await.unwrap();
    within(swarm.connected(), "the clocks").await;
    let started = async { while !hub.ctl(dir, &["start", "all"]).status.success() {} };
    within(started, "the games to start").await;
    swarm
}

async fn acknowledged(swarm: &Swarm, events: u64) {
    let look = async {
        while swarm.counts().acknowledged < events {
            look_later().await;
        }
    };
    within(look, "more presses").await;
}

fn path(dir: &Path) -> &str {
    dir.to_str().unwrap()
}

/// Returns the records of the log in `dir` as JSON lines, and the final state.
fn records(dir: &Path) -> (Vec<Value>, Value) {
    let (out, _) = expect(&flagfall(&["replay", path(dir), "--records", "--json"]), 0);
    let lines = out.lines().map(|line| serde_json::from_str(line).unwrap());
    let mut lines: Vec<Value> = lines.collect();
    let last = lines.pop().unwrap();
    (lines, last)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_in_mid_round_restores_every_record_acknowledged_before_it() {
    let (dir, others) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let hub = Serving::start(dir.path());
    let swarm = playing(&hub, dir.path()).await;
    let before = swarm.counts().acknowledged + 20;
    acknowledged(&swarm, before).await;
    let made = others.path().join("made");
    let backup = ["backup", path(&made), "--data-dir", path(dir.path())];
    let (said, _) = expect(&flagfall(&backup), 0);
    assert!(said.contains("checked"), "{said}");
    let (_, err) = expect(&flagfall(&backup), 1);
    assert!(err.contains("exists already"), "{err}");
    // Waits for further presses, because the games continue after the backup.
    acknowledged(&swarm, swarm.counts().acknowledged + 20).await;
    swarm.stop().await;
    assert_eq!(hub.stop(), Some(0));

    let restored = others.path().join("restored");
    let restore = ["restore", path(&made), "--data-dir", path(&restored)];
    expect(&flagfall(&restore), 0);
    let (_, err) = expect(&flagfall(&restore), 1);
    assert!(err.contains("exists already"), "{err}");
    let ((all, _), (kept, end)) = (records(dir.path()), records(&restored));
    let presses = kept
        .iter()
        .filter(|record| record["event"].is_object() || record.to_string().contains("press"));
    assert!(presses.count() as u64 >= 20, "{before}: {kept:?}");
    assert!(kept.len() < all.len());
    assert_eq!(kept[..], all[..kept.len()]);
    assert_eq!(end["records"], kept.len());

    // A second machine serves the same hall under the same authority.
    let again = Serving::start(&restored);
    let (out, said) = expect(&again.ctl(&restored, &["list", "--json"]), 0);
    assert_eq!(out.lines().count(), BOARDS.len());
    let note = format!("restored backup of {} records", kept.len());
    assert!(said.contains(&note), "{said}");
    // The first checkpoint after the note names the new epoch; the previous checkpoint comes from the backup.
    let named = async {
        loop {
            if let Some(epoch) = epoch(&again, &restored) {
                break epoch;
            }
            look_later().await;
        }
    };
    let epoch = within(named, "a checkpoint of the new epoch").await;
    assert_eq!(epoch.number, 2);
    assert!(epoch.begins >= kept.len() as u64);
    let key = fs::read(dir.path().join("chief.pem")).unwrap();
    assert_eq!(fs::read(restored.join("chief.pem")).unwrap(), key);
    assert_eq!(again.stop(), Some(0));
    // The next start is ordinary, so the hub stays in the same epoch.
    let again = Serving::start(&restored);
    let (_, said) = expect(&again.ctl(&restored, &["list"]), 0);
    assert_eq!(said, "");
    assert_eq!(self::epoch(&again, &restored), Some(epoch));
    assert_eq!(again.stop(), Some(0));
}

fn epoch(hub: &Serving, dir: &Path) -> Option<LogEpoch> {
    let (out, _) = expect(&hub.ctl(dir, &["checkpoint", "--json"]), 0);
    let checkpoint: Value = serde_json::from_str(&out).unwrap();
    LogEpoch::of_note(checkpoint["note"].as_str().unwrap())
}

async fn moves_at_clocks(swarm: &Swarm) -> Vec<[u32; 2]> {
    let reports = swarm.reports().await.into_iter();
    let clocks = reports.map(|report| report.clock.unwrap());
    let moves = clocks
        .map(|clock| [Side::White, Side::Black].map(|side| clock.side(side, clock.now()).moves));
    moves.collect()
}

fn moves_at_hub(hub: &Serving, dir: &Path) -> Vec<[u32; 2]> {
    let (out, _) = expect(&hub.ctl(dir, &["list", "--json"]), 0);
    let boards = out.lines().map(|line| serde_json::from_str(line).unwrap());
    let moves = boards.map(|board: Value| {
        ["white", "black"].map(|side| board[side]["moves"].as_u64().unwrap() as u32)
    });
    moves.collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clocks_send_a_restored_hub_what_it_had_acknowledged_and_lost() {
    let (dir, others) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let hub = Serving::start(dir.path());
    let listen = hub.listen.clone();
    let swarm = playing(&hub, dir.path()).await;
    acknowledged(&swarm, swarm.counts().acknowledged + 10).await;
    let made = others.path().join("made");
    expect(
        &flagfall(&["backup", path(&made), "--data-dir", path(dir.path())]),
        0,
    );
    let kept = moves_at_hub(&hub, dir.path());
    acknowledged(&swarm, swarm.counts().acknowledged + 20).await;
    within(swarm.drain(), "every acknowledgement").await;
    hub.kill();

    let restored = others.path().join("restored");
    expect(
        &flagfall(&["restore", path(&made), "--data-dir", path(&restored)]),
        0,
    );
    let wanted = moves_at_clocks(&swarm).await;
    assert_ne!(kept, wanted, "presses came after the backup");
    let again = Serving::start_at(&restored, &listen);
    let caught_up = async { while moves_at_hub(&again, &restored) != wanted {} };
    within(caught_up, "the lost presses").await;
    swarm.release();
    acknowledged(&swarm, swarm.counts().acknowledged + 10).await;
    within(swarm.drain(), "every acknowledgement").await;
    assert_eq!(
        moves_at_hub(&again, &restored),
        moves_at_clocks(&swarm).await
    );
    swarm.stop().await;
    assert_eq!(again.stop(), Some(0));
}

#[test]
fn a_stopped_hub_is_backed_up_whole_and_a_damaged_backup_is_refused() {
    let (dir, others) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let hub = Serving::start(dir.path());
    expect(&hub.ctl(dir.path(), &["add", "1-3", "5m"]), 0);
    assert_eq!(hub.stop(), Some(0));
    let made = others.path().join("made");
    let backup = ["backup", path(&made), "--data-dir", path(dir.path())];
    expect(&flagfall(&backup), 0);
    let restored = others.path().join("restored");
    let restore = ["restore", path(&made), "--data-dir", path(&restored)];
    for name in ["records", "files/authority.pem", "backup.json"] {
        let file = made.join(name);
        let whole = fs::read(&file).unwrap();
        let mut damaged = whole.clone();
        let middle = damaged.len() / 2;
        damaged[middle] ^= 1;
        for content in [&damaged[..], &whole[..whole.len() - 2]] {
            fs::write(&file, content).unwrap();
            let (_, err) = expect(&flagfall(&restore), 1);
            assert!(
                err.contains("damaged") && err.contains(name),
                "{name}: {err}"
            );
            assert!(!restored.exists());
        }
        fs::write(&file, whole).unwrap();
    }
    expect(&flagfall(&restore), 0);
    assert_eq!(records(&restored), records(dir.path()));
    let (_, err) = expect(
        &flagfall(&["restore", path(dir.path()), "--data-dir", "/tmp/x"]),
        1,
    );
    assert!(err.contains("is not a backup"), "{err}");
}
