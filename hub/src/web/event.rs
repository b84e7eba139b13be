//! The public pages of the event: rounds, results, standings, cross table, players, teams, and printed sheets.
//!
//! Owns their routes. Each data set except the overview is cached, encoded, for one version of the event. A new result therefore costs one
//! computation of each requested data set, however many clients ask.
//!
//! Must never show data meant only for arbiters: proposals, reasons, actors, notes (FIDE 12.6).

mod edition;
mod explain;
mod explain_words;
mod overview;
mod participants;
mod qr;
mod round;
mod shared;
mod sheets;
mod table;
mod team;
mod tie_break_names;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::{MethodRouter, get};
use serde::Deserialize;

use super::{Web, error_page, failed, json, with_cors};
use edition::{Edition, Sheet};
use sheets::Unserved;

pub(super) use edition::Editions;
pub(super) use qr::BoardCodes;

/// Allowed names after `/event/print/`.
const PRINTED: &[&str] = &["pairings", "names", "cards", "slips", "standings"];

pub(super) fn routes() -> Router<Web> {
    Router::new()
        .route("/event", get(any_page))
        .route("/event/standings", get(any_page))
        .route("/event/cross-table", get(any_page))
        .route("/event/players", get(any_page))
        .route("/event/players/{no}", item_pages(Edition::has_player))
        .route("/event/teams", get(teams_page))
        .route("/event/teams/{no}", item_pages(Edition::has_team))
        .route("/event/rounds", get(any_page))
        .route("/event/rounds/{no}", item_pages(Edition::has_round))
        .route("/event/print/{what}", get(print_page))
        .route("/live/event.json", get(overview_json))
        .route("/live/event/standings.json", get(standings_json))
        .route(
            "/live/event/cross-table.json",
            event_data(|_| Some(Sheet::CrossTable)),
        )
        .route(
            "/live/event/players.json",
            event_data(|_| Some(Sheet::Players)),
        )
        .route(
            "/live/event/players/{file}",
            item_data(Edition::has_player, Sheet::Player),
        )
        .route(
            "/live/event/teams.json",
            event_data(|edition| edition.is_team().then_some(Sheet::Teams)),
        )
        .route(
            "/live/event/teams/{file}",
            item_data(Edition::has_team, Sheet::Team),
        )
        .route(
            "/live/event/rounds/{file}",
            item_data(Edition::has_round, Sheet::Round),
        )
        .route("/live/event/why/{file}", get(why_json))
        .route("/board/{board}/qr.svg", get(qr::board))
}

/// Returns the standings: place, name and score of each participant; `None` while there is no event.
pub(super) fn places(web: &Web) -> Option<Vec<(usize, String, String)>> {
    let edition = web.edition()?;
    let standings = edition.now();
    let rows = standings.rows.iter().map(|row| {
        let name = shared::Name::who(&edition.tournament, row.who);
        (row.rank, name.name.to_owned(), row.score.to_string())
    });
    Some(rows.collect())
}

#[derive(Deserialize)]
struct After {
    after: Option<u16>,
}

async fn any_page(State(web): State<Web>, headers: HeaderMap) -> Response {
    page(&web, &headers, |_| true)
}

async fn teams_page(State(web): State<Web>, headers: HeaderMap) -> Response {
    page(&web, &headers, Edition::is_team)
}

/// Serves one page for each item of a kind (player, team or round), under the item's number.
fn item_pages(has: fn(&Edition, u16) -> bool) -> MethodRouter<Web> {
    get(
        move |State(web): State<Web>, Path(no): Path<String>, headers: HeaderMap| async move {
            let shows = |edition: &Edition| number(&no).is_some_and(|no| has(edition, no));
            page(&web, &headers, shows)
        },
    )
}

async fn print_page(
    State(web): State<Web>,
    Path(what): Path<String>,
    headers: HeaderMap,
) -> Response {
    page(&web, &headers, |_| PRINTED.contains(&what.as_str()))
}

/// Returns the page that serves every address of the event; an error page if there is no event or `shows` is false for it.
fn page(web: &Web, headers: &HeaderMap, shows: impl Fn(&Edition) -> bool) -> Response {
    match web.edition() {
        None => error_page::no_event(headers),
        Some(edition) if shows(&edition) => web.page("event/event.html", None, headers),
        Some(_) => error_page::not_in_event(headers),
    }
}

async fn overview_json(State(web): State<Web>, headers: HeaderMap) -> Response {
    // Read the position in the feed before the event: a change between the two reads is then sent again instead of being missed.
    let place = overview::Place::of(&web.hall);
    let Some(edition) = web.edition() else {
        return error_page::no_event(&headers);
    };
    json(&overview::of(&edition, place), &headers)
}

async fn standings_json(
    State(web): State<Web>,
    Query(of): Query<After>,
    headers: HeaderMap,
) -> Response {
    let wanted = |edition: &Edition| Some(Sheet::Standings(edition.round_or_now(of.after)?));
    sheet(&web, &headers, wanted).await
}

fn event_data(which: fn(&Edition) -> Option<Sheet>) -> MethodRouter<Web> {
    get(
        move |State(web): State<Web>, headers: HeaderMap| async move {
            sheet(&web, &headers, which).await
        },
    )
}

fn item_data(has: fn(&Edition, u16) -> bool, which: fn(u16) -> Sheet) -> MethodRouter<Web> {
    get(
        move |State(web): State<Web>, Path(file): Path<String>, headers: HeaderMap| async move {
            let number = file_number(&file);
            let found = |edition: &Edition| number.filter(|no| has(edition, *no)).map(which);
            sheet(&web, &headers, found).await
        },
    )
}

async fn why_json(
    State(web): State<Web>,
    Path(file): Path<String>,
    Query(of): Query<After>,
    headers: HeaderMap,
) -> Response {
    sheet(&web, &headers, |edition| {
        let no = file_number(&file).filter(|no| edition.has_competitor(*no))?;
        Some(Sheet::Why(edition.round_or_now(of.after)?, no))
    })
    .await
}

async fn sheet(
    web: &Web,
    headers: &HeaderMap,
    which: impl FnOnce(&Edition) -> Option<Sheet>,
) -> Response {
    let Some(edition) = web.edition() else {
        return error_page::no_event(headers);
    };
    let Some(wanted) = which(&edition) else {
        return error_page::not_in_event(headers);
    };
    match Edition::answer(edition, wanted).await {
        Ok(answer) => with_cors(answer.respond(headers)),
        Err(Unserved::Busy) => error_page::too_many(headers),
        Err(Unserved::Failed(error)) => failed(&error),
    }
}

fn file_number(file: &str) -> Option<u16> {
    number(file.strip_suffix(".json")?)
}

/// Parses a number only in its canonical form, so that each page has one address.
fn number(text: &str) -> Option<u16> {
    let no: u16 = text.parse().ok()?;
    (no.to_string() == text).then_some(no)
}

impl Web {
    fn edition(&self) -> Option<Arc<Edition>> {
        let (version, tournament) = self.source.tournament()?;
        Some(self.editions.of(version, tournament))
    }
}
