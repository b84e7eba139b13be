//! Tests of the program as a process: exit codes, messages, signals, a scripted game, and speech.

#![allow(
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    reason = "a test"
)]

#[path = "support/hub.rs"]
mod support;

use std::io::Read;
use std::process::{Child, Command, Output, Stdio};

use proto::ids::AgentId;
use support::{FakeHub, PATIENCE};
use timing::Side;

fn agent(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_clock-agent"));
    command.args(args).env_clear().stdin(Stdio::null());
    command
}

#[track_caller]
fn fails(args: &[&str], code: i32, words: &[&str]) {
    let Output { status, stderr, .. } = agent(args).output().unwrap();
    let text = String::from_utf8(stderr).unwrap();
    assert_eq!(status.code(), Some(code), "{text}");
    for word in words {
        assert!(text.contains(word), "{word:?} is not in {text:?}");
    }
}

#[test]
fn errors_say_what_to_do() {
    let dir = tempfile::tempdir().unwrap();
    let state = dir.path().to_str().unwrap();
    fails(
        &["run", "--state", state, "--face", "none"],
        1,
        &["not enrolled", "clock-agent enrol CODE", state],
    );
    fails(&["run", "--buttons", "pedals"], 2, &["pedals", "gpio:CHIP"]);
    fails(&["enrol", "nonsense"], 2, &["column 1"]);
    fails(&["run", "--log", "a=b=c", "--state", state], 1, &["--log"]);
    let codes = dir.path().join("codes");
    std::fs::write(&codes, "nonsense\n").unwrap();
    let codes = codes.to_str().unwrap();
    fails(&["swarm", "--codes", codes], 1, &["codes:1", "column 1"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_agents_do_not_share_a_state_directory() {
    let hub = FakeHub::start("5m").await;
    let dir = tempfile::tempdir().unwrap();
    let first = clock(&hub, dir.path(), "none");
    connected(&hub).await;
    let state = dir.path().to_str().unwrap().to_owned();
    tokio::task::spawn_blocking(move || {
        fails(
            &["run", "--state", &state, "--face", "none"],
            1,
            &["in use by another"],
        );
    })
    .await
    .unwrap();
    end(first).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_plays_a_script_and_ends_at_a_signal() {
    let hub = FakeHub::start("5m").await;
    let dir = tempfile::tempdir().unwrap();
    let script = dir.path().join("presses");
    std::fs::write(
        &script,
        "at 0.25 press left\nat 0.5 press right\nat 0.625 stop\n",
    )
    .unwrap();
    let state = dir.path().join("state");
    let child = clock(&hub, &state, &format!("script:{}", script.display()));
    let agent = connected(&hub).await;
    hub.until(|hall| hall.agents[&agent].seq >= 5).await;
    let shown = end(child).await;
    assert!(shown.contains("Stopped by the players"), "{shown}");
    hub.agent(&agent, |agent| {
        let start = agent.facts[1].at_us;
        let stamps: Vec<i64> = agent.facts[2..]
            .iter()
            .map(|fact| fact.at_us - start)
            .collect();
        assert_eq!(stamps, [250_000, 500_000, 625_000]);
        let clock = agent.clock.as_ref().unwrap();
        let time = |side| clock.side(side, clock.now()).time.as_micros();
        assert_eq!(time(Side::White), 300_000_000 - 250_000 - 125_000);
        assert_eq!(time(Side::Black), 300_000_000 - 250_000);
    });
    // The second run keeps the identity and the journal of the first, and adds no event.
    let again = clock(&hub, &state, "none");
    hub.until(|hall| hall.agents[&agent].links == 2).await;
    end(again).await;
    hub.agent(&agent, |agent| assert_eq!(agent.seq, 5));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_speaks_the_time_and_a_missing_one_is_harmless() {
    use std::os::unix::fs::PermissionsExt;

    let hub = FakeHub::start("5m").await;
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("presses"), "at 0.25 press left\nat 0.5 stop\n").unwrap();
    let heard = path("heard");
    std::fs::write(
        path("say"),
        format!("#!/bin/sh\nprintf '%s\\n' \"$1\" > {heard}.new && mv {heard}.new {heard}\n"),
    )
    .unwrap();
    std::fs::set_permissions(path("say"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let code = hub.code().to_string();
    let clock = |program: &str, buttons: &str| {
        let state = path("state");
        let args = [
            "run",
            "--state",
            &state,
            "--code",
            &code,
            "--face",
            "none",
            "--buttons",
            buttons,
            "--speak",
            "black",
            "--speak-with",
            program,
        ];
        agent(&args)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    };
    let child = clock(&path("say"), &format!("script:{}", path("presses")));
    let id = connected(&hub).await;
    let said = async {
        loop {
            if let Ok(text) = std::fs::read_to_string(&heard) {
                return text;
            }
            tokio::task::yield_now().await;
        }
    };
    let said = tokio::time::timeout(PATIENCE, said)
        .await
        .expect("it speaks");
    assert_eq!(said, "Black, 5 minutes.\n");
    hub.until(|hall| hall.agents[&id].seq >= 4).await;
    end(child).await;
    let silent = clock(&path("nowhere"), "none");
    hub.until(|hall| hall.agents[&id].links == 2).await;
    end(silent).await;
}

fn clock(hub: &FakeHub, state: &std::path::Path, buttons: &str) -> Child {
    let code = hub.code().to_string();
    let state = state.to_str().unwrap();
    agent(&[
        "run",
        "--state",
        state,
        "--code",
        &code,
        "--buttons",
        buttons,
        "--face",
        "plain",
    ])
    .stdout(Stdio::piped())
    .stderr(Stdio::null())
    .spawn()
    .unwrap()
}

async fn connected(hub: &FakeHub) -> AgentId {
    hub.until(|hall| !hall.agents.is_empty()).await;
    *hub.hall.lock().unwrap().agents.keys().next().unwrap()
}

/// Ends a clock with SIGTERM, as systemd does. Returns its output.
async fn end(mut child: Child) -> String {
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    let ended = tokio::task::spawn_blocking(move || {
        let mut shown = String::new();
        child
            .stdout
            .take()
            .unwrap()
            .read_to_string(&mut shown)
            .unwrap();
        (child.wait().unwrap(), shown)
    });
    let (status, shown) = tokio::time::timeout(PATIENCE, ended)
        .await
        .expect("it ends")
        .unwrap();
    assert!(status.success(), "{status}");
    shown
}
