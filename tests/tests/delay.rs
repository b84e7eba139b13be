//! The delayed broadcast: if two halls differ only in what happened within the delay, spectators receive the same bytes from both.
//!
//! `DELAY_PAIRS=10000 cargo test -p tests --test delay -- --nocapture` compares ten thousand pairs of halls and prints the number of bytes compared.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, HttpBody as _};
use axum::http::Request;
use futures::future::BoxFuture;
use hall::view::{EventView, PressLine};
use hall::{Hall, TournamentNow};
use hub::broadcast::{Delayed, Records, Settings, Stage};
use hub::live::LiveHall;
use hub::replay::ReplayError;
use hub::web::{self, BoardDetails};
use prost::Message as _;
use proto::log::Record;
use proto::wire;
use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use tests::prompt_hall::{PromptHall, START, board_id};
use timing::{Duration, Hub, Instant};
use tokio_util::sync::CancellationToken;
use tournament::{
    BoardNo, Change, Event, GameResult, Outcome, Pairing, Pairings, Player, PlayerNo, RoundNo,
};
use tower::ServiceExt as _;

const BOARDS: u16 = 3;
const DELAY_S: u32 = 60;
/// A board with a longer delay than the hall's, and that delay in seconds.
const LATER: (&str, u32) = ("2", 90);
const MAX_STEP_US: i64 = 9_000_000;
const COMMON: usize = 40;
/// Maximum number of steps after the halls diverge; all of them are within the delay.
const APART: usize = 12;

struct Log<'a>(&'a [Stored]);

/// A record and its hub time in microseconds.
type Stored = (i64, Vec<u8>);

impl Records for Log<'_> {
    fn count(&self) -> u64 {
        self.0.len() as u64
    }

    fn each(&self, from: u64, take: &mut dyn FnMut(u64, &[u8]) -> bool) -> Result<(), ReplayError> {
        for (index, (_, record)) in self.0.iter().enumerate().skip(from as usize) {
            if !take(index as u64, record) {
                break;
            }
        }
        Ok(())
    }
}

/// A hall's log, and the event as the hall's arbiters see it after each step.
struct Played {
    records: Vec<Stored>,
    events: Vec<(Instant<Hub>, Option<TournamentNow>)>,
    end: Instant<Hub>,
}

impl Played {
    fn at(&self, now: Instant<Hub>) -> (Log<'_>, Option<&TournamentNow>) {
        let records = self
            .records
            .partition_point(|(at, _)| *at <= now.as_micros());
        let events = self.events.partition_point(|(at, _)| *at <= now);
        let newest = self.events[..events].last();
        (
            Log(&self.records[..records]),
            newest.and_then(|(_, event)| event.as_ref()),
        )
    }
}

/// Plays `COMMON` steps with the seed `common` and then, if `apart` is a seed, up to `APART` more steps with that seed.
fn play(common: u64, apart: Option<u64>) -> Played {
    let mut records = Vec::new();
    let mut events = Vec::new();
    let mut draws = StdRng::seed_from_u64(common);
    let mut hall = PromptHall::start(|step: Vec<Vec<u8>>| {
        records.extend(step.into_iter().map(stored));
        Ok(())
    })
    .unwrap();
    set_up(&mut hall);
    events.push((hall.now, hall.hall.tournament()));
    for _ in 0..COMMON {
        step(&mut hall, &mut draws, true);
        events.push((hall.now, hall.hall.tournament()));
    }
    if let Some(apart) = apart {
        let mut draws = StdRng::seed_from_u64(apart);
        let until = hall.now + seconds(DELAY_S) - Duration::from_micros(2 * MAX_STEP_US);
        for _ in 0..APART {
            if hall.now < until {
                // No corrections: spectators see a correction immediately, so that they never see the data that it corrects.
                step(&mut hall, &mut draws, false);
                events.push((hall.now, hall.hall.tournament()));
            }
        }
    }
    let end = hall.now;
    drop(hall);
    Played {
        records,
        events,
        end,
    }
}

fn play_moves() -> Played {
    let mut records = Vec::new();
    let mut hall = PromptHall::start(|step: Vec<Vec<u8>>| {
        records.extend(step.into_iter().map(stored));
        Ok(())
    })
    .unwrap();
    set_up(&mut hall);
    let events = vec![(hall.now, hall.hall.tournament())];
    for button in [wire::Button::Left, wire::Button::Right].repeat(2) {
        for board in 1..=BOARDS {
            hall.now = hall.now + seconds(3);
            hall.press(board, button).unwrap();
        }
    }
    let end = hall.now;
    drop(hall);
    Played {
        records,
        events,
        end,
    }
}

fn stored(record: Vec<u8>) -> Stored {
    let at = Record::decode(record.as_slice()).unwrap().hub_us;
    (at, record)
}

