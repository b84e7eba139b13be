//! A game run from the command line, with a clock that obeys and then falls silent.

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
    /// Starts a hub with one board and a clock on it.
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

    /// Sends a command, which the clock carries out, and returns its output.
    async fn ctl(&mut self, arguments: &[&str]) -> String {
        let sending = self.command(arguments);
        let (output, order) = tokio::join!(sending, self.session.take_order());
        expect(&output, 0);
        match order.what {
            Some(order::What::Command(text)) => text,
            other => panic!("{other:?}"),
        }
    }

    /// Sends a command in the background.
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
async fn a_game_is_started_paused_corrected_and_put_back() {
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
    // Black had thought for a second when that press came, and gets it back.
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
async fn what_a_silent_clock_does_not_answer_is_pending_and_may_be_taken_back_or_forced() {
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
async fn a_watcher_sees_the_hall_and_what_changes() {
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
