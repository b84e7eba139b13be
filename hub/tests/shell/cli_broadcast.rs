//! `flagfall broadcast`: games sent to a folder, to Lichess, to HTTP clients and to programs that read LiveChess, with and without a delay. The hub
//! has test clocks.

use std::path::Path;

use futures::{SinkExt as _, Stream, StreamExt as _};
use hall::{Outcome, PresetWith, Purpose, RequestDigest, TournamentRequest};
use hall::{RoundRequest, RoundWork};
use proto::ids::CommandId;
use proto::wire::Button;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite;
use tournament::{
    Actor, BoardNo, Change, Event, Pairing, Pairings, Player, PlayerNo, RoundNo, Scope,
};

use crate::agent::{Identity, Session};
use crate::hall::{TestHub, look_later, within};
use crate::lichess::{Lichess, Mood, TOKEN, tag};
use crate::program::{expect, flagfall};

pub(crate) const ROUND: &str = "AbCdEf12";
const CONTROL: &str = "90m+30s";
const MOVES: [&str; 3] = ["e4", "e5", "Nf3"];
/// The moving side's clock times, one after each of [`MOVES`]. Each move takes one second.
const CLOCKS: [&str; 3] = ["1:30:59", "1:30:59", "1:31:28"];

/// A hub with an event in round 1. All games are running, each with a clock.
pub(crate) struct Hall {
    pub(crate) hub: TestHub,
    pub(crate) clocks: Vec<Session>,
}

impl Hall {
    pub(crate) async fn play(boards: u16) -> Self {
        let hub = TestHub::start().await;
        let mut changes = vec![Change::SetEvent(Box::new(Event::new("Harbour Cup", 3)))];
        changes.extend((1..=2 * boards).map(|no| {
            Change::EnterPlayer(Box::new(Player::new(
                PlayerNo(no),
                &format!("Player, {no}"),
            )))
        }));
        let pairs =
            (1..=boards).map(|no| Pairing::new(BoardNo(no), PlayerNo(no), PlayerNo(no + boards)));
        let pairings = Pairings {
            boards: pairs.collect(),
            ..Pairings::default()
        };
        changes.push(Change::PairRound(RoundNo(1), Box::new(pairings)));
        let mut hall = Self {
            hub,
            clocks: Vec::new(),
        };
        hall.change(changes).await;
        for board in 1..=boards {
            let board = board.to_string();
            hall.hub.add_board(&board, CONTROL).await;
            let identity = Identity::enrol(&hall.hub, &board).await;
            let mut clock = Session::open(&hall.hub, &identity).await;
            clock.take_order().await;
            hall.clocks.push(clock);
        }
        let preset = PresetWith {
            control: None,
            again: false,
            draw_odds: None,
            fallback: CONTROL.parse().unwrap(),
            start: timing::StartRule::Arbiter,
            after_flag: None,
        };
        for work in [RoundWork::Preset(Box::new(preset)), RoundWork::Start] {
            hall.round(work).await;
            for clock in &mut hall.clocks {
                clock.take_order().await;
            }
        }
        hall
    }

    async fn change(&self, changes: Vec<Change>) {
        let request = TournamentRequest {
            digest: RequestDigest::OWN,
            id: CommandId(hub::identity::random().unwrap()),
            actor: Actor::chief("Chief"),
            seen: None,
            reason: String::new(),
            changes,
            purpose: Purpose::Amend,
        };
        let answer = self.hub.server.hub().ask(request).await.unwrap();
        assert_eq!(answer.outcome, Outcome::Done);
    }

    async fn round(&self, work: RoundWork) {
        let request = RoundRequest {
            actor: Actor::chief("Chief"),
            round: RoundNo(1),
            scope: Scope::All,
            reason: String::new(),
            dry_run: false,
            work,
        };
        self.hub.server.hub().ask(request).await.unwrap();
    }

    /// Enters the move `MOVES[half_move]` on every board and presses the board's clock.
    pub(crate) async fn make(&mut self, half_move: usize) {
        for board in 1..=self.clocks.len() {
            self.run("ctl", &["score", &board.to_string(), MOVES[half_move]])
                .await;
        }
        let button = [Button::Left, Button::Right][half_move % 2];
        for clock in &mut self.clocks {
            let press = clock.press(button).await;
            clock.acknowledged(press).await;
        }
    }

