//! The public side over HTTP: the live page and the event's pages, with their JSON, server-sent events, pictures and games in PGN. Also serves
//! programs that read LiveChess, the page about the authority to trust, and `/healthz`.
//!
//! Owns routes, caching, compression and headers. Reading is public, and no request can change anything. Spectators do not slow the hall, however
//! slow or many they are: the snapshot and the changes are encoded once and shared, and watchers read from a ring. Must never show
//! data about boards or players that is neither in [`hall::view`] nor in the published event.

pub(crate) mod answer;
mod assets;
mod authority;
mod changes;
pub mod edge;
mod error_page;
mod event;
mod events;
mod games;
mod hosts;
mod kept;
mod livechess;
mod moves;
mod picture;
mod plain;
mod preference;
mod scores;
mod serve;
mod snapshot;
pub(crate) mod words;

use std::future::ready;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures::future::BoxFuture;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use crate::live::PublicHall;
use crate::metrics;
use answer::Answer;
use assets::Assets;
use hall::view::{BoardView, EventView, PressLine};
use moves::Moves;
use scores::Scores;
use snapshot::Snapshots;
use tournament::{RoundNo, Tournament};
use words::Language;

pub use authority::Authority;
pub use hosts::Hosts;
#[cfg(test)]
pub(crate) use serve::must_give_way;
pub(crate) use serve::thread_rests;
pub use serve::{BindError, bind, serve, serve_alone};

/// The source of the public pages' data beyond the feed.
pub trait BoardDetails: Send + Sync + 'static {
    /// Returns the source of the data that `self` does not provide.
    fn fallback(&self) -> Option<&dyn BoardDetails> {
        None
    }

    /// Returns the completed moves of the game on `board`, oldest first. The list is empty if there are none or they cannot be read now.
    fn presses<'a>(&'a self, board: &'a str) -> BoxFuture<'a, Vec<PressLine>> {
        match self.fallback() {
            Some(fallback) => fallback.presses(board),
            None => Box::pin(ready(Vec::new())),
        }
    }

    /// Returns the moves written down for the game on `board`, in SAN. The list is empty if there are none or they cannot be read now.
    fn score<'a>(&'a self, board: &'a str) -> BoxFuture<'a, Vec<String>> {
        match self.fallback() {
            Some(fallback) => fallback.score(board),
            None => Box::pin(ready(Vec::new())),
        }
    }

    /// Returns the hosts under which spectators reach these pages.
    fn hosts(&self) -> Hosts {
        self.fallback()
            .map(|fallback| fallback.hosts())
            .unwrap_or_default()
    }

    /// Returns the event's players, pairings and results with their version; `None` while there is no event.
    fn tournament(&self) -> Option<(u64, Arc<Tournament>)> {
        self.fallback()?.tournament()
    }

    /// Returns the requested games of a round in PGN, with the moves that may be shown; `None` if the round is not shown as paired.
    ///
    /// # Errors
    /// Returns a sentence that says why there are no games.
    fn games<'a>(&'a self, wanted: WantedGames) -> BoxFuture<'a, Result<Option<String>, String>> {
        match self.fallback() {
            Some(fallback) => fallback.games(wanted),
            None => Box::pin(ready(Ok(None))),
        }
    }

    /// Returns the authority that arbiters' browsers must trust; `None` if this source has no authority to show.
    fn authority(&self) -> Option<Authority> {
        self.fallback()?.authority()
    }

    /// Returns `Ok` if the hub is healthy, for `/healthz`.
    ///
    /// # Errors
    /// Returns a sentence that describes the failure.
    fn health(&self) -> Result<(), String> {
        self.fallback().map_or(Ok(()), |fallback| fallback.health())
    }
}

/// A program's request for games of one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WantedGames {
    pub round: RoundNo,
    /// The first and the last place in the round, counted from 1.
    pub places: (usize, usize),
    /// True for Lichess's variant of PGN instead of the standard format.
    pub lichess: bool,
}

/// The content security policy of every response that is not for a frame. Pages load only the hub's own files and images in `data:` URLs.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";
/// The content security policy of a page that other sites embed in a frame (`?embed`).
const EMBEDDED_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *";

#[derive(Clone)]
struct Web {
    hall: PublicHall,
    source: Arc<dyn BoardDetails>,
    snapshots: Arc<Snapshots>,
    assets: Arc<Assets>,
    editions: Arc<event::Editions>,
    watchers: events::Watchers,
    moves: Arc<Moves>,
    scores: Arc<Scores>,
    codes: Arc<event::BoardCodes>,
    blocks: Arc<changes::Blocks>,
    pictures: Arc<picture::Pictures>,
    /// The configured address of the public pages, such as `https://live.example.org`.
    site: Option<Arc<str>>,
    over: CancellationToken,
}

