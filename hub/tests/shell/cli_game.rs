//! A game run, watched and replayed from the command line, with a clock that carries out its orders or is silent.

mod player;

use std::io::BufRead;
use std::path::PathBuf;
use std::process::{Output, Stdio};

use proto::enrolment::EnrolmentCode;
use proto::wire::{Button, order};
use serde_json::Value;

use crate::agent::{Identity, Session, enrol, hello, new_key};
use crate::program::{Serving, command, expect, flagfall};

struct Hall {
    hub: Serving,
    dir: tempfile::TempDir,
    session: Session,
}

impl Hall {
    async fn open() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let hub = Serving::start(dir.path());
        expect(&hub.ctl(dir.path(), &["add", "1", "5m"]), 0);
        let data = dir.path().to_str().unwrap();
        let arguments = [
            "enrol",
            "--board",
            "1",
            "--hub",
            &hub.listen,
            "--data-dir",
            data,
        ];
        let (code, _) = expect(&flagfall(&arguments), 0);
        let code: EnrolmentCode = code.trim().parse().unwrap();
        let (address, key) = (hub.listen.parse().unwrap(), new_key());
        let enrolled = enrol(address, &code, &key).await.unwrap();
        let mut session = Session::unwelcomed(address, &Identity { key, enrolled }).await;
        session.send(hello()).await;
        session.welcome().await;
        session.take_order().await;
        session.acknowledged(1).await;
        Self { hub, dir, session }
    }

    /// Sends a command and lets the clock carry it out; returns the text of the order.
    async fn ctl(&mut self, arguments: &[&str]) -> String {
        let sending = self.command(arguments);
        let (output, order) = tokio::join!(sending, self.session.take_order());
        expect(&output, 0);
        match order.what {
            Some(order::What::Command(text)) => text,
            other => panic!("{other:?}"),
        }
    }

    fn command(&self, arguments: &[&str]) -> impl Future<Output = Output> + use<> {
        let arguments: Vec<String> = arguments.iter().map(|word| (*word).to_owned()).collect();
        let (listen, dir): (_, PathBuf) = (self.hub.listen.clone(), self.dir.path().to_owned());
        let task = tokio::task::spawn_blocking(move || {
            let mut all = vec!["ctl", "--hub", &listen, "--data-dir", dir.to_str().unwrap()];
            all.extend(arguments.iter().map(String::as_str));
            flagfall(&all)
        });
        async move { task.await.unwrap() }
    }

    fn board(&self) -> Value {
        let (out, _) = expect(&self.hub.ctl(self.dir.path(), &["show", "1", "--json"]), 0);
        serde_json::from_str(&out).unwrap()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_is_started_paused_corrected_and_restored() {
    let mut hall = Hall::open().await;
    assert_eq!(hall.ctl(&["start", "1"]).await, "start");
    let mut last = 0;
    for button in [Button::Left, Button::Right, Button::Left] {
        last = hall.session.press(button).await;
    }
    hall.session.acknowledged(last).await;
    assert_eq!(
        hall.ctl(&["pause", "1", "--reason", "claim"]).await,
        "pause"
    );
    assert_eq!(hall.board()["state"], "paused");
    assert_eq!(
        hall.ctl(&["set", "1", "black", "10s"]).await,
        "set black 10s"
    );
    assert_eq!(hall.board()["black"]["us"], 10_000_000);
    let restore = hall.ctl(&["restore", "1", "1b"]).await;
    assert!(restore.starts_with("restore "), "{restore}");
    let board = hall.board();
    assert_eq!(
        (&board["white"]["moves"], &board["black"]["moves"]),
        (&1.into(), &0.into())
    );
    // The game is back at the instant before Black's first press. Black had used one second by then, so 299 seconds are left.
    assert_eq!(board["black"]["us"], 299_000_000);
    assert_eq!(hall.ctl(&["resume", "1"]).await, "resume");
    assert_eq!(hall.board()["running"], "black");
    assert_eq!(
        hall.ctl(&["result", "1", "1/2-1/2"]).await,
        "end result 1/2-1/2"
    );
    let (out, _) = expect(&hall.hub.ctl(hall.dir.path(), &["show", "1"]), 0);
    assert!(out.contains("1/2-1/2") && out.contains("PRESS"), "{out}");
    let (out, _) = expect(&hall.hub.ctl(hall.dir.path(), &["agents"]), 0);
    assert!(
        out.contains("online") && out.contains("test clock"),
        "{out}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_to_a_silent_clock_is_pending_and_can_be_withdrawn_or_forced() {
    let mut hall = Hall::open().await;
    hall.ctl(&["start", "1"]).await;
    hall.session.connection.close(0_u8.into(), b"");
    while hall.board()["online"] == true {}
    let (out, _) = expect(&hall.command(&["pause", "1"]).await, 0);
    assert!(
        out.contains("pending") && out.contains("flagfall ctl force 1"),
        "{out}"
    );
    let (out, _) = expect(&hall.command(&["show", "1"]).await, 0);
    assert!(out.contains("pending pause by chief"), "{out}");
    let (out, _) = expect(&hall.command(&["withdraw", "1"]).await, 0);
    assert_eq!(out, "board 1: done\n");
    assert_eq!(hall.board()["pending"], Value::Array(vec![]));
    expect(&hall.command(&["pause", "1"]).await, 0);
    let (out, _) = expect(&hall.command(&["force", "1"]).await, 0);
    assert_eq!(out, "board 1: done\n");
    let board = hall.board();
    assert_eq!(
        (&board["state"], &board["pending"]),
        (&"paused".into(), &Value::Array(vec![]))
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_watcher_sees_the_hall_and_its_changes() {
    let hall = Hall::open().await;
    let data = hall.dir.path().to_str().unwrap();
    let arguments = [
        "ctl",
        "--hub",
        &hall.hub.listen,
        "--data-dir",
        data,
        "watch",
        "--json",
    ];
    let mut watching = command(&arguments).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = std::io::BufReader::new(watching.stdout.take().unwrap()).lines();
    let mut next = || -> Value { serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap() };
    assert_eq!(next()["board"], "1");
    expect(&hall.command(&["names", "1", "Ann", "Ben"]).await, 0);
    while next()["black"]["name"] != "Ben" {}
    let pid = rustix::process::Pid::from_child(&watching);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    assert_eq!(watching.wait().unwrap().code(), Some(0));
}

fn files(dir: &std::path::Path) -> Vec<(PathBuf, std::time::SystemTime, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        let changed = entry.metadata().unwrap().modified().unwrap();
        if entry.file_type().unwrap().is_dir() {
            found.extend(files(&entry.path()));
            found.push((entry.path(), changed, Vec::new()));
        } else {
            let content = std::fs::read(entry.path()).unwrap();
            found.push((entry.path(), changed, content));
        }
    }
    found.sort();
    found
}

fn one(output: &Output) -> Value {
    let (out, _) = expect(output, 0);
    serde_json::from_str(&out).unwrap()
}

/// Plays two moves by each side. Black is given two minutes after the first move.
async fn play_with_two_minutes(hall: &mut Hall) {
    hall.ctl(&["start", "1"]).await;
    let mut last = 0;
    for button in [Button::Left, Button::Right] {
        last = hall.session.press(button).await;
    }
    hall.session.acknowledged(last).await;
    let added = ["add-time", "1", "black", "2m", "--reason", "FIDE 7.5.5"];
    assert_eq!(hall.ctl(&added).await, "add black 2m");
    for button in [Button::Left, Button::Right] {
        last = hall.session.press(button).await;
    }
    hall.session.acknowledged(last).await;
}

fn without_two_minutes(replay: &impl Fn(&[&str]) -> Output, record: &str) {
    let compared = one(&replay(&["--without", record, "--json"]));
    let [white, black] = &compared["comparison"]["moves"].as_array().unwrap()[..] else {
        panic!("{compared}");
    };
    for changed in [white, black] {
        let us = |of: &str| changed[of]["black_us"].as_i64().unwrap();
        assert_eq!(changed["number"], 2);
        assert_eq!(us("was") - us("would"), 120_000_000);
    }
    let (out, _) = expect(&replay(&["--without", record]), 0);
    let marked = out.lines().filter(|line| line.ends_with('*'));
    assert_eq!(marked.count(), 2, "{out}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_is_replayed_from_the_hub_and_from_its_directory() {
    let mut hall = Hall::open().await;
    play_with_two_minutes(&mut hall).await;
    let (table, _) = expect(&hall.command(&["game", "1"]).await, 0);
    assert!(
        table.contains("2b") && table.contains("(FIDE 7.5.5)"),
        "{table}"
    );
    let live = one(&hall.command(&["game", "1", "--json"]).await);
    assert_eq!(live["schema"], "flagfall.game.v1");
    expect(&hall.command(&["game", "1", "--round", "3"]).await, 1);
    expect(&hall.command(&["game", "1", "--at", "soon"]).await, 2);
    assert_eq!(hall.hub.stop(), Some(0));

    let path = hall.dir.path();
    let before = files(path);
    let replay = |arguments: &[&str]| {
        let dir = path.to_str().unwrap();
        flagfall(&[&["replay", dir, "--board", "1"], arguments].concat())
    };
    assert_eq!(one(&replay(&["--json"]))["timeline"], live["timeline"]);
    let moments = live["timeline"]["moments"].as_array().unwrap();
    let action = moments.iter().find(|moment| {
        let command = moment["command"].as_str();
        moment["kind"] == "action" && command.is_some_and(|command| command.starts_with("add"))
    });
    without_two_minutes(&replay, &action.unwrap()["asked"].to_string());
    let at = one(&replay(&["--move", "2b", "--json"]));
    assert_eq!(at["move"]["after"]["rests_on"].as_array().unwrap().len(), 2);
    let (out, _) = expect(&replay(&["--move", "2b"]), 0);
    assert!(
        out.contains("as 2b was pressed") && out.contains("no uncertainty"),
        "{out}"
    );
    let shorter = ["--add", "black +2m before 2b", "--control", "4s"];
    expect(&replay(&shorter), 0);
    let chart = tempfile::NamedTempFile::new().unwrap();
    expect(&replay(&["--svg", chart.path().to_str().unwrap()]), 0);
    let svg = std::fs::read_to_string(chart.path()).unwrap();
    assert!(svg.contains("<rect"), "{svg}");
    expect(&replay(&["--without", "0"]), 1);
    expect(&replay(&["--game", "2"]), 1);
    assert_eq!(files(path), before, "a replay writes nothing here");
}
