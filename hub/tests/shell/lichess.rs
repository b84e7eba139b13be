//! A stand-in for Lichess that accepts pushed games like the real site. Each push is for one round, and a game is identified by its `GameId`.
//! Errors in individual games are reported in a response with status 200.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use bytes::Bytes;
use serde_json::json;

pub(crate) const TOKEN: &str = "lip_test";
/// Maximum number of games that Lichess accepts in one push.
const MAX_GAMES: usize = 100;
const SLOW: Duration = Duration::from_secs(3);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mood {
    Well,
    /// Answers with status 429 and asks the hub to retry after a second.
    TooMany,
    /// Refuses the games with status 502.
    Broken,
    /// Accepts the games, but answers with status 504, like a proxy whose timeout has expired.
    Silent,
    /// Accepts the games, then dies in the middle of its response.
    Killed,
    /// Accepts the games, but answers only after [`SLOW`].
    Slow,
}

#[derive(Default)]
struct Seen {
    /// The newest text of each game, by round and `GameId`.
    games: BTreeMap<(String, String), String>,
    /// The number of times that a game was pushed again with the same text.
    repeated: usize,
    requests: usize,
    open: usize,
    most_open: usize,
    faults: Vec<String>,
}

#[derive(Clone)]
pub(crate) struct Lichess {
    seen: Arc<Mutex<Seen>>,
    mood: Arc<Mutex<Mood>>,
    /// The player whose games (as White) the stand-in refuses.
    refused: &'static str,
}

impl Lichess {
    pub(crate) async fn start(refused: &'static str) -> (Self, SocketAddr) {
        let lichess = Self {
            seen: Arc::default(),
            mood: Arc::new(Mutex::new(Mood::Well)),
            refused,
        };
        let router = Router::new()
            .route("/api/broadcast/round/{id}/push", post(push))
            .with_state(lichess.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        (lichess, address)
    }

    pub(crate) fn be(&self, mood: Mood) {
        *self.mood.lock().unwrap() = mood;
    }

    pub(crate) fn requests(&self) -> usize {
        self.seen.lock().unwrap().requests
    }

    pub(crate) fn games(&self, round: &str) -> Vec<String> {
        let seen = self.seen.lock().unwrap();
        let games = seen.games.iter().filter(|((of, _), _)| of == round);
        games.map(|(_, text)| text.clone()).collect()
    }

    /// Checks that requests were well formed and came one at a time, and that no game arrived twice with the same text.
    #[track_caller]
    pub(crate) fn assert_well_treated(&self) {
        let seen = self.seen.lock().unwrap();
        assert_eq!(seen.faults, Vec::<String>::new());
        assert_eq!((seen.most_open, seen.repeated), (1, 0));
    }

    /// Checks that requests were well formed and came one at a time; returns their number. Permits repeated games, because the hub may resend games
    /// that the stand-in accepted without confirming them.
    #[track_caller]
    pub(crate) fn assert_patience(&self) -> usize {
        let seen = self.seen.lock().unwrap();
        assert_eq!(seen.faults, Vec::<String>::new());
        assert_eq!(seen.most_open, 1);
        seen.requests
    }

    fn answer(&self, round: &str, headers: &HeaderMap, body: &str) -> Response {
        let mood = *self.mood.lock().unwrap();
        let header = |name| headers.get(name).map(|value| value.to_str().unwrap());
        let mut seen = self.seen.lock().unwrap();
        match mood {
            Mood::TooMany => {
                return (StatusCode::TOO_MANY_REQUESTS, [("retry-after", "1")]).into_response();
            }
            Mood::Broken => return StatusCode::BAD_GATEWAY.into_response(),
            Mood::Well | Mood::Silent | Mood::Killed | Mood::Slow => (),
        }
        if header("authorization") != Some(&format!("Bearer {TOKEN}")) {
            return (StatusCode::UNAUTHORIZED, r#"{"error":"No such token"}"#).into_response();
        }
        if header("content-type") != Some("text/plain; charset=utf-8") {
            seen.faults.push(format!("{:?}", header("content-type")));
        }
        let games: Vec<&str> = split(body);
        if games.is_empty() || games.len() > MAX_GAMES {
            seen.faults.push(format!("{} games", games.len()));
        }
        let answers = games.into_iter().map(|game| {
            let tags = json!({"White": tag(game, "White"), "Black": tag(game, "Black")});
            if tag(game, "White") == self.refused {
                return json!({"tags": tags, "error": "Cannot parse moves"});
            }
            let key = (round.to_owned(), tag(game, "GameId"));
            let before = seen.games.insert(key, game.to_owned());
            seen.repeated += usize::from(before.as_deref() == Some(game));
            json!({"tags": tags, "moves": 0})
        });
        let answers: Vec<_> = answers.collect();
        if mood == Mood::Silent {
            return StatusCode::GATEWAY_TIMEOUT.into_response();
        }
        if mood == Mood::Killed {
            let cut = std::io::Error::other("killed");
            let begun = Ok(Bytes::from_static(b"{\"games\":["));
            return Body::from_stream(futures::stream::iter([begun, Err(cut)])).into_response();
        }
        axum::Json(json!({"games": answers})).into_response()
    }
}

async fn push(
    State(lichess): State<Lichess>,
    Path(round): Path<String>,
    headers: HeaderMap,
    body: String,
) -> Response {
    {
        let mut seen = lichess.seen.lock().unwrap();
        seen.requests += 1;
        seen.open += 1;
        seen.most_open = seen.most_open.max(seen.open);
    }
    let answer = lichess.answer(&round, &headers, &body);
    // Gives a simultaneous request the chance to arrive, so that the stand-in detects it.
    tokio::task::yield_now().await;
    if *lichess.mood.lock().unwrap() == Mood::Slow {
        let _ = tokio::time::timeout(SLOW, std::future::pending::<()>()).await;
    }
    lichess.seen.lock().unwrap().open -= 1;
    answer
}

/// Splits a body into games as Lichess does: at each blank line before a tag.
fn split(body: &str) -> Vec<&str> {
    let body = body.trim();
    let mut games = Vec::new();
    let mut rest = body;
    while let Some(at) = rest.find("\n\n[") {
        games.push(rest[..at].trim());
        rest = &rest[at + 2..];
    }
    games.push(rest.trim());
    games.retain(|game| !game.is_empty());
    games
}

/// Returns the value of a game's PGN tag; empty if the tag is missing.
pub(crate) fn tag(game: &str, name: &str) -> String {
    let begins = format!("[{name} \"");
    let line = game.lines().find_map(|line| line.strip_prefix(&begins));
    line.and_then(|line| line.strip_suffix("\"]"))
        .unwrap_or_default()
        .to_owned()
}