pub fn router(hall: PublicHall, source: impl BoardDetails) -> Router {
    let (source, over) = (Arc::new(source), CancellationToken::new());
    router_for(hall, source, events::WATCHERS, None, over)
}

/// Returns the routes to serve while there is no hall to show.
pub fn not_yet() -> Router {
    Router::new()
        .route("/assets/{file}", get(asset_of_no_hall))
        .fallback(async |headers: HeaderMap| error_page::not_yet(&headers))
        .layer(middleware::from_fn(with_headers))
        .with_state(Arc::new(Assets::load()))
}

async fn asset_of_no_hall(
    State(assets): State<Arc<Assets>>,
    Path(file): Path<String>,
    headers: HeaderMap,
) -> Response {
    match assets.find(&file) {
        Some(asset) => asset.respond(&headers),
        None => error_page::not_found(headers).await,
    }
}

/// Returns all public routes. At most `watchers` may follow the feed. `site` is the address of the public pages, if it is configured. Cancelling
/// `over` ends the streams, for example when a different hall replaces this one.
pub fn router_for(
    hall: PublicHall,
    source: Arc<dyn BoardDetails>,
    watchers: usize,
    site: Option<&str>,
    over: CancellationToken,
) -> Router {
    let web = Web {
        snapshots: Arc::new(Snapshots::new(hall.clone())),
        assets: Arc::new(Assets::load()),
        editions: Arc::default(),
        watchers: events::Watchers::new(watchers),
        moves: Arc::default(),
        scores: Arc::default(),
        codes: Arc::default(),
        blocks: Arc::default(),
        pictures: Arc::default(),
        site: site.map(Arc::from),
        source,
        over,
        hall,
    };
    Router::new()
        .route("/", get(all_boards_page))
        .route("/plain", get(plain::page))
        .route("/picture.png", get(picture::of_hall))
        .route("/widget.js", get(widget))
        .route("/board/{board}", get(board_page))
        .route("/board/{board}/picture.png", get(picture::of_board))
        .route("/live/boards.json", get(boards_json))
        .route("/live/boards/{file}", get(board_json))
        .route("/live/changes.json", get(changes::newest))
        .route("/live/changes/{epoch}/{file}", get(changes::block))
        .route("/live/openapi.json", get(openapi))
        .route("/live/events", get(events::events))
        .route("/healthz", get(healthz))
        .route("/authority", get(authority_page))
        .route("/authority.crt", get(authority_der))
        .route("/authority.pem", get(authority_pem))
        .route("/authority.mobileconfig", get(authority_profile))
        .route("/assets/{file}", get(asset))
        .route("/assets/event/{file}", get(event_asset))
        .route("/live/event/rounds/{round}/games.pgn", get(games::pgn))
        .route("/api/v1.0", get(livechess::socket))
        .merge(event::routes())
        .fallback(error_page::not_found)
        .method_not_allowed_fallback(error_page::method_not_allowed)
        .layer(middleware::from_fn(with_headers))
        .with_state(web)
}

async fn all_boards_page(State(web): State<Web>, headers: HeaderMap) -> Response {
    web.page("index.html", None, &headers)
}

async fn board_page(
    State(web): State<Web>,
    Path(board): Path<String>,
    headers: HeaderMap,
) -> Response {
    match web.hall.board(&board) {
        Some(view) => web.page("board.html", Some(&view), &headers),
        None => error_page::no_such_board(&board, &headers),
    }
}

async fn asset(State(web): State<Web>, Path(file): Path<String>, headers: HeaderMap) -> Response {
    asset_of_no_hall(State(web.assets), Path(file), headers).await
}

/// Serves the script that other sites use to embed a board or the hall.
async fn widget(web: State<Web>, headers: HeaderMap) -> Response {
    asset(web, Path("widget.js".to_owned()), headers).await
}

async fn event_asset(web: State<Web>, Path(file): Path<String>, headers: HeaderMap) -> Response {
    asset(web, Path(format!("event/{file}")), headers).await
}

async fn boards_json(State(web): State<Web>, headers: HeaderMap) -> Response {
    with_cors(web.snapshots.newest().await.respond(&headers))
}

async fn openapi(State(web): State<Web>, headers: HeaderMap) -> Response {
    match web.assets.find("openapi.json") {
        Some(description) => with_cors(description.respond(&headers)),
        None => error_page::not_found(headers).await,
    }
}

#[derive(Serialize)]
struct BoardJson<'a> {
    epoch: u64,
    seq: u64,
    hub_us: i64,
    event: &'a EventView,
    board: &'a BoardView,
    #[serde(skip_serializing_if = "Option::is_none")]
    previous: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
    presses: &'a [PressLine],
    score: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    tournament: Option<u64>,
}

