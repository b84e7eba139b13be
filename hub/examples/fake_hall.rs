//! A simulated hall behind the real public pages: a fixture for the page tests, and a preview while working on a page.
//!
//! `cargo run -p hub --example fake_hall -- [--http ADDRESS:PORT] [--boards N] [--epoch N] [--seed N] [--quiet] [--players N | --trf FILE]`
//!
//! Boards 1 to 34 show every state of a board. Players press by themselves unless `--quiet` is given. Lines
//! on standard input control the hall: `press BOARD`, `pause BOARD`, `resume BOARD`, `stop BOARD`, `flag BOARD
//! expected|fallen|called`, `set BOARD SECONDS`, `result BOARD TEXT`, `silent BOARD`, `back BOARD`, `gone BOARD`,
//! `round N`, `score BOARD RESULT` (in the event's last round). The program ends with its input, or
//! with an error at a line that it cannot carry out.

use std::io::BufRead as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::Parser;
use futures::future::BoxFuture;
use hall::view::{BoardState, BoardView, EventView, Flag, PressLine, Running, Side};
use hall::{BoardDetail, TournamentNow};
use hub::live::{LiveHall, RING, Update};
use hub::time_source::TimeSource;
use hub::web::{self, BoardDetails, Hosts};
use proto::ids::EventSeq;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{RngCore as _, SeedableRng as _};
use tokio::sync::mpsc;
use tournament::Tournament;

#[path = "fake_hall/cast.rs"]
mod cast;
#[path = "fake_hall/event.rs"]
mod event;

const SECOND: i64 = 1_000_000;
/// 11 July 2026, 12:31:20 UTC: the simulated hub's time at the start.
const START_US: i64 = 1_783_773_080 * SECOND;
/// Delay until a simulated watermark confirms a flag.
const CONFIRM_US: i64 = 2 * SECOND;

/// A simulated hall behind the real public pages.
#[derive(Parser)]
struct Args {
    /// Listening address.
    #[arg(long, default_value = "127.0.0.1:8090")]
    http: std::net::SocketAddr,
    /// Number of boards.
    #[arg(long, default_value_t = 40)]
    boards: u32,
    /// The feed's epoch. To a page, a different epoch means that the hub has restarted.
    #[arg(long, default_value_t = 1)]
    epoch: u64,
    /// Seed for the time that the players use on each move.
    #[arg(long, default_value_t = 7)]
    seed: u64,
    /// Keep the players from pressing by themselves.
    #[arg(long)]
    quiet: bool,
    /// Number of players in an open tournament behind the event's pages; 0 for no event.
    #[arg(long, default_value_t = 0)]
    players: u16,
    /// Tournament report (TRF) to read the event from, instead of an invented open tournament.
    #[arg(long)]
    trf: Option<String>,
}

struct Board {
    view: BoardView,
    presses: Vec<PressLine>,
    increment_us: i64,
    delay_us: i64,
    mover_since_us: i64,
    next_press_us: i64,
}

type Versioned = (u64, Arc<Tournament>);

#[derive(Clone)]
struct Hall {
    http: std::net::SocketAddr,
    boards: Arc<Mutex<Vec<Board>>>,
    event: Arc<Mutex<Option<Versioned>>>,
}

impl BoardDetails for Hall {
    fn presses<'a>(&'a self, board: &'a str) -> BoxFuture<'a, Vec<PressLine>> {
        let boards = lock(&self.boards);
        let found = boards.iter().find(|b| b.view.board == board);
        let presses = found.map(|b| b.presses.clone()).unwrap_or_default();
        Box::pin(async move { presses })
    }

    fn hosts(&self) -> Hosts {
        let names = vec!["localhost".to_owned()];
        Hosts::new(&self.http.ip().to_string(), names, self.http.port())
    }

    fn tournament(&self) -> Option<Versioned> {
        lock(&self.event).clone()
    }
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let (time, _) = TimeSource::resume(None);
    let began = time.hub_now();
    let now = move || START_US.saturating_add((time.hub_now() - began).as_micros());
    let live = Arc::new(LiveHall::new(args.epoch, RING, now));
    let mut random = Random(SplitMix64::seed_from_u64(args.seed));
    let boards: Vec<_> = (1..=args.boards)
        .map(|n| cast::board(n, START_US, &mut random))
        .collect();
    let views: Vec<_> = boards.iter().map(|b| b.view.clone()).collect();
    let tournament = match (&args.trf, args.players) {
        (Some(path), _) => Some(event::of_file(path)?),
        (None, 0) => None,
        (None, players) => Some(event::open(players, &mut random)?),
    };
    let listener = web::bind(args.http, "--http").await?;
    let hall = Hall {
        http: listener.local_addr()?,
        boards: Arc::new(Mutex::new(boards)),
        event: Arc::new(Mutex::new(tournament.map(|event| (1, Arc::new(event))))),
    };

