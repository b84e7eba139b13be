//! A feed with a clock that the test controls, and a client that calls the public routes without a socket.

use std::sync::atomic::{AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode};
use futures::future::BoxFuture;
use hall::BoardDetail;
use hall::view::{
    BoardState, BoardView, EventView, Flag, PlanSegment, PressLine, Running, Side, SideView,
};
use hub::live::{LiveHall, Update};
use hub::web::{self, BoardDetails, Hosts};
use proto::ids::EventSeq;
use tournament::{Actor, Change, Tournament};
use tower::ServiceExt as _;

pub(crate) const EPOCH: u64 = 41;
pub(crate) const START_US: i64 = 1_000_000_000;
/// The version that the first call of `Update::tournament` in this epoch publishes.
pub(crate) const FIRST_VERSION: u64 = (EPOCH << 20) + 1;

pub(crate) struct Site {
    pub(crate) live: Arc<LiveHall>,
    pub(crate) router: Router,
    pub(crate) now_us: Arc<AtomicI64>,
    pub(crate) event: Shared,
    pub(crate) asked: Arc<AtomicUsize>,
}

pub(crate) type Shared = Arc<Mutex<Option<(u64, Arc<Tournament>)>>>;

struct Hall {
    ailing: bool,
    event: Shared,
    asked: Arc<AtomicUsize>,
}

impl BoardDetails for Hall {
    fn presses<'a>(&'a self, board: &'a str) -> BoxFuture<'a, Vec<PressLine>> {
        let press = PressLine {
            n: 1,
            side: Side::White,
            at_us: START_US - 5,
            used_us: 4_200_000,
            left_us: 298_800_000,
            event_seq: EventSeq(3),
        };
        self.asked.fetch_add(1, Ordering::Relaxed);
        Box::pin(async move {
            if board == "2" {
                vec![press]
            } else {
                Vec::new()
            }
        })
    }

    fn hosts(&self) -> Hosts {
        let names = ["hall.local", "chess.example.org"].map(str::to_owned);
        Hosts::new("10.0.0.7", names.into(), 8080)
    }

    fn tournament(&self) -> Option<(u64, Arc<Tournament>)> {
        self.event.lock().unwrap().clone()
    }

    fn health(&self) -> Result<(), String> {
        if self.ailing {
            Err("The disk is full; nothing is acknowledged.".into())
        } else {
            Ok(())
        }
    }
}

impl Site {
    pub(crate) fn new() -> Self {
        Self::with_ring(64, false)
    }

    pub(crate) fn with_ring(ring: usize, ailing: bool) -> Self {
        let now_us = Arc::new(AtomicI64::new(START_US));
        let clock = now_us.clone();
        let live = Arc::new(LiveHall::new(EPOCH, ring, move || {
            clock.load(Ordering::Relaxed)
        }));
        let event = EventView {
            name: "Harbour Cup 2026".into(),
            ..EventView::default()
        };
        drop(live.update(|update| {
            update.event(event);
            for name in ["1", "2", "10"] {
                update.board(shown(board(name)));
            }
        }));
        let (event, asked) = (Shared::default(), Arc::default());
        let hall = Hall {
            ailing,
            event: Shared::clone(&event),
            asked: Arc::clone(&asked),
        };
        let router = web::router(live.public(), hall);
        Self {
            live,
            router,
            now_us,
            event,
            asked,
        }
    }

    pub(crate) fn with_event(tournament: Tournament) -> Self {
        let site = Self::new();
        *site.event.lock().unwrap() = Some((1, Arc::new(tournament)));
        site
    }

    pub(crate) fn change(&self, actor: &Actor, change: Change) {
        let mut event = self.event.lock().unwrap();
        let (version, tournament) = event.as_mut().unwrap();
        Arc::make_mut(tournament).apply(actor, change).unwrap();
        *version += 1;
    }

    pub(crate) fn pass(&self, us: i64) {
        self.now_us.fetch_add(us, Ordering::Relaxed);
    }

    pub(crate) fn publish(&self, name: &str) {
        static SEQ: AtomicU64 = AtomicU64::new(2);
        let mut board = board(name);
        board.seq = SEQ.fetch_add(1, Ordering::Relaxed);
        self.update(|update| update.board(shown(board)));
    }

    pub(crate) fn update(&self, changes: impl FnOnce(&mut Update<'_>)) {
        drop(self.live.update(changes));
    }

    pub(crate) async fn get(&self, path: &str) -> Answered {
        self.ask("GET", path, &[]).await
    }

    pub(crate) async fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> Answered {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Body::empty()).unwrap();
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        Answered {
            status: parts.status,
            headers: parts.headers,
            body: Some(body),
        }
    }
}

pub(crate) fn shown(view: BoardView) -> Arc<BoardDetail> {
    Arc::new(BoardDetail::public(view))
}

pub(crate) struct Answered {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Option<Body>,
}

impl Answered {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) async fn bytes(mut self) -> Vec<u8> {
        let body = self.body.take().unwrap();
        axum::body::to_bytes(body, 1 << 20).await.unwrap().into()
    }

    pub(crate) async fn text(self) -> String {
        String::from_utf8(self.bytes().await).unwrap()
    }

    pub(crate) async fn json(self) -> serde_json::Value {
        serde_json::from_slice(&self.bytes().await).unwrap()
    }
}

pub(crate) fn board(name: &str) -> BoardView {
    let side = |name: &str| SideView {
        name: name.into(),
        us: 300_000_000,
        phase: "main",
        moves: 0,
        period: 1,
        flag: Flag::None,
        byo_left: None,
        stones: None,
        bank_us: None,
        points: None,
        delay_us: None,
    };
    BoardView {
        board: name.into(),
        white: side("Haugland, Anders"),
        black: side("Castellanos-Ibáñez, Rocío"),
        running: Running::White,
        next: None,
        paused: false,
        online: true,
        no_clock: false,
        clocks: None,
        state: BoardState::Running,
        since_us: None,
        silent_since_us: None,
        first_flag: None,
        result: None,
        draw_odds: None,
        control: "5m+3s".into(),
        plan: vec![PlanSegment {
            from_us: START_US,
            white_us: 300_000_000,
            black_us: 300_000_000,
            white_rate: -1,
            black_rate: 0,
            white_phase: "main",
            black_phase: "main",
        }],
        seq: 1,
        last: None,
        written: None,
        time_chess: None,
        note: None,
        later_us: None,
    }
}
