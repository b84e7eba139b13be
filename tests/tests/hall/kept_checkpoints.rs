//! A clock that keeps the newest checkpoint of the hub's log detects that the hub's history was changed. Runs the real programs.
#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use proto::checkpoint::KeptCheckpoint;
use tests::rig::{Addresses, Arbiter, Cli, HubProcess, copy_without_ballast, program, until};

const PATIENCE: Duration = Duration::from_secs(60);

fn start(dir: &Path, at: Option<Addresses>) -> (HubProcess, Addresses) {
    let flagfall = program("flagfall").unwrap();
    let mut hub = HubProcess::start(&flagfall, dir, at, &[]).unwrap();
    let at = hub.ready(PATIENCE).unwrap();
    (hub, at)
}

fn clock(at: Addresses, state: &Path) -> HubProcess {
    let mut command = Command::new(program("clock-agent").unwrap());
    command.args(["run", "--buttons", "none", "--face", "none", "--hub"]);
    command.arg(at.listen.to_string()).arg("--state").arg(state);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    HubProcess::spawn(&mut command).unwrap()
}

fn file(state: &Path, part: &str) -> Option<PathBuf> {
    let files = std::fs::read_dir(state).unwrap();
    let mut paths = files.map(|file| file.unwrap().path());
    paths.find(|path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        name.contains(part) && !name.ends_with("-new")
    })
}

fn kept(state: &Path) -> Option<KeptCheckpoint> {
    let text = std::fs::read_to_string(file(state, ".checkpoint")?).unwrap();
    Some(KeptCheckpoint::parse(&text).unwrap())
}

#[track_caller]
fn kept_with(clock: &HubProcess, state: &Path, records: u64) -> KeptCheckpoint {
    let found = until(PATIENCE, "a kept checkpoint", || {
        kept(state).filter(|kept| kept.checkpoint.size >= records)
    });
    found.unwrap_or_else(|what| panic!("{what}: the clock said: {}", clock.said()))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_detects_a_hub_that_rewrote_its_log() {
    let (dir, state) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (mut hub, at) = start(dir.path(), None);
    let mut arbiter = Arbiter::connect(at.listen, dir.path()).await.unwrap();
    let clocks = arbiter.furnish(1, "90m").await.unwrap();
    clocks[0].save(state.path()).unwrap();
    let cli = Cli::new(&program("flagfall").unwrap(), at.listen, dir.path());
    let mut agent = clock(at, state.path());
    let first = kept_with(&agent, state.path(), 1);
    hub.stop().unwrap();
    let earlier = tempfile::tempdir().unwrap();
    let earlier = earlier.path().join("earlier");
    copy_without_ballast(dir.path(), &earlier).unwrap();

    // Add records that are missing from the earlier copy, until the clock has a checkpoint that covers them.
    let (mut hub, _) = start(dir.path(), Some(at));
    for board in ["51", "52", "53", "54", "55"] {
        cli.done(&["ctl", "add", board, "5m"]).unwrap();
    }
    agent.stop().unwrap();
    let mut agent = clock(at, state.path());
    let size = first.checkpoint.size + 5;
    let last = kept_with(&agent, state.path(), size);
    let newest = last.checkpoint.size;
    assert!(file(state.path(), "contradiction").is_none());
    hub.stop().unwrap();

    let (mut hub, _) = start(&earlier, Some(at));
    let note = until(PATIENCE, "a note", || {
        let log = cli.done(&["ctl", "log"]).unwrap();
        let line = log
            .lines()
            .find(|line| line.contains("does not match this log"));
        line.map(str::to_owned)
    });
    let note = note.unwrap_or_else(|what| panic!("{what}: the clock said: {}", agent.said()));
    assert!(
        note.contains(&format!("a checkpoint of {newest} records")),
        "{note}"
    );
    assert!(!note.contains("only the clock itself"), "{note}");
    let evidence = until(PATIENCE, "a file", || file(state.path(), "contradiction")).unwrap();
    let evidence = std::fs::read_to_string(evidence).unwrap();
    assert_eq!(evidence.matches("\u{2014} ").count(), 2, "{evidence}");
    // The clock now holds the hub to the new log.
    let held = until(PATIENCE, "the new log's checkpoint", || {
        kept(state.path()).filter(|kept| kept.note != last.note)
    });
    assert!(evidence.contains(&held.unwrap().note), "{evidence}");
    agent.stop().unwrap();
    assert!(
        agent.said().contains("does not continue"),
        "{}",
        agent.said()
    );
    hub.stop().unwrap();
}