    pub(crate) async fn run(&self, command: &str, arguments: &[&str]) -> String {
        let output = self.output(command, arguments).await;
        expect(&output, 0).0
    }

    async fn output(&self, command: &str, arguments: &[&str]) -> std::process::Output {
        let hub = self.hub.server.addresses().listen.to_string();
        let dir = self.hub.dir.path().to_str().unwrap().to_owned();
        let mut all = vec![
            command.to_owned(),
            "--hub".to_owned(),
            hub,
            "--data-dir".to_owned(),
            dir,
        ];
        all.extend(arguments.iter().map(|word| (*word).to_owned()));
        let task = tokio::task::spawn_blocking(move || {
            flagfall(&all.iter().map(String::as_str).collect::<Vec<_>>())
        });
        task.await.unwrap()
    }

    async fn state(&self) -> Value {
        serde_json::from_str(&self.run("broadcast", &["--json"]).await).unwrap()
    }

    pub(crate) async fn push_to(&self, address: std::net::SocketAddr) {
        let token = self.hub.dir.path().join("lichess.token");
        std::fs::write(&token, format!("{TOKEN}\n")).unwrap();
        let (server, round) = (format!("http://{address}"), format!("1={ROUND}"));
        let token = token.to_str().unwrap();
        self.run(
            "broadcast",
            &[
                "--server",
                &server,
                "--lichess",
                &round,
                "--token-file",
                token,
            ],
        )
        .await;
    }

    /// Fetches a public page, with `more` as additional header lines; returns the head and the body.
    pub(crate) async fn fetch(&self, path: &str, more: &str) -> (String, String) {
        fetch(self.hub.server.addresses().http, path, more).await
    }
}

pub(crate) async fn fetch(http: std::net::SocketAddr, path: &str, more: &str) -> (String, String) {
    let mut stream = asked(http, path, more).await;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.to_owned(), body.to_owned())
}

/// Fetches `path`; returns the head of the response, and a stream that continues with the body.
pub(crate) async fn head_of(
    http: std::net::SocketAddr,
    path: &str,
) -> (String, BufReader<TcpStream>) {
    let mut stream = BufReader::new(asked(http, path, "").await);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        stream.read_line(&mut head).await.unwrap();
    }
    (head, stream)
}

async fn asked(http: std::net::SocketAddr, path: &str, more: &str) -> TcpStream {
    let mut stream = TcpStream::connect(http).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: {http}\r\nconnection: close\r\n{more}\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

/// Returns the moves of a PGN game with their clock times, for example `e4` with `1:30:00`.
pub(crate) fn moves(game: &str) -> Vec<(String, String)> {
    let Some((_, text)) = game.split_once("\n\n") else {
        return Vec::new();
    };
    let mut moves = Vec::new();
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        if word.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
            let clock = words.clone().take(2).collect::<Vec<_>>();
            let clock = match clock[..] {
                ["{[%clk", clock] => clock.trim_end_matches([']', '}']),
                _ => "",
            };
            moves.push((word.to_owned(), clock.to_owned()));
            while words.next_if(|word| !word.ends_with('}')).is_some() {}
        }
    }
    moves
}

fn timed(game: &str) -> usize {
    moves(game)
        .iter()
        .filter(|(_, clock)| !clock.is_empty())
        .count()
}

#[track_caller]
fn assert_moves(game: &str, count: usize) {
    let moves = moves(game);
    let names: Vec<&str> = moves.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, MOVES[..count], "{game}");
    for ((_, clock), expected) in moves.iter().zip(CLOCKS) {
        assert_eq!(clock.trim_end_matches(".0"), expected, "{game}");
    }
}

pub(crate) async fn until(mut found: impl AsyncFnMut() -> bool) {
    let looking = async {
        while !found().await {
            look_later().await;
        }
    };
    within(looking, "the broadcast").await;
}

