//! `flagfall livechess` between a stand-in for LiveChess and a real hub.

use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Stdio};

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::{Message, WebSocket, accept};

use crate::program::{Serving, command, expect, text};

struct LiveChess {
    listener: TcpListener,
}

impl LiveChess {
    fn start() -> Self {
        Self {
            listener: TcpListener::bind("127.0.0.1:0").unwrap(),
        }
    }

    fn address(&self) -> String {
        format!("ws://{}/api/v1.0", self.listener.local_addr().unwrap())
    }

    fn accept(&self) -> WebSocket<TcpStream> {
        accept(self.listener.accept().unwrap().0).unwrap()
    }

    /// Accepts a connection and its subscriptions; returns the connection, and each board's serial number with the id of its feed.
    fn subscribed(&self, boards: usize) -> (WebSocket<TcpStream>, Vec<(String, u64)>) {
        let mut socket = self.accept();
        let mut feeds = Vec::new();
        for _ in 0..boards {
            let call = next(&mut socket);
            assert_eq!(call["call"], "subscribe");
            assert_eq!(call["param"]["feed"], "eboardevent");
            let serial = call["param"]["param"]["serialnr"].as_str().unwrap();
            feeds.push((serial.to_owned(), call["param"]["id"].as_u64().unwrap()));
            say(
                &mut socket,
                &json!({"response": "call", "id": call["id"], "param": null}),
            );
        }
        (socket, feeds)
    }
}

fn next(socket: &mut WebSocket<TcpStream>) -> Value {
    serde_json::from_str(socket.read().unwrap().to_text().unwrap()).unwrap()
}

fn say(socket: &mut WebSocket<TcpStream>, message: &Value) {
    socket.send(Message::text(message.to_string())).unwrap();
}

fn moves(feed: u64, serial: &str, san: &[&str]) -> Value {
    json!({
        "response": "feed", "id": feed, "time": 1_795_169_000_123_u64,
        "param": {
            "serialnr": serial, "flipped": false, "board": "8/8/8/8/8/8/8/8", "san": san,
            "clock": {"white": 300, "black": 300, "run": true, "time": 1_795_169_000_123_u64},
        },
    })
}

struct Following {
    child: Child,
    said: BufReader<std::process::ChildStdout>,
}

impl Following {
    fn line(&mut self) -> String {
        let mut line = String::new();
        self.said.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }
}

impl Drop for Following {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn score(hub: &Serving, dir: &std::path::Path, board: &str) -> String {
    let shown = expect(&hub.ctl(dir, &["score", board, "--json"]), 0).0;
    let shown: Value = serde_json::from_str(&shown).unwrap();
    let moves = shown["moves"].as_array().unwrap().iter();
    let moves: Vec<&str> = moves.map(|san| san.as_str().unwrap()).collect();
    moves.join(" ")
}

#[test]
fn moves_on_dgt_boards_are_recorded_and_survive_a_lost_connection() {
    let dir = tempfile::tempdir().unwrap();
    let hub = Serving::start(dir.path());
    expect(&hub.ctl(dir.path(), &["add", "1-2", "5m+3s"]), 0);
    let livechess = LiveChess::start();
    let arguments = [
        "livechess",
        "31401=1",
        "31402=2",
        "--livechess",
        &livechess.address(),
        "--data-dir",
        dir.path().to_str().unwrap(),
    ];
    let mut child = command(&arguments).stdout(Stdio::piped()).spawn().unwrap();
    let said = BufReader::new(child.stdout.take().unwrap());
    let mut program = Following { child, said };
    let (mut socket, feeds) = livechess.subscribed(2);
    assert_eq!(
        feeds
            .iter()
            .map(|(serial, _)| serial.as_str())
            .collect::<Vec<_>>(),
        ["31401", "31402"]
    );
    assert_eq!(program.line(), "31401 is followed for board 1");
    assert_eq!(program.line(), "31402 is followed for board 2");
    let (first, second) = (feeds[0].1, feeds[1].1);
    // Unknown messages, and boards that are not assigned, are ignored.
    socket.send(Message::text("{}")).unwrap();
    say(&mut socket, &moves(9, "99999", &["d4"]));
    say(&mut socket, &moves(first, "31401", &[]));
    say(&mut socket, &moves(first, "31401", &["e4"]));
    say(&mut socket, &moves(first, "31401", &["e4"]));
    assert_eq!(program.line(), "board 1: e4");
    say(&mut socket, &moves(second, "31402", &["d4"]));
    assert_eq!(program.line(), "board 2: d4");
    say(&mut socket, &moves(first, "31401", &["e4", "e5"]));
    assert_eq!(program.line(), "board 1: e5");
    // Moves made while the program was disconnected arrive together and are accepted.
    drop(socket);
    let (mut socket, _) = livechess.subscribed(2);
    say(
        &mut socket,
        &moves(first, "31401", &["e4", "e5", "Nf3", "Nc6", "Bb5"]),
    );
    assert_eq!(program.line(), "board 1: Nf3 Nc6 Bb5");
    assert_eq!(score(&hub, dir.path(), "1"), "e4 e5 Nf3 Nc6 Bb5");
    // The program does not overwrite an arbiter's correction, and keeps following the other board.
    expect(
        &hub.ctl(dir.path(), &["score", "1", "--after", "4", "Bc4"]),
        0,
    );
    say(
        &mut socket,
        &moves(first, "31401", &["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"]),
    );
    say(&mut socket, &moves(second, "31402", &["d4", "d5"]));
    assert_eq!(program.line(), "board 2: d5");
    assert_eq!(score(&hub, dir.path(), "1"), "e4 e5 Nf3 Nc6 Bc4");
    assert_eq!(score(&hub, dir.path(), "2"), "d4 d5");
    assert_eq!(hub.stop(), Some(0));
}

#[test]
fn boards_are_listed_and_wrong_arguments_are_named() {
    let livechess = LiveChess::start();
    let address = livechess.address();
    let answered = std::thread::spawn(move || {
        let mut socket = livechess.accept();
        assert_eq!(next(&mut socket), json!({"id": 1, "call": "eboards"}));
        let boards = json!([{"serialnr": "31401", "state": "ACTIVE"}, {"serialnr": "31402"}]);
        say(
            &mut socket,
            &json!({"response": "call", "id": 1, "param": boards}),
        );
    });
    let listed = command(&["livechess", "--livechess", &address])
        .output()
        .unwrap();
    assert_eq!(expect(&listed, 0).0, "31401\n31402\n");
    answered.join().unwrap();
    for (arguments, why) in [
        (
            &["livechess", "31401"][..],
            "give a serial number and a board, such as 31401=1",
        ),
        (
            &["livechess", "31401=1", "31402=1"],
            "two DGT boards are assigned to board 1",
        ),
        (
            &["livechess", "31401=1", "31401=2"],
            "the DGT board 31401 is assigned twice",
        ),
    ] {
        let refused = command(arguments).output().unwrap();
        assert_eq!(refused.status.code(), Some(2));
        assert!(
            text(&refused.stderr).contains(why),
            "{}",
            text(&refused.stderr)
        );
    }
    let away = command(&["livechess", "--livechess", "ws://127.0.0.1:9/api/v1.0"])
        .output()
        .unwrap();
    assert!(
        expect(&away, 1)
            .1
            .contains("cannot reach LiveChess at ws://127.0.0.1:9/api/v1.0")
    );
}