fn set_up<K: FnMut(Vec<Vec<u8>>) -> anyhow::Result<()>>(hall: &mut PromptHall<K>) {
    let mut changes = vec![Change::SetEvent(Box::new(Event::new("Open", 3)))];
    changes.extend((1..=2 * BOARDS).map(|no| {
        let player = Player::new(PlayerNo(no), &format!("Player, {no}"));
        Change::EnterPlayer(Box::new(player))
    }));
    hall.change(changes).unwrap();
    for number in 1..=BOARDS {
        hall.add_board(number, "3m+2s").unwrap();
    }
    let boards =
        (1..=BOARDS).map(|no| Pairing::new(BoardNo(no), PlayerNo(no), PlayerNo(no + BOARDS)));
    let pairings = Pairings {
        boards: boards.collect(),
        ..Pairings::default()
    };
    hall.change(vec![Change::PairRound(RoundNo(1), Box::new(pairings))])
        .unwrap();
    hall.set_clocks(RoundNo(1), "3m+2s").unwrap();
}

/// Lets some time pass, and then usually makes random presses or a random request. Ignores refusals: the request then has no effect.
fn step<K: FnMut(Vec<Vec<u8>>) -> anyhow::Result<()>>(
    hall: &mut PromptHall<K>,
    draws: &mut StdRng,
    corrections: bool,
) {
    hall.now = hall.now + Duration::from_micros(draws.random_range(1_000..MAX_STEP_US));
    let board = draws.random_range(1..=BOARDS);
    let ends = corrections || !has_result(&hall.hall, hall.now, board);
    let _ = match draws.random_range(0..20) {
        0..12 => hall.press(board, wire::Button::Left).and_then(|()| {
            hall.now = hall.now + Duration::from_micros(500_000);
            hall.press(board, wire::Button::Right)
        }),
        12 => hall.press(board, wire::Button::Left),
        13 => hall.command(board, "pause"),
        14 | 15 => hall.command(board, "resume"),
        16 if ends => hall.command(board, "end draw"),
        17 if corrections => hall.command(board, "add white 10s"),
        18 if corrections => hall.command(board, "set black 1m"),
        19 if ends => {
            let result = GameResult::played(Outcome::Win);
            let enter = Change::Enter(RoundNo(1), BoardNo(board), result, "seen".to_owned());
            hall.change(vec![enter])
        }
        _ => Ok(()),
    };
}

fn has_result(hall: &Hall, now: Instant<Hub>, board: u16) -> bool {
    let detail = board_id(board).map(|board| hall.detail(&board, now));
    let event = hall.tournament();
    let round = event
        .as_ref()
        .and_then(|event| event.tournament.rounds().get(&RoundNo(1)));
    let entered = round.is_some_and(|round| round.boards[&BoardNo(board)].result.is_some());
    entered
        || detail
            .unwrap()
            .is_some_and(|detail| detail.view.result.is_some())
}

/// A source of board details that these tests must never call.
struct Beside;

impl BoardDetails for Beside {
    fn presses<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Vec<PressLine>> {
        unreachable!("the delayed hall has its own")
    }
}

struct Spectator {
    stage: Arc<Mutex<Stage>>,
    now_us: Arc<AtomicI64>,
    pages: Router,
    feed: Body,
}

impl Spectator {
    async fn new() -> Self {
        let now_us = Arc::new(AtomicI64::new(START.as_micros()));
        let (clock, delay_us) = (now_us.clone(), seconds(DELAY_S).as_micros());
        let hub_us = move || clock.load(Ordering::Relaxed) - delay_us;
        let live = Arc::new(LiveHall::new(7, 4_096, hub_us));
        let settings = Settings {
            delay_s: DELAY_S,
            boards: [(LATER.0.to_owned(), LATER.1)].into(),
            ..Settings::default()
        };
        let stage = Stage::new(settings, live.clone(), &EventView::default());
        let stage = Arc::new(Mutex::new(stage));
        let source = Arc::new(Delayed::of(stage.clone(), Arc::new(Beside)));
        let pages = web::router_for(live.public(), source, 8, None, CancellationToken::new());
        let feed = answered(&pages, "/live/events").await.1;
        Self {
            stage,
            now_us,
            pages,
            feed,
        }
    }

    async fn look(&mut self, hall: &Played, now: Instant<Hub>) -> Vec<String> {
        self.now_us.store(now.as_micros(), Ordering::Relaxed);
        let (log, newest) = hall.at(now);
        while self
            .stage
            .lock()
            .unwrap()
            .advance(&log, now, newest)
            .unwrap()
        {}
        let mut seen = Vec::new();
        for path in [
            "/live/boards.json",
            "/live/boards/1.json",
            "/live/boards/2.json",
            "/live/boards/9.json",
            "/live/changes.json",
            "/live/changes/7/0.json",
            "/live/changes/7/1.json",
            "/live/event.json",
            "/live/event/standings.json",
            "/live/event/cross-table.json",
            "/live/event/rounds/1.json",
            "/live/event/players/1.json",
            "/board/1",
            "/healthz",
        ] {
            let (told, body) = answered(&self.pages, path).await;
            let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
            seen.push(format!("{path} {told}\n{}", String::from_utf8_lossy(&body)));
        }
        while let Some(frame) = ready_frame(&mut self.feed).await {
            seen.push(frame);
        }
        seen
    }

