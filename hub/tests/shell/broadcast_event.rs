//! A scripted event on twenty boards, broadcast to all outputs at the same time: Lichess, a folder, a program that reads LiveChess, and a browser
//! behind nginx. Each output is checked move by move and clock by clock. A smaller event meets an unreliable Lichess.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use futures::{SinkExt as _, StreamExt as _};
use hall::{Action, Outcome};
use hub::time_source::TimeSource;
use proto::wire::Button;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{RngCore as _, SeedableRng as _};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Position as _};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use crate::chromium::Page;
use crate::cli_broadcast::{Hall, ROUND, fetch, moves, until};
use crate::hall::{look_later, within};
use crate::lichess::{Lichess, Mood, tag};

const BOARDS: u16 = 20;
const HALF_MOVES: usize = 8;
/// Each side's time before the first move of `90m+30s`, in microseconds: 90 minutes and the first increment.
const FIRST_US: i64 = 5_430_000_000;
const INCREMENT_US: i64 = 30_000_000;

struct Scripted {
    san: String,
    used_us: i64,
    left_us: i64,
}

fn script(board: u16, half_moves: usize) -> Vec<Scripted> {
    let mut random = SplitMix64::seed_from_u64(u64::from(board));
    let mut position = Chess::default();
    let mut left_us = [FIRST_US; 2];
    let play = |half_move: usize| {
        let legal = position.legal_moves();
        let at = random.next_u64() % legal.len() as u64;
        let chosen = legal[usize::try_from(at).unwrap()];
        let san = SanPlus::from_move_and_play_unchecked(&mut position, chosen).to_string();
        let used_us = 1_000_000 + i64::try_from(random.next_u64() % 60).unwrap() * 130_000;
        let left = &mut left_us[half_move % 2];
        *left += INCREMENT_US - used_us;
        Scripted {
            san,
            used_us,
            left_us: *left,
        }
    };
    (0..half_moves).map(play).collect()
}

/// Formats a time for PGN, `1:30:59`: truncated to seconds or, with `tenths`, to the tenths that Lichess uses.
fn clock(us: i64, tenths: bool) -> String {
    let (seconds, tenth) = (us / 1_000_000, us / 100_000 % 10);
    let whole = format!(
        "{}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    );
    if tenths {
        format!("{whole}.{tenth}")
    } else {
        whole
    }
}

fn written(script: &[Scripted], tenths: bool) -> Vec<(String, String)> {
    let moves = script.iter();
    moves
        .map(|one| (one.san.clone(), clock(one.left_us, tenths)))
        .collect()
}

/// nginx with the configuration from `docs/broadcast.md`, without TLS.
struct Nginx {
    process: Child,
    address: SocketAddr,
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // SIGTERM, because nginx then ends its worker processes.
        let _ = kill_process(Pid::from_child(&self.process), Signal::TERM);
        let _ = self.process.wait();
    }
}

impl Nginx {
    fn before(hub: SocketAddr, dir: &Path) -> Self {
        const PAGE: &str = include_str!("../../../docs/broadcast.md");
        // Chooses a free port. If a different program takes it first, nginx does not start.
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = free.local_addr().unwrap();
        drop(free);
        let server = PAGE.split("```nginx\n").nth(1).unwrap();
        let server = server.split("```").next().unwrap();
        let of_tls = |line: &&str| !line.trim_start().starts_with("ssl_certificate");
        let server: Vec<&str> = server.lines().filter(of_tls).collect();
        let server = server
            .join("\n")
            .replace("listen 443 ssl", &format!("listen {address}"))
            .replace(
                "/var/cache/nginx/flagfall",
                &format!("{}/cache", dir.display()),
            )
            .replace("192.0.2.7:8080", &hub.to_string());
        let places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
        let places = places.map(|name| format!("{name}_temp_path {}/{name};", dir.display()));
        let user = if rustix::process::getuid().is_root() {
            "user root;"
        } else {
            ""
        };
        let text = format!(
            "{user} daemon off; pid {}/pid; error_log stderr; events {{}}\nhttp {{ access_log off; {} {server} }}",
            dir.display(),
            places.join(" ")
        );
        let file = dir.join("nginx.conf");
        std::fs::write(&file, text).unwrap();
        let path = format!("{}:/usr/sbin:/sbin", std::env::var("PATH").unwrap());
        let process = Command::new("nginx")
            .arg("-c")
            .arg(&file)
            .arg("-p")
            .arg(dir)
            .env("PATH", path)
            .stdout(Stdio::null())
            .spawn()
            .expect("nginx: `tests/run needs` installs it");
        Self { process, address }
    }
}

struct Reader {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    newest: BTreeMap<String, Value>,
}