    drop(live.update(|update| {
        update.event(event_view(5));
        show(update, views);
        if let Some((version, tournament)) = hall.tournament() {
            update.tournament(Some(TournamentNow::new(version, tournament)));
        }
    }));
    let router = web::router(live.public(), hall.clone());
    #[expect(clippy::print_stdout, reason = "the tests read the address here")]
    {
        println!("http://{}", listener.local_addr()?);
    }
    let lines = lines_of_stdin();
    tokio::select! {
        () = web::serve(listener, router, std::future::pending()) => Ok(()),
        outcome = play(&args, &live, &hall, lines, random) => outcome,
    }
}

fn lock<T>(data: &Mutex<T>) -> MutexGuard<'_, T> {
    data.lock().unwrap_or_else(PoisonError::into_inner)
}

fn event_view(round: u32) -> EventView {
    EventView {
        name: "Harbour Cup 2026".into(),
        round: Some(round),
        rounds: Some(9),
        place: Some("Bergen".into()),
        control: Some("90m+30s".into()),
        starts_at_us: None,
        time_zone: Some("Europe/Berlin".to_owned()),
        recording_stopped: false,
    }
}

fn lines_of_stdin() -> mpsc::UnboundedReceiver<String> {
    let (sender, receiver) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

/// Advances time and carries out input lines until the input ends.
async fn play(
    args: &Args,
    live: &LiveHall,
    hall: &Hall,
    mut lines: mpsc::UnboundedReceiver<String>,
    mut random: Random,
) -> anyhow::Result<()> {
    let mut ticks = tokio::time::interval(Duration::from_millis(20));
    loop {
        let changed = tokio::select! {
            _ = ticks.tick() => {
                let mut boards = lock(&hall.boards);
                let now = live.hub_us();
                boards.iter_mut().filter_map(|b| b.let_time_pass(now, !args.quiet, &mut random)).collect()
            }
            line = lines.recv() => match line {
                Some(line) => obey(&line, live, hall).with_context(|| line.clone())?,
                None => return Ok(()),
            },
        };
        drop(live.update(|update| show(update, changed)));
    }
}

fn show(update: &mut Update<'_>, views: Vec<BoardView>) {
    for view in views {
        update.board(Arc::new(BoardDetail::public(view)));
    }
}

fn obey(line: &str, live: &LiveHall, hall: &Hall) -> anyhow::Result<Vec<BoardView>> {
    let words: Vec<_> = line.split_whitespace().collect();
    if let ["score", board, result @ ..] = words.as_slice() {
        let mut event = lock(&hall.event);
        let (version, tournament) = event.as_mut().context("there is no event")?;
        event::enter(Arc::make_mut(tournament), board, &result.join(" "))?;
        *version += 1;
        let now = TournamentNow::new(*version, tournament.clone());
        drop(event);
        drop(live.update(|update| update.tournament(Some(now))));
        return Ok(Vec::new());
    }
    let [verb, name, rest @ ..] = words.as_slice() else {
        bail!("a verb and a board are needed");
    };
    let now = live.hub_us();
    if *verb == "round" {
        let event = event_view(name.parse()?);
        drop(live.update(|update| update.event(event)));
        return Ok(Vec::new());
    }
    let mut boards = lock(&hall.boards);
    let at = boards.iter().position(|b| b.view.board == *name);
    let at = at.with_context(|| format!("no board {name}"))?;
    if *verb == "gone" {
        boards.remove(at);
        drop(live.update(|update| update.gone(name)));
        return Ok(Vec::new());
    }
    let board = &mut boards[at];
    board.view = board.view.at(now);
    match (*verb, rest) {
        ("press", []) => board.press(now),
        ("pause", []) => board.halt(now, BoardState::Paused),
        ("stop", []) => board.halt(now, BoardState::Stopped),
        ("resume", []) => board.run(now, board.view.next.context("no side is next")?),
        ("silent", []) => board.silent_since(Some(now)),
        ("back", []) => board.silent_since(None),
        ("set", [seconds]) => board.set_mover(now, seconds.parse::<i64>()? * SECOND),
        ("flag", ["expected"]) => board.flag(now, Flag::Expected),
        ("flag", ["fallen"]) => board.flag(now, Flag::Fallen),
        ("flag", ["called"]) => board.flag(now, Flag::Called),
        ("flag", [other]) => bail!("no such flag: {other}"),
        ("result", [text]) => board.end(now, text),
        _ => bail!("not understood"),
    }
    board.view.seq += 1;
    Ok(vec![board.view.clone()])
}

impl Board {
    fn mover(&self) -> Option<Side> {
        match self.view.running {
            Running::White => Some(Side::White),
            Running::Black => Some(Side::Black),
            Running::None => None,
        }
    }

    fn side(&mut self, side: Side) -> &mut hall::view::SideView {
        match side {
            Side::White => &mut self.view.white,
            Side::Black => &mut self.view.black,
        }
    }

    fn press(&mut self, now: i64) {
        let Some(mover) = self.mover() else { return };
        let used_us = now - self.mover_since_us;
        let (increment, delay) = (self.increment_us, self.delay_us);
        let side = self.side(mover);
        side.us += increment;
        side.moves += 1;
        side.delay_us = (delay > 0).then_some(delay);
        let press = PressLine {
            n: side.moves,
            side: mover,
            at_us: now,
            used_us,
            left_us: side.us,
            event_seq: EventSeq::default(),
        };
        self.presses.push(press);
        self.view.last = Some(press);
        self.run(now, other(mover));
    }

    fn run(&mut self, now: i64, mover: Side) {
        self.mover_since_us = now;
        self.view.state = BoardState::Running;
        self.view.paused = false;
        self.view.next = None;
        self.view.since_us = Some(now);
        self.view.running = running(mover);
        self.view.plan = cast::plan(&self.view, now, self.delay_us);
    }

    fn halt(&mut self, now: i64, state: BoardState) {
        self.view.next = self.mover().or(self.view.next);
        self.view.running = Running::None;
        self.view.state = state;
        self.view.paused = state == BoardState::Paused;
        self.view.since_us = Some(now);
        self.view.plan = cast::plan(&self.view, now, 0);
    }

    fn silent_since(&mut self, us: Option<i64>) {
        self.view.online = us.is_none();
        self.view.silent_since_us = us;
    }

    fn set_mover(&mut self, now: i64, us: i64) {
        let Some(mover) = self.mover().or(self.view.next) else {
            return;
        };
        self.side(mover).us = us;
        self.view.plan = cast::plan(&self.view, now, 0);
    }

    fn flag(&mut self, now: i64, flag: Flag) {
        let Some(mover) = self.mover().or(self.view.first_flag) else {
            return;
        };
        let side = self.side(mover);
        side.flag = flag;
        side.us = 0;
        if flag != Flag::Expected {
            side.phase = "flagged";
            self.view.first_flag = Some(mover);
            self.halt(now, BoardState::Flagged);
        }
    }

    fn end(&mut self, now: i64, result: &str) {
        self.halt(now, BoardState::Over);
        self.view.next = None;
        self.view.result = Some(result.into());
    }

    /// Makes the presses and flag falls that are due. Returns the view if it changed.
    fn let_time_pass(&mut self, now: i64, play: bool, random: &mut Random) -> Option<BoardView> {
        let mover = self.mover()?;
        let online = self.view.online;
        let at_now = self.view.clone().at(now);
        let side = match mover {
            Side::White => &at_now.white,
            Side::Black => &at_now.black,
        };
        let (left, flag) = (side.us, side.flag);
        if left > 0 && play && online && now >= self.next_press_us {
            self.view = at_now;
            self.press(now);
            self.next_press_us = now + random.below(self.pace_us(other(mover))) + 700_000;
        } else if left == 0 && flag == Flag::None {
            self.view = at_now;
            self.side(mover).flag = Flag::Expected;
        } else if left == 0 && flag == Flag::Expected && online {
            let fell = self.view.plan.last().map_or(now, |last| last.from_us);
            if now < fell + CONFIRM_US {
                return None;
            }
            self.view = at_now;
            self.flag(now, Flag::Fallen);
        } else {
            return None;
        }
        self.view.seq += 1;
        Some(self.view.clone())
    }

    /// Returns the upper bound on the random part of the time used on the next move. The bound falls with the time
    /// left, so that players seldom lose on time by accident.
    fn pace_us(&mut self, side: Side) -> i64 {
        (self.side(side).us / 3).clamp(500_000, 24 * SECOND)
    }
}

fn other(side: Side) -> Side {
    match side {
        Side::White => Side::Black,
        Side::Black => Side::White,
    }
}

fn running(mover: Side) -> Running {
    match mover {
        Side::White => Running::White,
        Side::Black => Running::Black,
    }
}

/// A seeded generator, so that the same seed shows the same hall.
struct Random(SplitMix64);

impl Random {
    fn below(&mut self, limit: i64) -> i64 {
        i64::try_from(self.0.next_u64() >> 1).unwrap_or(0) % limit.max(1)
    }
}