    async fn pictures(&self) -> Vec<(String, Vec<u8>)> {
        let mut seen = Vec::new();
        for path in ["/picture.png", "/board/1/picture.png"] {
            let (told, body) = answered(&self.pages, path).await;
            let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
            seen.push((told, body.to_vec()));
        }
        seen
    }
}

async fn ready_frame(feed: &mut Body) -> Option<String> {
    // Without `unconstrained`, Tokio would sometimes make this task yield, and the feed would seem to have no frame.
    let frame = tokio::task::unconstrained(std::future::poll_fn(|context| {
        let polled = std::pin::Pin::new(&mut *feed).poll_frame(context);
        std::task::Poll::Ready(match polled {
            std::task::Poll::Ready(frame) => frame,
            std::task::Poll::Pending => None,
        })
    }));
    let data = frame.await?.unwrap().into_data().ok()?;
    Some(String::from_utf8_lossy(&data).into_owned())
}

async fn answered(pages: &Router, path: &str) -> (String, Body) {
    let request = Request::get(path).body(Body::empty()).unwrap();
    let response = pages.clone().oneshot(request).await.unwrap();
    let (parts, body) = response.into_parts();
    (format!("{} {:?}", parts.status, parts.headers), body)
}

fn seconds(seconds: u32) -> Duration {
    Duration::from_micros(i64::from(seconds) * 1_000_000)
}

/// Compares what spectators of two halls receive until the first difference may be published. Returns the number of bytes compared.
async fn compare(common: u64, apart: [u64; 2]) -> usize {
    let parted = play(common, None).end;
    let halls = apart.map(|seed| play(common, Some(seed)));
    assert!(
        halls[0].records != halls[1].records,
        "the halls are the same"
    );
    let mut spectators = [Spectator::new().await, Spectator::new().await];
    let end = parted + seconds(DELAY_S);
    let mut now = START;
    let mut bytes = 0;
    while now < end {
        let mut seen = Vec::new();
        for (spectator, hall) in spectators.iter_mut().zip(&halls) {
            seen.push(spectator.look(hall, now).await);
        }
        assert_eq!(seen[0], seen[1], "seeds {common} {apart:?} at {now:?}");
        bytes += seen[0].iter().map(String::len).sum::<usize>();
        now = now + seconds(7);
    }
    // Pictures take longer to render than everything else, so compare them for only one seed in fifty.
    if common % 50 != 1 {
        return bytes;
    }
    let [one, other] = &spectators;
    let pictures = one.pictures().await;
    assert!(
        pictures == other.pictures().await,
        "the pictures of seeds {common} {apart:?}"
    );
    bytes + pictures.iter().map(|(_, png)| png.len()).sum::<usize>()
}

#[tokio::test]
async fn halls_that_differ_only_within_the_delay_look_the_same() {
    let pairs = std::env::var("DELAY_PAIRS").map_or(20, |pairs| pairs.parse().unwrap());
    let first = std::env::var("SEED").map_or(1, |seed| seed.parse().unwrap());
    let mut bytes = 0;
    for seed in first..first + pairs {
        bytes += compare(seed, [2 * seed, 2 * seed + 1]).await;
    }
    println!("{pairs} pairs of halls, {bytes} bytes each: the same (SEED={first})");
}

#[tokio::test]
async fn spectators_see_the_halls_diverge_after_the_delay() {
    let parted = play(1, None).end;
    let halls = [2, 3].map(|seed| play(1, Some(seed)));
    let mut last = Vec::new();
    for hall in &halls {
        let mut spectator = Spectator::new().await;
        last.push(spectator.look(hall, parted + seconds(2 * DELAY_S)).await);
    }
    assert_ne!(last[0], last[1]);
}

#[tokio::test]
async fn a_board_with_its_own_delay_says_how_much_later_its_moves_are_shown() {
    let hall = play_moves();
    let mut spectator = Spectator::new().await;
    let interval = seconds(7);
    let mut youngest = [i64::MAX; 2];
    let mut now = START;
    while now < hall.end + seconds(LATER.1) {
        let seen = spectator.look(&hall, now).await;
        for (youngest, path) in youngest.iter_mut().zip(["1.json", "2.json"]) {
            let head = format!("/live/boards/{path} ");
            let body = seen.iter().find(|page| page.starts_with(&head));
            let body = body.unwrap().split_once('\n').unwrap().1;
            let Ok(shown) = serde_json::from_str::<serde_json::Value>(body) else {
                continue;
            };
            let board = &shown["board"];
            if let Some(pressed_us) = board["last"]["at_us"].as_i64() {
                let later_us = board["later_us"].as_i64().unwrap_or_default();
                let age = shown["hub_us"].as_i64().unwrap() - (pressed_us + later_us);
                assert!(age >= 0, "{path} shows a press before it is due");
                *youngest = age.min(*youngest);
            }
        }
        now = now + interval;
    }
    let interval_us = interval.as_micros();
    assert!(
        youngest.iter().all(|age| *age < interval_us),
        "{youngest:?}"
    );
}