async fn board_json(
    State(web): State<Web>,
    Path(file): Path<String>,
    headers: HeaderMap,
) -> Response {
    let Some(name) = file.strip_suffix(".json") else {
        return error_page::not_found(headers).await;
    };
    // Read the position in the feed before the moves: a change between the two reads is then sent again, and the page draws it twice. If the position
    // were read later, the change would be lost.
    let seq = web.hall.newest();
    let presses = match web.hall.moves_of(name) {
        Some(newest) => web.moves.of(name, newest, &*web.source).await,
        None => Vec::new().into(),
    };
    let Some(view) = web.hall.board(name) else {
        return error_page::no_such_board(name, &headers);
    };
    let written = view.written.as_ref();
    let score = web.scores.of(name, written, &*web.source).await;
    let hub_us = web.hall.hub_us();
    let (previous, next) = web.hall.neighbours(name);
    let body = BoardJson {
        epoch: web.hall.epoch(),
        seq,
        hub_us,
        event: &web.hall.event(),
        board: &view.at(hub_us),
        previous,
        next,
        presses: &presses,
        score: &score,
        tournament: web.source.tournament().map(|(version, _)| version),
    };
    json(&body, &headers)
}

async fn authority_page(web: State<Web>, headers: HeaderMap) -> Response {
    let language = Language::of(&headers);
    web.with_authority(&headers, |authority| authority.page(language, &headers))
}

async fn authority_der(web: State<Web>, headers: HeaderMap) -> Response {
    web.with_authority(&headers, Authority::der)
}

async fn authority_pem(web: State<Web>, headers: HeaderMap) -> Response {
    web.with_authority(&headers, Authority::pem)
}

async fn authority_profile(web: State<Web>, headers: HeaderMap) -> Response {
    let language = Language::of(&headers);
    web.with_authority(&headers, |authority| authority.profile(language))
}

async fn healthz(State(web): State<Web>) -> Response {
    let (status, word, why) = match web.source.health() {
        Ok(()) => (StatusCode::OK, "ok", None),
        Err(why) => (StatusCode::SERVICE_UNAVAILABLE, "failing", Some(why)),
    };
    let body = serde_json::json!({
        "status": word, "why": why, "epoch": web.hall.epoch(), "seq": web.hall.newest(), "hub_us": web.hall.hub_us(),
    });
    let no_store = [(header::CACHE_CONTROL, "no-store")];
    (status, no_store, axum::Json(body)).into_response()
}

impl Web {
    fn with_authority(
        &self,
        headers: &HeaderMap,
        answer: impl Fn(&Authority) -> Response,
    ) -> Response {
        match self.source.authority() {
            Some(authority) => answer(&authority),
            // Tests that run only the pages have no authority.
            None => error_page::no_authority(headers),
        }
    }

    fn page(&self, file: &'static str, board: Option<&BoardView>, headers: &HeaderMap) -> Response {
        let language = Language::of(headers);
        let share = self.share(board, requested_host(headers), language);
        let Some(page) = self.assets.page(file, language, share) else {
            return StatusCode::NOT_FOUND.into_response();
        };
        let told = [
            (header::VARY, "accept-encoding, accept-language"),
            (header::CONTENT_LANGUAGE, language.tag()),
        ];
        (told, page.respond(headers)).into_response()
    }
}

fn requested_host(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::HOST)?.to_str().ok()
}

fn with_cors(response: Response) -> Response {
    ([(header::ACCESS_CONTROL_ALLOW_ORIGIN, "*")], response).into_response()
}

fn json(body: &impl Serialize, headers: &HeaderMap) -> Response {
    match serde_json::to_vec(body) {
        Ok(json) => with_cors(Answer::json(json.into()).respond(headers)),
        Err(error) => failed(&error),
    }
}

fn failed(error: &serde_json::Error) -> Response {
    tracing::error!(%error, "public data could not be encoded as JSON");
    let no_store = [(header::CACHE_CONTROL, "no-store")];
    (StatusCode::INTERNAL_SERVER_ERROR, no_store).into_response()
}

/// Lets the language in an address, `?lang=de`, override the browser's preference.
fn prefer_named_language(request: &mut Request) {
    if let Some(language) = Language::named_in(request.uri().query()) {
        let tag = HeaderValue::from_static(language.tag());
        request.headers_mut().insert(header::ACCEPT_LANGUAGE, tag);
    }
}

fn is_embedded(query: Option<&str>) -> bool {
    let mut parts = query.unwrap_or_default().split('&');
    parts.any(|part| part == "embed" || part.starts_with("embed="))
}

async fn with_headers(mut request: Request, next: Next) -> Response {
    prefer_named_language(&mut request);
    let policy = match is_embedded(request.uri().query()) {
        true => EMBEDDED_POLICY,
        false => CONTENT_SECURITY_POLICY,
    };
    let response = next.run(request).await;
    metrics::http_answered(response.status().as_u16());
    let told = [
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    (told, response).into_response()
}