impl Reader {
    async fn follow(hub: SocketAddr) -> Self {
        let address = format!("ws://{hub}/api/v1.0");
        let (mut socket, _) = tokio_tungstenite::connect_async(address).await.unwrap();
        for board in 1..=BOARDS {
            let call = json!({
                "id": board, "call": "subscribe",
                "param": {"feed": "eboardevent", "id": board, "param": {"serialnr": board.to_string()}},
            });
            socket.send(Message::text(call.to_string())).await.unwrap();
        }
        Self {
            socket,
            newest: BTreeMap::new(),
        }
    }

    /// Reads until `board` has the moves of `script`, and the clock of the side that moved last shows the time in the script.
    async fn wait_for(&mut self, board: u16, script: &[Scripted]) {
        let sans: Vec<_> = script.iter().map(|one| json!(one.san)).collect();
        let last = script.last().unwrap();
        let side = ["white", "black"][(script.len() - 1) % 2];
        let reading = async {
            loop {
                let event = self.newest.get(&board.to_string());
                let shows = event.is_some_and(|event| {
                    let clock = &event["param"]["clock"];
                    event["param"]["san"] == json!(sans)
                        && clock["run"] == (script.len().is_multiple_of(2))
                        && clock[side] == last.left_us / 1_000_000
                });
                if shows {
                    return;
                }
                let message = self.socket.next().await.unwrap().unwrap();
                let message: Value = serde_json::from_str(message.to_text().unwrap()).unwrap();
                if let Some(serial) = message["param"]["serialnr"].as_str() {
                    self.newest.insert(serial.to_owned(), message.clone());
                }
            }
        };
        within(reading, &format!("LiveChess, board {board}: {sans:?}")).await;
    }
}

async fn play(hall: &mut Hall, scripts: &[Vec<Scripted>], half_move: usize) {
    for (no, script) in (1_u16..).zip(scripts) {
        let action = Action::Moves {
            after: u32::try_from(half_move).unwrap(),
            moves: vec![script[half_move].san.clone()],
        };
        let answer = hall.hub.act(&no.to_string(), action).await;
        assert_eq!(answer.outcome, Outcome::Done, "board {no}");
    }
    let button = [Button::Left, Button::Right][half_move % 2];
    for (clock, script) in hall.clocks.iter_mut().zip(scripts) {
        // By default, the session stamps an event one second after the previous one.
        clock.at_us += script[half_move].used_us - 1_000_000;
        let press = clock.press(button).await;
        clock.acknowledged(press).await;
    }
}

struct Event {
    hall: Hall,
    lichess: Lichess,
    folder: tempfile::TempDir,
    nginx: Nginx,
    reader: Reader,
    scripts: Vec<Vec<Scripted>>,
}

impl Event {
    async fn check(&mut self, count: usize) {
        for board in 1..=BOARDS {
            let script = &self.scripts[usize::from(board) - 1][..count];
            let is_of = |game: &&String| tag(game, "Board") == board.to_string();
            let pushed = async || {
                let games = self.lichess.games(ROUND);
                let game = games.iter().find(is_of);
                game.is_some_and(|game| moves(game) == written(script, true))
            };
            until(pushed).await;
            let file = format!("round-1/game-{board}.pgn");
            let file = self.folder.path().join(file);
            let kept = async || {
                let game = std::fs::read_to_string(&file).unwrap_or_default();
                moves(&game) == written(script, false)
            };
            until(kept).await;
            self.reader.wait_for(board, script).await;
            let (nginx, path) = (self.nginx.address, format!("/live/boards/{board}.json"));
            let shown = async || {
                let (_, body) = fetch(nginx, &path, "").await;
                let shown: Value = serde_json::from_str(&body).unwrap();
                let presses = shown["presses"].as_array().unwrap().iter();
                let lefts: Vec<_> = presses.map(|press| press["left_us"].clone()).collect();
                let expected: Vec<_> = script.iter().map(|one| json!(one.left_us)).collect();
                let sans: Vec<_> = script.iter().map(|one| json!(one.san)).collect();
                lefts == expected && shown["score"] == json!(sans)
            };
            until(shown).await;
        }
    }
}