fn pgn(dir: &Path, file: &str) -> String {
    std::fs::read_to_string(dir.join(file)).unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_reach_lichess_a_folder_and_http_clients() {
    let mut hall = Hall::play(3).await;
    let folder = tempfile::tempdir().unwrap();
    let (lichess, address) = Lichess::start("Player, 3").await;
    hall.run("broadcast", &["--folder", folder.path().to_str().unwrap()])
        .await;
    hall.push_to(address).await;
    for half_move in 0..3 {
        hall.make(half_move).await;
    }
    until(async || {
        let games = lichess.games(ROUND);
        games.len() == 2 && games.iter().all(|game| timed(game) == 3)
    })
    .await;
    for game in lichess.games(ROUND) {
        assert_moves(&game, 3);
        assert_eq!(
            (tag(&game, "Event"), tag(&game, "Result")),
            ("Harbour Cup".to_owned(), "*".to_owned())
        );
    }
    until(async || timed(&pgn(folder.path(), "round-1/game-2.pgn")) == 3).await;
    assert_moves(&pgn(folder.path(), "round-1/game-2.pgn"), 3);
    assert_eq!(
        pgn(folder.path(), "round-1/games.pgn")
            .matches("[Event ")
            .count(),
        3
    );
    let (head, body) = hall
        .fetch("/live/event/rounds/1/games.pgn?boards=2-2", "")
        .await;
    assert!(
        head.contains("application/x-chess-pgn; charset=utf-8"),
        "{head}"
    );
    assert_moves(&body, 3);
    let tag_line = head
        .lines()
        .find(|line| line.starts_with("etag: \""))
        .unwrap();
    let known = format!("if-none-match: {}\r\n", &tag_line[6..]);
    let (head, _) = hall
        .fetch("/live/event/rounds/1/games.pgn?boards=2-2", &known)
        .await;
    assert!(head.starts_with("HTTP/1.1 304"), "{head}");
    // The state names the refused game, and a result is sent like a move.
    let state = hall.state().await;
    let refused = &state["outputs"]["lichess"]["refused"];
    assert_eq!(refused[0]["board"], 3, "{state}");
    assert_eq!(refused[0]["reason"], "Cannot parse moves");
    hall.run("event", &["result", "1", "1-0"]).await;
    until(async || {
        lichess
            .games(ROUND)
            .iter()
            .any(|game| tag(game, "Result") == "1-0")
    })
    .await;
    until(async || tag(&pgn(folder.path(), "round-1/game-1.pgn"), "Result") == "1-0").await;
    lichess.assert_well_treated();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failing_lichess_costs_only_time() {
    let mut hall = Hall::play(2).await;
    let (lichess, address) = Lichess::start("").await;
    lichess.be(Mood::Broken);
    hall.push_to(address).await;
    hall.make(0).await;
    until(async || lichess.requests() > 0).await;
    until(async || {
        let error = &hall.state().await["outputs"]["lichess"]["error"];
        error.as_str().unwrap().contains("status 502")
    })
    .await;
    lichess.be(Mood::TooMany);
    hall.make(1).await;
    let asked = lichess.requests();
    until(async || lichess.requests() > asked).await;
    assert_eq!(lichess.games(ROUND).len(), 0);
    lichess.be(Mood::Well);
    until(async || {
        let games = lichess.games(ROUND);
        games.len() == 2 && games.iter().all(|game| timed(game) == 2)
    })
    .await;
    let state = hall.state().await;
    assert_eq!(state["outputs"]["lichess"]["error"], "", "{state}");
    assert_eq!(state["outputs"]["lichess"]["waiting"], 0, "{state}");
    lichess.assert_well_treated();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_that_reads_livechess_follows_the_boards() {
    let mut hall = Hall::play(2).await;
    hall.make(0).await;
    let address = format!("ws://{}/api/v1.0", hall.hub.server.addresses().http);
    let (mut socket, _) = tokio_tungstenite::connect_async(address).await.unwrap();
    let mut call = async |call: Value| {
        let text = tungstenite::Message::text(call.to_string());
        socket.send(text).await.unwrap();
        read(&mut socket).await
    };
    let boards = call(json!({"id": 1, "call": "eboards"})).await;
    let board = &boards["param"][1];
    assert_eq!(
        (&boards["response"], &boards["id"]),
        (&json!("call"), &json!(1))
    );
    assert_eq!(
        (&board["serialnr"], &board["state"]),
        (&json!("2"), &json!("ACTIVE"))
    );
    assert_eq!(
        board["board"],
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"
    );
    assert_eq!(
        (&board["clock"]["white"], &board["clock"]["run"]),
        (&json!(5459), &json!(false))
    );
    let wrong = call(json!({"id": 2, "call": "call", "param": {"id": 1, "method": "setup"}})).await;
    assert_eq!(
        (&wrong["response"], &wrong["id"]),
        (&json!("error"), &json!(2))
    );
    let subscribe = json!({
        "id": 3, "call": "subscribe",
        "param": {"feed": "eboardevent", "id": 7, "param": {"serialnr": "2"}},
    });
    assert_eq!(call(subscribe).await["id"], 3);
    hall.make(1).await;
    within(
        async {
            loop {
                let event = read(&mut socket).await;
                assert_eq!(
                    (&event["response"], &event["id"]),
                    (&json!("feed"), &json!(7))
                );
                assert_eq!(event["param"]["serialnr"], "2");
                if event["param"]["san"] == json!(["e4", "e5"])
                    && event["param"]["clock"]["run"] == true
                {
                    assert_eq!(event["param"]["clock"]["black"], 5459);
                    break;
                }
            }
        },
        "the second move",
    )
    .await;
}

async fn read(
    socket: &mut (impl Stream<Item = Result<tungstenite::Message, tungstenite::Error>> + Unpin),
) -> Value {
    let message = within(socket.next(), "a message").await.unwrap().unwrap();
    serde_json::from_str(message.to_text().unwrap()).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_delayed_game_reaches_no_one_early() {
    let mut hall = Hall::play(1).await;
    let folder = tempfile::tempdir().unwrap();
    let output = hall.output("broadcast", &["--delay", "7h"]).await;
    assert!(expect(&output, 1).1.contains("longer than 21600 s"));
    let output = hall
        .output("broadcast", &["--server", "https://lichess.org"])
        .await;
    assert!(expect(&output, 2).1.contains("--lichess ROUND=ID"));
    hall.run(
        "broadcast",
        &["--delay", "6s", "--folder", folder.path().to_str().unwrap()],
    )
    .await;
    until(async || !pgn(folder.path(), "round-1/game-1.pgn").is_empty()).await;
    hall.make(0).await;
    let board = async || {
        let (_, body) = hall.fetch("/live/boards/1.json", "").await;
        serde_json::from_str::<Value>(&body).unwrap()["board"]["white"]["moves"].clone()
    };
    let live = hall.hub.board("1").view.white.moves;
    assert_eq!((live, board().await), (1, Value::from(0)));
    assert_eq!(moves_of_game(folder.path()), 0);
    let (_, fetched) = hall.fetch("/live/event/rounds/1/games.pgn", "").await;
    assert_eq!(moves(&fetched).len(), 0);
    until(async || board().await == 1).await;
    until(async || moves_of_game(folder.path()) == 1).await;
    // The settings survive a restart. If they are damaged, nothing is broadcast, because they may have contained a delay; but the hub still starts.
    let Hall { hub, .. } = hall;
    let mut kept = Vec::new();
    let hub = hub
        .restart_after(|dir| {
            let file = dir.join("broadcast.json");
            kept = std::fs::read(&file).unwrap();
            std::fs::write(&file, "{\"delay_s\": 6").unwrap();
        })
        .await;
    let hall = Hall {
        hub,
        clocks: Vec::new(),
    };
    let failed = hall.state().await["failed"].clone();
    assert!(
        failed.as_str().unwrap().contains("broadcast.json"),
        "{failed}"
    );
    let (head, _) = hall.fetch("/live/boards.json", "").await;
    assert!(head.starts_with("HTTP/1.1 503"), "{head}");
    let Hall { hub, .. } = hall;
    let hub = hub
        .restart_after(|dir| std::fs::write(dir.join("broadcast.json"), &kept).unwrap())
        .await;
    let hall = Hall {
        hub,
        clocks: Vec::new(),
    };
    assert_eq!(hall.state().await["delay_s"], 6);
    until(async || {
        hall.fetch("/live/boards.json", "")
            .await
            .0
            .starts_with("HTTP/1.1 200")
    })
    .await;
    assert_eq!(moves_of_game(folder.path()), 1);
}

fn moves_of_game(dir: &Path) -> usize {
    moves(&pgn(dir, "round-1/game-1.pgn")).len()
}