/// A script that returns the page's moves, and the times in its list of presses, newest first.
const PAGE: &str = "[[...document.querySelectorAll('#score b')].map(move => move.textContent), \
    [...document.querySelectorAll('#log li span:last-child')].map(line => line.textContent.match(/, (.*) left/)?.[1])]";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_event_of_twenty_boards_reaches_every_output_move_by_move() {
    let hall = Hall::play(BOARDS).await;
    let (lichess, address) = Lichess::start("").await;
    let (folder, places) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let path = folder.path().to_str().unwrap();
    hall.run("broadcast", &["--folder", path]).await;
    hall.push_to(address).await;
    let http = hall.hub.server.addresses().http;
    let mut event = Event {
        reader: Reader::follow(http).await,
        nginx: Nginx::before(http, places.path()),
        scripts: (1..=BOARDS)
            .map(|board| script(board, HALF_MOVES))
            .collect(),
        hall,
        lichess,
        folder,
    };
    let nginx = event.nginx.address;
    within(
        async { while TcpStream::connect(nginx).await.is_err() {} },
        "nginx",
    )
    .await;
    let mut page = Page::open(&format!("http://{nginx}/board/1?lang=en")).await;
    for half_move in 0..HALF_MOVES {
        play(&mut event.hall, &event.scripts, half_move).await;
        event.check(half_move + 1).await;
        // The page of board 1 follows the game without being reloaded.
        assert_page(&mut page, &event.scripts[0][..=half_move]).await;
    }
    for board in 2..=BOARDS {
        page.go(&format!("http://{nginx}/board/{board}?lang=en"))
            .await;
        assert_page(&mut page, &event.scripts[usize::from(board) - 1]).await;
    }
    event.lichess.assert_well_treated();
}

/// Waits until a page shows these moves and the clock times after them.
async fn assert_page(page: &mut Page, script: &[Scripted]) {
    let sans: Vec<_> = script.iter().map(|one| one.san.clone()).collect();
    let newest_first = script.iter().rev();
    let lefts: Vec<_> = newest_first.map(|one| face(one.left_us)).collect();
    let expected = json!([sans, lefts]);
    let mut shown = Value::Null;
    let showing = async {
        while shown != expected {
            shown = page.value(PAGE).await;
        }
    };
    let limit = std::time::Duration::from_secs(30);
    let waited = tokio::time::timeout(limit, showing).await;
    if waited.is_err() {
        let seen = page.value("location.href + document.body.innerText").await;
        panic!("{shown} instead of {expected}: {seen}");
    }
}

/// Formats a time as a clock shows it, `1:30:59`: rounded up to whole seconds.
fn face(us: i64) -> String {
    let up = (us + 999_999) / 1_000_000;
    clock(up * 1_000_000, false)
}

/// Lichess is slow, killed, overloaded, failing, silent and healthy in turn, for one half-move each. If the environment variable `LICHESS_MINUTES` is
/// set, the cycle repeats for that many minutes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unreliable_lichess_gets_every_move_eventually() {
    const MOODS: [Mood; 6] = [
        Mood::Slow,
        Mood::Killed,
        Mood::TooMany,
        Mood::Broken,
        Mood::Silent,
        Mood::Well,
    ];
    const BOARDS: u16 = 4;
    const MAX_HALF_MOVES: usize = 150;
    let minutes = std::env::var("LICHESS_MINUTES").map_or(0, |text| text.parse().unwrap());
    let limit = timing::Duration::from_micros(minutes * 60_000_000);
    let time = TimeSource::resume(None).0;
    let mut hall = Hall::play(BOARDS).await;
    let (lichess, address) = Lichess::start("").await;
    hall.push_to(address).await;
    let scripts: Vec<_> = (1..=BOARDS)
        .map(|board| script(board, MAX_HALF_MOVES))
        .collect();
    let started = time.hub_now();
    let (mut half_move, mut slowest) = (0, timing::Duration::ZERO);
    for mood in MOODS.into_iter().cycle() {
        if half_move >= MOODS.len() && time.hub_now() - started >= limit {
            break;
        }
        lichess.be(mood);
        let asked = lichess.requests();
        if half_move < MAX_HALF_MOVES {
            let before = time.hub_now();
            play(&mut hall, &scripts, half_move).await;
            slowest = slowest.max(time.hub_now() - before);
            half_move += 1;
        }
        // Waits for the next request: while the fake Lichess fails, the hub backs off between attempts.
        let turn = async {
            while lichess.requests() == asked {
                look_later().await;
            }
        };
        let _ = tokio::time::timeout(std::time::Duration::from_secs(10), turn).await;
    }
    lichess.be(Mood::Well);
    for (board, script) in (1_u16..).zip(&scripts) {
        let is_of = |game: &&String| tag(game, "Board") == board.to_string();
        let whole = async || {
            let games = lichess.games(ROUND);
            let game = games.iter().find(is_of);
            game.is_some_and(|game| moves(game) == written(&script[..half_move], true))
        };
        until(whole).await;
    }
    let requests = lichess.assert_patience();
    println!(
        "{half_move} half-moves on {BOARDS} boards in {} s, {requests} requests; the slowest half-move of all boards took {} ms",
        (time.hub_now() - started).as_micros() / 1_000_000,
        slowest.as_micros() / 1_000
    );
}
